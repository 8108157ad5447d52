"""NULLs inside of lists and structs are where the engine that made the plan puts them, in sorts and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from datafusion import SessionContext

import substrait_sql
from substrait_sql.errors import UnsupportedError
from tests.support import rows
from tests.support.json_plans import I64, call, field, of, plan, project, read
from tests.support.tpch import datafusion_plan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LISTS = [[1, None], [1, 2], [1], [None, 5], None, [], [None], [1, None, 3], [2]]
TABLE = pa.table({
    "k": range(len(LISTS)),
    "l": pa.array(LISTS, pa.list_(pa.int32())),
    "s": pa.array([None if v is None else {"a": (v or [7])[0], "b": len(v)} for v in LISTS]),
})  # fmt: skip
ORDERS = [
    "l",
    "l DESC",
    "l NULLS FIRST",
    "l DESC NULLS LAST",
    "l[1:2] DESC, k",
    "s NULLS FIRST",
    "s DESC NULLS LAST",
]


def context() -> SessionContext:
    made = SessionContext()
    made.register_record_batches("t", [TABLE.to_batches()])
    return made


@pytest.mark.spark
def test_sorts_of_datafusion(spark: SparkSession) -> None:
    for order in ORDERS:
        measures = f"SELECT array_agg(k ORDER BY {order}) AS x, last_value(k ORDER BY {order}) AS y FROM t WHERE k <> 6"
        windows = (
            f"SELECT k, row_number() OVER (ORDER BY {order}) AS x FROM t WHERE k <> 6 ORDER BY k"
        )
        for query in (
            *([measures] if order in ("l", "l DESC") else []),
            f"SELECT k FROM t WHERE k <> 6 ORDER BY {order}",
            *([windows] if order.startswith("l") else []),
        ):
            batches = context().sql(query).collect()
            want = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
            made = datafusion_plan(context(), query)
            found = [
                tuple(r) for r in substrait_sql.execute(spark, made, tables={"t": TABLE}).collect()
            ]
            assert found == want, query


@pytest.mark.spark
def test_comparisons_of_datafusion(spark: SparkSession) -> None:
    query = "SELECT t.k, u.k AS o, t.l < u.l AS x, t.s >= u.s AS y FROM t CROSS JOIN t u"
    want = [tuple(r.values()) for b in context().sql(query).collect() for r in b.to_pylist()]
    made = datafusion_plan(context(), query)
    found = [tuple(r) for r in substrait_sql.execute(spark, made, tables={"t": TABLE}).collect()]
    assert not rows.difference(found, want)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT max(l) FROM t",
        "SELECT min(s) FROM t",
        "SELECT k FROM t ORDER BY s",
        "SELECT k FROM t ORDER BY [l]",
    ],
)
def test_what_is_refused(query: str) -> None:
    with pytest.raises(UnsupportedError, match=r"SS2199 NULLs inside of .* larger than others"):
        substrait_sql.to_sql(datafusion_plan(context(), query))


def test_structs_of_duckdb() -> None:
    """Release 1.1: {'a': NULL} < {'a': 3} is FALSE there, and TRUE to Spark."""
    pair = of("struct", types=[of("i64"), of("i64")])
    uri = [{"extensionUriAnchor": 1, "uri": "/functions_comparison.yaml"}]
    less = {"extensionUriReference": 1, "functionAnchor": 0, "name": "lt:any_any"}
    for kind, refused in ((pair, True), (I64, False)):
        table = read(["a", "b"] if kind is I64 else ["a", "x", "y", "b", "x", "y"], [kind, kind])
        table["read"]["projection"] = {"select": {"structItems": [{}, {"field": 1}]}}
        rel = project(table, call(0, of("bool"), field(0), field(1)))
        made = plan(
            rel, ["c"], "DuckDB", 53, extensionUris=uri, extensions=[{"extensionFunction": less}]
        )
        if refused:
            with pytest.raises(UnsupportedError, match="SS2199 NULLs inside of values are larger"):
                substrait_sql.to_sql(made)
        else:
            assert "a < b" in substrait_sql.to_sql(made)
