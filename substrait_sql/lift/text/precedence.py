"""How tightly operators bind in Spark: `||` as `+` does, then the shifts, `&`, `^` and `|`; sqlglot has one level.

Comparisons come next, and last what may stand behind one: `a = b IS NULL` is `(a = b) IS NULL`, and so with IN, BETWEEN
and LIKE. Releases of sqlglot read some of these as `a = (b IS NULL)`.

https://spark.apache.org/docs/latest/sql-ref-operators.html
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

# Coalesce stands for >>> (`lift.text.respelt`).
_BINDS: dict[type, int] = {
    exp.Add: 4, exp.Sub: 4, exp.DPipe: 4, exp.BitwiseLeftShift: 3, exp.BitwiseRightShift: 3, exp.Coalesce: 3,
    exp.BitwiseAnd: 2, exp.BitwiseXor: 1, exp.BitwiseOr: 0,
}  # fmt: skip
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ)
_PREDICATES = (
    exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.RegexpLike, exp.NullSafeEQ, exp.NullSafeNEQ,
)  # fmt: skip

_CLOSED = (exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.RegexpLike, exp.NullSafeNEQ)


def bound(tree: Any) -> Any:
    """The tree with these operators put together as Spark does. Changes the tree."""
    return _predicates(_chains(tree))


def without_brackets(tree: Any) -> Any | None:
    """A predicate that Spark reads otherwise than sqlglot, or not at all, None if there is none.

    `a LIKE b = c` is `a LIKE (b = c)` in Spark and `(a LIKE b) = c` to sqlglot; `a IS NULL = b` is no Spark SQL, and
    nothing may stand behind EXISTS.
    """
    for node in tree.find_all(*_COMPARISONS, *_PREDICATES):
        first = node.this
        while isinstance(first, (exp.Not, exp.Escape)):
            first = first.this
        if (
            isinstance(first, _CLOSED)
            or _is_exists(first)
            or (isinstance(node.this, exp.Not) and first is not node.this)
        ):
            return first
    return None


def _is_exists(node: Any) -> bool:
    return isinstance(node, exp.Exists) and isinstance(node.this, exp.Query)


def _predicates(tree: Any) -> Any:
    for comparison in list(tree.find_all(*_COMPARISONS)):
        whole = predicate = comparison.expression
        while isinstance(predicate, (exp.Not, exp.Escape)):
            predicate = predicate.this
        if not isinstance(predicate, _PREDICATES):
            continue
        at, parent, index = comparison.arg_key, comparison.parent, comparison.index
        comparison.set("expression", predicate.this)
        predicate.set("this", comparison)
        if parent is None:
            tree = whole
        else:
            parent.set(at, whole, index)
    return tree


def _chains(tree: Any) -> Any:
    # COALESCE in a hint is a word of its own.
    found = (n for n in tree.find_all(*_BINDS) if not isinstance(n.parent, (exp.Hint, *_BINDS)))
    tops = [n for n in found if _is_mixed(n)]
    for top in reversed(tops):
        at, parent = top.arg_key, top.parent
        index = top.index
        made = _rebuilt(_flat(top))
        if parent is None:
            tree = made
        else:
            parent.set(at, made, index)
    return tree


def _is_mixed(top: Any) -> bool:
    """Whether operators are in the chain that sqlglot has one level for and Spark several, or the other way round."""
    kinds = {type(x) for x in _flat(top)} & _BINDS.keys()
    return len(kinds) > 1 and not kinds <= {exp.Add, exp.Sub}


def _flat(top: Any) -> list[Any]:
    """Operands and operators as they stand in the text."""
    out: list[Any] = []
    stack = [(top, False)]
    while stack:
        node, opened = stack.pop()
        if opened or type(node) not in _BINDS:
            out.append(node)
        else:
            stack += [(_right(node), False), (node, True), (node.this, False)]
    return out


def _right(node: Any) -> Any:
    if not isinstance(node, exp.Coalesce):
        return node.expression
    if not node.expressions:
        raise ParseError("Expected an operand behind >>>")
    return node.expressions[0]


def _rebuilt(parts: list[Any]) -> Any:
    operands = [parts[0]]
    waiting: list[Any] = []
    for operator, operand in zip(parts[1::2], parts[2::2], strict=True):
        while waiting and _BINDS[type(waiting[-1])] >= _BINDS[type(operator)]:
            _apply(waiting.pop(), operands)
        waiting.append(operator)
        operands.append(operand)
    while waiting:
        _apply(waiting.pop(), operands)
    return operands[0]


def _apply(operator: Any, operands: list[Any]) -> None:
    right, left = operands.pop(), operands.pop()
    made = type(operator)(**{k: v for k, v in operator.args.items() if k not in _PARTS})
    made.set("this", left)
    if isinstance(made, exp.Coalesce):
        made.set("expressions", [right])
    else:
        made.set("expression", right)
    made.meta.update(operator.meta)
    operands.append(made)


_PARTS = ("this", "expression", "expressions")
