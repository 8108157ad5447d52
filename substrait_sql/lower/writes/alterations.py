"""ALTER TABLE: a plan has the table as it is to be, so that what it is now decides the statements.

A column whose name is there stays. One of a new name is added, one whose name the plan has not is dropped. Where there
are both, nobody can tell them from a column that got another name, and the plan is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sqlglot.errors import SqlglotError

from substrait_sql.errors import refuse
from substrait_sql.lower.writes.actions import Action, ColumnDefinition
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect as Grammar

    from substrait_sql.errors import UnsupportedError
    from substrait_sql.wire.path import Path

CHANGES: Final = ("add", "set_default", "drop_default", "nullable", "type", "drop")
"""What one statement does, in order: what may be lost goes last."""

_NESTED: Final = ("STRUCT", "ARRAY", "MAP")
_ONE_BY_ONE: Final = (
    "if they are others, alter it in two plans: without the old columns, then with the new ones"
)
_BY_HAND: Final = "alter the table in SQL"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column that a table has. type, default: as SQL, no default is empty. partition: folders are named after it."""

    name: str
    type: str
    required: bool = False
    default: str = ""
    partition: bool = False


@dataclass(frozen=True, slots=True)
class PresentTable:
    """A table as it is. plain: one of Spark's own, which takes new columns and defaults, and no other changes."""

    columns: tuple[TableColumn, ...]
    plain: bool = False


TableFinder = Callable[[tuple[str, ...]], "PresentTable | None"]
"""The table of a name, None if it is not there."""


def alterations(
    target: tuple[str, ...],
    columns: Sequence[ColumnDefinition],
    known: PresentTable | None,
    grammar: Grammar,
    path: Path,
    *,
    defaults: bool,
) -> list[Action]:
    """The statements, one that changes nothing where the table is as it is to be.

    columns: those of the plan. known: the table as it is. grammar: what its defaults are written in. defaults: whether
    the plan says which columns have one.

    Raises SS2099 where nobody can tell what became of a column, or Spark has no statement for it.
    """
    if known is None:
        raise refuse(
            "SS2099",
            "the plan has the table as it is to be, and what is to be done depends on what it is",
            path,
            "run it with execute, which asks the session; render takes table_of",
        )
    there = {c.name.casefold(): c for c in known.columns}
    kept = [(c, there[c.name.casefold()]) for c in columns if c.name.casefold() in there]
    new = [c for c in columns if c.name.casefold() not in there]
    wanted = {c.name.casefold() for c in columns}
    gone = [c for c in known.columns if c.name.casefold() not in wanted]
    _check_names(columns, new, gone, path)
    _check_order(columns, known, wanted, path)
    _check_new(new, path)
    if known.plain:
        # NOT NULL is nothing that these tables know.
        new = [replace(c, required=False) for c in new]
        kept = [(replace(c, required=p.required), p) for c, p in kept]
    found: list[tuple[str, ColumnDefinition]] = []
    for column, present in kept:
        found += [(c, column) for c in _changes(column, present, grammar, defaults)]
        _check_kept(column, present, path)
    dropped = [ColumnDefinition(c.name, "", False) for c in gone]
    if known.plain and (dropped or any(change in ("type", "nullable") for change, _ in found)):
        names = [c.name for c in dropped] + [
            c.name for change, c in found if "default" not in change
        ]
        raise _refused(
            f"a table of Spark's own takes new columns and defaults, and no other change: {', '.join(names)}",
            path,
            "make a new table of its rows",
        )
    made = [("add", new)] if new else []
    made += [(change, [column]) for kind in CHANGES for change, column in found if change == kind]
    made += [("drop", dropped)] if dropped else []
    return [_action(target, change, each) for change, each in made] or [
        Action("refresh_table", target)
    ]


def _action(target: tuple[str, ...], change: str, columns: Sequence[ColumnDefinition]) -> Action:
    shown = change in ("add", "set_default")
    given = columns if shown else [replace(c, default=None) for c in columns]
    return Action("alter_table", target, tuple(given), change)


def _changes(
    column: ColumnDefinition, present: TableColumn, grammar: Grammar, defaults: bool
) -> list[str]:
    """What is to be done to a column that stays."""
    found = []
    if column.default is not None and not _same(column.default, present.default, grammar):
        found.append("set_default")
    if defaults and column.default is None and present.default:
        found.append("drop_default")
    if present.required and not column.required:
        found.append("nullable")
    if column.type != present.type:
        found.append("type")
    return found


def _same(default: exp.Expression, text: str, grammar: Grammar) -> bool:
    """Whether a default is this one already. To set it again does no harm."""
    try:
        return bool(text) and releases.parse_one(text, grammar).sql() == default.sql()
    except SqlglotError:
        return False


def _check_names(
    columns: Sequence[ColumnDefinition],
    new: Sequence[ColumnDefinition],
    gone: Sequence[TableColumn],
    path: Path,
) -> None:
    if new and gone:
        added, left = (", ".join(c.name for c in each) for each in (new, gone))
        raise _refused(
            f"nobody can tell new columns from those of a new name: {added} for {left}",
            path,
            _ONE_BY_ONE if len(columns) > len(new) else _BY_HAND,
        )


def _check_order(
    columns: Sequence[ColumnDefinition], known: PresentTable, wanted: set[str], path: Path
) -> None:
    """New columns come last in a table, in one of Spark's own before those that it is partitioned by."""
    stay = [c for c in known.columns if c.name.casefold() in wanted]
    last = [c.name.casefold() for c in stay if known.plain and c.partition]
    first = [c.name.casefold() for c in stay if c.name.casefold() not in last]
    own = [c.name.casefold() for c in columns]
    middle = [n for n in own if n not in first and n not in last]
    if own not in (first + middle + last, first + last + middle):
        raise _refused("the columns are in another order than those of the table", path, _BY_HAND)


def _check_new(new: Sequence[ColumnDefinition], path: Path) -> None:
    for column in new:
        if column.required and column.default is None:
            raise _refused(
                f"the new column {column.name} is NOT NULL, and holds NULL in the rows that are there",
                path,
                "let it be nullable, or give it a default",
            )


def _check_kept(column: ColumnDefinition, present: TableColumn, path: Path) -> None:
    if column.required and not present.required:
        raise _refused(
            f"Spark makes no column NOT NULL that may hold NULL: {column.name}", path, _BY_HAND
        )
    if column.type != present.type and f"{column.type} {present.type}".startswith(_NESTED):
        raise _refused(
            f"the nested type of {column.name} is another, and what became of its fields is not said",
            path,
            _BY_HAND,
        )


def _refused(what: str, path: Path, hint: str) -> UnsupportedError:
    return refuse("SS2099", f"the table cannot be altered: {what}", path, hint)
