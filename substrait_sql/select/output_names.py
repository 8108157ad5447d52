"""Names for columns that have none of their own, or share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.field import Field


def output_names(fields: Sequence[Field], suggested: Sequence[str]) -> list[str]:
    """A name for each field, unique whatever the case: a column's own, else the suggested, else what it computes."""
    taken: set[str] = set()
    names = []
    for f, suggestion in zip(fields, suggested, strict=True):
        wanted = (f.name if f.plain else "") or suggestion or f.name or "value"
        names.append(unique(wanted, taken))
    return names


def unique(wanted: str, taken: set[str]) -> str:
    """`wanted`, with a number behind it if that is taken. The name is added to `taken`."""
    name, n = wanted, 1
    while name.casefold() in taken:
        n += 1
        name = f"{wanted}_{n}"
    taken.add(name.casefold())
    return name


def call_as_returned(fields: list[Field], needed: Sequence[int], names: Sequence[str]) -> None:
    """Gives the columns of a SELECT that becomes a derived table the names that they are returned under, if all differ.

    needed: the places of those that are returned; what is behind the fields only sorts.
    """
    once = len({n.casefold() for n in names}) == len(names) == len(set(needed))
    for i, name in zip(needed, names, strict=False):
        if once and i < len(fields):
            fresh = fields[i].with_type(fields[i].type)
            fresh.name = name
            fields[i] = fresh
