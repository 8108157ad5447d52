"""Single joins of which no column is read: they have to run all the same, for a second match is an error."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import call, infix
from substrait_sql.select.output_names import unique

if TYPE_CHECKING:
    from substrait_sql.select.block import Block, Join
    from substrait_sql.select.field import Parts
    from substrait_sql.select.item import Item

# Joins whose own item is seen in ON only.
_ONE_SIDED = ("LEFT SEMI", "LEFT ANTI")
On = tuple["Join", exp.Expression | None]


def with_checks(
    block: Block, joins: list[On], where: exp.Expression | None, parts: Parts, late: Parts
) -> tuple[list[On], exp.Expression | None]:
    """The joins and the WHERE clause with a test that is always true for each of them.

    Spark would drop the subquery of an unused column, and the error of a second match with it. parts, late: what the
    SELECT uses.
    """
    used = {(c.item, c.ordinal) for c in chain(parts.columns, late.columns)}

    def unread(item: Item | None) -> bool:
        return item is not None and item.checked is not None and (item, item.checked[0]) not in used

    made: list[On] = []
    above = [block.item]
    for join, on in joins:
        inside = join.kind in _ONE_SIDED
        made.append(
            (join, _and(on, _test(join.item, parts)))
            if inside and unread(join.item)
            else (join, on)
        )
        above += [] if inside else [join.item]
    for item in above:
        if item is not None and unread(item):
            where = _and(where, _test(item, parts))
    return made, where


def _test(item: Item, parts: Parts) -> exp.Expression:
    """``coalesce(matched.found = 1, TRUE)``, of a struct that has that field for this."""
    assert item.checked is not None
    ordinal, struct = item.checked
    # A field of the same name would be ambiguous: the names stand at every second place.
    field = unique("found", {n.name.casefold() for n in struct.expressions[::2]})
    found = [exp.Literal.string(field), exp.Literal.number(1)]
    struct.set("expressions", [*found, *struct.expressions])
    dot = exp.Dot(this=parts.column(item, ordinal), expression=identifier(field))
    return call("coalesce", infix(exp.EQ, dot, exp.Literal.number(1)), exp.true())


def _and(condition: exp.Expression | None, test: exp.Expression) -> exp.Expression:
    return test if condition is None else infix(exp.And, condition, test)
