"""``x = 1 OR x = 2`` as ``x IN (1, 2)``, ``x <> 1 AND x <> 2`` as ``x NOT IN (1, 2)``. NULL is NULL in both.

The literals are of one kind: Spark makes one type of all that stands in a list, where it compares each by itself else.
"""

from __future__ import annotations

from sqlglot import exp

from substrait_sql.dialect.operators import negated
from substrait_sql.tree import origin
from substrait_sql.tree.chains import column, constant, risks


def with_lists(
    kind: type[exp.Expression], conditions: list[exp.Expression]
) -> list[exp.Expression]:
    """The conditions of a chain of this kind, with an IN, or NOT IN, at the first of those that are one.

    They are evaluated from the left: none moves past what may raise an error.
    """
    equals = exp.EQ if kind is exp.Or else exp.NEQ
    keys = [_member(c, equals) for c in conditions]
    if len(keys) - keys.count(None) == len({k for k in keys if k is not None}):
        return conditions
    before = risks(conditions)
    places: dict[object, int] = {}
    groups: dict[int, list[exp.Expression]] = {}
    for i, (condition, key) in enumerate(zip(conditions, keys, strict=True)):
        first = places.get(key, i) if key is not None else i
        if before[first] != before[i]:
            first = i
        places[key] = first
        groups.setdefault(first, []).append(condition)
    return [_joined(group) for group in groups.values()]


def _member(node: exp.Expression, equals: type[exp.Expression]) -> object:
    """What the members of one list have in common, None where a condition is no member of any."""
    if type(node) is not equals and not (equals is exp.EQ and type(node) is exp.In):
        return None
    of = column(node.this)
    kinds = {constant(each) for each in _values(node)}
    return (of, kinds.pop()) if of is not None and len(kinds) == 1 and None not in kinds else None


def _values(member: exp.Expression) -> list[exp.Expression]:
    return member.expressions if type(member) is exp.In else [member.expression]


def _joined(members: list[exp.Expression]) -> exp.Expression:
    first = members[0]
    if len(members) == 1:
        return first
    values: dict[str, exp.Expression] = {}
    for member in members:
        for value in _values(member):
            values.setdefault(_text(value), value)
    made: exp.Expression = exp.In(this=first.this, expressions=list(values.values()))
    if len(values) == 1:
        made = first
    elif type(first) is exp.NEQ:
        made = negated(made)
    origin.join(members, made)
    return made


def _text(value: exp.Expression) -> str:
    """What tells a literal from others of its kind."""
    return value.expression.name if type(value) is exp.Introducer else value.name
