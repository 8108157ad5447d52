"""What a table is called that a FROM reads once more: by the table that it is joined to, if that tells them apart."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.tree import origin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.select.item import Item, SelectScope

_LONGEST = 40


def roles_of(scope: SelectScope) -> dict[Item, str]:
    """Names for some items, those of the second reading and later ones: ``nation``, then ``customer_nation``.

    The first one is called as if it were alone, so that its name stays when another is added.
    """
    alike: defaultdict[str, list[Item]] = defaultdict(list)
    for item in scope.items:
        alike[item.base.casefold()].append(item)
    if len(alike) == len(scope.items):
        return {}
    partners = _partners(scope)
    found: dict[Item, str] = {}
    for base, items in alike.items():
        joined_to = [partners.get(item, "") for item in items]
        for item, partner in zip(items[1:], joined_to[1:], strict=True):
            name = f"{partner}_{item.base}"
            # Of customer and customer_address nothing short would be made.
            tells = joined_to.count(partner) == 1 and not base.startswith(partner.casefold())
            if tells and len(name) <= _LONGEST:
                found[item] = name
    return found


def _partners(scope: SelectScope) -> dict[Item, str]:
    """What each item is joined to by equality, for those that are joined so to one other item."""
    found: defaultdict[Item, set[Item]] = defaultdict(set)
    for join in scope.select.args.get("joins") or ():
        for a, b in _equal(join.args.get("on")):
            found[a].add(b)
            found[b].add(a)
    return {item: others.pop().base for item, others in found.items() if len(others) == 1}


def _equal(condition: exp.Expression | None) -> Iterator[tuple[Item, Item]]:
    """The pairs of items whose columns a condition wants to be equal."""
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.And):
            stack += [node.this, node.expression]
        elif isinstance(node, (exp.EQ, exp.NullSafeEQ)):
            columns = origin.column_of(node.this), origin.column_of(node.expression)
            if None not in columns and columns[0].item.base != columns[1].item.base:
                yield columns[0].item, columns[1].item
