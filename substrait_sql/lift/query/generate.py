"""LATERAL VIEW, and generators in FROM: explode, stack, inline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Source


def lateral_view(node: Any, found: Source, cx: Context) -> Source:
    """LATERAL VIEW [OUTER] function(…) t AS a, b."""
    raise cx.error("SS5007", "a plan has no word for rows made of the elements of a value", node)


def lateral_function(node: Any, left: Source, kind: str, on: Any, cx: Context) -> Source:
    """JOIN LATERAL explode(…)."""
    raise cx.error("SS5007", "a plan has no word for rows made of the elements of a value", node)
