"""Putting sources together, and conditions where they hold: the one place for a condition, whatever place it had.

A condition on an aggregation's keys is one on its input; one on a set operation, on each of its inputs; EXISTS and IN
are joins that keep rows; and a LEFT join whose padded rows no condition lets through is an inner one.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from substrait_sql.review.meaning.facts import words
from substrait_sql.review.meaning.forms import call_of
from substrait_sql.review.meaning.model import Attached, Expr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from substrait_sql.review.meaning.model import Block, From, Leaf
    from substrait_sql.wire.path import Path

LEFT, SEMI, ANTI = "LEFT", "LEFT SEMI", "LEFT ANTI"
_EXISTS = ("subquery", "set_predicate", "predicate_op 1")
_IN = ("subquery", "in_predicate")


def combine(a: From, b: From) -> From:
    """All pairs of rows of both. Whichever has less goes over into the other."""
    big, small = (a, b) if len(a.items) + len(a.conditions) >= len(b.items) else (b, a)
    big.items += small.items
    big.attached += small.attached
    big.conditions += small.conditions
    small.into = big
    return big


def now(source: From) -> From:
    """The From that everything of this one is in."""
    while source.into is not None:
        if source.into.into is not None:
            source.into = source.into.into
        source = source.into
    return source


def holder(source: From, leaf: Leaf) -> From | Attached | None:
    """Where in a From a source stands: in it, in a join that is attached to it, or elsewhere."""
    at = None if leaf.home is None else now(leaf.home)
    joined: Attached | None = None
    while at is not None:
        if at is source:
            return joined or source
        if at.above is None:
            return None
        above, joined = at.above
        at = now(above)
    return None


def attach(source: From, word: str, other: From, on: Iterable[Expr], path: Path) -> Attached:
    """Attaches a join. Conditions about one side only become conditions of that, where that is the same."""
    made = Attached(word, other, [], path)
    other.above = (source, made)
    source.attached.append(made)
    for condition in split(on):
        held = [holder(source, leaf) for leaf in condition.leaves]
        inside = [each is made for each in held]
        if held and all(inside) and word in (LEFT, SEMI, ANTI):
            add(other, condition)
        elif word == SEMI and not any(inside):
            add(source, condition)
        else:
            made.on.append(condition)
    return made


def split(conditions: Iterable[Expr]) -> Iterable[Expr]:
    """The conjuncts."""
    for each in conditions:
        if each.head == ("call", "", "and"):
            yield from split(each.args)
        else:
            yield each


def add(source: From, condition: Expr) -> None:
    """Adds a condition on the rows of a From."""
    for each in split([condition]):
        if not _as_join(source, each):
            _unpad(source, each)
            if not _pushed(source, each):
                source.conditions.append(each)


def _as_join(source: From, condition: Expr) -> bool:
    """EXISTS, NOT EXISTS and IN as a condition: rows that have a match, or none."""
    negated = condition.head == ("call", "", "not") and len(condition.args) == 1
    query = condition.args[0] if negated else condition
    is_in = query.head == _IN and not negated
    if (query.head != _EXISTS and not is_in) or not query.blocks:
        return False
    block = query.blocks[0]
    if is_in and len(query.args) != len(block.outputs):
        return False
    if block.free and any(leaf.kind not in ("table", "values") for leaf in block.source.leaves()):
        return False
    if any(each.drawn for each in block.source.every()):
        return False
    own = set(block.source.leaves())
    outward = [c for c in block.source.conditions if not c.leaves <= own]
    block.source.conditions = [c for c in block.source.conditions if c.leaves <= own]
    on = list(outward)
    if is_in:
        pairs = zip(query.args, block.outputs, strict=True)
        on += [call_of("equal", pair, query.path) for pair in pairs]
    assert condition.path is not None
    attach(source, ANTI if negated else SEMI, block.source, on, condition.path)
    return True


def _unpad(source: From, condition: Expr) -> None:
    """Makes inner joins of those whose padded rows the condition does not let through."""
    for leaf in sorted(condition.leaves, key=attrgetter("number")):
        held = holder(source, leaf)
        while isinstance(held, Attached) and held.word == LEFT and _rejects(condition, leaf):
            source.attached.remove(held)
            held.source.above = None
            source.items += held.source.items
            source.attached += held.source.attached
            source.conditions += held.source.conditions
            held.source.into = source
            for each in held.on:
                add(source, each)
            held = holder(source, leaf)


def _rejects(condition: Expr, leaf: Leaf) -> bool:
    """Whether a condition is not true where all columns of a source are NULL."""
    if leaf not in condition.leaves:
        return False
    name = condition.head[2] if condition.head[:2] == ("call", "") else ""
    if name in ("and", "or"):
        found = [_rejects(a, leaf) for a in condition.args]
        return all(found) if name == "or" else any(found)
    if name == "is_not_null" or condition.head == ("in",):
        return _is_null_with(condition.args[0], leaf)
    return name in words()["strict"] and _is_null_with(condition, leaf)


def _is_null_with(expr: Expr, leaf: Leaf) -> bool:
    """Whether an expression is NULL where all columns of a source are."""
    if expr.kind == "column":
        return expr.leaf is leaf
    strict = expr.kind == "cast" or (
        expr.head[:2] == ("call", "") and expr.head[2] in words()["strict"]
    )
    return strict and any(_is_null_with(a, leaf) for a in expr.args if leaf in a.leaves)


def _pushed(source: From, condition: Expr) -> bool:
    """Whether the condition has become one on what its only source reads."""
    if len(condition.leaves) != 1 or condition.drawn:
        return False
    (leaf,) = condition.leaves
    if leaf.home is None or now(leaf.home) is not source:
        return False
    if leaf.kind == "aggregate":
        if not all(c.head == ("column", "key") for c in columns(condition)):
            return False
        return _into(leaf.inputs[0], condition, lambda column, _: column.inner)
    if leaf.kind != "set" or any(map(has_query, [condition])):
        return False
    for each in leaf.inputs:
        _into(each, condition, lambda column, block: block.outputs[int(column.head[1])])
    return True


def _into(block: Block, condition: Expr, inner: Callable[[Expr, Block], Expr | None]) -> bool:
    if has_query(condition):
        return False
    found = replaced(condition, lambda column: inner(column, block))
    add(now(block.source), found)
    return True


def has_query(expr: Expr) -> bool:
    """Whether a subquery stands in an expression."""
    return bool(expr.blocks) or any(map(has_query, expr.args))


def columns(expr: Expr) -> Iterable[Expr]:
    """The columns in an expression, not those in subqueries."""
    if expr.kind == "column":
        yield expr
    for arg in expr.args:
        yield from columns(arg)


def replaced(expr: Expr, inner: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with other expressions for columns. inner: that for a column, None if it stays."""
    known: dict[int, Expr] = {}

    def walk(each: Expr) -> Expr:
        found = known.get(id(each))
        if found is None:
            found = known[id(each)] = _replaced(each)
        return found

    def _replaced(each: Expr) -> Expr:
        if each.kind == "column":
            return inner(each) or each
        args = [walk(a) for a in each.args]
        if all(a is b for a, b in zip(args, each.args, strict=True)):
            return each
        return Expr(
            each.head,
            args,
            path=each.path,
            shown=each.shown,
            commutes=each.commutes,
            blocks=each.blocks,
            drawn=each.drawn,
        )

    return walk(expr)


def branches(block: Block) -> list[Block]:
    """The inputs of a UNION ALL that another one has as it is."""
    items, source = block.source.items, block.source
    if len(items) != 1 or source.attached or source.conditions or items[0].kind != "set":
        return [block]
    leaf = items[0]
    if leaf.head[0] != "SET_OP_UNION_ALL":
        return [block]
    if [o.head[1:] for o in block.outputs] != [
        (str(i),) for i in range(len(leaf.inputs[0].outputs))
    ]:
        return [block]
    return leaf.inputs
