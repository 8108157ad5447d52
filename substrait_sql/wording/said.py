"""The expressions of a SELECT, once it is put together, in the words of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import fold, negated, operand
from substrait_sql.tree import origin
from substrait_sql.tree.chains import bare, links
from substrait_sql.wording.lists import with_lists
from substrait_sql.wording.ranges import with_ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.select.field import Field


def say_all(clauses: dict[str, Any], group: Sequence[Field]) -> None:
    """The clauses of a SELECT with all chains so written. group: what its rows are grouped by.

    Spark finds a group in other clauses by the very expression. So where one holds a chain all are left as they are.
    """
    grouped = any(key.sql is not None and key.sql.find(exp.And, exp.Or) for key in group)
    nodes = [clauses.get("where"), *clauses.get("joins", ())]
    if not grouped:
        nodes += [clauses.get("having"), *clauses.get("order", _NOTHING).expressions]
        clauses["expressions"] = [_say(node) for node in clauses["expressions"]]
    for node in nodes:
        if node is not None:
            _say(node)


_NOTHING = exp.Order(expressions=[])


def _say(node: exp.Expression) -> exp.Expression:
    """Changes the tree, but not the queries in it: each has had its turn."""
    if type(node) in _LEAVES or _is_short(node):
        return node
    for chain in reversed(list(_chains(node))):
        made = _said(chain)
        if chain is node:
            node = made
        elif made is not chain:
            _put(chain, made)
    return node


# What stands most often in a chain, and holds none.
_LEAVES = frozenset({exp.Column, exp.Literal, exp.Var, exp.Null, exp.Identifier})
_CHAINS: frozenset[object] = frozenset({exp.And, exp.Or, exp.Not})
# What most arguments are that are no node.
_PLAIN = frozenset({type(None), str, bool, int})
_FLAT = _LEAVES | _PLAIN


def _is_short(node: exp.Expression) -> bool:
    """Whether a node is no chain and has leaves only, as the ON of most joins."""
    return type(node) not in _CHAINS and _FLAT.issuperset(map(type, node.args.values()))


def _chains(node: exp.Expression) -> Iterator[exp.Expression]:
    """The chains, each before those within it, and what is denied."""
    stack: list[tuple[Any, Any]] = [(node, None)]
    while stack:
        each, above = stack.pop()
        kind = type(each)
        if kind in _LEAVES:
            continue
        if kind in (exp.And, exp.Or):
            if above is not kind:
                yield each
        elif kind is exp.Not:
            yield each
        elif isinstance(each, (exp.Query, exp.Subquery)):
            continue
        # Parentheses are no link between a chain and what it is part of.
        within = above if kind is exp.Tuple and len(each.expressions) == 1 else kind
        for value in each.args.values():
            if type(value) is list:
                for v in value:
                    if type(v) not in _LEAVES and isinstance(v, exp.Expression):
                        stack.append((v, within))
            elif type(value) not in _FLAT and isinstance(value, exp.Expression):
                stack.append((value, within))


def _said(chain: exp.Expression) -> exp.Expression:
    kind = type(chain)
    if kind is exp.Not:
        denied = bare(chain.this)
        if type(denied) not in (exp.In, exp.Between):
            return chain
        made, replaced = negated(denied), [chain, denied]
    else:
        before, replaced = links(chain)
        after = with_lists(kind, with_ranges(before) if kind is exp.And else before)
        if len(after) == len(before):
            return chain
        made = fold(kind, after)
    origin.join(replaced, made)
    return made


def _put(before: exp.Expression, made: exp.Expression) -> None:
    """Puts one node in the place of another; parentheses that it does not need go."""
    place, above = before, before.parent
    while type(above) is exp.Tuple and len(above.expressions) == 1:
        around = above.parent
        if not isinstance(around, (exp.And, exp.Or)) or operand(made, type(around)) is not made:
            break
        place, above = above, around
    place.replace(made)
