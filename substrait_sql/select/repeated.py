"""Fields that are one expression, written more than once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.field import Field, Traits
from substrait_sql.tree.compare import same_text

if TYPE_CHECKING:
    from collections.abc import Iterable


def first_of_each(computed: Iterable[Field]) -> dict[int, Field]:
    """The first of the fields that are one expression, by the identity of each of them."""
    first: list[Field] = []
    out: dict[int, Field] = {}
    for f in computed:
        out[id(f)] = next((g for g in first[:_MOST_COMPARED] if _same(f, g)), f)
        if out[id(f)] is f:
            first.append(f)
    return out


# Each is compared with those before it.
_MOST_COMPARED = 64


def _same(a: Field, b: Field) -> bool:
    if a is b:
        return True
    if a.sql is None or b.sql is None or (a.traits | b.traits) & (Traits.IMPURE | Traits.SUBQUERY):
        return False
    return bool(a.type == b.type and same_text(a.sql, b.sql))
