"""Plan bytes to SQL text, beside sqlglot and beside the other way that there is; and texts to plans."""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlglot
from datafusion import substrait
from datafusion.unparser import Dialect, Unparser
from sqlglot.optimizer.qualify import qualify

import substrait_sql
from tests.support import tpch

if TYPE_CHECKING:
    from collections.abc import Callable

    from suites import Suite

COMPILED = Path(__file__).parents[1] / ".venv-compiled" / "bin" / "python"
TIMED = Path(__file__).parent / "timed.py"


class Timed(NamedTuple):
    """One query: its plan, the text, and the medians in milliseconds. peer: None where DataFusion writes no SQL."""

    name: str
    plan: bytes
    text: str
    ours: float
    sqlglot: float
    peer: float | None
    # What DataFusion takes of that, and the SQL that it writes.
    unparsed: float
    sql: str


def rendered(suite: Suite, repeat: int, progress: Callable[[str], None]) -> list[Timed]:
    """The queries of a suite that have a plan and a text."""
    found = []
    unparser = Unparser(Dialect.default())

    def unparse(data: bytes) -> str:
        read = substrait.Serde.deserialize_bytes(data)
        made = substrait.Consumer.from_substrait_plan(suite.context, read)
        return str(unparser.plan_to_sql(made))

    gc.collect()
    gc.disable()
    for name, sql in suite.queries.items():
        progress(f"render {suite.name} {name}")
        data = tpch.datafusion_plan(suite.context, sql)
        text = substrait_sql.to_sql(data)
        works: list[Callable[[], Any]] = [
            lambda data=data: substrait_sql.to_sql(data),  # type: ignore[misc]
            lambda text=text: reprinted(text),  # type: ignore[misc]
        ]
        written = ""
        try:
            written = unparse(data)
        except Exception:  # whatever DataFusion raises: it has no SQL for the plan then
            pass
        else:
            works.append(lambda data=data: unparse(data))  # type: ignore[misc]
            works.append(lambda sql=written: transpiled(sql))  # type: ignore[misc]
        ours, theirs, *peer = medians(works, repeat)
        found.append(
            Timed(name, data, text, ours, theirs, sum(peer) if peer else None, *peer[:1] or [0.0], written)
        )  # fmt: skip
    gc.enable()
    return found


def reprinted(text: str) -> str:
    """What sqlglot makes of a text of ours: parsed and printed once."""
    return sqlglot.parse_one(text, read="spark").sql(dialect="spark", pretty=True)


def transpiled(sql: str) -> str:
    """The second half of the other way: DataFusion's SQL as Spark's."""
    return sqlglot.transpile(sql, write="spark", pretty=True)[0]


def medians(works: list[Callable[[], Any]], repeat: int) -> list[float]:
    """Milliseconds of each, interleaved: what slows one slows the others."""
    spent: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(repeat):
        for work, times in zip(works, spent, strict=True):
            start = time.perf_counter()
            work()
            times.append((time.perf_counter() - start) * 1e3)
        gc.collect(0)
    return [statistics.median(times) for times in spent]


def compiled(plain: list[Timed], repeat: int) -> list[Timed]:
    """The same with sqlglot's compiled build on both sides; DataFusion's part is what it was."""
    given = [[each.plan.hex(), each.text, each.sql] for each in plain]
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        [COMPILED, TIMED, str(repeat)],
        input=json.dumps(given), capture_output=True, text=True, check=True, env={"PYTHONPATH": root},
    )  # fmt: skip
    return [
        each._replace(ours=a, sqlglot=b, peer=None if each.peer is None else each.unparsed + c)
        for each, (a, b, c) in zip(plain, json.loads(done.stdout), strict=True)
    ]


def lifted(
    suite: Suite, repeat: int, progress: Callable[[str], None]
) -> list[tuple[str, int, float, float]]:
    """For each query that lifts: its name, its length, and the milliseconds of `to_plan` and of sqlglot's qualify."""
    found = []
    for name, sql in suite.queries.items():
        progress(f"lift {suite.name} {name}")
        text = sql.replace('"', "`")
        try:
            substrait_sql.to_plan(text, schema=suite.schema)
        except substrait_sql.SubstraitSqlError as error:
            print(f"{suite.name} {name} is not lifted: {error.code}", file=sys.stderr)
            continue
        ours, theirs = medians(
            [
                lambda text=text: substrait_sql.to_plan(text, schema=suite.schema),  # type: ignore[misc]
                lambda text=text: qualify(  # type: ignore[misc]
                    sqlglot.parse_one(text, read="spark"), schema=suite.schema, dialect="spark"
                ),
            ],
            repeat,
        )
        found.append((name, len(text), ours, theirs))
    return found


def lifted_by_length(suite: Suite, largest: int) -> list[tuple[int, float]]:
    """A text of one query in branches of a UNION ALL, that doubles: its length, and the milliseconds of `to_plan`."""
    found = []
    query = suite.queries["q3"].partition("ORDER BY")[0]
    branches = 1
    while branches <= largest:
        text = " UNION ALL ".join([query] * branches)
        (spent,) = medians([lambda text=text: substrait_sql.to_plan(text, schema=suite.schema)], 3)  # type: ignore[misc]
        found.append((len(text), spent))
        branches *= 2
    return found
