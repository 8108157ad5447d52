"""Substrait plans as Spark SQL that people want to read, and as rows.

    >>> import substrait_sql
    >>> text = substrait_sql.to_sql(substrait_sql.demo.PLAN)
    >>> print(text.split()[0])
    SELECT

`render` and `to_sql` make the text, `execute` runs it on a Spark session, `check`, `explain`
and `effects` look at a plan, `diff` at two, `report` shows plans on one page, `upgrade` rewrites one in today's
wire form, `to_plan` makes plans of Spark SQL, `check_sql` says all that is wrong with it. `save` writes rows to a table
or to files. Nothing here imports pyspark, and only `execute` and `save` ever do.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql import demo
    from substrait_sql.errors import (
        ArgumentError,
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
    from substrait_sql.pipeline import check, check_sql, explain, render, to_plan, to_sql, upgrade
    from substrait_sql.policy.effects import effects
    from substrait_sql.policy.model import Effects
    from substrait_sql.policy.policy import Policy
    from substrait_sql.rendered import Column, Rendered, Source, Statement
    from substrait_sql.reporting.report import report
    from substrait_sql.review.diff.compare import diff
    from substrait_sql.run.execute import execute
    from substrait_sql.run.seen.running import running
    from substrait_sql.run.session import local_session
    from substrait_sql.run.shared import shared
    from substrait_sql.run.targets.model import Saved
    from substrait_sql.run.targets.save import save

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Column",
    "DecodeError",
    "Diagnostic",
    "DialectError",
    "Effects",
    "ExecutionError",
    "InvalidPlanError",
    "Policy",
    "PolicyError",
    "Rendered",
    "Saved",
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
    "effects",
    "execute",
    "explain",
    "local_session",
    "render",
    "report",
    "running",
    "save",
    "shared",
    "to_plan",
    "to_sql",
    "upgrade",
]

# Imported when first used: sqlglot and protobuf take a while, and `import substrait_sql` should
# not. Every session of pytest on a machine that has this package imports it (docs/golden_tests.md).
_LAZY = {
    name: f"substrait_sql.{module}"
    for module, names in {
        "errors": (
            "ArgumentError", "DecodeError", "Diagnostic", "DialectError", "ExecutionError", "InvalidPlanError",
            "PolicyError", "Severity", "SqlError", "SubstraitSqlError", "UnsupportedError",
        ),
        "rendered": ("Column", "Rendered", "Source", "Statement"),
        "pipeline": ("check", "check_sql", "explain", "render", "to_plan", "to_sql", "upgrade"),
        "policy.effects": ("effects",),
        "policy.model": ("Effects",),
        "policy.policy": ("Policy",),
        "review.diff.compare": ("diff",),
        "reporting.report": ("report",),
        "run.execute": ("execute",),
        "run.seen.running": ("running",),
        "run.session": ("local_session",),
        "run.shared": ("shared",),
        "run.targets.model": ("Saved",),
        "run.targets.save": ("save",),
    }.items()
    for name in names
}  # fmt: skip
_MODULES = ("demo", "errors", "rendered")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"substrait_sql.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
