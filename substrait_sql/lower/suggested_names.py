"""Names that a producer suggests for what a relation puts out, in the hint of its common part."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.common_type import of_key
from substrait_sql.lower.declared_types import relabelled
from substrait_sql.schema import naming, types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


def name_by_hint(block: Block, hint: Any, at: Path, cx: Context) -> None:
    """Names the rows and their columns. Hints never change rows, so one that does not fit is left alone.

    An alias names what is read as it is; what has been done to it already has that name where it becomes a query of
    its own, or the side of a join.
    """
    if hint.alias:
        block.named = (at, hint.alias)
        if block.item is not None and block.is_bare:
            block.base = block.item.base = hint.alias
    names = list(hint.output_names)
    inside: list[Sequence[str]] = [()] * len(block.fields)
    if len(names) != len(block.fields):
        # A struct's name is followed by those of its fields.
        inner = [types.inner_names(f.type) for f in block.fields]
        starts = list(accumulate((1 + n for n in inner), initial=0))
        if starts[-1] != len(names):
            return
        inside = [names[i + 1 : i + 1 + n] for i, n in zip(starts[:-1], inner, strict=True)]
        names = [names[i] for i in starts[:-1]]
    the_authors = cx.names_are_the_authors
    found = [_renamed(f, n, the_authors) for f, n in zip(block.fields, names, strict=True)]
    if the_authors:
        found = [
            f if of_key(block, f) else _with_inner(f, n, cx, at)
            for f, n in zip(found, inside, strict=True)
        ]
    block.fields = found


def _renamed(field: Field, name: str, the_authors: bool) -> Field:
    """The field under a name; a plain column keeps its own, unless somebody has given it another in a text."""
    if not name or name == field.name or (field.plain and not the_authors):
        return field
    fresh = field.with_type(field.type)
    fresh.name = name
    return fresh


def _with_inner(field: Field, names: Sequence[str], cx: Context, at: Path) -> Field:
    """A struct that is made here with the author's names for its fields; one from elsewhere keeps those it has."""
    if not names or field.sql is None or not naming.distinct(names):
        return field
    wanted = naming.named(field.type, names)
    made = relabelled(field.sql, field.sql_type or field.type, wanted, cx, at)
    if made is None:
        return field
    fresh = field.with_type(field.type)
    fresh.sql, fresh.sql_type = made, wanted
    return fresh
