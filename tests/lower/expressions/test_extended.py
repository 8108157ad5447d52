"""Extended expressions: what pyarrow serialises, against what pyarrow computes; and those made by hand."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.substrait as ps
import pytest

import substrait_sql
from substrait_sql import InvalidPlanError, UnsupportedError
from substrait_sql.wire.descriptors import message
from tests.support import rows, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLE = pa.table(
    {
        "i": pa.array([5, -3, None, 0], pa.int64()),
        "j": pa.array([1, 2, 3, None], pa.int32()),
        "f": pa.array([1.5, float("nan"), float("inf"), None], pa.float64()),
        "s": pa.array(["one", "Zwei", "", None], pa.string()),
        "d": pa.array([dt.date(2020, 2, 29), dt.date(1999, 12, 31), None, dt.date(1970, 1, 1)]),
        "t": pa.array([dt.datetime(2021, 3, 4, 5, 6, 7, 123456)] * 3 + [None], pa.timestamp("us")),
        "b": pa.array([True, False, None, True]),
    }
)
_i, _j, _f, _s, _d, _t, _b = map(pc.field, TABLE.column_names)
EXPRESSIONS: dict[str, Any] = {
    "field": _i,
    "equal": _i == 5,
    "less": _i < 2,
    "kleene": pc.and_kleene(_b, pc.or_kleene(_i > 0, pc.is_null(_s))),
    "invert": ~_b,
    "valid": pc.is_valid(_f),
    # pyarrow finds NULL in no list; the expression it writes is NULL there.
    "in": pc.and_kleene(pc.is_valid(_s), _s.isin(["one", ""])),
    "coalesce": pc.coalesce(_i, 7),
    "case": pc.if_else(pc.is_valid(_b), _i, -1),
    "add": pc.add_checked(_i, _i),
    "add_floats": pc.add(_f, _f),
    "subtract_floats": pc.subtract_checked(_f, 1.5),
    "multiply_floats": pc.multiply(_f, _f),
    "negate_floats": pc.negate(_f),
    "abs_floats": pc.abs(_f),
    "divide": pc.divide_checked(_i, 2),
    "starts": pc.starts_with(_s, "o"),
    "contains": pc.match_substring(_s, "e"),
    "upper": pc.utf8_upper(_s),
    "length": pc.utf8_length(_s),
    "reverse": pc.utf8_reverse(_s),
    "joined": pc.binary_join_element_wise(_s, _s, "-"),
    "year": pc.year(_d),
    "quarter": pc.quarter(_d),
    "month": pc.month(_t),
    "day": pc.day(_d),
    "day_of_year": pc.day_of_year(_d),
    "iso_week": pc.iso_week(_d),
    "hour": pc.hour(_t),
    "second": pc.second(_t),
    "days": pc.days_between(_d, _d),
    "ceil": pc.ceil(_f),
    "floor": pc.floor(_f),
    "infinite": pc.is_inf(_f),
    "logarithms": pc.add(pc.add(pc.ln(_f), pc.log10(_f)), pc.add(pc.log2(_f), pc.log1p(_f))),
    "ln_of_nothing": pc.ln(pc.subtract_checked(_f, 1.5)),
    "log1p_below": pc.log1p(pc.negate(_f)),
    "truncated": pc.trunc(pc.negate(_f)),
    "either": pc.xor(_b, pc.is_null(_i)),
    "bytes": pc.binary_length(_s),
    "capitalized": pc.utf8_capitalize(_s),
    "iso_year": pc.iso_year(_d),
    "years": pc.years_between(_d, _d),
    "leap": pc.is_leap_year(_d),
    "instant": _t > dt.datetime(2021, 1, 1),
}


def serialised(expressions: dict[str, Any]) -> bytes:
    """The expressions as pyarrow writes them."""
    names, values = list(expressions), list(expressions.values())
    found = ps.serialize_expressions(values, names, TABLE.schema, allow_arrow_extensions=True)
    return bytes(found)


@pytest.mark.spark
def test_pyarrow(spark: SparkSession) -> None:
    """Every expression returns on Spark what pyarrow computes itself."""
    frame = spark.createDataFrame(TABLE)
    found = substrait_sql.execute(spark, serialised(EXPRESSIONS), tables={"anything": frame})
    assert not isinstance(found, list)
    assert found.columns == list(EXPRESSIONS)
    wanted = ds.dataset(TABLE).to_table(columns=EXPRESSIONS)
    expected = [tuple(row.values()) for row in wanted.to_pylist()]
    assert not rows.difference(run.collect(found), expected, loose=True)


def test_text() -> None:
    """One query over a table that the caller names."""
    given = serialised({"big": _i > 3, "who": pc.utf8_upper(_s)})
    assert substrait_sql.to_sql(given) == "SELECT\n  i > 3 AS big,\n  upper(s) AS who\nFROM input"
    named = substrait_sql.render(given, table_names={("input",): ("db", "people")})
    assert named.sql.endswith("FROM db.people AS input")
    assert [(s.names, s.anonymous) for s in named.sources] == [(("input",), True)]
    assert not [d for d in substrait_sql.check(given) if d.severity is substrait_sql.Severity.ERROR]


def extended(*kinds: str, schema: bool = True) -> Any:
    """An extended expression of 7 or of ``count(*)``."""
    found: Any = message("ExtendedExpression")()
    found.extension_urns.add(
        extension_urn_anchor=1, urn="extension:io.substrait:functions_aggregate_generic"
    )
    function = found.extensions.add().extension_function
    function.extension_urn_reference, function.function_anchor, function.name = 1, 1, "count"
    if schema:
        found.base_schema.names.append("a")
        found.base_schema.struct.types.add().i64.nullability = 1
    for i, kind in enumerate(kinds):
        each = found.referred_expr.add(output_names=[f"c{i}"])
        if kind == "expression":
            each.expression.literal.i32 = 7
        elif kind == "measure":
            each.measure.function_reference, each.measure.phase = 1, 3
            each.measure.output_type.i64.nullability = 2
        elif kind == "bad":
            each.expression.selection.direct_reference.struct_field.field = 9
    return found


def test_measures() -> None:
    """Measures are one row of aggregates."""
    assert substrait_sql.to_sql(extended("measure")) == "SELECT\n  count(*) AS c0\nFROM input"


def test_without_columns() -> None:
    """Without columns there is no table to read."""
    assert substrait_sql.to_sql(extended("expression", schema=False)) == "SELECT\n  7 AS c0"


def test_refused() -> None:
    """Errors name the node of the message that was given, not of the plan that we make of it."""
    with pytest.raises(UnsupportedError, match=r"SS2014(.|\n)*referred_expr"):
        substrait_sql.to_sql(extended("expression", "measure"))
    with pytest.raises(InvalidPlanError, match=r"SS2110(.|\n)*referred_expr"):
        substrait_sql.to_sql(extended("expression", ""))
    with pytest.raises(InvalidPlanError, match=r"referred_expr\[1\]\.expression\.selection"):
        substrait_sql.to_sql(extended("expression", "bad"))
    assert [d.code for d in substrait_sql.check(extended("expression", "measure"))] == ["SS2014"]
