"""Rows made of the elements of a value: an extension relation of ours, see `plan.generators`.

What is expected is worked by hand from https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-tvf.html.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb
from google.protobuf.struct_pb2 import Struct

import substrait_sql
from substrait_sql import InvalidPlanError, UnsupportedError
from substrait_sql.plan.generators import Generator, write
from tests.reporting.test_lineage import origins
from tests.support.build import ASC, R, count, eq, exists, gt, lit, plan, table, virtual
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, Row

T = table("t", "id:i32 tags:list<str?>? m:map<str,i64?>? js:str?")
ROWS = """SELECT * FROM VALUES
    (1, array('a', NULL), map('x', 1L, 'y', NULL), '{"p": 1, "q": "z"}'), (2, array(), map(), 'none'),
    (3, NULL, NULL, NULL) AS t(id, tags, m, js)"""


def generate(source: R, made: Generator, types: str, emit: Sequence[int] | None = None) -> R:
    """The rows of a generator. types: of the columns that it makes."""
    message = pb.Rel()
    node = message.extension_single
    node.input.CopyFrom(source.message)
    write(node.detail, made)
    found = [*source.types[: -made.arguments], *map(type_of, types.split())]
    if emit is not None:
        node.common.emit.output_mapping.extend(emit)
        found = [found[i] for i in emit]
    return R(message, found)


def of(column: int, name: str, types: str, *columns: str, outer: bool = False) -> R:
    """id, and what is made of one column of t."""
    source = T.project(lambda r: [r[column]], emit=[0, 4])
    return generate(source, Generator(name, outer, 1, columns), types)


MADE: dict[str, tuple[R, list[tuple[Any, ...]]]] = {
    "explode": (of(1, "explode", "str?", "tag"), [(1, "a"), (1, None)]),
    "explode_outer": (
        of(1, "explode", "str?", "tag", outer=True),
        [(1, "a"), (1, None), (2, None), (3, None)],
    ),
    "posexplode": (of(1, "posexplode", "i32 str?", "at", "tag"), [(1, 0, "a"), (1, 1, None)]),
    "posexplode_outer": (
        of(1, "posexplode", "i32? str?", "at", "tag", outer=True),
        [(1, 0, "a"), (1, 1, None), (2, None, None), (3, None, None)],
    ),
    "explode of a map": (of(2, "explode", "str i64?", "k", "v"), [(1, "x", 1), (1, "y", None)]),
    "json_tuple": (
        generate(
            T.project(lambda r: [r[3], lit("p", "str"), lit("q", "str")], emit=[0, 4, 5, 6]),
            Generator("json_tuple", False, 3, ("p", "q")),
            "str? str?",
        ),
        [(1, "1", "z"), (2, None, None), (3, None, None)],
    ),
    "emit": (
        generate(
            T.project(lambda r: [r[1]]),
            Generator("explode", False, 1, ("tag",)),
            "str?",
            emit=[4, 0, 4],
        ),
        [("a", 1, "a"), (None, 1, None)],
    ),
    "names": (
        generate(
            T.project(lambda r: [r[2]], emit=[0, 4]),
            Generator("explode", False, 1, ("ID", "select")),
            "str i64?",
        ),
        [(1, "x", 1), (1, "y", None)],
    ),
    "one name twice": (
        of(2, "explode", "str i64?", "n", "N"),
        [(1, "x", 1), (1, "y", None)],
    ),
}


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> Any:
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW t AS {ROWS}")
    yield spark
    spark.catalog.dropTempView("t")


@pytest.mark.spark
@pytest.mark.parametrize("name", MADE)
def test_rows(name: str, rows: Any) -> None:
    made, want = MADE[name]
    names = " ".join(f"c{i}" for i in range(len(made.types)))
    found = substrait_sql.execute(rows, plan((made, names))).collect()
    assert Counter(map(tuple, found)) == Counter(want)


@pytest.mark.spark
def test_rows_of_other_relations(rows: Any) -> None:
    """Below it a limit, a window and an aggregation; above it a filter, groups and another generator."""
    top = T.sort(lambda r: [(r[0], ASC)]).fetch(2)
    source = top.project(lambda r: [r[1]], emit=[0, 4])
    made = generate(source, Generator("explode", True, 1, ("tag",)), "str?")
    counted = made.aggregate(lambda r: [r[0]], lambda _: [count()])
    found = substrait_sql.execute(rows, plan((counted, "id n"))).collect()
    assert sorted(map(tuple, found)) == [(1, 2), (2, 1)]


@pytest.mark.spark
def test_a_subquery_about_the_row_that_generates(rows: Any) -> None:
    """Of an outer column: where one of the elements is so."""

    def has_a(r: Row) -> Expr:
        one = virtual("", ()).project(lambda _: [r.outer(1)])
        made = generate(one, Generator("explode", False, 1, ("tag",)), "str?")
        return exists(made.filter(lambda e: eq(e[0], lit("a", "str"))))

    kept = T.filter(has_a).select(lambda r: [r[0]])
    found = substrait_sql.execute(rows, plan((kept, "id"))).collect()
    assert [r.id for r in found] == [1]


TAGS = of(1, "explode", "str?", "tag")


def test_the_text() -> None:
    made = TAGS.filter(lambda r: gt(r[0], lit(1, "i32")))
    assert substrait_sql.to_sql(plan((made, "id tag"))) == (
        "SELECT\n  t.id,\n  tags_element.tag\n"
        "FROM t, LATERAL explode(t.tags) AS tags_element(tag)\nWHERE\n  t.id > 1"
    )


def test_a_lateral_join_with_what_is_generated_needs_no_query() -> None:
    schema = {"t": "id INT, tags ARRAY<STRING>, m MAP<STRING, INT>"}
    sql = "SELECT id, y.k FROM t, LATERAL (SELECT upper(k) AS k FROM explode({}) AS x({})) AS y"
    for value, columns in (("t.tags", "k"), ("t.m", "k, v")):
        text = substrait_sql.to_sql(
            substrait_sql.to_plan(sql.format(value, columns), schema=schema)
        )
        assert text == (
            f"SELECT\n  t.id,\n  upper(x.k) AS k\nFROM t, LATERAL explode({value}) AS x({columns})"
        )


def test_spark_generates_no_rows_of_a_map_around_a_subquery() -> None:
    """It would have to look the rows of each map up again; of an element it does not."""
    schema = {"t": "id INT, m MAP<STRING, INT>"}
    sql = "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM explode({}) AS x(k{}) WHERE k <> '')"
    with pytest.raises(UnsupportedError, match="outer values, map") as raised:
        substrait_sql.to_sql(substrait_sql.to_plan(sql.format("t.m", ", v"), schema=schema))
    assert raised.value.code == "SS2237"
    with pytest.raises(UnsupportedError, match="outer values, map"):
        substrait_sql.to_sql(substrait_sql.to_plan(sql.format("map_keys(t.m)", ""), schema=schema))


@pytest.mark.parametrize(
    ("old", "new", "category"),
    [
        ("LATERAL VIEW explode(tags) a AS x", "LATERAL VIEW explode(tags) b AS x", "same"),
        (
            "LATERAL VIEW explode(tags) a AS x",
            "LATERAL VIEW OUTER explode(tags) a AS x",
            "rows",
        ),
        ("LATERAL VIEW explode(tags) a AS x", "LATERAL VIEW explode(more) a AS x", "rows"),
        (
            "LATERAL VIEW explode(tags) a AS x",
            "LATERAL VIEW posexplode(tags) a AS p, x",
            "rows",
        ),
    ],
)
def test_what_changed(old: str, new: str, category: str) -> None:
    schema = {"t": "id INT, tags ARRAY<STRING>, more ARRAY<STRING>"}
    plans = [
        substrait_sql.to_plan(f"SELECT id, x FROM t {each}", schema=schema) for each in (old, new)
    ]
    assert substrait_sql.diff(*plans).category == category


def test_columns_come_from_the_arguments() -> None:
    made = origins(plan((MADE["explode of a map"][0], "id k v")))
    read = (["t.m"], ["explode"])
    assert made == {"id": (["t.id"], []), "k": read, "v": read}


def test_what_a_tree_says() -> None:
    text = substrait_sql.explain(plan((TAGS, "id tag")))
    assert "explode of the last column of its input, as tag" in str(text)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (of(0, "explode", "i32", "x"), "makes rows of a list, not of i32"),
        (of(1, "inline", "str?", "x"), "inline makes rows of structs"),
        (of(1, "explode", "str? str?", "x", "y"), "explode makes 1 columns here, not 2"),
        (
            generate(T, Generator("explode", False, 2, ("x",)), "str?"),
            "explode takes one argument, not 2",
        ),
        (
            generate(T, Generator("json_tuple", False, 5, ("a", "b", "c", "d")), "str? " * 4),
            "fewer than 5 columns",
        ),
    ],
)
def test_what_does_not_fit_is_refused(made: R, says: str) -> None:
    with pytest.raises(InvalidPlanError, match=says) as raised:
        substrait_sql.to_sql(plan((made, " ".join(f"c{i}" for i in range(len(made.types))))))
    assert raised.value.code == "SS2084"
    assert str(raised.value.path).endswith("extension_single.detail")


@pytest.mark.parametrize(
    "change",
    [
        {"generator": "stack"},
        {"arguments": 0},
        {"arguments": 1.5},
        {"arguments": True},
        {"arguments": 10**300},
        {"outer": "yes"},
        {"columns": "tag"},
        {"columns": [1]},
        {"more": 1},
        {"outer": None},
    ],
)
def test_another_detail_is_none_of_ours(change: dict[str, Any]) -> None:
    message = plan((TAGS, "id tag"))
    detail = message.relations[0].root.input.extension_single.detail
    held = Struct()
    detail.Unpack(held)
    held.update(change)
    detail.Pack(held)
    with pytest.raises(UnsupportedError) as raised:
        substrait_sql.to_sql(message)
    assert raised.value.code == "SS2081"


def test_bytes_that_are_no_detail() -> None:
    message = plan((TAGS, "id tag"))
    message.relations[0].root.input.extension_single.detail.value = b"\xff\xff"
    with pytest.raises(UnsupportedError) as raised:
        substrait_sql.to_sql(message)
    assert raised.value.code == "SS2081"


def test_generators_of_generated_values_grow_with_their_number() -> None:
    def text(count: int) -> str:
        views = (
            f"LATERAL VIEW explode(array_repeat(c{i}, 2)) a{i} AS c{i + 1}" for i in range(count)
        )
        sql = f"SELECT c{count} FROM t LATERAL VIEW explode(tags) a AS c0 {' '.join(views)}"
        lifted = substrait_sql.to_plan(sql, schema={"t": "tags ARRAY<STRING>"})
        return substrait_sql.to_sql(lifted)

    assert len(text(80)) < 4.5 * len(text(20))
    assert text(80).count("LATERAL") == 81
