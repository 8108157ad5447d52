"""What every run of pytest knows, whether it has golden tests or not: options, and by which names files are seen."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ORPHANS = ("warn", "fail", "ignore")
ENDING = ".sql"
FOLDER = "__golden__"
"""Beside a file of tests, what its tests have that have no file for their plan."""

# What is collected, without being configured, if it is named on the command line.
_NAMED = "*.plan.*"


def add_options(parser: pytest.Parser) -> None:
    """The options of the command line, and of the project's configuration."""
    group = parser.getgroup("golden_sql", "golden SQL (substrait-sql)")
    group.addoption(
        "--golden-update",
        action="store_true",
        help="write the golden SQL files that differ or are missing",
    )
    group.addoption(
        "--golden-review",
        action="store_true",
        help="show what changed, one file after the other, and ask whether to write it",
    )
    group.addoption(
        "--golden-orphans",
        choices=ORPHANS,
        help="what golden SQL files do that no plan and no test has; golden_sql_orphans, or warn, by default",
    )
    group.addoption(
        "--golden-tables",
        metavar="DIR",
        help="run old and new SQL over the tables in DIR and compare the rows; needs Spark",
    )
    parser.addini(
        "golden_sql_plans", "patterns of files with plans that are tests of their own", "args", []
    )
    parser.addini(
        "golden_sql_dialects", "dialects of these tests; the first has plain .sql files", "args", []
    )
    parser.addini("golden_sql_orphans", "warn, fail or ignore", default="warn")
    parser.addini("golden_sql_tables", "folder of tables, as --golden-tables", default="")


def given(config: pytest.Config) -> bool:
    """Whether the project or the command line says anything of golden tests."""
    options = ("golden_update", "golden_review", "golden_orphans", "golden_tables")
    lines = ("golden_sql_plans", "golden_sql_dialects", "golden_sql_tables")
    return (
        any(config.getoption(name) for name in options)
        or any(config.getini(name) for name in lines)
        or config.getini("golden_sql_orphans") != ORPHANS[0]
    )


def is_named(path: Path, collector: pytest.Collector) -> bool:
    """Whether the command line names a file that is called as plans are."""
    return fnmatch(path.name, _NAMED) and collector.session.isinitpath(path)


def folder_name(module: Path) -> str:
    """The folder for the tests of a file."""
    return module.stem if module.suffix == ".py" else module.name
