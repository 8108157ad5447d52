"""A hook that a project's conftest may have."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookspec(firstresult=True)
def pytest_golden_sql_session(config: pytest.Config) -> Any:
    """The Spark session in which old and new SQL is run where they differ; the project's own, if it gives one."""
