"""Runs the classes for a dialect: what ``substrait-sql dialect test`` does."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path

from substrait_sql.errors import ExecutionError

_TESTS = """\
from substrait_sql import testing


class TestFolder(testing.Folder):
    dialect = {dialect!r}


class TestRelations(testing.Relations):
    dialect = {dialect!r}


class TestTextSafety(testing.TextSafety):
    dialect = {dialect!r}


class TestFunctionCases(testing.FunctionCases):
    dialect = {dialect!r}
"""


def run(dialect: str) -> int:
    """The exit code of pytest. Raises SS4029 without pytest."""
    if importlib.util.find_spec("pytest") is None:
        raise ExecutionError.of(
            "SS4029",
            "the tests of a dialect need pytest",
            hint="pip install 'substrait-sql[testing]'",
        )
    import pytest

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "test_dialect.py"
        path.write_text(_TESTS.format(dialect=dialect), encoding="utf-8")
        return int(pytest.main([str(path), "-q", "-p", "no:cacheprovider", f"--rootdir={folder}"]))
