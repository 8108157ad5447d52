"""`effects`: what a plan will touch, said before it runs."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline, wire
from substrait_sql.dialect.dialect import load
from substrait_sql.policy import known
from substrait_sql.policy.calls import called
from substrait_sql.policy.messages import is_file, touched
from substrait_sql.policy.model import Effects, Parameter, Root, TableWrite, Variation
from substrait_sql.text.target_name import parse_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.policy.messages import Touched
    from substrait_sql.rendered import Rendered, Statement

SAVED = "save"
"""What stands in the place of a kind of statement where a caller says where rows go."""

CHANGES_NOTHING = ("query", "temporary_view")
"""The kinds of statement that leave everything as it is."""


def effects(
    plan: Any,
    *,
    dialect: str | PathLike[str] = "spark",
    to_table: str | None = None,
    to_files: str | PathLike[str] | None = None,
) -> Effects:
    """What a plan will touch: tables and files, functions, parameters. Needs no Spark, and runs nothing.

    plan: anything `render` takes.
    dialect: as in `render`.
    to_table: the table that `save` is to write the rows to.
    to_files: the folder, likewise.

    Tables that relations name which no root uses are among those read. Raises what `render` raises: a plan without SQL
    has no effects.

    >>> from substrait_sql import demo, effects
    >>> found = effects(demo.PLAN)
    >>> [".".join(table.name) for table in found.tables_read]
    ['customer', 'orders', 'lineitem']
    >>> found.writes
    False
    """
    plan, rules = at_once(plan), load(dialect)
    rendered = pipeline.render(plan, dialect=dialect)
    found = effects_of(touched(wire.read(plan), rules), rendered, rules)
    tables, files = found.tables_written, found.files_written
    if to_table is not None:
        tables += (TableWrite(parse_name(to_table, rules.names).parts, SAVED, ""),)
    if to_files is not None:
        files += (TableWrite((fspath(to_files),), SAVED, ""),)
    return replace(found, tables_written=tables, files_written=files)


def at_once(plan: Any) -> Any:
    """The plan, of a file the bytes: what is looked at several times is the same each time."""
    if isinstance(plan, PathLike) or (isinstance(plan, str) and _names_file(plan)):
        try:
            return Path(plan).read_bytes() or plan
        except OSError:
            return plan  # `wire.read` says why
    return plan


def _names_file(text: str) -> bool:
    try:
        return "\n" not in text and Path(text).is_file()
    except (OSError, ValueError):
        return False


def effects_of(found: Touched, rendered: Rendered, dialect: Dialect) -> Effects:
    """What the messages of a plan say, and what its SQL does."""
    calls = tuple(dict.fromkeys(name for s in rendered.statements for name in called(s.sql)))
    written = [
        TableWrite(s.target, s.kind, f"relations[{s.root}]")
        for s in rendered.statements
        if s.kind not in CHANGES_NOTHING
    ]
    return Effects(
        found.tables,
        tuple(w for w in written if not is_file(w.name)),
        found.files,
        tuple(w for w in written if is_file(w.name)),
        found.functions,
        registered(calls, dialect.builtins),
        tuple(Parameter(int(n.removeprefix("p")), t) for n, t in rendered.parameters.items()),
        found.extensions,
        (*found.variations, *_variations(calls, dialect.builtins)),
        tuple(_roots(rendered.statements)),
    )


def registered(calls: Sequence[str], builtins: Builtins) -> tuple[str, ...]:
    """The functions that the engine has not by itself."""
    return tuple(name for name in calls if builtins.kind(name) is None)


def _variations(calls: Sequence[str], builtins: Builtins) -> Iterator[Variation]:
    for name in calls:
        if builtins.is_drawn(name):
            yield Variation(f"{name} gives another value each time", "")
        elif name in known.of_the_moment():
            yield Variation(f"{name} depends on when, where or by whom it is called", "")
        elif builtins.kind(name) is None:
            yield Variation(f"{name} is not Spark's own: nobody knows what it gives", "")


def _roots(statements: Sequence[Statement]) -> Iterator[Root]:
    for index in dict.fromkeys(s.root for s in statements):
        own = [s for s in statements if s.root == index]
        columns = tuple(c.name for c in own[-1].columns)
        yield Root(index, tuple(s.kind for s in own), columns)
