"""Drawn queries: plans that `diff` calls the same, DataFusion's optimised and raw ones, have the same rows.

In bulk: ``python -m tests.review.test_drawn --minutes 5 --seed 7``.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from typing import NamedTuple

import datafusion
import pyarrow as pa
import pytest
from datafusion import substrait

from substrait_sql import wire
from substrait_sql.dialect.dialect import load
from substrait_sql.review.meaning.keys import Keys
from substrait_sql.review.meaning.relations import meanings

JOINS = (
    "JOIN",
    "LEFT JOIN",
    "LEFT JOIN",
    "RIGHT JOIN",
    "FULL JOIN",
    "LEFT SEMI JOIN",
    "LEFT ANTI JOIN",
)


class Found(NamedTuple):
    """wrong: pairs of queries with one key and other rows. proven: raw plans that are the same as the optimised one."""

    queries: int
    wrong: list[tuple[str, str]]
    proven: int
    pairs: int


class Draw:
    """Draws tables with NULLs and repeated rows, and queries that resemble each other."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.context = datafusion.SessionContext()
        for name, size in (("t", 9), ("u", 7)):
            columns = {c: pa.array(self._values(size), pa.int64()) for c in "abc"}
            self.context.register_record_batches(name, [pa.table(columns).to_batches()])

    def _values(self, size: int) -> list[int | None]:
        return [self.random.choice([None, 0, 1, 2, 3]) for _ in range(size)]

    def column(self, names: list[str]) -> str:
        return f"{self.random.choice(names)}.{self.random.choice('ab')}"

    def condition(self, names: list[str], depth: int = 0) -> str:
        pick, one = self.random.choice, self.column(names)
        inner = [self.condition(names, depth + 1) for _ in range(2)] if depth < 2 else []
        forms = [
            f"{one} IS {pick(['', 'NOT '])}NULL",
            f"{one} {pick(['', 'NOT '])}IN ({pick(['1, 2', '2, 1', '0, 3'])})",
            f"{one} {pick(['=', '<', '>', '>=', '<>'])} {pick('12')}",
            f"{one} {pick(['', 'NOT '])}BETWEEN 1 AND 2",
            f"{one} {pick(['=', '=', '<', '>', '<='])} {self.column(names)}",
        ]
        if inner:
            forms += [
                f"({inner[0]} OR {inner[1]})",
                f"({inner[0]} AND {inner[1]})",
                f"NOT ({inner[0]})",
            ]
        return pick(forms)

    def source(self) -> tuple[str, list[str]]:
        pick = self.random.choice
        a, b = pick([("t", "u"), ("u", "t")])
        kind = pick(JOINS)
        on = pick([f"{a}.a = {b}.a", self.condition([a, b], 1)])
        on += pick(["", f" AND {self.condition([pick([a, b])], 2)}"])
        both = [a] if "SEMI" in kind or "ANTI" in kind else [a, b]
        joined = f"{a} {kind} {b} ON {on}", both
        others = [
            ("t", ["t"]),
            ("t, u", ["t", "u"]),
            (f"t AS x JOIN t AS y ON {self.condition(['x', 'y'])}", ["x", "y"]),
            ("(SELECT a, b FROM t UNION ALL SELECT b, a FROM u) AS s", ["s"]),
        ]
        return pick([joined, joined, *others])

    def query(self, nested: bool = True) -> str:
        pick = self.random.choice
        source, names = self.source()
        if nested and pick([True, False, False, False]):
            source, names = f"({self.query(False)}) AS q", ["q"]
        where = pick(
            [
                "",
                f" WHERE {self.condition(names)}",
                f" WHERE {self.condition(names)} AND {self.condition(names)}",
            ]
        )
        one, other, key = (self.column(names) for _ in range(3))
        having = pick(["", f" HAVING {key} > 1", f" HAVING {key} IS NOT NULL"])
        case = f"CASE WHEN {self.condition(names, 2)} THEN {one} ELSE 0 END"
        measure, second = (
            pick(["sum", "min", "count"]),
            pick([other, case, f"{one} + {other}", "1"]),
        )
        return pick([
            f"SELECT {key} AS a, {measure}({one}) AS b FROM {source}{where} GROUP BY {key}{having}",
            f"SELECT {one} AS a, sum({other}) OVER (PARTITION BY {key}) AS b FROM {source}{where}",
            f"SELECT {pick(['', 'DISTINCT '])}{one} AS a, {second} AS b FROM {source}{where}",
        ])  # fmt: skip

    def keys(self, query: str) -> list[str]:
        """The key of the raw plan and of the optimised one."""
        frame = self.context.sql(query)
        found = []
        for plan in (frame.logical_plan(), frame.optimized_logical_plan()):
            message = substrait.Producer.to_substrait_plan(plan, self.context).encode()
            (meaning,) = meanings(wire.read(message), load("spark"))
            found.append(Keys().block(meaning.block))
        return found


def look(seed: int, queries: int = 10**9, seconds: float = 10**9) -> Found:
    draw, end = Draw(seed), time.monotonic() + seconds
    seen: dict[str, tuple[Counter[str], str]] = {}
    wrong, proven, pairs, done = [], 0, 0, 0
    while done < queries and time.monotonic() < end:
        query = draw.query()
        done += 1
        try:
            rows = Counter(map(str, draw.context.sql(query).to_pylist()))
            keys = draw.keys(query)
        except Exception as error:
            # DataFusion refuses some of its own: a type that it cannot compare, a plan that it cannot write.
            assert "substrait_sql" not in type(error).__module__, query
            continue
        pairs, proven = pairs + 1, proven + (keys[0] == keys[1])
        for key in keys:
            before = seen.setdefault(key, (rows, query))
            if before[0] != rows:
                wrong.append((query, before[1]))
    return Found(done, wrong, proven, pairs)


@pytest.mark.slow
def test_what_is_the_same_has_the_same_rows() -> None:
    found = look(1, queries=250)
    assert not found.wrong
    assert found.pairs > 200
    # What an optimiser does is seen through in more than a third of the queries.
    assert found.proven > found.pairs / 3


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(look(given.seed, seconds=60 * given.minutes))
