"""Errors for names that nothing has, with those that are near."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.errors import SqlError
    from substrait_sql.lift.context import Context

_MOST = 3


def near(name: str, known: Iterable[str], least: float = 0.6) -> str:
    """``did you mean a or b?``; empty where nothing is near."""
    by_key = {k.casefold(): k for k in reversed(list(known))}
    close = difflib.get_close_matches(name.casefold(), by_key, n=_MOST, cutoff=least)
    return f"did you mean {' or '.join(by_key[c] for c in close)}?" if close else ""


def no_table(parts: Sequence[str], node: Any, cx: Context) -> SqlError:
    """The error for a table that is not there."""
    known = [*cx.catalog.names(), *(c.name for c in cx.common.values())]
    name = ".".join(parts)
    hint = near(name, known) or _these("tables", known)
    return cx.error("SS5004", f"there is no table {name}", node, hint)


def no_column(parts: Sequence[str], node: Any, cx: Context) -> SqlError:
    """The error for a column that is not there."""
    known = list(dict.fromkeys(cx.scope.names()))
    hint = near(parts[-1], known) or _these("columns", known)
    return cx.error("SS5004", f"there is no column {'.'.join(parts)}", node, hint)


_LISTED = 12


def _these(what: str, known: Sequence[str]) -> str:
    """A short list of all there are."""
    if not known:
        return f"there are no {what} here"
    return f"{what} here: {', '.join(known)}" if len(known) <= _LISTED else ""
