"""Every kind of predicate over a query at every place of a plan, correlated at depth 0 to 3: Spark against the oracle.

``python -m tests.tools.predicates`` runs the whole matrix and prints it, a cell for each predicate at each place. What
else a plan is made of is drawn by its number: tables, needles, what refers where. ``--times 3`` draws each cell three
times.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import substrait_sql
from tests.oracle import compare, make, relations, run
from tests.oracle.model import OracleError
from tests.support import build
from tests.support.build import Row, by_anchor, eq, gt, lit, lt, not_, or_
from tests.support.places import PLACES, Draw
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import substrait.proto as pb
    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R

COLUMNS = "x:i64? y:i64? b:bool?"
I64, BOOL = type_of("i64?"), type_of("bool?")
ROWS: dict[str, list[tuple[Any, ...]]] = {
    "na": [(1, 5, True), (2, None, None), (None, 7, False), (3, 1, True), (2, 2, False)],
    "nb": [(2, 5, False), (None, 1, True), (3, None, None), (3, 3, True)],
    "nq": [(2, 1, True), (None, 5, False), (4, 4, None), (2, 1, True)],
    "nz": [],
    "nn": [(None, None, None)],
}
TABLES = {name: (["x", "y", "b"], rows) for name, rows in ROWS.items()}
MOST_DEPTH = 3


@dataclass(frozen=True)
class Around:
    """A record around: the left row of a lateral join, or that of a subquery's host."""

    lateral: bool
    anchor: int


class Site:
    """Where a predicate is put: the record there, two of its columns, and the records around, outermost first."""

    def __init__(self, draw: Draw, around: list[Around]) -> None:
        self.draw, self.rng, self.around = draw, draw.rng, around

    def outer(self, level: int, index: int, extra: int = 0) -> Expr:
        """A column of a record around. extra: how many subqueries stand between, besides the known ones."""
        type_ = BOOL if index == 2 else I64
        found = self.around[level]
        if found.lateral or self.rng.random() < 0.3:
            return by_anchor(found.anchor, index, type_)
        steps = sum(not a.lateral for a in self.around[level:]) + extra
        return Row([I64, I64, BOOL]).outer(index, steps)

    def rows(self, row: Row, left: int, right: int) -> R:
        """What a predicate is about: a table's rows, those of them that suit this record, or a record around."""
        rng = self.rng
        table = self.draw.table("nq", "nq", "nq", "nb", "nz", "nn")
        suits: list[Callable[[Row], Expr]] = [
            lambda r: lt(r[0], row.outer(left, 1)),
            lambda r: eq(r[1], row.outer(right, 1)),
            lambda r: gt(r[0], lit(1, "i64")),
        ]
        for level in {0, len(self.around) - 1} if self.around else ():
            suits.append(lambda r, at=level: gt(r[0], self.outer(at, 1, 1)))
            suits.append(lambda r, at=level: eq(r[1], self.outer(at, 0, 1)))
        chosen = rng.sample(suits, rng.choice([0, 0, 1, 1, 2]))
        if not chosen:
            return table
        join = rng.choice([build.and_, or_]) if len(chosen) > 1 else None
        return table.filter(
            lambda r: join(*(c(r) for c in chosen)) if join is not None else chosen[0](r)
        )

    def needle(self, row: Row, left: int, right: int) -> Expr:
        """A column of one side or of the other, one of both, none, or one of a record around."""
        choices: list[Callable[[], Expr]] = [
            lambda: row[left],
            lambda: row[right],
            lambda: build.coalesce(row[left], row[right]),
            lambda: lit(self.rng.choice([2, None]), "i64"),
        ]
        if self.around:
            choices += [
                lambda: self.outer(0, self.rng.randrange(2)),
                lambda: self.outer(len(self.around) - 1, self.rng.randrange(2)),
            ]
        return self.rng.choice(choices)()

    def beside(self, row: Row, left: int, right: int) -> Expr:
        """A comparison that is no subquery, where there is one with a record around."""
        own = row[self.rng.choice([left, right])]
        if not self.around:
            return gt(own, lit(2, "i64"))
        return self.rng.choice([eq, lt])(own, self.outer(self.rng.randrange(len(self.around)), 0))


def _in(s: Site, row: Row, left: int, right: int) -> Expr:
    rows = s.rows(row, left, right)
    if s.rng.random() < 0.15:
        return build.in_(rows.select(lambda r: [r[0], r[1]]), s.needle(row, left, right), row[left])
    return build.in_(rows.select(lambda r: [r[0]]), s.needle(row, left, right))


def _exists(s: Site, row: Row, left: int, right: int) -> Expr:
    return build.exists(s.rows(row, left, right))


def _unique(s: Site, row: Row, left: int, right: int) -> Expr:
    return build.unique(s.rows(row, left, right).select(lambda r: [r[0], r[1]]))


def _compared(comparison: str, reduction: str) -> Callable[[Site, Row, int, int], Expr]:
    def made(s: Site, row: Row, left: int, right: int) -> Expr:
        rows = s.rows(row, left, right).select(lambda r: [r[1]])
        return build.compare(s.needle(row, left, right), comparison, reduction, rows)

    return made


def _scalar(s: Site, row: Row, left: int, right: int) -> Expr:
    rows = s.rows(row, left, right)
    value = build.scalar(rows.aggregate(measures=lambda r: [build.extreme("max", r[1])]))
    return lt(s.needle(row, left, right), value)


def _of(
    change: Callable[..., Expr], inner: Callable[[Site, Row, int, int], Expr], mixed: bool = False
) -> Callable[[Site, Row, int, int], Expr]:
    def made(s: Site, row: Row, left: int, right: int) -> Expr:
        found = inner(s, row, left, right)
        return change(found, s.beside(row, left, right)) if mixed else change(found)

    return made


def _is_flag(s: Site, row: Row, left: int, right: int) -> Expr:
    """A predicate compared with a column, one of a record around where there is one."""
    kind = s.rng.choice([_in, _exists, _compared("LT", "ANY")])
    flag = s.outer(s.rng.randrange(len(s.around)), 2) if s.around else gt(row[left], row[right])
    return s.rng.choice([build.is_same, eq])(kind(s, row, left, right), flag)


_LT_ANY, _GE_ALL = _compared("LT", "ANY"), _compared("GE", "ALL")
PREDICATES: dict[str, Callable[[Site, Row, int, int], Expr]] = {
    "IN": _in,
    "NOT IN": _of(not_, _in),
    "EXISTS": _exists,
    "NOT EXISTS": _of(not_, _exists),
    "= ANY": _compared("EQ", "ANY"),
    "< ANY": _LT_ANY,
    "NOT < ANY": _of(not_, _LT_ANY),
    "<> ALL": _compared("NE", "ALL"),
    ">= ALL": _GE_ALL,
    "NOT >= ALL": _of(not_, _GE_ALL),
    "UNIQUE": _unique,
    "NOT UNIQUE": _of(not_, _unique),
    "scalar": _scalar,
    "NOT scalar": _of(not_, _scalar),
    "IN IS NULL": _of(build.is_null, _in),
    "ANY IS NULL": _of(build.is_null, _LT_ANY),
    "ALL IS NULL": _of(build.is_null, _GE_ALL),
    "scalar IS NULL": _of(build.is_null, _scalar),
    "IN OR": _of(or_, _in, mixed=True),
    "NOT IN OR": _of(or_, _of(not_, _in), mixed=True),
    "NOT (IN AND)": _of(not_, _of(build.and_, _in, mixed=True)),
    "NOT (IN OR)": _of(not_, _of(or_, _in, mixed=True)),
    "EXISTS OR": _of(or_, _exists, mixed=True),
    "ALL OR": _of(or_, _GE_ALL, mixed=True),
    "scalar OR": _of(or_, _scalar, mixed=True),
    "compared": _is_flag,
}
SEED = 7


def cells() -> Iterator[tuple[str, str, int]]:
    """(place, predicate, how many records are around it)."""
    for place in PLACES:
        for predicate in PREDICATES:
            for depth in range(MOST_DEPTH + 1):
                yield place, predicate, depth


def drawn(place: str, predicate: str, depth: int, number: int = 0) -> pb.Plan:
    """The plan of a cell. number: another one for each."""
    draw = Draw(Random(f"{SEED} {place} {predicate} {depth} {number}"), COLUMNS, ROWS)
    around: list[Around] = []
    hosts: list[R] = []
    for _ in range(depth):
        around.append(Around(draw.rng.random() < 0.25, draw.next_anchor()))
        hosts.append(draw.table("na", "nb", "nn").anchored(around[-1].anchor))
    site = Site(draw, around)
    made = PLACES[place](
        draw, lambda row, left, right: PREDICATES[predicate](site, row, left, right)
    )
    for host, level in zip(reversed(hosts), reversed(around), strict=True):
        made = _hosted(draw, host, level, made)
    return make.plan(made, [])


def _hosted(draw: Draw, host: R, level: Around, inner: R) -> R:
    """The rows of the host, and what a query about each of them says."""
    if level.lateral:
        kind = draw.rng.choice(["INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_MARK"])
        return build.lateral_join(host, inner, kind, anchor=level.anchor)
    count = inner.aggregate(measures=lambda _: [build.count()])
    return draw.rng.choice(
        [
            lambda: host.project(lambda _: [build.scalar(count)]),
            lambda: host.filter(lambda _: build.exists(inner)),
            lambda: host.filter(lambda _: not_(build.exists(inner))),
            lambda: host.project(lambda _: [build.exists(inner)]),
        ]
    )()


@dataclass(frozen=True)
class Outcome:
    """kind: right, wrong, failed, refused; known for an error of Spark's that no text is known to avoid; open where the
    specification leaves the rows open."""

    kind: str
    reason: str = ""
    sql: str = ""


def attempt(spark: SparkSession, plan: pb.Plan) -> Outcome:
    """Renders, runs, compares one plan."""
    try:
        sql = substrait_sql.to_sql(plan)
    except substrait_sql.SubstraitSqlError as error:
        return Outcome("refused", f"{error.code} {error}")
    except Exception as error:
        return Outcome("failed", f"{type(error).__name__}: {error}")
    try:
        (want,) = relations.roots(plan, TABLES)
    except OracleError as error:
        return Outcome("open", f"{type(error).__name__}: {error}", sql)
    try:
        got = [tuple(r) for r in spark.sql(sql).collect()]
    except Exception as error:
        known = next((text for text in run.KNOWN if text in str(error)), None)
        said = " ".join(str(error).split())[:300]
        return Outcome("known" if known else "failed", known or said, sql)
    found = compare.difference(got, want)
    return Outcome("wrong" if found else "right", found, sql)


def views(spark: SparkSession) -> None:
    """The tables, as views over literal rows."""
    for name, rows in ROWS.items():
        cells = ", ".join(
            "(" + ", ".join("NULL" if v is None else repr(v) for v in row) + ")" for row in rows
        )
        spark.sql(
            "SELECT CAST(x AS BIGINT) x, CAST(y AS BIGINT) y, CAST(b AS BOOLEAN) b FROM "
            f"VALUES {cells or '(NULL, NULL, NULL)'} AS t(x, y, b)"
            + ("" if rows else " WHERE FALSE")
        ).createOrReplaceTempView(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=1, help="how often each cell is drawn")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the cells to run")
    parser.add_argument("--place", default="", help="only the places whose names hold this")
    parser.add_argument("--predicate", default="", help="only this predicate")
    parser.add_argument("--depth", type=int, help="only this depth")
    parser.add_argument("--seed", type=int, default=0, help="number of the first plan of each cell")
    parser.add_argument(
        "--minutes", type=float, help="stop after so long; the cells come in an order by lot"
    )
    parser.add_argument("--show", type=int, default=10, help="how many findings to show")
    asked = parser.parse_args()
    spark = run.prepared(substrait_sql.local_session("local[2]", run.FAST))
    spark.sparkContext.setLogLevel("OFF")
    views(spark)
    chosen = [
        (*cell, asked.seed + n)
        for cell in cells()
        for n in range(asked.times)
        if asked.place in cell[0]
        and asked.predicate in ("", cell[1])
        and asked.depth in (None, cell[2])
        and Random(f"{cell} {n} {asked.seed}").random() < asked.share
    ]
    totals: Counter[str] = Counter()
    table: Counter[tuple[str, str, str]] = Counter()
    shown: Counter[str] = Counter()
    known: Counter[str] = Counter()

    Random(asked.seed).shuffle(chosen)
    end = time.monotonic() + 60 * asked.minutes if asked.minutes else math.inf

    def one(cell: tuple[str, str, int, int]) -> tuple[tuple[str, str, int, int], Outcome]:
        if time.monotonic() > end:
            return cell, Outcome("left out")
        return cell, attempt(spark, drawn(*cell))

    with ThreadPoolExecutor(2) as pool:
        for n, (cell, outcome) in enumerate(pool.map(one, chosen), 1):
            totals[outcome.kind] += 1
            if n % 250 == 0:
                print(f"{n} of {len(chosen)}: {dict(totals)}", file=sys.stderr, flush=True)
            table[cell[0], cell[1], outcome.kind] += 1
            if outcome.kind == "known":
                known[outcome.reason] += 1
            elif outcome.kind not in ("right", "open", "left out"):
                shown[outcome.kind] += 1
                if shown[outcome.kind] <= asked.show:
                    print(json.dumps([outcome.kind, *cell]), outcome.reason, flush=True)
                    print(outcome.sql, flush=True)
    _print(table)
    print(f"{len(chosen)} plans: {dict(totals)}")
    for text, number in known.most_common():
        print(f"  {number} known: {text}: {run.KNOWN[text]}")
    return 1 if totals["wrong"] or totals["failed"] or totals["refused"] else 0


def _print(table: Counter[tuple[str, str, str]]) -> None:
    """A line for each place: right plans of each predicate, and what else there was."""
    print("right plans of each predicate: " + ", ".join(PREDICATES))
    for place in PLACES:
        line = [str(table[place, p, "right"]) for p in PREDICATES]
        others = Counter({k: sum(table[place, p, k] for p in PREDICATES) for k in _OTHERS})
        rest = ", ".join(f"{n} {kind}" for kind, n in others.items() if n)
        print(f"{place:28} {' '.join(line)}  {rest}")


_OTHERS = ("wrong", "failed", "refused", "known", "open")


if __name__ == "__main__":
    sys.exit(main())
