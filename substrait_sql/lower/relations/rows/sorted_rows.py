"""Rows whose order is something to what reads them: ``first`` of sorted rows, as a measure or over a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.needs import windows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path


def sorted_below(block: Block) -> Block:
    """A fresh block over this one as a derived table that is sorted; its own rows are in no order."""
    order = block.order
    fresh = block.close("sorted")
    block.order, fresh.order = order, []
    return fresh


def sorted_for_windows(block: Block, messages: Iterable[Any], cx: Context, path: Path) -> Block:
    """The block, its rows sorted below the window functions that are about their order and have no ORDER BY.

    What comes out is in that order, too.
    """
    if not block.order or block.limited or not _about_order(messages, cx, path):
        return block
    order = block.order
    fresh = block.close("sorted")
    block.order = order
    return fresh


def _about_order(messages: Iterable[Any], cx: Context, path: Path) -> bool:
    for i, message in enumerate(messages):
        for each, at in windows(message, path[i], cx):
            call = each.window_function
            name = cx.functions.get(call.function_reference, at / "window_function")
            if not call.sorts and not cx.dialect.facts("window", name).orderless:
                return True
    return False
