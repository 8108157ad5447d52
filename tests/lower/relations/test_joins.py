"""Joins, set operations and shared subtrees that have no rows: errors at run time, and refusals with their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from tests.oracle import compare, relations
from tests.support import rows, run
from tests.support.build import (
    R,
    and_,
    count,
    eq,
    exists,
    extreme,
    gt,
    join_types,
    lit,
    plan,
    reference,
    scalar,
    set_,
    table,
    virtual,
)
from tests.support.cases import DEPT, EMP, PLANS, RIGHT, L
from tests.support.cases.relations.joins import keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

TWICE = L.join(RIGHT, "LEFT_SINGLE", keys)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("relation", "columns"),
    [
        (TWICE, "k a k2 b"),
        (L.join(RIGHT, "LEFT_SINGLE", keys, emit=[1]), "a"),
        (TWICE.aggregate(None, lambda _: [count()]), "n"),
        (L.join(RIGHT, "LEFT_SINGLE", keys, post=lambda r: gt(r[3], lit(100, "i64"))), "k a l b"),
        (RIGHT.join(L, "RIGHT_SINGLE", keys), "k b k2 a"),
        (L.hash_join(RIGHT, "LEFT_SINGLE", (0, 0), emit=[0]), "k"),
        (L.nested_loop_join(RIGHT, "LEFT_SINGLE", emit=[0]), "k"),
        # EXISTS asks for one row, and need not see the one that matches twice.
        (
            L.filter(
                lambda _: gt(scalar(TWICE.aggregate(None, lambda _: [count()])), lit(0, "i64"))
            ),
            "k a",
        ),
    ],
)
def test_a_second_match_of_a_single_join_is_an_error(
    spark: SparkSession, relation: R, columns: str
) -> None:
    tables = run.plan_tables(spark, "l", "r")
    with pytest.raises(Exception, match="SCALAR_SUBQUERY_TOO_MANY_ROWS"):
        run.last_rows(spark, plan((relation, columns)), tables)


def on_both(r: Any) -> Any:
    return exists(EMP.filter(lambda e: and_(eq(e[0], r.outer(0)), eq(e[2], r.outer(2)))))


def best_paid(r: Any) -> Any:
    paid = EMP.filter(lambda e: eq(e[2], r.outer(2))).aggregate(
        None, lambda e: [extreme("max", e[3])]
    )
    return eq(r[0], scalar(paid))


def two_out(kind: str) -> R:
    """Return departments with a join inside a subquery that looks at them."""
    return DEPT.filter(
        lambda d: exists(L.join(RIGHT, kind, lambda r: and_(keys(r), eq(r[0], d.outer(0)))))
    )


def below(kind: str) -> R:
    """Return departments with a limited input of such a join that looks at them."""
    return DEPT.filter(
        lambda d: exists(L.join(RIGHT.filter(lambda r: eq(r[1], d.outer(0))).fetch(1), kind, keys))
    )


def with_map(name: str) -> R:
    """Return a read of a table with an integer, a map, a list and a struct."""
    read = table(name, "x:i32? m:i32? a:i32? s:i32?")
    i32 = pb.Type(i32=pb.Type.I32(nullability=pb.Type.NULLABILITY_NULLABLE))
    nullable = pb.Type.NULLABILITY_NULLABLE
    types = [
        i32,
        pb.Type(map=pb.Type.Map(key=i32, value=i32, nullability=nullable)),
        pb.Type(list=pb.Type.List(type=i32, nullability=nullable)),
        pb.Type(struct=pb.Type.Struct(types=[i32], nullability=nullable)),
    ]
    del read.message.read.base_schema.struct.types[:]
    read.message.read.base_schema.struct.types.extend(types)
    read.message.read.base_schema.names.append("f")
    return R(read.message, types)


A, B, C, D = (
    (1, {1: 2}, [1, None], (None,)),
    (None, None, None, None),
    (1, {1: 3}, [], (1,)),
    (2, {}, None, None),
)
SETS = {
    # The first input, the second, the third.
    "inputs": ([A, A, B, B, C], [A, B, D], [B, C, B]),
    "MINUS_PRIMARY": [],
    "MINUS_PRIMARY_ALL": [A],
    "MINUS_MULTISET": [A, A, C],
    "INTERSECTION_PRIMARY": [A, B, C],
    "INTERSECTION_MULTISET": [B],
    "INTERSECTION_MULTISET_ALL": [B],
    "UNION_DISTINCT": [A, B, C, D],
    "UNION_ALL": [A, A, B, B, C, A, B, D, B, C, B],
}


@pytest.mark.spark
@pytest.mark.parametrize("maps", [True, False])
def test_set_operations_over_nested_values(spark: SparkSession, maps: bool) -> None:
    """Maps have a form of their own; NULL equals NULL within lists and structs too."""
    schema = "x int, m map<int, int>, a array<int>, s struct<f: int>"
    names = ("p", "q", "o")
    tables = {
        n: spark.createDataFrame(data, schema)
        for n, data in zip(names, SETS["inputs"], strict=True)
    }
    kept = [0, 1, 2, 3] if maps else [0, 2, 3]
    inputs = [with_map(n).project(lambda r: [r[0]], emit=kept) for n in names]
    columns = "x m a s f" if maps else "x a s f"
    for op, expected in SETS.items():
        if op != "inputs":
            found = run.last_rows(spark, plan((set_(op, *inputs), columns)), tables)
            wanted = [tuple(row[i] for i in kept) for row in expected]
            plain = [tuple(tuple(v) if isinstance(v, tuple) else v for v in row) for row in found]
            assert sorted(map(repr, plain)) == sorted(map(repr, wanted)), op


def over(relation: R, width: int) -> Callable[[], Any]:
    return lambda: plan((relation, " ".join("abcdefgh"[:width])))


@pytest.mark.parametrize(
    ("make", "code", "place"),
    [
        (over(L.hash_join(RIGHT, "INNER"), 4), "SS2045", "hash_join.keys"),
        (over(L.hash_join(RIGHT, "INNER", (0, 0, "UNSPECIFIED")), 4), "SS2046", "comparison"),
        (over(L.hash_join(RIGHT, "INNER", (0, 0, "coalesce:any")), 4), "SS2047", "comparison"),
        (over(L.hash_join(RIGHT, "INNER", (0, 2)), 4), "SS2101", "keys[0].right"),
        (over(L.merge_join(RIGHT, "UNSPECIFIED", (0, 0)), 4), "SS2042", "merge_join.type"),
    ],
)
def test_refused_joins(make: Callable[[], Any], code: str, place: str) -> None:
    with pytest.raises(substrait_sql.SubstraitSqlError) as refused:
        substrait_sql.to_sql(make())
    assert refused.value.code == code
    assert place in refused.value.path


@pytest.mark.spark
def test_joins_that_spark_cannot_run_as_they_are(spark: SparkSession) -> None:
    """Conditions with subqueries about both sides, and joins that refer outwards: the oracle says their rows."""
    names = ("l", "r", "emp", "dept")
    tables = run.plan_tables(spark, *names)
    known = {
        n: (tables[n].columns, rows.load_table(PLANS / "tables" / f"{n}.json")[1]) for n in names
    }
    both = ("INNER", "LEFT", "RIGHT", "OUTER", "LEFT_MARK")
    made = [
        *(
            over(L.join(RIGHT, kind, on), len(join_types(kind, L.types, RIGHT.types)))
            for on in (on_both, best_paid)
            for kind in (*both, "LEFT_SEMI", "LEFT_ANTI", "RIGHT_ANTI")
        ),
        *(over(two_out(kind), 3) for kind in ("OUTER", "LEFT_MARK", "LEFT_SINGLE")),
        over(below("LEFT"), 3),
    ]
    for make in made:
        (want,) = relations.roots(make(), known)
        found = run.last_rows(spark, make(), tables)
        assert not compare.difference(found, want), substrait_sql.to_sql(make())


def test_nullability_of_set_operations() -> None:
    """The vectors of https://substrait.io/relations/logical_relations/#output-type-derivation-examples."""

    def source(name: str, flags: str) -> R:
        columns = (f"c{i}:i64{'?' if f == 'N' else ''}" for i, f in enumerate(flags))
        return table(name, " ".join(columns))

    inputs = [source("p", "RRRRNNNN"), source("s", "RRNNRRNN"), source("t", "RNRNRNRN")]
    expected = {
        "MINUS_PRIMARY": "RRRRNNNN",
        "MINUS_PRIMARY_ALL": "RRRRNNNN",
        "MINUS_MULTISET": "RRRRNNNN",
        "INTERSECTION_PRIMARY": "RRRRRNNN",
        "INTERSECTION_MULTISET": "RRRRRRRN",
        "INTERSECTION_MULTISET_ALL": "RRRRRRRN",
        "UNION_DISTINCT": "RNNNNNNN",
        "UNION_ALL": "RNNNNNNN",
    }
    for op, flags in expected.items():
        rendered = substrait_sql.render(plan((set_(op, *inputs), "a b c d e f g h")))
        found = rendered.statements[0].columns
        assert "".join("N" if c.type.endswith("?") else "R" for c in found) == flags, op


@pytest.mark.parametrize(
    ("relations", "code"),
    [
        ((reference(0, L),), "SS2072"),
        ((reference(1, L), reference(0, L)), "SS2072"),
        ((reference(1, L), reference(2, L), reference(1, L)), "SS2072"),
        ((reference(5, L),), "SS2071"),
        ((reference(-1, L),), "SS2071"),
    ],
)
def test_references_that_lead_nowhere(relations: tuple[R, ...], code: str) -> None:
    first, *others = relations
    with pytest.raises(substrait_sql.InvalidPlanError) as refused:
        substrait_sql.to_sql(plan((first, "k a"), *others))
    assert refused.value.code == code
    assert refused.value.path


def test_a_shared_subtree_is_written_once_and_has_a_name_of_its_own() -> None:
    shared = table("t", "k:i64").join(table("t_shared", "k:i64"), "INNER", lambda r: eq(r[0], r[1]))
    both = set_("UNION_ALL", reference(0, shared), reference(0, shared))
    text = substrait_sql.to_sql(plan(shared, (both, "a b")))
    assert text.count("JOIN") == 1
    # A table is called t_shared already.
    assert text.startswith("WITH t_shared_2 AS (")


def test_what_is_read_in_no_text_is_not_written() -> None:
    """A relation may lower its input twice; a subtree that only the first attempt read leaves no text."""
    shared = virtual("x:i64", (1,), (2,))
    kept = reference(0, shared).join(reference(0, shared), "INNER", lambda r: eq(r[0], r[1]))
    text = substrait_sql.to_sql(
        plan(shared, (kept.fetch(1).aggregate(None, lambda _: [count()]), "n"))
    )
    assert text.count("WITH") == 1
    assert text.count("VALUES") == 1
