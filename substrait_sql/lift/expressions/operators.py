"""Operators, CASE, IN, LIKE, BETWEEN."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import functions, operators
from substrait_sql.lift.dispatch import lift, lifts, starred
from substrait_sql.lift.expressions.casts import suffixed
from substrait_sql.lift.expressions.functions import arguments
from substrait_sql.lift.expressions.subqueries import in_query
from substrait_sql.lift.literals import number
from substrait_sql.lift.naming import names as naming
from substrait_sql.lift.tree import FALSE, TRUE, Call, Case, Expr, Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

_BINARY = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%", exp.IntDiv: "div",
    exp.EQ: "=", exp.NullSafeEQ: "<=>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=",
    exp.BitwiseAnd: "&", exp.BitwiseOr: "|", exp.BitwiseXor: "^",
}  # fmt: skip
_QUANTIFIED = (exp.Any, exp.All)


def _check_plain(operand: Any) -> None:
    if isinstance(operand, _QUANTIFIED):
        raise Misused("Spark compares with ANY and ALL in LIKE only")


@lifts(*_BINARY)
def _binary(node: Any, cx: Context) -> Expr:
    _check_plain(node.expression)
    return operators.binary(_BINARY[type(node)], lift(node.this, cx), lift(node.expression, cx))


@lifts(exp.NEQ)
def _unequal(node: Any, cx: Context) -> Expr:
    _check_plain(node.expression)
    equal = operators.binary("=", lift(node.this, cx), lift(node.expression, cx))
    return operators.negation(equal)


@lifts(exp.NullSafeNEQ)
def _distinct(node: Any, cx: Context) -> Expr:
    equal = operators.binary("<=>", lift(node.this, cx), lift(node.expression, cx))
    return operators.negation(equal)


@lifts(exp.And, exp.Or)
def _logical(node: Any, cx: Context) -> Expr:
    kind, name = type(node), "and" if isinstance(node, exp.And) else "or"
    operands: list[Any] = []
    left = node
    while isinstance(left, kind):
        operands.append(left.expression)
        left = left.this
    return _halved(name, [lift(each, cx) for each in (left, *reversed(operands))])


def _halved(name: str, values: Sequence[Expr]) -> Expr:
    """``(a AND b) AND (c AND d)``: Spark puts a chain together by halves, as the names show that it makes up."""
    if len(values) == 1:
        return values[0]
    middle = (len(values) + 1) // 2
    return operators.binary(name, _halved(name, values[:middle]), _halved(name, values[middle:]))


@lifts(exp.Xor)
def _xor(node: Any, cx: Context) -> Expr:
    raise Misused("XOR is no operator of Spark's")


@lifts(exp.Not)
def _not(node: Any, cx: Context) -> Expr:
    inner = node.this
    if isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null):
        found = lift(inner.this, cx)
        if cx.source.denies_null(inner):
            return operators.is_null(found, negated=True)
        return operators.negation(operators.is_null(found))
    bare = inner.unnest()
    if isinstance(bare, exp.In) and bare.args.get("query") is not None and _listed(bare) is None:
        return in_query(bare, cx, negated=True)
    return operators.negation(lift(inner, cx))


@lifts(exp.Is)
def _is(node: Any, cx: Context) -> Expr:
    value, what = lift(node.this, cx), node.expression
    if isinstance(what, exp.Null):
        return operators.is_null(value)
    if isinstance(what, exp.Boolean):
        return operators.binary("<=>", value, TRUE if what.this else FALSE)
    raise Misused("IS goes with NULL, TRUE, FALSE and DISTINCT FROM")


@lifts(exp.Neg)
def _neg(node: Any, cx: Context) -> Expr:
    inner = node.this
    if isinstance(inner, exp.Literal) and not inner.is_string:
        return number(f"-{inner.this}")
    if isinstance(inner, exp.TryCast) and isinstance(inner.this, exp.Literal):
        return suffixed(inner, negative=True) or operators.minus(lift(inner, cx))
    return operators.minus(lift(inner, cx))


@lifts(exp.Sqrt)
def _plus(node: Any, cx: Context) -> Expr:
    """A plus sign: see `lift.text.tokens`."""
    return operators.plus(lift(node.this, cx))


@lifts(exp.BitwiseNot)
def _inverted(node: Any, cx: Context) -> Expr:
    return operators.inverted(lift(node.this, cx))


@lifts(exp.Paren)
def _paren(node: Any, cx: Context) -> Expr:
    return lift(node.this, cx)


@lifts(exp.Between)
def _between(node: Any, cx: Context) -> Expr:
    value, low, high = (lift(node.args[k], cx) for k in ("this", "low", "high"))
    made = operators.binary(
        "and", operators.binary(">=", value, low), operators.binary("<=", value, high)
    )
    assert isinstance(made, Call)
    return Call(made.type, made.nullable, "between", made.arguments, shown="between")


@lifts(exp.In)
def _in(node: Any, cx: Context) -> Expr:
    listed = _listed(node)
    if listed is None and node.args.get("query") is not None:
        return in_query(node, cx)
    if node.args.get("field") is not None:
        raise Misused("IN wants values in brackets")
    given = node.expressions if listed is None else [listed]
    if not given:
        raise Misused("IN wants a value")
    options = [x for e in given for x in _options(e, cx)]
    return operators.within(lift(node.this, cx), options)


def _listed(node: Any) -> Any:
    """The query of ``x IN ((SELECT …))``, which to Spark is a list of one value; None for ``x IN (SELECT …)``."""
    query = node.args.get("query")
    inner = query.this if isinstance(query, exp.Subquery) else None
    if not isinstance(inner, exp.Subquery) or set(_said(query)) != {"this"}:
        return None
    return inner


def _said(node: Any) -> list[str]:
    return [name for name, value in node.args.items() if value]


def _options(node: Any, cx: Context) -> list[Expr]:
    if isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    ):
        return [value for value, _ in starred(node, cx)]
    return [lift(node, cx)]


@lifts(exp.Case)
def _case(node: Any, cx: Context) -> Expr:
    subject = node.this and lift(node.this, cx)
    branches: list[tuple[Expr, Expr]] = []
    for each in node.args["ifs"]:
        when = lift(each.this, cx)
        if subject is not None:
            when = operators.binary("=", subject, when)
        branches.append((when, lift(each.args["true"], cx)))
    default = node.args.get("default")
    made = operators.case(branches, default and lift(default, cx))
    return replace(made, shown="switch") if subject is not None and isinstance(made, Case) else made


@lifts(exp.Like, exp.ILike)
def _like(node: Any, cx: Context) -> Expr:
    return _matched(node, cx, None)


def _matched(node: Any, cx: Context, escape: Any) -> Expr:
    name = "ilike" if isinstance(node, exp.ILike) else "like"
    value, pattern, negated = node.this, node.expression, bool(node.args.get("negate"))
    if isinstance(pattern, _QUANTIFIED):
        if escape is not None:
            raise Misused("LIKE ANY and LIKE ALL take no ESCAPE", "SS5001", word="ESCAPE")
        return _like_several(name, value, pattern, negated, cx)
    arguments = [lift(value, cx), lift(pattern, cx)]
    if escape is not None:
        arguments.append(lift(escape, cx))
    found = functions.scalar(name, arguments)
    return operators.negation(found) if negated else found


def _like_several(name: str, value: Any, pattern: Any, negated: bool, cx: Context) -> Expr:
    inside = pattern.this.unnest() if hasattr(pattern.this, "unnest") else pattern.this
    patterns = inside.expressions if isinstance(inside, exp.Tuple) else [inside]
    if not patterns or isinstance(inside, exp.Query):
        raise Misused("LIKE wants a pattern", "SS5001")
    found = lift(value, cx)
    lifted = [lift(p, cx) for p in patterns]
    each = [functions.scalar(name, [found, p]) for p in lifted]
    if negated:
        each = [operators.negation(e) for e in each]
    some = isinstance(pattern, exp.Any)
    out = each[0]
    for more in each[1:]:
        out = operators.binary("or" if some else "and", out, more)
    if not all(isinstance(p, Literal) and p.type == t.STRING for p in lifted):
        return out
    # Of constant texts Spark makes one function, whose name leaves them out.
    subject = naming.text(found) if name == "like" else f"lower({naming.text(found)})"
    assert isinstance(out, Call)
    return replace(out, shown=f"{'not' * negated}like{'any' if some else 'all'}({subject})")


@lifts(exp.Escape)
def _escape(node: Any, cx: Context) -> Expr:
    if not isinstance(node.this, (exp.Like, exp.ILike)):
        raise Misused("ESCAPE goes with LIKE and ILIKE", "SS5001", word="ESCAPE")
    return _matched(node.this, cx, node.expression)


@lifts(exp.RegexpLike)
def _rlike(node: Any, cx: Context) -> Expr:
    return functions.scalar("rlike", [lift(node.this, cx), lift(node.expression, cx)])


@lifts(exp.DPipe)
def _concat(node: Any, cx: Context) -> Expr:
    return functions.scalar("concat", [lift(node.this, cx), lift(node.expression, cx)])


@lifts(exp.BitwiseLeftShift, exp.BitwiseRightShift)
def _shift(node: Any, cx: Context) -> Expr:
    left = isinstance(node, exp.BitwiseLeftShift)
    given = [lift(node.this, cx), lift(node.expression, cx)]
    return functions.scalar(
        "shiftleft" if left else "shiftright", given, shown="<<" if left else ">>"
    )


@lifts(exp.Coalesce)
def _shift_unsigned(node: Any, cx: Context) -> Expr:
    """`>>>`: see `lift.text.respelt`."""
    (distance,) = node.expressions
    given = [lift(node.this, cx), lift(distance, cx)]
    return functions.scalar("shiftrightunsigned", given, shown=">>>")


@lifts(exp.Tuple)
def _tuple(node: Any, cx: Context) -> Expr:
    if not node.expressions:
        raise Misused("not Spark SQL: brackets with nothing in them", "SS5001")
    made = functions.scalar("struct", arguments("struct", node.expressions, cx))
    assert isinstance(made, Call)
    return replace(made, shown="named_struct")


@lifts(exp.Collate)
def _collate(node: Any, cx: Context) -> Expr:
    raise Misused("plans have no collations", "SS5007")
