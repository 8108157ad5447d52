"""What all tests share: a Spark session, TPC-H data, and the golden-file option."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import TYPE_CHECKING

import pytest

from substrait_sql.golden import plugin
from tests.support import sessions, tpch
from tests.tools import class_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser
    from pyspark.sql import SparkSession

    from tests.support.cluster import Server

# Python's own zone decides how pyspark hands out points in time.
os.environ["TZ"] = "UTC"
time.tzset()
class_archive.use()

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """The plugin of this checkout, where the package is not installed."""
    if not pluginmanager.has_plugin("golden_sql"):
        pluginmanager.register(plugin, "golden_sql")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--golden-update") and os.environ.get("CI"):
        raise pytest.UsageError("--golden-update is refused where CI is set: goldens are reviewed")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What asks for the session is marked: `-m "not spark"` never starts one. What is marked by hand may start Spark by
    a command: it has the session of all tests, however few of them run, and in whichever order."""
    for item in items:
        names = getattr(item, "fixturenames", [])
        if "spark" in names:
            item.add_marker("spark")
        elif item.get_closest_marker("spark"):
            names.insert(0, "spark")


def _has_spark() -> bool:
    context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
    return context is not None and context._active_spark_context is not None


@pytest.fixture(autouse=True)
def unmarked_starts_none(request: pytest.FixtureRequest) -> Iterator[None]:
    """A session that a test without the mark leaves behind would be the one of all tests, with too little memory."""
    before = _has_spark()
    yield
    if not request.node.get_closest_marker("spark"):
        assert before or not _has_spark(), "it starts Spark, and is not marked `spark`"


@pytest.fixture(scope="module", autouse=True)
def no_views_left() -> Iterator[None]:
    """Temporary views of one module would be tables of the session for the next one."""
    yield
    if _has_spark():
        from pyspark.sql import SparkSession

        session = SparkSession._instantiatedSession
        if session is not None:
            session._jsparkSession.sessionState().catalog().clearTempTables()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One embedded session for the whole run (one in each process, where two share the tests): starting one takes
    about ten seconds. Its page in the browser keeps little of what ran: thousands of queries fill the memory. So do
    the pages of memory that each aggregate and sort begins with, of 64 MB for a driver of this size."""
    from substrait_sql import local_session

    session = local_session(
        "local[2]",
        {
            "spark.sql.shuffle.partitions": "2",
            "spark.driver.memory": "3g",
            "spark.buffer.pageSize": "1m",
            "spark.sql.session.timeZone": "UTC",
            # As in sessions of others: tables with times of day can be read, and plans switch them on for themselves.
            "spark.sql.timeType.enabled": "false",
            "spark.ui.retainedJobs": "20",
            "spark.ui.retainedStages": "20",
            "spark.ui.retainedTasks": "200",
            "spark.sql.ui.retainedExecutions": "20",
            **sessions.UNCOMPILED,
        },
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def compiled(spark: SparkSession) -> Iterator[None]:
    """Spark compiles the queries of the module, as it does for everybody else."""
    with sessions.configured(spark, sessions.COMPILED):
        yield


@pytest.fixture(scope="session")
def connect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """One Spark Connect server for the whole run, and what ``--remote`` takes."""
    from tests.support.cluster import connect_server

    with connect_server(tmp_path_factory.mktemp("connect_server")) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window. `.ci/run` installs it where it may."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser on this machine: none of {', '.join(BROWSERS)} is installed")
    from playwright.sync_api import sync_playwright

    # A sandbox needs a user who is not root.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="session")
def tpch_tables() -> dict[str, Path]:
    """TPC-H at scale 0.01."""
    return tpch.tables(0.01)


@pytest.fixture(scope="session")
def oracle(tpch_tables: dict[str, Path]) -> tpch.Oracle:
    """DuckDB over the same files."""
    return tpch.Oracle(tpch_tables)


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process: exit code, stdout, stderr."""

    from substrait_sql.cli import main

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as done:
            main([str(a) for a in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in err
        assert isinstance(done.value.code, int)
        return done.value.code, out, err

    return run
