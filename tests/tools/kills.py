"""Kills runs that rewrite a table, and looks at what is left: ``python -m tests.tools.kills [--kills N]``.

A process of its own updates and deletes rows of a Parquet table in a metastore on disk, one plan after the other, and
is killed (SIGKILL, with its JVM) at the beginning, inside and at the end of each statement of a rewriting. The next one
runs the interrupted plan again; then the rows must be those of the plan applied once. A run that is killed after its
last statement and before it could say so is applied again: these are counted apart.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql.text.rewrite import CHANGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    import substrait.proto as pb

ROWS, KEPT, NAME = 60, 20, "kept"
FRACTIONS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
Rows = dict[int, int]


def plan_of(k: int) -> pb.Plan:
    """The change of a round: of the even ones a deletion, of the odd ones an update that must not happen twice."""
    from tests.lower.relations.test_writes import schema
    from tests.support.build import R, add, eq, gt, lit, plan, table
    from tests.support.build import plan as whole

    rows = table(NAME, "id:i32 v:i32?")
    message = type(rows.message)()
    if k % 2 == 0:
        message.write.named_table.names.append(NAME)
        message.write.table_schema.CopyFrom(schema("id:i32 v:i32?"))
        message.write.op = 2
        message.write.input.CopyFrom(rows.filter(lambda r: eq(r[0], lit(k, "i32"))).message)
        return plan((R(message, []), ""))
    message.update.named_table.names.append(NAME)
    message.update.table_schema.CopyFrom(schema("id:i32 v:i32?"))
    message.update.condition.CopyFrom(gt(rows.row[0], lit(KEPT, "i32")).message)
    change = add(rows.row[1], lit(k, "i32")).message
    message.update.transformations.add(column_target=1, transformation=change)
    return whole((R(message, []), ""))


def applied(rows: Rows, k: int) -> Rows:
    """The rows after a round, worked out here."""
    if k % 2 == 0:
        return {i: v for i, v in rows.items() if i != k}
    return {i: v + k if i > KEPT else v for i, v in rows.items()}


def child(folder: Path, k: int) -> None:
    """One process: rounds from `k` on, until it is killed. Says what it does, line by line."""
    import substrait_sql

    def say(*words: object) -> None:
        print(*words, flush=True)

    class Said(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.getMessage())

    log = logging.getLogger("substrait_sql.run.changes.rewrite")
    log.addHandler(Said())
    log.setLevel(logging.DEBUG)
    spark = substrait_sql.local_session(
        "local[2]",
        {
            "spark.sql.catalogImplementation": "hive",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
            "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
            "spark.hadoop.hive.metastore.schema.verification": "false",
        },
    )
    if k == 0:
        spark.sql(
            f"CREATE TABLE {NAME} USING parquet AS SELECT CAST(id AS INT) AS id, CAST(id AS INT) AS v FROM "
            f"range(1, {ROWS + 1}, 1, 4)"
        )
    try:
        found = spark.table(NAME).count()
    except Exception:
        found = -1
    say("found", found)
    while True:
        substrait_sql.execute(spark, plan_of(k), allow_writes=True)
        rows = [tuple(r) for r in spark.table(NAME).collect()]
        say("done", k, json.dumps(rows))
        k += 1


@dataclass
class Report:
    """What the kills have shown."""

    kills: Counter[str] = field(default_factory=Counter)
    incomplete: int = 0
    lost: int = 0
    wrong: int = 0
    twice: int = 0

    def lines(self) -> Iterator[str]:
        """The figures."""
        yield f"kills {self.kills.total()}, rows lost {self.lost}, rows wrong {self.wrong}"
        yield f"the table itself was incomplete after {self.incomplete} of them, until the plan ran again"
        yield f"changes applied again after a kill behind the last statement: {self.twice}"
        for kind in CHANGE:
            yield f"  {self.kills[kind]:3} in {kind}"


class Killer:
    """Starts processes and kills them. points: in which statement, and after which part of its usual time."""

    def __init__(self, folder: Path, points: list[tuple[str, float]]) -> None:
        self.folder = folder
        self.points = points
        self.usual: dict[str, float] = {}
        self.rows: Rows = {i: i for i in range(1, ROWS + 1)}
        self.k = 0
        self.report = Report()

    def run(self) -> Report:
        """All kills, and one process more that looks. Ctrl+C ends it sooner, with the figures until then."""
        try:
            while self.points:
                self._one(self.points[0])
        except KeyboardInterrupt:
            print(f"{len(self.points)} kills were left", file=sys.stderr)
        self._one(None)
        return self.report

    def _one(self, point: tuple[str, float] | None) -> None:
        given = [sys.executable, "-m", __name__ if __name__ != "__main__" else "tests.tools.kills"]
        process = subprocess.Popen(
            [*given, "--child", str(self.folder), str(self.k)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        began = 0.0
        retried = False
        try:
            assert process.stdout is not None
            for line in process.stdout:
                word, _, rest = line.strip().partition(" ")
                if word == "found":
                    self.report.incomplete += int(rest) != len(self.rows)
                elif word == "begin":
                    began = time.monotonic()
                    if retried and point is not None and point[0] == rest and point[1] < 1:
                        time.sleep(self.usual.get(rest, 0) * point[1])
                        break
                elif word == "end":
                    self.usual[rest] = time.monotonic() - began
                    if retried and point is not None and point == (rest, 1.0):
                        break
                elif word == "done":
                    self._compare(rest)
                    if point is None:
                        return
                    # Durations are known after a round or two.
                    retried = len(self.usual) == len(CHANGE)
            else:
                raise SystemExit(f"the process ended by itself in round {self.k}")
            assert point is not None
            self.report.kills[point[0]] += 1
            self.points.pop(0)
            print(f"killed in {point[0]} at {point[1]:.1f}", file=sys.stderr, flush=True)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _compare(self, said: str) -> None:
        number, _, text = said.partition(" ")
        k = int(number)
        there = dict(map(tuple, json.loads(text)))
        once = applied(self.rows, k)
        if there != once and there == applied(once, k):
            self.report.twice += 1
            once = there
        self.report.lost += len(once.keys() - there.keys())
        self.report.wrong += sum(once.get(i) != v for i, v in there.items())
        self.rows, self.k = there, k + 1


def points(count: int) -> list[tuple[str, float]]:
    """So many points, spread over the statements."""
    every = [(kind, part) for part in FRACTIONS for kind in CHANGE]
    return [every[i * len(every) // count] for i in range(min(count, len(every)))] + [
        ("rewrite_swap", i / 20) for i in range(count - len(every))
    ]


def kill(count: int | list[tuple[str, float]]) -> Report:
    """Kills a run so often, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="substrait-sql-kills-") as folder:
        at: Any = count if isinstance(count, list) else points(count)
        return Killer(Path(folder), at).run()


def main() -> int:
    """Prints the figures; 1 if a row was lost or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=len(FRACTIONS) * len(CHANGE))
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(Path(given.child[0]), int(given.child[1]))
    report = kill(given.kills)
    print("\n".join(report.lines()))
    return int(bool(report.lost or report.wrong))


if __name__ == "__main__":
    sys.exit(main())
