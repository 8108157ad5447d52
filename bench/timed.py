"""The times of one environment: `bench.rendering` runs this with sqlglot's compiled build, where nothing else is there.

Reads a JSON list of plans in hexadecimal digits, each with its text and the SQL that DataFusion writes for it; writes
for each the milliseconds to render it, to parse and print its text, and to make Spark's SQL of DataFusion's.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time

import sqlglot

import substrait_sql


def main() -> None:
    """See the module."""
    found = []
    gc.disable()
    for plan, text, sql in json.load(sys.stdin):
        data = bytes.fromhex(plan)
        works = (
            lambda data=data: substrait_sql.to_sql(data),
            lambda text=text: sqlglot.parse_one(text, read="spark").sql("spark", pretty=True),
            lambda sql=sql: sqlglot.transpile(sql, write="spark", pretty=True) if sql else None,
        )
        spent: list[list[float]] = [[], [], []]
        for _ in range(int(sys.argv[1]) + 1):
            for work, times in zip(works, spent, strict=True):
                start = time.perf_counter()
                work()
                times.append((time.perf_counter() - start) * 1e3)
            gc.collect(0)
        found.append([statistics.median(times[1:]) for times in spent])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
