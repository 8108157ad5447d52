"""PIVOT and UNPIVOT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Source


def pivot(node: Any, found: Source, cx: Context) -> Source:
    """The rows turned."""
    what = "UNPIVOT" if node.args.get("unpivot") else "PIVOT"
    raise cx.error("SS5007", f"{what} is not known here yet", node)
