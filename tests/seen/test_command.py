"""The command ``run``, with real signals: exit codes, nothing left behind, no traceback."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from substrait_sql import demo, to_plan
from substrait_sql.run.seen.record import table
from tests.support.jobs import left_of_runs
from tests.support.terminal import typed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyspark.sql import SparkSession

COMMAND = (sys.executable, "-m", "substrait_sql", "run")
SLOW = "SELECT count(*) AS n FROM big a JOIN big b ON a.id * 3 + b.id * 5 > b.id * 4 - a.id"
MEDIUM = (
    "SELECT count(*) AS n FROM big a JOIN big b ON a.id * 3 + b.id * 5 > b.id * 4 - a.id "
    "WHERE a.id < 5000 AND b.id < 5000"
)
QUICK = "SELECT count(*) AS n FROM big"
MANY = "SELECT a.id, b.id AS other FROM big a JOIN big b ON a.id * 3 + b.id * 5 > b.id * 4 - a.id"


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plans, and the table that they read: slow.pb and many.pb, which has rows from the first second on, take hours."""
    folder = tmp_path_factory.mktemp("plans")
    pq.write_table(pa.table({"id": pa.array(range(900_000), pa.int64())}), folder / "big.parquet")
    queries = {
        "slow": SLOW,
        "medium": MEDIUM,
        "quick": QUICK,
        "many": MANY,
        "made": f"CREATE TABLE made AS {SLOW}",
    }
    for name, sql in queries.items():
        plan = to_plan(sql, schema={"big": {"id": "BIGINT"}})
        (folder / f"{name}.pb").write_bytes(plan.SerializeToString())
    return folder


def interrupted(
    folder: Path,
    arguments: Sequence[object],
    marker: str,
    numbers: Sequence[int],
    written: Path | None = None,
) -> tuple[int, str, str, float]:
    """The command with signals some time after it said something: exit code, stdout, stderr, seconds until its end.

    written: where files of rows are begun by then.
    """
    process = subprocess.Popen(
        [*COMMAND, "-v", "--table", f"big={folder / 'big.parquet'}", *map(str, arguments)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if marker in line:
            break
    end = time.monotonic() + 60
    while written is not None and not any(written.rglob("part-*")) and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)
    begun = time.monotonic()
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.05)
    process.wait(60)
    seconds = time.monotonic() - begun
    out, err = process.communicate()
    return process.returncode, out, said + err, seconds


@pytest.fixture(scope="module")
def seen(plans: Path) -> dict[str, str]:
    """All that a call shows: stdout, the terminal, the log of runs, the event log, and its exit code."""
    events, log = plans / "events", plans / "runs.jsonl"
    events.mkdir()
    shutil.copy(demo.PLAN, plans / "q3.pb")
    code, shown = typed(
        [
            "sh",
            "-c",
            '"$@" > rows.txt',
            "sh",
            *COMMAND,
            *("q3.pb", "medium.pb", "-v", "-f", "csv", "--limit", "2"),
            *("--tables", str(demo.TABLES), "--table", "big=big.parquet"),
            *("--run-log", str(log), "--conf", "spark.eventLog.enabled=true"),
            *("--conf", f"spark.eventLog.dir={events.as_uri()}"),
            *("--conf", "spark.eventLog.compress=false"),
        ],
        "",
        plans,
        {**os.environ, "TERM": "xterm"},
    )
    found = {"code": str(code), "terminal": shown, "log": log.read_text()}
    found["stdout"] = (plans / "rows.txt").read_text()
    found["events"] = "".join(p.read_text() for p in events.rglob("events_*"))
    shutil.rmtree(events)
    for name in ("runs.jsonl", "rows.txt"):
        (plans / name).unlink()
    return found


@pytest.mark.spark
@pytest.mark.slow
def test_what_a_terminal_shows(seen: dict[str, str]) -> None:
    assert seen["code"] == "0"
    assert "medium: stage " in seen["terminal"]
    assert len(seen["stdout"].splitlines()) == 5
    assert "\x1b" not in seen["stdout"]


@pytest.mark.spark
@pytest.mark.slow
def test_what_the_event_log_has(seen: dict[str, str]) -> None:
    """Each query, and each of its jobs, has the description and the tags."""
    events = [json.loads(line) for line in seen["events"].splitlines()]
    queries = [e["description"] for e in events if e["Event"].endswith("SQLExecutionStart")]
    jobs = [e["Properties"] for e in events if e["Event"] == "SparkListenerJobStart"]
    assert {"q3: query, relations[0]", "medium: query, relations[0]"} <= set(queries)
    for job in jobs:
        name = job["spark.job.description"].split(":")[0]
        assert {"substrait-sql", f"substrait-sql.plan={name}"} <= set(
            job["spark.job.tags"].split(",")
        )


@pytest.mark.spark
@pytest.mark.slow
def test_the_page_shows_what_there_is(seen: dict[str, str]) -> None:
    """The examples of docs/observing.md, but for numbers of seconds, times and versions."""
    page = (Path(__file__).parents[2] / "docs" / "observing.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (record,) = (json.loads(text) for kind, text in blocks if kind == "json" and "sha256" in text)
    found = json.loads(seen["log"].splitlines()[0])
    assert _steady(record) == _steady(found)
    (said,) = (text for kind, text in blocks if kind == "text" and "INFO" in text)
    shown = re.sub(r"[\d:.]+", "0", seen["terminal"])
    for line in said.splitlines():
        assert re.sub(r"[\d:.]+", "0", line) in shown
    for line in (t for kind, text in blocks if kind == "properties" for t in text.splitlines()):
        key, _, value = line.partition("=")
        assert f'"{key}":"{value}' in seen["events"]
    assert table() in page


def _steady(record: dict[str, Any]) -> dict[str, Any]:
    """A record without what another run, or another machine, has otherwise."""
    dropped = {
        **record,
        "time": "",
        "seconds": sorted(record["seconds"]),
        "versions": sorted(record["versions"]),
    }
    dropped["statements"] = [{**s, "seconds": 0} for s in record["statements"]]
    return dropped


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "code", "given"),
    [
        ((signal.SIGINT,), 130, ("slow.pb", "-o", "rows.csv")),
        ((signal.SIGTERM,), 143, ("many.pb", "--to-files", "rows.parquet")),
        ((signal.SIGINT, signal.SIGINT), 130, ("slow.pb", "-o", "rows.csv")),
    ],
)
def test_a_signal_ends_a_run(
    plans: Path, numbers: tuple[int, ...], code: int, given: tuple[str, ...]
) -> None:
    """Rows that were to go to files: they are not there, nor is a draft of them, nor are files of the session."""
    ended, stdout, stderr, seconds = interrupted(
        plans, given, "finished in", numbers, plans if "many.pb" in given else None
    )
    # A second signal may come when the run is over, and ends Python itself: 130 for a shell too.
    also = {-number for number in numbers[1:]}
    assert ended in {code, *also}
    assert stdout == ""
    assert seconds < 15
    assert "Traceback" not in stderr
    assert "ERROR" not in stderr
    assert stderr.splitlines()[-1] == "interrupted"
    left = [
        p.name for p in plans.iterdir() if p.suffix not in (".pb", ".parquet") or p.name[0] == "."
    ]
    assert not (plans / "rows.parquet").exists()
    # The second one does not wait for the JVM to tidy up.
    assert len(numbers) == 2 or left == []


@pytest.mark.spark
@pytest.mark.slow
def test_a_table_that_was_being_made(plans: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    arguments = ["made.pb", "--allow-writes", "--conf", f"spark.sql.warehouse.dir={warehouse}"]
    code, _, stderr, _ = interrupted(plans, arguments, "started", (signal.SIGINT,))
    assert code == 130
    assert "Traceback" not in stderr
    assert not list(warehouse.rglob("*"))


def test_the_time_is_over(
    spark: SparkSession, plans: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    """The plan that takes too long fails, and the others go on."""
    arguments = ("--table", f"big={plans / 'big.parquet'}", "-f", "csv", "--timeout", "20")
    code, out, err = call("run", plans / "slow.pb", plans / "quick.pb", *arguments)
    assert (code, out) == (1, "n\n900000\n")
    assert err.splitlines()[0] == "SS4050 the plan was ended after 20 seconds"
    assert "ran: 1 of 2 plans, 1 failed" in err
    assert not left_of_runs(spark)
    assert call("run", plans / "quick.pb", "--timeout", "0")[0] == 2


def test_what_it_does(
    spark: SparkSession, plans: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    arguments = ("--table", f"big={plans / 'big.parquet'}", "-f", "csv")
    quiet = call("run", plans / "quick.pb", *arguments)
    code, out, err = call("run", plans / "quick.pb", *arguments, "-v")
    assert quiet == (0, "n\n900000\n", "")
    assert (code, out) == quiet[:2]
    started, finished = (line.split(" ", 2)[1:] for line in err.splitlines()[-2:])
    assert started == ["INFO", "started: quick: query, relations[0]"]
    assert finished[1].startswith("finished in ")
