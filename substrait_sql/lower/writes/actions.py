"""What a plan's statements do, as data: `lower.writes.statements` finds them, `text.statement` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


KINDS = ("write", "ddl", "update")
"""The relations that are statements."""


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """A column of a table that is to be made. default: a literal, None if there is none."""

    name: str
    type: str
    required: bool
    default: exp.Expression | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A statement: its kind, which is also its template, its target, and how it deals with what is there already.

    A ``rewrite`` is several: the query has the rows that the table is to have. A ``replace`` likewise, of a new table.

    mode: empty, ``if_not_exists``, ``replace`` or ``if_exists``; of a rewrite ``checked``; of an ``alter_table`` one of
    `lower.writes.alterations.CHANGES`. assignments, condition, alias: of an update or a deletion.
    """

    kind: str
    target: tuple[str, ...]
    columns: tuple[ColumnDefinition, ...] = ()
    mode: str = ""
    assignments: tuple[tuple[str, exp.Expression], ...] = ()
    condition: exp.Expression | None = None
    alias: str = ""
