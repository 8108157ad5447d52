"""Plans on a real Spark Connect server: a process of its own."""

from __future__ import annotations

import json
import sys
import time
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
