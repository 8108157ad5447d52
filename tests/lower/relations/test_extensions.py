"""Relations and tables that are registered: the example of docs/extensions.md, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql import extensions
from substrait_sql.schema import type_text, types
from tests.support import run
from tests.support.build import R, count, eq, gt, lit, plan, table
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

PAGE = Path(__file__).parents[3] / "docs" / "extensions.md"
URL = "type.googleapis.com/acme."
EMP = table("emp", "id:i64 name:str? dept:i64? salary:i64?")


def extended(kind: str, name: str, detail: bytes, out: str, *inputs: R, emit: Any = None) -> R:
    """An extension relation; out: the types it returns."""
    message = pb.Rel()
    node = getattr(message, kind)
    node.detail.type_url, node.detail.value = URL + name, detail
    if kind == "extension_single":
        node.input.CopyFrom(inputs[0].message)
    elif kind == "extension_multi":
        node.inputs.extend(r.message for r in inputs)
    found = [type_of(t) for t in out.split()]
    if emit is not None:
        node.common.emit.output_mapping.extend(emit)
        found = [found[i] for i in emit]
    return R(message, found)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    for name in ("Fill", "Numbers", "Pair", "Ledger", "Bad"):
        extensions.unregister(URL + name)


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> dict[str, DataFrame]:
    return run.plan_tables(spark)


def of_the_page() -> None:
    """Runs the Python of the page."""
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(code, {})


@pytest.mark.spark
def test_the_example_of_the_page(spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    of_the_page()
    filled = extended("extension_single", "Fill", b"salary", "i64 str? i64? i64?", EMP, emit=[0, 3])
    found = plan((filled.filter(lambda r: gt(r[1], lit(150, "i64"))), "id salary"))
    assert substrait_sql.to_sql(found) + "\n" in PAGE.read_text(encoding="utf-8")
    # Without a salary (id 4): that of the row before it, id 3.
    assert sorted(run.last_rows(spark, found, tables)) == [(2, 300), (3, 200), (4, 200), (5, 200)]


@pytest.mark.spark
def test_a_leaf_and_several_inputs(spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    extensions.register_relation(
        URL + "Numbers",
        lambda detail, inputs: extensions.Sql(
            f"SELECT id AS n FROM range({int(detail)})", [extensions.Column("n", "i64")]
        ),
    )

    @extensions.relation(URL + "Pair")
    def pair(detail: bytes, inputs: Any) -> extensions.Sql:
        left, right = inputs
        return extensions.Sql(
            f"SELECT a.n AS x, b.n AS y FROM {left.name} AS a, {right.name} AS b WHERE a.n < b.n",
            [extensions.Column("x", type_of("i64")), extensions.Column("y", "i64")],
        )

    three = extended("extension_leaf", "Numbers", b"3", "i64")
    pairs = extended("extension_multi", "Pair", b"", "i64 i64", three, three)
    assert run.last_rows(
        spark, plan((pairs.aggregate(None, lambda r: [count()]), "n")), tables
    ) == [(3,)]
    joined = pairs.join(EMP, "INNER", lambda r: eq(r[0], r[2]))
    found = plan((joined.select(lambda r: [r[1], r[3]]), "y name"))
    assert run.last_rows(spark, found, tables) == [(2, "ann")]


@pytest.mark.spark
def test_a_table(spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    extensions.register_table(
        URL + "Ledger",
        lambda detail, columns: extensions.Sql(
            f"SELECT {', '.join(c.name for c in columns)} FROM {detail.decode()}"
        ),
    )
    read = table("x", "name:str? id:i64", filter=lambda r: gt(r[1], lit(4, "i64")))
    read.message.read.ClearField("named_table")
    read.message.read.extension_table.detail.type_url = URL + "Ledger"
    read.message.read.extension_table.detail.value = b"VALUES (9, 'x'), (1, 'y') AS t(id, name)"
    assert run.last_rows(spark, plan((read, "name id")), tables) == [("x", 9)]


@pytest.mark.parametrize("kind", ["extension_leaf", "extension_single", "extension_multi"])
def test_what_nobody_registered_is_refused_by_name(kind: str) -> None:
    with pytest.raises(substrait_sql.UnsupportedError, match=r"acme\.Nobody") as refused:
        substrait_sql.to_sql(plan((extended(kind, "Nobody", b"", "i64", EMP), "a")))
    assert refused.value.code == "SS2081"


@pytest.mark.parametrize(
    "query",
    ["SELECT 1 AS a; DROP TABLE t", "SELECT 1 AS a)", "", "SELECT 'a\nb' AS a", "SELECT 1 -- x"],
)
def test_text_that_would_not_stay_in_its_place(query: str) -> None:
    columns = [extensions.Column("a", "i32")]
    extensions.register_relation(URL + "Bad", lambda d, i: extensions.Sql(query, columns))
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(plan((extended("extension_leaf", "Bad", b"", "i32"), "a")))
    assert refused.value.code == "SS2082"


@pytest.mark.parametrize("columns", [None, [], [("a", "i32"), ("A", "i32")], [("", "i32")]])
def test_columns_that_cannot_be_told_apart(columns: Any) -> None:
    made = None if columns is None else [extensions.Column(n, t) for n, t in columns]
    extensions.register_relation(URL + "Bad", lambda d, i: extensions.Sql("SELECT 1 AS a", made))
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(plan((extended("extension_leaf", "Bad", b"", "i32"), "a")))
    assert refused.value.code == "SS2082"


@pytest.mark.parametrize(
    "text",
    ["i64", "i64?", "decimal?<15,2>", "string", "struct?<i64, list?<string?>>", "map<string, i32?>",
     "boolean", "fixedchar<3>", "precision_timestamp?<6>", "interval_day<3>", "struct<>"],
)  # fmt: skip
def test_types_are_read_as_they_are_written(text: str) -> None:
    assert types.text(type_text.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "i65", "i64<", "list<>", "list<i64, i64>", "i64 i64", "i64$", "decimal<a>"]
)
def test_what_is_no_type(text: str) -> None:
    with pytest.raises(substrait_sql.InvalidPlanError) as refused:
        type_text.parse(text)
    assert refused.value.code == "SS2083"
