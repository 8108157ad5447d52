"""Errors for names that nothing has, with those that are near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.near import near, these
from substrait_sql.lift.problems import Unknown, is_open

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.errors import SqlError
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.scope import Scope


def no_table(parts: Sequence[str], node: Any, cx: Context) -> SqlError:
    """The error for a table that is not there."""
    known = [*cx.catalog.names(), *(c.name for c in cx.common.values())]
    name = ".".join(parts)
    hint = (
        near(name, known) or these("tables", known)
        if known
        else "give the columns of the tables: schema=, or --schema or --tables on the command line"
    )
    return cx.error("SS5004", f"there is no table {name}", node, hint)


def no_column(parts: Sequence[str], node: Any, cx: Context) -> Exception:
    """The error for a column that is not there; `Unknown` where nobody knows all columns."""
    if _may_be_there(parts, cx.scope):
        return Unknown()
    shown = cx.scope.qualified(parts[:-1]) if len(parts) > 1 else []
    known = list(dict.fromkeys([v.attribute.name for v in shown] or cx.scope.names()))
    hint = near(parts[-1], known) or these("columns", known)
    return cx.error("SS5004", f"there is no column {'.'.join(parts)}", node, hint)


def _may_be_there(parts: Sequence[str], scope: Scope | None) -> bool:
    if scope is None:
        return False
    shown = scope.qualified(parts[:-1]) if len(parts) > 1 else []
    if is_open(v.attribute for v in shown or scope.columns):
        return True
    return not shown and _may_be_there(parts, scope.outer)
