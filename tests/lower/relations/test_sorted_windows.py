"""Window functions without an order of their own over sorted rows: they see the rows in the order of the sort.

All directions, sorts in several positions, with partitions and without, values that are NULL, and no rows at all; what
is expected is computed here, row by row.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import run
from tests.support.build import (
    ASC,
    ASC_FIRST,
    DESC,
    DESC_FIRST,
    Expr,
    R,
    Row,
    gt,
    lit,
    plan,
    virtual,
)
from tests.support.build.physical import ROWS, over, row_number, sum_over

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

# The keys are all different, so that there is one order: k, the group, and a value that is NULL in places.
TABLE = ((3, 1, 30), (None, 1, None), (1, 2, 10), (5, 1, None), (2, 2, 20), (4, 1, 40))
COLUMNS = "k:i64? g:i64 v:i64?"
TABLES = {"some rows": TABLE, "no rows": ()}
DIRECTIONS = {"asc first": ASC_FIRST, "asc last": ASC, "desc first": DESC_FIRST, "desc last": DESC}
Rows = list[tuple[Any, ...]]


def in_order(rows: Sequence[tuple[Any, ...]], direction: str) -> Rows:
    """The rows as the sort has them."""
    way, _, nulls = direction.partition(" ")
    known = sorted((r for r in rows if r[0] is not None), key=lambda r: r[0], reverse=way == "desc")
    unknown = [r for r in rows if r[0] is None]
    return unknown + known if nulls == "first" else known + unknown


def functions(r: Row, by: Sequence[Expr]) -> list[Expr]:
    """What is asked of the windows."""
    up_to_here = {"lower": "unbounded", "upper": "current", "bounds": ROWS}
    return [
        row_number(by=by),
        over("arithmetic", "first_value:any", "i64?", r[0], by=by),
        over("arithmetic", "last_value:any", "i64?", r[0], by=by, lower="unbounded", upper="unbounded", bounds=ROWS),
        over("arithmetic", "lag:any", "i64?", r[0], by=by),
        over("arithmetic", "lead:any", "i64?", r[2], by=by),
        over("arithmetic", "nth_value:any_i32", "i64?", r[0], lit(2, "i32"), by=by, **up_to_here),
        sum_over(r[2], by=by, **up_to_here),
        sum_over(r[2], by=by, lower=-1, upper=1, bounds=ROWS),
    ]  # fmt: skip


def expected(rows: Rows, grouped: bool) -> Iterator[tuple[Any, ...]]:
    """The key of each row, and what the functions are for it."""
    groups: dict[Any, Rows] = {}
    for row in rows:
        groups.setdefault(row[1] if grouped else None, []).append(row)
    for members in groups.values():
        keys = [r[0] for r in members]
        for i, row in enumerate(members):
            yield (
                row[0],
                i + 1,
                keys[0],
                keys[-1],
                keys[i - 1] if i else None,
                members[i + 1][2] if i + 1 < len(members) else None,
                keys[1] if i >= 1 else None,
                total(members[: i + 1]),
                total(members[max(i - 1, 0) : i + 2]),
            )


def total(rows: Rows) -> int | None:
    found = [r[2] for r in rows if r[2] is not None]
    return sum(found) if found else None


def keep(rel: R, direction: int) -> R:
    return rel.sort(lambda r: [(r[0], direction)])


# Where the sort is; each with what it leaves of the rows in their order.
POSITIONS: dict[str, tuple[Callable[[R, int], R], Callable[[Rows], Rows]]] = {
    "below": (keep, list),
    "below a filter": (
        lambda rel, d: keep(rel, d).filter(lambda r: gt(r[0], lit(1, "i64"))),
        lambda rows: [r for r in rows if r[0] is not None and r[0] > 1],
    ),
    "below a limit": (lambda rel, d: keep(rel, d).fetch(3, 1), lambda rows: rows[1:4]),
    "below a projection": (
        lambda rel, d: keep(rel, d).select(lambda r: [r[0], r[1], r[2]]),
        list,
    ),
    "below a projection of another sort": (
        lambda rel, d: keep(rel.sort(lambda r: [(r[2], ASC)]), d).select(
            lambda r: [r[0], r[1], r[2]]
        ),
        list,
    ),
    "above a limit of a sort": (
        lambda rel, d: keep(keep(rel, ASC).fetch(4), d),
        lambda rows: [r for r in rows if r in in_order(TABLE, "asc last")[:4]],
    ),
}  # fmt: skip


def windows(rel: R, grouped: bool, above: bool) -> R:
    """The functions as a projection; with another projection above it."""
    made = rel.select(lambda r: [r[0], *functions(r, [r[1]] if grouped else [])])
    return made.select(lambda r: [r[i] for i in range(9)]) if above else made


@pytest.mark.parametrize("position", POSITIONS)
def test_rows(spark: SparkSession, position: str) -> None:
    make, left = POSITIONS[position]
    cases = product(TABLES.items(), DIRECTIONS, (False, True))
    for i, ((name, rows), direction, grouped) in enumerate(cases):
        above = (i // 2) % 2 == 1
        rel = windows(make(virtual(COLUMNS, *rows), DIRECTIONS[direction]), grouped, above)
        found = run.last_rows(spark, plan((rel, "k n f l b a t s w")), {})
        wanted = list(expected(left(in_order(rows, direction)), grouped))
        what = (position, name, direction, grouped, above)
        assert Counter(found) == Counter(wanted), what


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_what_comes_out_is_in_that_order(spark: SparkSession, direction: str) -> None:
    rel = windows(keep(virtual(COLUMNS, *TABLE), DIRECTIONS[direction]), False, True)
    found = run.last_rows(spark, plan((rel, "k n f l b a t s w")), {})
    assert [r[0] for r in found] == [r[0] for r in in_order(TABLE, direction)]
