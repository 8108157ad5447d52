"""Expressions of pyarrow mean what pyarrow makes of them: its own types, the names of its outputs, casts of moments."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.substrait as ps
import pytest
from substrait.extended_expression_pb2 import ExtendedExpression

import substrait_sql
from substrait_sql import wire
from substrait_sql.errors import InvalidPlanError, UnsupportedError
from substrait_sql.wire import encode
from tests.support import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

LATE, EARLY = (
    dt.datetime(2020, 1, 31, 3, 4, 5, 678901),
    dt.datetime(1969, 12, 31, 23, 59, 59, 500000),
)
OWN = pa.table({
    "s": pa.array(["a", "Abc", "", None], pa.large_string()),
    "b": pa.array([b"a", b"", b"\xff", None], pa.large_binary()),
    "i": pa.array([0, 200, 255, None], pa.uint8()),
    "j": pa.array([0, 200, 65535, None], pa.uint16()),
    "k": pa.array([0, 200, 2**32 - 1, None], pa.uint32()),
    "l": pa.array([0, 200, 2**64 - 1, None], pa.uint64()),
    "d": pa.array([dt.date(2020, 1, 31), dt.date(1969, 12, 31), dt.date(1, 1, 1), None], pa.date64()),
    "t": pa.array([dt.time(1, 2, 3), dt.time(0), dt.time(23, 59, 59), None], pa.time32("s")),
    "u": pa.array([dt.time(1, 2, 3, 5000), dt.time(0), dt.time(23, 59, 59, 999000), None], pa.time32("ms")),
})  # fmt: skip


def serialized(outputs: Mapping[str, pc.Expression], schema: pa.Schema) -> bytes:
    return bytes(ps.serialize_expressions(list(outputs.values()), list(outputs), schema))


def require_rows(
    spark: SparkSession, table: pa.Table, outputs: Mapping[str, pc.Expression]
) -> None:
    """Spark returns for the expressions what pyarrow does."""
    made = serialized(outputs, table.schema)
    want = [tuple(row.values()) for row in ds.dataset(table).to_table(columns=outputs).to_pylist()]
    found = substrait_sql.execute(spark, made, tables={"input": table}).collect()
    difference = rows.difference([tuple(r.asDict(recursive=True).values()) for r in found], want)
    assert not difference, f"{difference}\n\n{substrait_sql.to_sql(made)}"


def test_own_types(spark: SparkSession) -> None:
    """Columns and literals of types that Arrow alone has, compared, and cast to and from others."""
    first = {name: pc.scalar(OWN[name][1]) for name in OWN.column_names}
    outputs = {name: pc.field(name) for name in OWN.column_names}
    outputs |= {f"literal_{name}": value for name, value in first.items()}
    outputs |= {f"is_{name}": pc.field(name) == value for name, value in first.items()}
    outputs |= {f"above_{name}": pc.field(name) > value for name, value in first.items()}
    outputs |= {
        f"no_{name}": pc.scalar(pa.scalar(None, OWN[name].type)) for name in OWN.column_names
    }
    outputs |= {f"text_{n}": pc.field(n).cast(pa.large_string(), safe=False) for n in "sijkltu"}
    outputs |= {f"whole_{n}": pc.field(n).cast(pa.int64(), safe=False) for n in "ijk"}
    outputs["least"] = pc.coalesce(pc.field("s"), pa.scalar("none", pa.large_string()))
    require_rows(spark, OWN, outputs)


@pytest.mark.parametrize("type", [pa.float16(), pa.month_day_nano_interval()], ids=str)
def test_types_that_nothing_holds(type: pa.DataType) -> None:
    made = serialized({"x": pc.field("a")}, pa.schema([("a", type)]))
    with pytest.raises(
        UnsupportedError, match="there is no SQL type for u!(fp16|interval_month_day_nano)"
    ):
        substrait_sql.to_sql(made)


@pytest.mark.parametrize(
    ("type", "value", "written", "error"),
    [
        (pa.large_string(), "a", b"\n\x01\xff", UnsupportedError),
        (pa.large_binary(), b"a", b"\n\x05a", UnsupportedError),
        (pa.uint8(), 1, b"\x08\x80\x02", InvalidPlanError),
        (pa.uint8(), 1, b"\x08", UnsupportedError),
        (pa.date64(), dt.date(2020, 1, 1), b"\x08\x01", UnsupportedError),
    ],
    ids=["no text", "too short", "256 of 8 bits", "no number", "a millisecond of a day"],
)
def test_literals_that_are_not_of_their_type(
    type: pa.DataType, value: Any, written: bytes, error: Any
) -> None:
    made = serialized({"x": pc.scalar(pa.scalar(value, type))}, pa.schema([("a", pa.int32())]))
    message = ExtendedExpression.FromString(made)
    message.referred_expr[0].expression.literal.user_defined.value.value = written
    with pytest.raises(error, match=r"referred_expr\[0\]\.expression\.literal"):
        substrait_sql.to_sql(message.SerializeToString())


@pytest.mark.parametrize("form", ["json", "text", "binary"])
def test_own_literals_in_other_forms(form: str) -> None:
    """JSON has what an extension value wraps, and not its bytes."""
    outputs = {f"is_{n}": pc.field(n) == pc.scalar(OWN[n][1]) for n in OWN.column_names}
    plan = serialized(outputs, OWN.schema)
    sql = substrait_sql.to_sql(plan)
    decoded = wire.read(plan)
    written = {"json": encode.to_json, "text": encode.to_text, "binary": encode.to_bytes}[form]
    again = wire.read(written(decoded.plan))
    assert not [d for d in again.diagnostics if d.code == "SS1104"]
    assert substrait_sql.to_sql(written(decoded.plan)) == sql
    assert "s = 'Abc' AS is_s" in sql
    assert "l = CAST(200 AS DECIMAL(20, 0)) AS is_l" in sql


@pytest.mark.parametrize(
    "url", ["google.protobuf.Any", "google.protobuf.Struct", "substrait.Plan", ""]
)
def test_literals_that_nothing_wraps(url: str) -> None:
    made = serialized(
        {"x": pc.scalar(pa.scalar(b"a", pa.large_binary()))}, pa.schema([("a", pa.int32())])
    )
    message = ExtendedExpression.FromString(made)
    message.referred_expr[
        0
    ].expression.literal.user_defined.value.type_url = f"type.googleapis.com/{url}"
    with pytest.raises(UnsupportedError, match="SS2132"):
        substrait_sql.to_sql(message.SerializeToString())


NESTED = {
    "a": pa.int32(),
    "l": pa.list_(pa.int64()),
    "m": pa.map_(pa.string(), pa.list_(pa.int32())),
    "s": pa.struct([
        ("x", pa.int32()),
        ("y", pa.struct([("p", pa.string()), ("q", pa.list_(pa.int64())), ("r", pa.map_(pa.string(), pa.int32()))])),
        ("z", pa.string()),
    ]),
}  # fmt: skip


def test_names_of_nested_outputs(spark: SparkSession) -> None:
    """Each name stands behind those inside of it, and lists and maps have names inside that SQL has not."""
    schema = pa.schema(list(NESTED.items()))
    fields = "x: INT, y: STRUCT<p: STRING, q: ARRAY<BIGINT>, r: MAP<STRING, INT>>, z: STRING"
    columns = f"a INT, l ARRAY<BIGINT>, m MAP<STRING, ARRAY<INT>>, s STRUCT<{fields}>"
    frame = spark.createDataFrame([(1, [2], {"k": [3]}, (4, ("u", [5], {"v": 6}), "w"))], columns)
    outputs = {f"out_{n}": pc.field(n) for n in ("s", "a", "m", "l")}
    outputs["made"] = pc.scalar(
        pa.scalar({"f": 1, "g": [2]}, pa.struct([("f", pa.int8()), ("g", pa.list_(pa.int8()))]))
    )
    frame.createOrReplaceTempView("input")
    try:
        found = substrait_sql.execute(spark, serialized(outputs, schema))
        expected = frame.selectExpr("s AS out_s", "a AS out_a", "m AS out_m", "l AS out_l")
        assert found.drop("made").schema.simpleString() == expected.schema.simpleString()
        assert found.schema["made"].dataType.simpleString() == "struct<f:tinyint,g:array<tinyint>>"
        assert found.drop("made").collect() == expected.collect()
    finally:
        spark.catalog.dropTempView("input")


def test_casts_of_moments(spark: SparkSession) -> None:
    """Their texts have all digits, those of moments with a zone Z; digits are cut off towards 1970."""
    given = pa.table({
        "ts": pa.array([LATE, EARLY, dt.datetime(2024, 2, 29), None], pa.timestamp("us")),
        "tz": pa.array([LATE, EARLY, dt.datetime(2024, 2, 29), None], pa.timestamp("us", "UTC")),
        "t": pa.array([LATE.time(), EARLY.time(), dt.time(0), None], pa.time64("us")),
    })  # fmt: skip
    outputs = {f"text_{n}": pc.field(n).cast(pa.string(), safe=False) for n in ("ts", "tz", "t")}
    for unit in ("s", "ms"):
        outputs[f"ts_{unit}"] = pc.field("ts").cast(pa.timestamp(unit), safe=False)
        outputs[f"t_{unit}"] = pc.field("t").cast(pa.time32(unit), safe=False)
        outputs[f"text_{unit}"] = outputs[f"ts_{unit}"].cast(pa.string(), safe=False)
    require_rows(spark, given, outputs)


def test_nan_as_a_constant(spark: SparkSession) -> None:
    numbers = [1.0, -0.0, math.inf, math.nan, None]
    given = pa.table({"f": pa.array(numbers, pa.float64()), "g": pa.array(numbers, pa.float32())})
    outputs = {}
    for name in ("f", "g"):
        nan, column = pc.scalar(pa.scalar(math.nan, given[name].type)), pc.field(name)
        for i, (x, y) in enumerate([(column, nan), (nan, column)]):
            for op in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
                outputs[f"{op}_{name}{i}"] = getattr(pc, op)(x, y)
    require_rows(spark, given, outputs)


def test_signs_of_decimals(spark: SparkSession) -> None:
    """They have an option that says what becomes of an overflow, which no sign can have."""
    given = pa.table({"d": pa.array(["-2.50", "7.25", None]).cast(pa.decimal128(10, 2))})
    outputs = {"size": pc.abs(pc.field("d")), "other": pc.negate_checked(pc.field("d"))}
    require_rows(spark, given, outputs)


def test_casts_of_structs(spark: SparkSession) -> None:
    """pyarrow goes by the names of the fields, of which a plan has only those of the outputs."""
    fields = [("a", pa.int64()), ("b", pa.int64())]
    table = pa.table({"s": pa.array([{"a": 1, "b": 2}, None], pa.struct(fields))})

    def cast(*new: tuple[str, pa.DataType]) -> dict[str, pc.Expression]:
        options = pc.CastOptions.unsafe(pa.struct(new))
        return {"z": pc.field("s").cast(options=options)}

    narrow = pa.int32()
    require_rows(spark, table, cast(("a", narrow), ("b", narrow)))
    for new in (
        [("b", narrow), ("a", narrow)],
        [("c", narrow), ("d", narrow)],
        [("b", pa.int64()), ("a", pa.int64())],
    ):
        with pytest.raises(UnsupportedError, match="SS2207"):
            substrait_sql.to_sql(serialized(cast(*new), table.schema))
    single = pa.table({"s": pa.array([{"a": 1}], pa.struct(fields[:1]))})
    with pytest.raises(UnsupportedError, match="SS2207"):
        substrait_sql.to_sql(serialized(cast(("x", narrow)), single.schema))


def test_explain_says_the_types_that_are_read() -> None:
    """Arrow's names have anchors in the plan, and are other types or names here."""
    made = serialized(
        {"z": pc.field("s") == pc.scalar(pa.scalar("a", pa.large_string()))}, OWN.schema
    )
    lines = substrait_sql.explain(made).splitlines()
    schema = "s: string?, b: binary?, i: u!u8?, j: u!u16?, k: u!u32?, l: u!u64?, d: date?"
    assert lines[1].startswith(f"schema  {schema}")
    assert lines[-1] == "  equal(s, 'a')"
