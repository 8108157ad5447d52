"""The plugin of pytest: its hooks and the fixture. What costs time to import is imported when there is a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.golden import hooks, options
from substrait_sql.golden.record import Record
from substrait_sql.golden.summary import TOLD, Summary, note_collected

if TYPE_CHECKING:
    from pathlib import Path

    from substrait_sql.golden.fixture import GoldenSql
    from substrait_sql.golden.run import Run

RECORD = pytest.StashKey[Record]()
RUN: pytest.StashKey[Run] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    options.add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """The hook for a session."""
    pluginmanager.add_hookspecs(hooks)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Checks the settings; refuses a review that cannot ask."""
    config.stash[RECORD] = Record()
    if not _is_worker(config):
        config.pluginmanager.register(
            Summary(config, config.stash[RECORD], run_of), "golden_sql_summary"
        )
    if options.given(config):
        run_of(config)
    if config.getoption("golden_review"):
        from substrait_sql.golden.ask import check_terminal

        check_terminal(config)


def run_of(config: pytest.Config) -> Run:
    """What this process has of the run; made when it is asked for, as most projects have no golden tests."""
    if RUN not in config.stash:
        from substrait_sql.golden.run import Run
        from substrait_sql.golden.settings import settings_of

        config.stash[RUN] = Run(config, settings_of(config), config.stash[RECORD])
    return config.stash[RUN]


@pytest.fixture
def golden_sql(request: pytest.FixtureRequest) -> GoldenSql:
    """Call it with a plan: compares its SQL with a golden file, beside the plan or the test."""
    from substrait_sql.golden.fixture import GoldenSql

    return GoldenSql(request, run_of(request.config))


# -- collection ----------------------------------------------------------------------------------


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Plans that are tests of their own."""
    config = parent.config
    if file_path.suffix == options.ENDING:
        config.stash[RECORD].seen.add(str(file_path))
        return None
    named = options.is_named(file_path, parent)
    if not (named or config.getini("golden_sql_plans")):
        return None
    run = run_of(config)
    if not run.settings.is_plan(file_path, named):
        return None
    from substrait_sql.golden.items import PlanFile

    return PlanFile.of(parent, file_path, run)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Some tests are left out."""
    if items:
        items[0].config.stash[RECORD].partial = True


def pytest_collection_finish(session: pytest.Session) -> None:
    """Notes which golden files may be orphans."""
    note_collected(session.config.stash[RECORD], session)


# -- the end -------------------------------------------------------------------------------------


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist tells what it has seen."""
    if _is_worker(session.config):
        output: dict[str, Any] = vars(session.config)["workeroutput"]
        output[TOLD] = session.config.stash[RECORD].told()


@pytest.hookimpl(trylast=True)
def pytest_golden_sql_session(config: pytest.Config) -> Any:
    """A session in this process, which ends with the tests unless somebody else has started it."""
    from substrait_sql.run.session import is_running, local_session

    theirs = is_running()
    session = local_session()
    if not theirs:
        config.add_cleanup(session.stop)
    return session


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")
