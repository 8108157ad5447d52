"""Many plans through one session from several threads: ``python -m tests.tools.soak [--plans 1000] [--threads 4]``.

The plans are those of tests/plans, again and again, each held against the rows that lie beside it. Printed are the
plans with other rows, what is left in the session (views, settings, what is cached), and after every tenth of the plans
the memory of this process and of the JVM, the threads of both and the files of the temporary folder.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql import local_session
from tests.golden.test_plans import RENDERED, name
from tests.support import rows, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass
class State:
    """What a session has, and what running plans must not change."""

    views: list[str]
    settings: dict[str, str]
    catalog: str
    schema: str
    cached: int

    @classmethod
    def of(cls, spark: SparkSession) -> State:
        """As it is now."""
        java: Any = spark._jsparkSession
        return cls(
            views=sorted(row["viewName"] for row in spark.sql("SHOW VIEWS").collect()),
            settings=dict(spark.conf.getAll),
            catalog=spark.catalog.currentCatalog(),
            schema=spark.catalog.currentDatabase(),
            cached=0 if java.sharedState().cacheManager().isEmpty() else 1,
        )


@dataclass
class Soak:
    """A run of many plans. wrong: what went wrong, by plan."""

    spark: SparkSession
    tables: Mapping[str, Any]
    wrong: list[str] = field(default_factory=list)

    def one(self, path: Path) -> None:
        """Run a plan and look at its rows."""
        expected = rows.load(path.with_suffix(".rows.json"))
        try:
            found = [run.collect(f) for f in run.frames(self.spark, path, self.tables)]
        except Exception as error:
            self.wrong.append(f"{name(path)}: {type(error).__name__}: {str(error)[:200]}")
            return
        for got, want in zip(found, expected, strict=True):
            if difference := rows.difference(got, want.rows, want.ordered):
                self.wrong.append(f"{name(path)}: {difference}")

    def all(self, paths: Sequence[Path], threads: int) -> None:
        """Run plans, so many at once."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(self.one, paths))


def measures(spark: SparkSession) -> dict[str, int]:
    """Memory in MB after a collection, threads, temporary files."""
    gc.collect()
    java: Any = spark.sparkContext._jvm
    java.System.gc()
    time.sleep(0.5)
    runtime = java.Runtime.getRuntime()
    return {
        "heap": (runtime.totalMemory() - runtime.freeMemory()) // 2**20,
        "python": _resident() // 2**20,
        "threads": threading.active_count(),
        "java threads": java.Thread.activeCount(),
        "files": sum(1 for _ in Path(tempfile.gettempdir()).glob("substrait*")),
    }


def _resident() -> int:
    """The bytes of memory that this process holds; what it held at most where the system does not say."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text(encoding="utf-8").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(show: Callable[[str], object] = print) -> int:
    """Run it; returns 1 if a plan had other rows or something is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    spark = local_session()
    soak = Soak(spark, run.plan_tables(spark))
    paths = list(islice(cycle(RENDERED), options.plans))
    before = State.of(spark)
    part = max(1, len(paths) // 10)
    start = time.perf_counter()
    for at in range(0, len(paths), part):
        soak.all(paths[at : at + part], options.threads)
        done = min(at + part, len(paths))
        found = "  ".join(f"{k} {v}" for k, v in measures(spark).items())
        show(f"{done:6} plans  {time.perf_counter() - start:6.0f} s  {found}")
    after = State.of(spark)
    show(f"wrong: {len(soak.wrong)} of {len(paths)}")
    for line in soak.wrong[:20]:
        show(f"  {line}")
    show("the session is as it was" if after == before else f"left: {before} and then {after}")
    return 1 if soak.wrong or after != before else 0


if __name__ == "__main__":
    sys.exit(main())
