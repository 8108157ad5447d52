"""Runs dbt over Spark tables in an environment that has it, which our package need not be in.

``python dbt_run.py JOB.json`` does what the file says and writes what it found to ``result``, as JSON:
``tables``: Parquet files by the names of tables; ``before``: statements; ``commands``: the folder in which dbt runs,
and the arguments; ``queries``: statements whose rows are wanted, by name; ``warehouse``: where tables are.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any


def main(job: dict[str, Any]) -> None:
    from dbt.cli.main import dbtRunner
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        # Small tables: planned and begun sooner, rather than run faster.
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.buffer.pageSize", "1m")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", job["warehouse"])
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    for name, path in job.get("tables", {}).items():
        session.sql(f"CREATE TABLE {name} USING parquet LOCATION '{path}'")
    for statement in job.get("before", ()):
        session.sql(statement)
    found: dict[str, Any] = {"runs": [], "rows": {}, "failed": []}
    folder = Path.cwd()
    for project, command in job["commands"]:
        os.chdir(folder / project)
        done = dbtRunner().invoke(command)
        found["runs"].append(bool(done.success))
        for each in getattr(done.result, "results", None) or ():
            if str(each.status) not in ("success", "pass"):
                found["failed"].append(f"{each.node.unique_id}: {each.message}")
        if done.exception is not None:
            found["failed"].append(str(done.exception))
    for name, sql in job.get("queries", {}).items():
        try:
            rows = [list(map(str, row)) for row in session.sql(sql).collect()]
        except Exception as error:
            rows = [str(error)]
        found["rows"][name] = rows
    Path(job["result"]).write_text(json.dumps(found), encoding="utf-8")
    session.stop()


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
