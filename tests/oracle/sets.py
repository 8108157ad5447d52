"""Set operations over two inputs or more; NULL matches NULL."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.oracle import values
from tests.oracle.model import Invalid, Row, Scope, Table, World


def combine(node: Any, world: World, scope: Scope) -> Table:
    """The first input is the primary one."""
    from tests.oracle.relations import relation

    tables = [relation(r, world, scope) for r in node.inputs]
    if len(tables) < 2 or len({t.width for t in tables}) > 1:
        raise Invalid("a set operation needs inputs of equal width")
    inputs = [[values.key(r) for r in t.rows] for t in tables]
    rows = _rows(node.op, inputs[0], inputs[1:])
    return Table(tables[0].width, rows)


def _rows(op: int, primary: list[Row], others: list[list[Row]]) -> list[Row]:
    distinct = list(dict.fromkeys(primary))
    match op:
        case 1:  # MINUS_PRIMARY: distinct rows of the primary that are in no other input
            return [r for r in distinct if not any(r in o for o in others)]
        case 7:  # MINUS_PRIMARY_ALL: the copies that are left when those of the others are taken
            return list((Counter(primary) - sum(map(Counter, others), Counter())).elements())
        case 2:  # MINUS_MULTISET: rows of the primary, each copy, that are not in all others
            return [r for r in primary if not all(r in o for o in others)]
        case 3:  # INTERSECTION_PRIMARY: distinct rows of the primary that are in any other
            return [r for r in distinct if any(r in o for o in others)]
        case 4:  # INTERSECTION_MULTISET: distinct rows that are in all inputs
            return [r for r in distinct if all(r in o for o in others)]
        case 8:  # INTERSECTION_MULTISET_ALL: as many copies as the input with the fewest has
            counts = Counter(primary)
            for o in others:
                counts &= Counter(o)
            return list(counts.elements())
        case 5:  # UNION_DISTINCT
            return list(dict.fromkeys([*primary, *(r for o in others for r in o)]))
        case 6:  # UNION_ALL
            return [*primary, *(r for o in others for r in o)]
    raise Invalid(f"set operation {op}")
