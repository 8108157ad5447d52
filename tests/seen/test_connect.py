"""The same on a Spark Connect server: in a process of its own, as PySpark has one kind of session in each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = """
import json, os, signal, sys, threading, time
from pathlib import Path
from pyspark.sql import SparkSession
from substrait_sql import ExecutionError, execute, running, to_plan
from substrait_sql.run.java import ensure_java
from tests.seen.test_cancel import LONG
from tests.seen.test_errors import SCHEMA, failures, tables

ensure_java()
spark = SparkSession.builder.remote("local[1]").getOrCreate()
folder = Path(sys.argv[1])
found = {}

def ends(what, act, **options):
    begun = time.monotonic()
    try:
        with running(spark, **options) as run:
            found["tags"] = sorted(spark.getTags() - {run.tag})
            act()
        found[what] = "no end"
    except ExecutionError as error:
        found[what] = error.code
    except KeyboardInterrupt:
        found[what] = "interrupted"
    found[what + " soon"] = time.monotonic() - begun < 60
    found[what + " next"] = spark.sql("SELECT 7 AS x").first().x

spark.sql("SELECT 1").collect()
ends("timeout", lambda: spark.sql(LONG).collect(), timeout=1, name="long one")
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
ends("ctrl-c", lambda: spark.sql(LONG).collect())
found["wrong nodes"] = failures(spark, folder)
frame = execute(spark, to_plan("SELECT id FROM t", schema=SCHEMA), tables=tables(folder))
with running(frame, log=folder / "runs.jsonl"):
    found["rows"] = len(frame.collect())
found["result"] = json.loads((folder / "runs.jsonl").read_text())["result"]
found["tags left"] = sorted(spark.getTags())
print(json.dumps(found))
spark.stop()
"""


@pytest.mark.spark
@pytest.mark.slow
def test_on_a_connect_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {
        "tags": ["substrait-sql"],
        "timeout": "SS4050",
        "timeout soon": True,
        "timeout next": 7,
        "ctrl-c": "interrupted",
        "ctrl-c soon": True,
        "ctrl-c next": 7,
        "wrong nodes": {},
        "rows": 10,
        "result": "ok",
        "tags left": [],
    }
