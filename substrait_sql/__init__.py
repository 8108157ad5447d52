"""Substrait plans as Spark SQL that people want to read, and as rows.

    >>> import substrait_sql
    >>> text = substrait_sql.to_sql(substrait_sql.demo.PLAN)
    >>> print(text.split()[0])
    SELECT

`render` and `to_sql` make the text, `execute` runs it on a Spark session, `check` and `explain`
look at a plan, `diff` at two, `report` shows plans on one page, `upgrade` rewrites one in today's
wire form, `to_plan` makes plans of Spark SQL, `check_sql` says all that is wrong with it.
Nothing here imports pyspark, and only `execute` ever does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import (
    DecodeError,
    Diagnostic,
    DialectError,
    ExecutionError,
    InvalidPlanError,
    PolicyError,
    Severity,
    SqlError,
    SubstraitSqlError,
    UnsupportedError,
)
from substrait_sql.rendered import Column, Rendered, Source, Statement

if TYPE_CHECKING:
    from substrait_sql import demo
    from substrait_sql.pipeline import check, check_sql, explain, render, to_plan, to_sql, upgrade
    from substrait_sql.reporting.report import report
    from substrait_sql.review.diff.compare import diff
    from substrait_sql.run.execute import execute
    from substrait_sql.run.session import local_session

__version__ = "0.1.0"

__all__ = [
    "Column",
    "DecodeError",
    "Diagnostic",
    "DialectError",
    "ExecutionError",
    "InvalidPlanError",
    "PolicyError",
    "Rendered",
    "Severity",
    "Source",
    "SqlError",
    "Statement",
    "SubstraitSqlError",
    "UnsupportedError",
    "__version__",
    "check",
    "check_sql",
    "demo",
    "diff",
    "execute",
    "explain",
    "local_session",
    "render",
    "report",
    "to_plan",
    "to_sql",
    "upgrade",
]

# Imported when first used: sqlglot and protobuf take a while, and `import substrait_sql` should
# not.
_LAZY = {
    "check": "substrait_sql.pipeline",
    "check_sql": "substrait_sql.pipeline",
    "explain": "substrait_sql.pipeline",
    "render": "substrait_sql.pipeline",
    "to_plan": "substrait_sql.pipeline",
    "to_sql": "substrait_sql.pipeline",
    "upgrade": "substrait_sql.pipeline",
    "diff": "substrait_sql.review.diff.compare",
    "report": "substrait_sql.reporting.report",
    "execute": "substrait_sql.run.execute",
    "local_session": "substrait_sql.run.session",
}


def __getattr__(name: str) -> Any:
    if name == "demo":
        return importlib.import_module("substrait_sql.demo")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
