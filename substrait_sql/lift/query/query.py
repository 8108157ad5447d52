"""Whole queries: WITH, SELECT, set operations, VALUES, brackets."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, operators
from substrait_sql.lift.dispatch import part, piped
from substrait_sql.lift.problems import Unknown, is_open, no_rows
from substrait_sql.lift.query.from_clause import relation, values
from substrait_sql.lift.query.ordering import limited, ordered
from substrait_sql.lift.query.select import select
from substrait_sql.lift.query.source import renamed
from substrait_sql.lift.relations import CommonQuery, Project, Recursion, SetOperation
from substrait_sql.lift.text.nodes import Piped
from substrait_sql.lift.tree import Attribute, Relation, column
from substrait_sql.lift.typing import common
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.typing.types import SparkType

KINDS = {exp.Union: "union", exp.Except: "except", exp.Intersect: "intersect"}


@part
def any_query(node: Any, cx: Context) -> Relation:
    """The rows of a query; cx.scope has no columns, but those of the queries around."""
    return cx.checked(lambda: _any(node, cx), no_rows, node)


def _any(node: Any, cx: Context) -> Relation:
    with_ = node.args.get(releases.WITH)
    if with_ is not None:
        cx = _with(with_, cx)
    order = node.args.get("order")
    keys = order.expressions if order is not None else ()
    if isinstance(node, exp.Select):
        found = select(node, cx, keys)
    else:
        found = _other(node, cx)
        if keys:
            found = ordered(found, keys, cx)
    return limited(found, node, cx)


def _other(node: Any, cx: Context) -> Relation:
    if type(node) in KINDS:
        return _set_operation(node, cx)
    match node:
        case Piped():
            return piped(node, cx)
        case exp.Subquery() | exp.Paren():
            if node.alias and type(node.parent) in KINDS:
                raise cx.error(
                    "SS5001", "not Spark SQL: a side of a set operation has no alias", node
                )
            return any_query(node.this, cx)
        case exp.Values():
            alias = node.args.get("alias")
            names = [c.name for c in alias.args.get("columns") or ()] if alias is not None else []
            with cx.about(node):
                found = values(node, cx)
                return renamed(found, names) if names else found
        case exp.Table():
            return relation(node, cx).relation
    raise cx.error("SS5002", f"{type(node).__name__} is no query", node)


def _with(node: Any, cx: Context) -> Context:
    reach: ChainMap[str, CommonQuery] = ChainMap({}, cx.common)
    inner = replace(cx, common=reach)
    for each in node.expressions:
        name = each.alias
        if name.casefold() in reach.maps[0]:
            raise cx.error("SS5003", f"WITH defines {name} twice", each)
        names = [c.name for c in each.args["alias"].args.get("columns") or ()]
        if each.comments and not node.args.get("recursive"):
            raise cx.error("SS5001", "MAX RECURSION LEVEL stands in WITH RECURSIVE", each)
        if node.args.get("recursive") and _reads(each.this, name):
            with cx.about(each):
                made = _recursive(each, names, inner)
            reach.maps[0][name.casefold()] = CommonQuery(name, made)
            continue
        found = any_query(each.this, inner)
        if names and not is_open(found.columns):
            if len(names) != len(found.columns):
                raise cx.error(
                    "SS5003", f"{name} names {len(names)} columns of {len(found.columns)}", each
                )
            found = renamed(found, names)
        reach.maps[0][name.casefold()] = CommonQuery(name, found)
    return inner


def _reads(node: Any, name: str) -> bool:
    """Whether a query names a common table expression: RECURSIVE says nothing of those that do not name themselves.

    One of the same name further inside hides it.
    """
    wanted, rest = name.casefold(), [node]
    while rest:
        each = rest.pop()
        if isinstance(each, exp.Table) and not each.db and each.name.casefold() == wanted:
            return True
        with_, hidden = each.args.get(releases.WITH), False
        for inner in with_.expressions if with_ is not None else ():
            hidden = inner.alias.casefold() == wanted
            if not (hidden and with_.args.get("recursive")):
                rest.append(inner.this)
            if hidden:
                break
        if not hidden:
            rest.extend(child for child in each.iter_expressions() if child is not with_)
    return False


def _recursive(node: Any, names: Sequence[str], cx: Context) -> Relation:
    """``r(n) AS (start UNION ALL step)``, whose step reads ``r``: the rows of the round before."""
    union, name = node.this, node.alias
    more = any(union.args.get(k) for k in ("order", "limit", "offset", "by_name"))
    with_ = union.args.get(releases.WITH)
    before = [union.this, *(with_.expressions if with_ is not None else ())]
    if not isinstance(union, exp.Union) or more or any(_reads(each, name) for each in before):
        raise Misused("a recursive query is a start that does not read it, UNION ALL, a step")
    cx = _with(with_, cx) if with_ is not None else cx
    if union.args.get("distinct"):
        raise Misused("a recursive query is a UNION ALL, not a UNION")
    start = any_query(union.this, replace(cx, windows={}))
    start = renamed(start, names) if names and not is_open(start.columns) else start
    query = CommonQuery(name, start, recursive=True)
    reach: ChainMap[str, CommonQuery] = ChainMap({name.casefold(): query}, cx.common)
    step = any_query(union.expression, replace(cx, windows={}, common=reach))
    correlation.check_recursion(step, query)
    made = combined([start, step], "union all")
    for column_, first in zip(made.columns, start.columns, strict=True):
        if not operators.alike(column_.type, first.type):
            kinds = f"{str(first.type).upper()} into {str(column_.type).upper()}"
            raise Misused(f"the step would make {name}.{first.name} of {kinds}: cast it")
    columns = tuple(
        Attribute(c.name, f.type, True) for c, f in zip(made.columns, start.columns, strict=True)
    )
    assert isinstance(made, SetOperation)
    # The one comment that the node can have, see `lift.text.respelt`.
    most = int(node.comments[0]) if node.comments else None
    return Recursion(columns, made.sources[0], made.sources[1], query, most)


def _set_operation(node: Any, cx: Context) -> Relation:
    kind = KINDS[type(node)] + ("" if node.args.get("distinct") else " all")
    inputs = _flattened(node, kind, cx)
    if node.args.get("by_name"):
        raise cx.error("SS5001", "not Spark SQL: BY NAME", node)
    relations = [any_query(n, replace(cx, windows={})) for n in inputs]
    with cx.about(node):
        return combined(relations, kind)


def _flattened(node: Any, kind: str, cx: Context) -> list[Any]:
    """The inputs of a chain of UNION ALL, which is one operation."""
    inputs = [node.expression]
    left = node.this
    while (
        type(left) is type(node)
        and kind in ("union all", "union")
        and bool(left.args.get("distinct")) == bool(node.args.get("distinct"))
        and not any(left.args.get(k) for k in ("order", "limit", "offset", releases.WITH))
    ):
        inputs.append(left.expression)
        left = left.this
    inputs.append(left)
    return inputs[::-1]


def combined(relations: Sequence[Relation], kind: str) -> Relation:
    """A set operation, the columns brought to one type each. Raises `Misused` where they do not go together."""
    width = len(relations[0].columns)
    if any(is_open(r.columns) for r in relations):
        raise Unknown
    if any(len(r.columns) != width for r in relations):
        counts = " and ".join(str(len(r.columns)) for r in relations)
        raise Misused(f"{kind.upper()} of {counts} columns")
    kinds = [_one(kind, [r.columns[i].type for r in relations]) for i in range(width)]
    sources = tuple(_brought(r, kinds) for r in relations)
    columns: list[Attribute] = []
    for place, first in enumerate(relations[0].columns):
        every = [r.columns[place].nullable for r in sources]
        nullable = any(every) if kind.startswith("union") else every[0]
        if kind.startswith("intersect"):
            nullable = all(every)
        columns.append(Attribute(first.name, kinds[place], nullable, first.auto))
        same = [c for c, f in zip(columns, relations[0].columns, strict=False) if f is first]
        columns[-1].twin = same[0] if len(same) > 1 else None
    return SetOperation(tuple(columns), sources, kind)


def _one(kind: str, found: Sequence[SparkType]) -> SparkType:
    out = found[0]
    for each in found[1:]:
        like = operators.alike if kind.startswith("union") else operators.same
        both = out if like(out, each) else common.wider(out, each)
        if both is None:
            raise Misused(
                f"{kind.upper()} does not put together {str(out).upper()} and {str(each).upper()}"
            )
        out = both
    if kind in ("union", "except", "intersect", "except all", "intersect all") and _has_map(out):
        raise Misused(f"{kind.upper()} compares rows, and maps cannot be compared")
    return out


def _has_map(kind: SparkType) -> bool:
    return kind.kind == "map" or any(map(_has_map, (*kind.parts, *(f.type for f in kind.fields))))


def _brought(found: Relation, kinds: Sequence[SparkType]) -> Relation:
    if all(operators.same(c.type, k) for c, k in zip(found.columns, kinds, strict=True)):
        return found
    if isinstance(found, Project) and not found.alias:
        return _cast_within(found, kinds)
    made = tuple(operators.cast(column(c), k) for c, k in zip(found.columns, kinds, strict=True))
    columns = tuple(
        Attribute(c.name, e.type, e.nullable, c.auto)
        for c, e in zip(found.columns, made, strict=True)
    )
    return Project(columns, found, made)


def _cast_within(found: Project, kinds: Sequence[SparkType]) -> Relation:
    """The projection with its expressions cast."""
    made = tuple(operators.cast(e, k) for e, k in zip(found.expressions, kinds, strict=True))
    pairs = zip(found.columns, found.expressions, made, strict=True)
    columns = tuple(
        c if e is m else Attribute(c.name, m.type, m.nullable, c.auto) for c, e, m in pairs
    )
    return Project(columns, found.source, made)
