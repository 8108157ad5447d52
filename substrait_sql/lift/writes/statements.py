"""Which statement does what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.writes.change import delete, truncate, update
from substrait_sql.lift.writes.create import alter, create, drop
from substrait_sql.lift.writes.insert import insert
from substrait_sql.lift.writes.merge import merge

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.writes.actions import Action

KINDS: dict[type, Callable[[Any, Context], Action]] = {
    exp.Insert: insert,
    exp.Create: create,
    exp.Alter: alter,
    exp.Drop: drop,
    exp.Delete: delete,
    exp.TruncateTable: truncate,
    exp.Update: update,
    exp.Merge: merge,
}


def action(node: Any, cx: Context) -> Action | None:
    """What a statement does; None for a query."""
    made = KINDS.get(type(node))
    return None if made is None else made(node, cx)
