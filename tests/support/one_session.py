"""Plans of one process on a session of a Connect server that another process has, too.

``python -m tests.support.one_session URL SESSION FOLDER OWN OTHER COUNT``: makes COUNT plans in two threads once the
process that calls itself OTHER is there, and prints how many came to what, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from pyspark.errors import PySparkException

from substrait_sql import ExecutionError, execute, to_plan

OWN: Final = {"spark.sql.session.timeZone": "Asia/Tokyo", "spark.sql.ansi.enabled": "false"}
"""What the session has itself: in Tokyo 20 o'clock UTC is the next day, and without ANSI nothing is too big."""

SCHEMA: Final = {
    "points": {"id": "BIGINT", "at": "TIMESTAMP", "n": "INT"},
    "mine": {"id": "BIGINT", "day": "STRING", "n": "INT"},
}
_DAY: Final = "CAST(CAST(at AS DATE) AS STRING) AS day"
# A plan goes by UTC and ANSI; what its caller gives as a DataFrame, by the session.
PLANS: Final = {
    "day": (f"SELECT id, {_DAY} FROM points", [(i, "2020-01-01") for i in range(4)]),
    "overflow": ("SELECT id, n + 2147483647 AS n FROM points", "ARITHMETIC_OVERFLOW"),
    "frame": ("SELECT id, day, n FROM mine", [(i, "2020-01-02", None) for i in range(4)]),
}


def session(url: str, name: str) -> Any:
    """The session of that name, a UUID."""
    # Spark's client asks for grpc when it is imported, which is not everywhere where tests are collected.
    from pyspark.sql.connect.session import SparkSession

    return SparkSession.builder.remote(f"{url}/;session_id={name};user_id=somebody").create()


def prepare(spark: Any, folder: Path) -> None:
    """The session's own settings, and a table of points in time."""
    for key, value in OWN.items():
        spark.conf.set(key, value)
    rows = "id, timestamp'2020-01-01 20:00:00Z' AS at, CAST(id + 1 AS INT) AS n"
    spark.sql(f"SELECT {rows} FROM range(4)").write.parquet(str(folder / "points.parquet"))


def made(spark: Any, folder: Path, plans: dict[str, Any], i: int) -> str:
    """What came of one plan: ``day right``, or with rows or an error instead."""
    name = list(plans)[i % len(plans)]
    path = folder / "points.parquet"
    text = f"SELECT id, {_DAY}, CAST('x' AS INT) AS n FROM parquet.`{path}`"
    try:
        frame = execute(spark, plans[name], tables={"points": path, "mine": spark.sql(text)})
        found: Any = sorted(tuple(row) for row in frame.collect())
    except ExecutionError as error:
        found = error.code
    except PySparkException as error:
        found = error.getCondition()
    return f"{name} right" if found == PLANS[name][1] else f"{name} {found}"


def main() -> None:
    """See above."""
    url, name, folder, own, other, count = (
        sys.argv[1],
        sys.argv[2],
        Path(sys.argv[3]),
        *sys.argv[4:],
    )
    spark = session(url, name)
    plans = {key: to_plan(sql, schema=SCHEMA) for key, (sql, _) in PLANS.items()}
    made(spark, folder, plans, 0)
    (folder / own).touch()
    end = time.monotonic() + 60
    while not (folder / other).exists() and time.monotonic() < end:
        time.sleep(0.005)
    with ThreadPoolExecutor(2) as pool:
        print(json.dumps(Counter(pool.map(partial(made, spark, folder, plans), range(int(count))))))
    sys.stdout.flush()
    # Clients of one session may wait for each other at the end.
    os._exit(0)


if __name__ == "__main__":
    main()
