"""Calls of functions, as the text names them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import functions, operators
from substrait_sql.lift.dispatch import lift, lifts, starred
from substrait_sql.lift.expressions import casts, draws, lambdas
from substrait_sql.lift.expressions.hidden import check_hidden, check_lateral
from substrait_sql.lift.near import near
from substrait_sql.lift.text import time_windows
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.text.types import letters_of
from substrait_sql.lift.tree import (
    AggregateCall,
    Expr,
    Grouping,
    Literal,
    SortKey,
    WindowCall,
    holds,
)
from substrait_sql.lift.typing import signatures
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

# With three arguments the first one is a word, the unit; what they are then.
_BY_UNIT = {
    **dict.fromkeys(("timestampadd", "dateadd", "date_add"), "timestampadd"),
    **dict.fromkeys(("timestampdiff", "datediff", "date_diff", "timediff"), "timestampdiff"),
}
_UNITS = (
    "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND",
)  # fmt: skip
_WRAPPERS = (exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)


@lifts(exp.Anonymous)
def _call(node: Any, cx: Context) -> Expr:
    name = name_of(node).lower()
    if name in ("cast", "try_cast") and isinstance(node.expressions[0], exp.TryCast):
        inner = node.expressions[0]
        target = casts.type_of(inner.args["to"])
        return casts.made(lift(inner.this, cx), target, attempt=name == "try_cast")
    if name in ("grouping", "grouping_id"):
        return _grouping(name, node, cx)
    if name in _BY_UNIT and len(node.expressions) == 3:
        return _by_unit(name, node.expressions, cx)
    signature = _signature(name, node, cx)
    if signature.kind == "aggregate":
        return aggregate(node, cx)
    if signature.kind == "window":
        raise Misused(f"{name} wants OVER")
    if signature.kind == "generator":
        given = [lift(e, cx) for e in _unnamed(name, node.expressions)]
        draws.check(given, "what makes rows takes")
        return functions.generator(name, given)
    if _has_lambda(name, node) and any(e.find(exp.Query) for e in node.expressions):
        raise Misused(f"{name}: a function with a lambda takes no query in its arguments")
    if any(isinstance(e, exp.Distinct) for e in node.expressions):
        raise Misused(f"{name} is no aggregate function and takes no DISTINCT")
    time_windows.check(name, node)
    made = functions.scalar(name, arguments(name, node.expressions, cx))
    draws.check_place(made, name, cx)
    return made


def _has_lambda(name: str, node: Any) -> bool:
    bodies = any(place <= len(node.expressions) for place in lambdas.places(name))
    return bodies or name == "array_sort"


def _by_unit(name: str, nodes: Sequence[Any], cx: Context) -> Expr:
    """timestampadd(MONTH, 1, x)."""
    word = nodes[0].name.upper()
    if isinstance(nodes[0], exp.Literal) or word not in _UNITS:
        raise Misused(f"the first of three arguments of {name} is a unit such as DAY")
    unit = Literal(t.STRING, False, word, Literal(t.STRING, False, nodes[0].name))
    given = [unit, *(lift(e, cx) for e in nodes[1:])]
    return functions.scalar(_BY_UNIT[name], given, shown=_BY_UNIT[name])


def _unnamed(name: str, nodes: Sequence[Any]) -> Sequence[Any]:
    """The arguments of a generator; its only one may be named."""
    word = "input" if name.startswith("inline") else "collection"
    if (
        len(nodes) == 1
        and isinstance(nodes[0], exp.Kwarg)
        and nodes[0].this.name.casefold() == word
    ):
        return [nodes[0].expression]
    return nodes


def _signature(name: str, node: Any, cx: Context) -> Any:
    cx.engine.check_function(name)
    found = signatures.known(name)
    if found is None and name.lower() in functions.WITHOUT_WORD:
        why = functions.WITHOUT_WORD[name.lower()]
        raise cx.error("SS5007", f"{name} is refused: {why}", node)
    if found is None:
        raise cx.error("SS5005", f"there is no function {name}", node, near(name, table(), 0.7))
    return found


def arguments(name: str, nodes: Sequence[Any], cx: Context) -> list[Expr]:
    """The arguments of a call in the order of the function's parameters; lambdas know their types from those before."""
    nodes = _in_order(name, nodes)
    found: list[Expr] = []
    for place, each in enumerate(nodes):
        if isinstance(each, exp.Lambda):
            found.append(lambdas.of_node(name, each, found, place, cx))
        elif place + 1 in lambdas.places(name):
            found.append(lambdas.without_parameters(name, each, found, place, cx))
        elif isinstance(each, exp.PropertyEQ):
            found.append(lift(each.expression, cx))
        elif isinstance(each, exp.Alias):
            if name.lower() != "struct":
                raise Misused(f"not Spark SQL: an argument of {name} with a name", "SS5001")
            found.append(functions.Named(lift(each.this, cx), each.alias))
        elif isinstance(each, exp.Star) or (
            isinstance(each, exp.Column) and isinstance(each.this, exp.Star)
        ):
            if cx.place == "ORDER BY":
                raise Misused("* does not stand in ORDER BY")
            found.extend(functions.Named(e, n) for e, n in starred(each, cx))
        else:
            found.append(functions.named_by_column(lift(each, cx), each))
    return found


def _in_order(name: str, nodes: Sequence[Any]) -> Sequence[Any]:
    if not any(isinstance(n, exp.Kwarg) for n in nodes):
        return nodes
    behind = [isinstance(n, exp.Kwarg) for n in nodes]
    if not all(behind[behind.index(True) :]):
        raise Misused(f"{name}: named arguments stand behind those without a name")
    names = _parameter_names(name)
    given = {n.this.name.casefold(): n.expression for n in nodes if isinstance(n, exp.Kwarg)}
    if len(given) < sum(behind):
        raise Misused(f"{name}: an argument is given twice")
    positional = [n for n in nodes if not isinstance(n, exp.Kwarg)]
    open_ = [n.casefold() for n in names[len(positional) :]]
    unknown = given.keys() - set(open_)
    if unknown:
        raise Misused(f"{name} has no parameter {sorted(unknown)[0]}")
    last = max(map(open_.index, given))
    found = list(positional)
    for each in open_[: last + 1]:
        found.append(given[each] if each in given else _default(name, len(found) + 1))
    return found


def _default(name: str, place: int) -> Any:
    """What stands for a parameter that is left out in front of a named one."""
    signature = signatures.known(name)
    if signature is None or place not in signature.defaults:
        raise Misused(f"{name}: a parameter in front of a named one is missing")
    value = signature.defaults[place]
    return exp.Null() if value is None else exp.Literal.string(value)


def _parameter_names(name: str) -> tuple[str, ...]:
    found = signatures.known(name)
    return found.names if found is not None else ()


def _grouping(name: str, node: Any, cx: Context) -> Expr:
    keys = tuple(lift(e, cx) for e in node.expressions)
    if name == "grouping" and len(keys) != 1:
        raise Misused("grouping takes one key")
    kind = t.TINYINT if name == "grouping" else t.BIGINT
    return Grouping(kind, False, keys, name)


@lifts(*_WRAPPERS)
def aggregate(node: Any, cx: Context) -> Expr:
    """An aggregate function over the rows of a group."""
    check_lateral(node, cx)
    made = applied(node, cx)
    if any(holds(e, WindowCall) for e in made.children):
        raise Misused("an aggregate function takes no window function in its arguments")
    draws.check(made.children, "an aggregate function takes", "SS5003")
    return made


def applied(node: Any, cx: Context) -> Expr:
    """An aggregate function with what may stand behind it: FILTER, WITHIN GROUP, IGNORE NULLS, DISTINCT within."""
    if cx.scope.below is not None:
        check_hidden(node, cx.scope, cx.scope.below)
        cx = cx.inside(cx.scope.below)
    top, condition = node, None
    order: tuple[SortKey, ...] = ()
    ignore: bool | None = None
    while isinstance(node, _WRAPPERS):
        if isinstance(node, exp.Filter):
            found = lift(node.expression.this, cx)
            condition = operators.truth(found, "FILTER")
        elif isinstance(node, exp.WithinGroup):
            order = sort_keys(node.expression.expressions, cx)
        else:
            ignore = isinstance(node, exp.IgnoreNulls)
        node = node.this
    if not isinstance(node, exp.Anonymous):
        raise Misused("FILTER, WITHIN GROUP and IGNORE NULLS go with a function")
    name = name_of(node).lower()
    signature = _signature(name, node, cx)
    kind = signature.kind
    if ignore is False and signature.kind == "scalar" and top.this is node:
        # RESPECT NULLS is what all functions do.
        return lift(node, cx)
    if order and not signature.order:
        raise Misused(f"{name} takes no WITHIN GROUP")
    if kind not in ("aggregate", "window"):
        raise Misused(f"{name} is no aggregate function")
    nodes, distinct = _distinct(node)
    if distinct and name == "mode":
        raise Misused("mode takes no DISTINCT")
    if distinct and order and name not in ("listagg", "string_agg"):
        raise Misused(f"{name} takes no DISTINCT with WITHIN GROUP")
    if any(isinstance(e, (exp.IgnoreNulls, exp.RespectNulls)) for e in nodes):
        respect = any(isinstance(e, exp.RespectNulls) for e in nodes)
        alone = top is node and not isinstance(node.parent, exp.Window)
        if name not in _NULLS_WITHIN or respect or not alone:
            what = "only IGNORE NULLS stands in brackets: those of FIRST, LAST, ANY_VALUE alone"
            raise Misused(what, "SS5001")
        ignore = True
        nodes = [e.this if isinstance(e, (exp.IgnoreNulls, exp.RespectNulls)) else e for e in nodes]
    if ignore and not signature.ignore_nulls:
        raise Misused(f"{name} takes no IGNORE NULLS")
    given = [] if not distinct and _counts_rows(name, nodes) else _given(name, nodes, cx)
    collects = signature.name in _COLLECT
    made = functions.aggregate(name, given, order=order, ignore_nulls=bool(ignore) and not collects)
    if collects and ignore is False:
        kind = t.array(made.type.element, holds_null=True)
        made = replace(made, type=kind, name=_COLLECT[signature.name])
    if ignore is not None:
        # Spark names the function that they stand for.
        made = replace(made, shown=_NULLS_BEHIND.get(made.shown, made.shown))
    if distinct:
        functions.check_distinct(made)
    return replace(made, distinct=distinct, condition=condition)


_NULLS_WITHIN = ("first", "last", "any_value")
_NULLS_BEHIND = {"first_value": "first", "last_value": "last"}


def _given(name: str, nodes: Sequence[Any], cx: Context) -> list[Expr]:
    """The arguments of an aggregate function."""
    if name == "count":
        if not nodes:
            raise Misused("count wants an argument, or *")
        if len(nodes) == 1 and _is_table_star(nodes[0], cx):
            raise Misused("count takes the columns of a table by their names, or *")
    return arguments(name, nodes, cx)


def _is_table_star(node: Any, cx: Context) -> bool:
    star = isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    return star and bool(cx.scope.qualified([p.name for p in node.parts[:-1]]))


def calls_aggregate(node: Any) -> bool:
    """Whether the text itself calls an aggregate function, not an alias of its; OVER makes none of it."""
    for each in node.walk(prune=lambda n: isinstance(n, exp.Query)):
        found = signatures.known(name_of(each).lower()) if isinstance(each, exp.Anonymous) else None
        above = each.parent
        while isinstance(above, _WRAPPERS):
            above = above.parent
        over = isinstance(above, exp.Window) and each.arg_key == "this"
        if found is not None and found.kind == "aggregate" and not over:
            return True
    return False


# They leave NULL out unless they are told otherwise: with RESPECT NULLS, functions of our own extension.
_COLLECT = {"collect_list": "collect_all", "collect_set": "collect_all_apart"}


def _distinct(node: Any) -> tuple[list[Any], bool]:
    nodes = list(node.expressions)
    distinct = bool(nodes) and isinstance(nodes[0], exp.Distinct)
    if distinct:
        nodes = [*nodes[0].expressions, *nodes[1:]]
    # A star in brackets is one, too.
    return [n.unnest() if isinstance(n.unnest(), exp.Star) else n for n in nodes], distinct


def _counts_rows(name: str, nodes: Sequence[Any]) -> bool:
    """Whether it is ``count(*)``; a star with DISTINCT before it or EXCEPT behind it means the columns."""
    if name != "count" or len(nodes) != 1 or not isinstance(nodes[0], exp.Star):
        return False
    return not any(nodes[0].args.values())


def sort_keys(nodes: Sequence[Any], cx: Context) -> tuple[SortKey, ...]:
    """ORDER BY keys; NULLs are first, or last where the order is descending, unless the text says otherwise."""
    return tuple(sort_key(lift(n.this, cx), n) for n in nodes)


def sort_key(value: Expr, node: Any) -> SortKey:
    """One key with the direction of its node."""
    if not functions.ordered(value.type):
        raise Misused(f"{str(value.type).upper()} has no order")
    descending = bool(node.args.get("desc"))
    return SortKey(value, descending, bool(node.args.get("nulls_first")))


def aggregates_in(found: Expr) -> bool:
    """Whether an aggregate function is called in the expression, outside of OVER."""
    stack = [found]
    seen: set[int] = set()
    while stack:
        each = stack.pop()
        if isinstance(each, AggregateCall):
            return True
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, WindowCall):
            stack.extend(each.function.children)
            stack.extend(each.children[1:])
        else:
            stack.extend(each.children)
    return False


@lifts(exp.Extract)
def _extract(node: Any, cx: Context) -> Expr:
    if isinstance(node.this, exp.Literal):
        raise Misused("EXTRACT takes the name of a field, no text", "SS5001")
    word = letters_of(node.this.name)
    field = Literal(t.STRING, False, word.upper(), Literal(t.STRING, False, word))
    return functions.scalar("date_part", [field, lift(node.expression, cx)], shown="extract")


@lifts(exp.Trim)
def _trim(node: Any, cx: Context) -> Expr:
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(node.args.get("position") or "", "trim")
    if name == "trim":
        name = "btrim"
    characters = node.args.get("expression")
    given = [lift(node.this, cx)] + ([] if characters is None else [lift(characters, cx)])
    if name != "btrim":
        # ltrim and rtrim take the characters first.
        given.reverse()
    return functions.scalar(name, given, shown="trim")


@lifts(exp.Substring)
def _substring(node: Any, cx: Context) -> Expr:
    parts = (node.this, node.args.get("start"), node.args.get("length"))
    return functions.scalar("substring", [lift(p, cx) for p in parts if p is not None])


@lifts(exp.StrPosition)
def _position(node: Any, cx: Context) -> Expr:
    return functions.scalar("locate", [lift(node.args["substr"], cx), lift(node.this, cx)])


@lifts(exp.Overlay)
def _overlay(node: Any, cx: Context) -> Expr:
    # Sqlglot before 28 names them as in SQL.
    start, length = (node.args.get(f"{word}_") or node.args.get(word) for word in ("from", "for"))
    parts = (node.this, node.expression, start, length)
    return functions.scalar("overlay", [lift(p, cx) for p in parts if p is not None])
