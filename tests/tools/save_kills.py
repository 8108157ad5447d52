"""Kills runs of `save`, and looks at what is left: ``python -m tests.tools.save_kills [--kills N]``.

A process of its own overwrites a folder, appends to another and overwrites a table in a metastore on disk, round by
round, and is killed (SIGKILL, with its JVM) at any time. The folders must then have all rows of a round and no others;
the next process says what the table has, and overwrites it again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pyarrow import dataset  # type: ignore[import-untyped]

ROWS = 3000
NAME = "saved_rounds"


def child(folder: Path, k: int) -> None:
    """One process: rounds from `k` on, until it is killed. Says when one begins and ends."""
    import substrait_sql
    from substrait_sql import save, to_plan

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
    exists = spark.catalog.tableExists(NAME)
    there = [r[0] for r in spark.sql(f"SELECT round FROM {NAME}").collect()] if exists else None
    print("found", json.dumps(dict(Counter(there)) if there is not None else None), flush=True)
    plan = to_plan("SELECT round, id FROM made", schema={"made": "round INT, id BIGINT"})
    while True:
        made = spark.sql(f"SELECT {k} AS round, id FROM range(0, {ROWS}, 1, 6)")
        print("begin", k, flush=True)
        for target in ({"to_files": folder / "over"}, {"to_table": NAME}):
            save(spark, plan, mode="overwrite", format="parquet", tables={"made": made}, **target)
        append = folder / "append"
        save(spark, plan, to_files=append, mode="append", format="parquet", tables={"made": made})
        rows = Counter(r[0] for r in spark.sql(f"SELECT round FROM {NAME}").collect())
        print("done", k, json.dumps(rows), flush=True)
        k += 1


def counted(folder: Path) -> dict[int, int]:
    """The rows of each round in a folder, as another reader finds them."""
    if not folder.exists():
        return {}
    files = [str(p) for p in folder.glob("part-*")]
    found = (
        dataset.dataset(files, format="parquet").to_table()["round"].to_pylist() if files else []
    )
    return dict(Counter(found))


def wrong(folder: Path, k: int) -> list[str]:
    """What is not as it must be after a kill in round `k`, or before it began."""
    found = []
    over, append = counted(folder / "over"), counted(folder / "append")
    if over not in ({k: ROWS}, {k - 1: ROWS}) and (over or k > 0):
        found.append(f"overwritten folder in round {k}: {over}")
    whole = {i: n for i, n in append.items() if n % ROWS == 0 and n > 0}
    if append != whole or set(append) | {k} != set(range(k + 1)):
        found.append(f"appended folder in round {k}: {append}")
    return found


def main() -> int:
    """Prints the figures; 1 if a row was lost or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(Path(given.child[0]), int(given.child[1]))
    draw = random.Random(given.seed)
    bad: list[str] = []
    incomplete, k, usual = 0, 0, 5.0
    with tempfile.TemporaryDirectory(prefix="substrait-sql-save-kills-") as name:
        folder = Path(name)
        for kill in range(given.kills + 1):
            arguments = ["--child", name, str(k)]
            process: Any = subprocess.Popen(
                [sys.executable, "-m", "tests.tools.save_kills", *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            )  # fmt: skip
            done = began = 0.0
            for line in process.stdout:
                word, _, rest = line.strip().partition(" ")
                if word == "found" and kill:
                    rows = json.loads(rest)
                    incomplete += rows not in ({str(k): ROWS}, {str(k - 1): ROWS})
                elif word == "begin":
                    k, began = int(rest), time.monotonic()
                    if done and kill < given.kills:
                        time.sleep(draw.uniform(0, usual))
                        break
                elif word == "done":
                    done, usual = 1.0, time.monotonic() - began
                    number, _, text = rest.partition(" ")
                    if json.loads(text) != {number: ROWS}:
                        bad.append(f"table after round {number}: {text}")
                    if kill == given.kills:
                        break
            os.killpg(process.pid, signal.SIGKILL)
            # It may have gone on while we slept.
            for line in process.stdout:
                word, _, rest = line.strip().partition(" ")
                k = int(rest) if word == "begin" else k
            process.wait()
            bad += wrong(folder, k)
            print(f"kill {kill} in round {k}: {len(bad)} wrong", file=sys.stderr, flush=True)
        left = sorted(p.name for p in folder.iterdir() if p.name.startswith("."))
    print(
        f"kills {given.kills}, rows lost or wrong {len(bad)}, table incomplete until the next run {incomplete}"
    )
    print(f"left beside the folders by the last one: {len(left)}")
    print("\n".join(bad))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
