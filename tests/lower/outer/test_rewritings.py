"""Subqueries in the conditions of joins, joins in those subqueries: rewriting them ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from tests.oracle import run
from tests.support.build import (
    Expr,
    R,
    Row,
    by_anchor,
    compare,
    eq,
    exists,
    extreme,
    gt,
    in_,
    lateral_join,
    lit,
    not_,
    or_,
    plan,
    scalar,
    table,
    unique,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

COLUMNS = "k:i64? s:str? b:bool?"
TA, TB = table("ta", COLUMNS), table("tb", COLUMNS)
LATERAL = ["INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_SINGLE", "LEFT_MARK"]
PLAIN = ["INNER", "LEFT", "RIGHT", "OUTER", "LEFT_ANTI", "LEFT_MARK", "RIGHT_MARK"]
SUBQUERIES = ["exists", "unique", "in", "not in", "any", "all", "scalar"]


def subquery(kind: str, rel: R, needle: Expr) -> Expr:
    """A predicate over the rows."""
    first = rel.select(lambda r: [r[0]])
    match kind:
        case "exists":
            return exists(rel)
        case "unique":
            return unique(rel)
        case "in":
            return in_(first, needle)
        case "not in":
            return not_(in_(first, needle))
        case "any":
            return compare(needle, "GT", "ANY", first)
        case "all":
            return compare(needle, "GT", "ALL", first)
    largest = first.aggregate(None, lambda r: [extreme("max", r[0])])
    return gt(scalar(largest), needle)


def nested(kind: str, join: str, lateral: bool, depth: int, around: list[Row]) -> R:
    """A join whose condition has a subquery over such a join; the innermost refers to all rows around."""
    if not depth:
        return TA.filter(
            lambda r: or_(
                *(eq(r[0], row.outer(3 if row is around[0] else 0, steps))
                  for steps, row in enumerate(reversed(around), 1)),
                lit(False, "bool"),
            )
        )  # fmt: skip
    both = Row(TA.types + TB.types)
    rows = nested(kind, join, lateral, depth - 1, [*around, both])
    condition = subquery(kind, rows, both[3])
    if join.endswith("SINGLE"):
        # At most one row of the other side.
        condition = or_(condition, eq(both[3], lit(None, "i64")))
    if not lateral:
        return TA.join(TB, join, lambda _: condition)
    number = 100 + depth
    right = TB.filter(lambda r: eq(r[0], by_anchor(number, 0, TA.types[0])))
    return lateral_join(TA, right, join, lambda _: condition, anchor=number)


def plans(depth: int) -> Iterator[tuple[str, Any]]:
    """A plan for each kind of subquery in each kind of join."""
    for kind in SUBQUERIES:
        for lateral, joins in ((True, LATERAL), (False, PLAIN)):
            for join in joins:
                rel = nested(kind, join, lateral, depth, [])
                names = " ".join(f"c{i}" for i in range(len(rel.types)))
                yield f"{kind} {'lateral ' * lateral}{join}", plan((rel, names))


@pytest.mark.slow
def test_each_ends() -> None:
    """In a few hundredths of a second; what has no text is refused."""
    for name, made in plans(2):
        start = time.process_time()
        try:
            substrait_sql.to_sql(made)
        except substrait_sql.UnsupportedError as error:
            assert error.code == "SS2013", f"{name}: {error}"
        assert time.process_time() - start < 5, name


@pytest.mark.spark
def test_rows(spark: SparkSession) -> None:
    """What is rewritten has the rows that the oracle says: every third plan two deep, the others one deep.

    The oracle looks at each subquery for each pair of rows, so a level takes it twenty times as long.
    """
    session = run.prepared(spark.newSession())
    kinds: list[str] = []
    for i, (one, two) in enumerate(zip(plans(1), plans(2), strict=True)):
        name, made = one if i % 3 else two
        outcome = run.attempt(session, made)
        assert outcome.kind != "disagreed", f"{name}: {outcome.reason}\n\n{outcome.sql}"
        kinds.append(outcome.kind)
    assert kinds.count("agreed") > len(kinds) * 3 // 4, kinds
