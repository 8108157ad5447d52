"""Plans on a real Spark Connect server: a process of its own."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from substrait_sql.run.retry import LATER
from tests.run.test_cluster import RUN, call, start, wait
from tests.support import cluster, everywhere, tpch

if TYPE_CHECKING:
    from tests.support.cluster import Server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

# What the server's log says when rows of a table are read.
BUSY = "FileScanRDD: Reading File path"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tpch_tables: dict[str, Path]) -> Path:
    made = tmp_path_factory.mktemp("connect")
    context = tpch.datafusion_context(tpch_tables)
    everywhere.prepare(made, {3: tpch.datafusion_plan(context, tpch.queries()[3])})
    return made


def test_each_kind_of_read_and_one_of_tpch(
    folder: Path, connect_server: tuple[Server, str]
) -> None:
    _, url = connect_server
    done = call(folder, sys.executable, "-m", "tests.support.everywhere", folder, url)
    found = [json.loads(line) for line in done.stdout.splitlines()][1:]
    assert [f[:2] for f in found if f[1]] == [], done.stderr[-3000:]
    there = len(list((folder / "plans").glob("*.pb")))
    assert len(found) == there + 3  # the named table is given in four ways


def test_the_command(folder: Path, connect_server: tuple[Server, str], tmp_path: Path) -> None:
    """The session has the settings of --conf; nothing that PySpark says on its way is shown."""
    init = tmp_path / "init.sql"
    text = (
        "CREATE TEMPORARY VIEW people AS SELECT 1 AS id, '${spark.sql.shuffle.partitions}' AS name"
    )
    init.write_text(text, encoding="utf-8")
    options = ("--remote", connect_server[1], "--conf", "spark.sql.shuffle.partitions=7")
    plan = folder / "plans" / "named_table.pb"
    done = call(folder, *RUN, *options, "--init", init, "-f", "csv", plan)
    assert (done.returncode, done.stdout, done.stderr) == (0, "id,name\n1,7\n", "")


def test_a_server_that_is_killed_in_the_middle(
    folder: Path, tmp_path: Path, tpch_tables: dict[str, Path]
) -> None:
    table = f"lineitem={tpch_tables['lineitem']}"
    with cluster.connect_server(tmp_path) as (server, url):
        job = start(folder, *RUN, "--remote", url, "--table", table, folder / "endless.pb")

        def is_busy() -> bool:
            return job.poll() is not None or BUSY in server.log.read_text(errors="replace")

        assert wait(is_busy)
        time.sleep(1)
        assert job.poll() is None
        server.kill()
        stderr = job.communicate(timeout=120)[1]
    assert job.returncode == LATER
    assert "SS4023 the Spark session has ended" in stderr
    assert "Traceback" not in stderr


SHARED = """
import os, sys, time
from pathlib import Path
from pyspark.sql.connect.session import SparkSession
from substrait_sql import ExecutionError
from substrait_sql.run.files import arrow
from substrait_sql.run.settings import applied

url, own, other = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])

def session(number):
    # The same ones in both processes.
    one = f"00112233-4455-6677-8899-{number:012}"
    return SparkSession.builder.remote(f"{url}/;session_id={one};user_id=somebody").create()

def meet(step):
    (own / step).touch()
    end = time.monotonic() + 60
    while not (other / step).exists() and time.monotonic() < end:
        time.sleep(0.002)

sessions = [session(i) for i in range(8)]
for i, spark in enumerate(sessions):
    spark.version
    meet(f"register{i}")
    arrow.register(spark)
spark = sessions[0]
if own.name == "one":
    try:
        with applied(spark, {"spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true"}):
            meet("applied")
            meet("changed")
    except ExecutionError as error:
        print(error)
else:
    meet("applied")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    meet("changed")
# Clients of several sessions may wait for each other at the end.
sys.stdout.flush()
os._exit(0)
"""


def test_two_processes_with_one_session(
    folder: Path, connect_server: tuple[Server, str], tmp_path: Path
) -> None:
    """Both may register what reads Arrow; settings of one that the other changes meanwhile are seen."""
    places = [tmp_path / "one", tmp_path / "two"]
    for place in places:
        place.mkdir()
    code = (sys.executable, "-W", "ignore", "-c", SHARED, connect_server[1])
    with ThreadPoolExecutor() as pool:
        given = (places, places[::-1])
        one, two = pool.map(lambda own, other: call(folder, *code, own, other), *given)
    assert (two.returncode, two.stdout) == (0, ""), two.stderr[-3000:]
    assert one.returncode == 0, one.stderr[-3000:]
    said = "SS4035 somebody else has changed spark.sql.session.timeZone of this session while a"
    assert one.stdout.startswith(said)
