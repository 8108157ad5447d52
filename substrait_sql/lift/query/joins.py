"""Joins: ON, USING, NATURAL, LATERAL, semi and anti."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import correlation, functions, operators
from substrait_sql.lift.dispatch import item, lift, query
from substrait_sql.lift.near import near, these
from substrait_sql.lift.problems import Unknown, is_open, no_value
from substrait_sql.lift.query import generate, pivot
from substrait_sql.lift.query.on import has_two_answers, is_constant, members_in_join
from substrait_sql.lift.query.source import Source, named
from substrait_sql.lift.relations import Join, Project
from substrait_sql.lift.scope import Scope, Visible
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Expr,
    Relation,
    WindowCall,
    column,
    holds,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

_KINDS = {
    ("", ""): "inner", ("", "INNER"): "inner", ("", "CROSS"): "cross",
    ("LEFT", ""): "left", ("LEFT", "OUTER"): "left", ("RIGHT", ""): "right",
    ("RIGHT", "OUTER"): "right", ("FULL", ""): "full", ("FULL", "OUTER"): "full",
    ("LEFT", "SEMI"): "semi", ("", "SEMI"): "semi", ("LEFT", "ANTI"): "anti", ("", "ANTI"): "anti",
}  # fmt: skip


def _kind(node: Any) -> str:
    side, kind = (str(node.args.get(k) or "").upper() for k in ("side", "kind"))
    found = _KINDS.get((side, kind))
    if found is None:
        raise Misused(f"{side} {kind} JOIN is not known here".replace("  ", " ").strip())
    return found


def join(node: Any, left: Source, cx: Context) -> Source:
    """One join behind what stands before it."""
    with cx.about(node):
        return _join(node, left, cx)


def _join(node: Any, left: Source, cx: Context) -> Source:
    if isinstance(node.this, pivot.NODES):
        for key in ("on", "using"):
            if node.args.get(key):
                message = "not Spark SQL: ON and USING stand before PIVOT and UNPIVOT"
                raise cx.error("SS5001", message, node.args["on"] if key == "on" else node)
        return pivot.pivot(node.this, left, cx)
    kind = _kind(node)
    on, using = node.args.get("on"), node.args.get("using")
    natural = str(node.args.get("method") or "").upper() == "NATURAL"
    if isinstance(node.this, exp.Lateral):
        if natural or using:
            word = "NATURAL" if natural else "USING"
            raise Misused("LATERAL goes with ON, not with USING and NATURAL", word=word)
        return lateral(node.this, left, kind, on, cx)
    right: Source = item(node.this, cx)
    if natural or using:
        if natural and on is not None:
            raise Misused("NATURAL says what is joined: it goes without ON", "SS5001")
        if natural and kind in ("semi", "anti", "cross"):
            raise Misused(f"NATURAL does not go with {kind.upper()}")
        names = [u.name for u in using] if using else _shared_names(left, right)
        return _using(left, right, "inner" if kind == "cross" else kind, names, cx)
    columns = _shown(left, right, kind)
    condition, unknown = (None, False) if on is None else _on(on, left, right, kind, cx)
    if kind in ("inner", "cross"):
        kind = "cross" if condition is None else "inner"
    return _made(left, right, kind, condition, columns, unknown=unknown)


def _made(
    left: Source,
    right: Source,
    kind: str,
    condition: Expr | None,
    columns: list[Visible],
    *,
    is_lateral: bool = False,
    unknown: bool = False,
) -> Source:
    both = left.relation.columns
    if kind not in ("semi", "anti"):
        both = (*both, *right.relation.columns)
    joined = Join(both, left.relation, right.relation, kind, condition, is_lateral, unknown=unknown)
    return Source(joined, columns)


def _shown(left: Source, right: Source, kind: str) -> list[Visible]:
    lefts, rights = left.columns, right.columns
    if kind in ("right", "full"):
        lefts = [_nullable(v) for v in lefts]
    if kind in ("left", "full"):
        rights = [_nullable(v) for v in rights]
    return list(lefts) if kind in ("semi", "anti") else [*lefts, *rights]


def _nullable(v: Visible) -> Visible:
    return replace(v, nullable=True, constant=None)


def _on(on: Any, left: Source, right: Source, kind: str, cx: Context) -> tuple[Expr, bool]:
    """The condition, and whether an IN that may be unknown has two answers in it."""
    return cx.checked(
        lambda: _condition(on, left, right, kind, cx), lambda: (no_value(), False), on
    )


def _condition(on: Any, left: Source, right: Source, kind: str, cx: Context) -> tuple[Expr, bool]:
    scope = Scope([*left.columns, *right.columns], outer=cx.scope.outer)
    found = operators.truth(lift(on, cx.inside(scope).at("ON")), "ON")
    if holds(found, AggregateCall, WindowCall):
        raise Misused("ON takes no aggregate and no window function")
    sides = [side.columns for side in (left, right)]
    varying = [[v.attribute for v in side if not is_constant(v)] for side in sides]
    correlation.check_join(found, *varying)
    made = members_in_join(found, kind, sides)
    return made, has_two_answers(found, made)


def _shared_names(left: Source, right: Source) -> list[str]:
    theirs = Counter(v.attribute.name.casefold() for v in right.columns if not v.hidden)
    found: list[str] = []
    for v in left.columns:
        name = v.attribute.name
        if not v.hidden and theirs[name.casefold()] > 0:
            theirs[name.casefold()] -= 1
            found.append(name)
    return found


def _using(left: Source, right: Source, kind: str, names: Sequence[str], cx: Context) -> Source:
    pairs = [(_one(left, n), _one(right, n)) for n in names]
    condition: Expr | None = None
    for a, b in pairs:
        equal = operators.binary("=", a.column, b.column)
        condition = equal if condition is None else operators.binary("and", condition, equal)
    shown = _shown(left, right, kind)
    joined_kind = "cross" if condition is None and kind == "inner" else kind
    found = _made(left, right, joined_kind, condition, shown)
    return _merged(found, left, right, kind, pairs)


def _merged(
    found: Source, left: Source, right: Source, kind: str, pairs: list[tuple[Visible, Visible]]
) -> Source:
    if kind in ("semi", "anti"):
        first = [a for a, _ in pairs]
        rest = [v for v in found.columns if all(v.attribute is not a.attribute for a in first)]
        return Source(found.relation, [*first, *rest])
    keys: list[Visible] = []
    hidden: list[Visible] = []
    relation: Relation = found.relation
    made: list[tuple[Attribute, Expr]] = []
    by_attribute = {id(v.attribute): v for v in found.columns}
    for a, b in pairs:
        x, y = by_attribute[id(a.attribute)], by_attribute[id(b.attribute)]
        if kind == "right":
            keys.append(y)
            hidden.append(replace(x, hidden=True))
        elif kind == "full":
            merged = functions.scalar("coalesce", [x.column, y.column])
            attribute = Attribute(
                a.attribute.name, merged.type, (a.nullable and b.nullable) or True
            )
            made.append((attribute, merged))
            keys.append(Visible(attribute, attribute.nullable))
            hidden += [replace(v, hidden=True) for v in (x, y)]
        else:
            keys.append(x)
            hidden.append(replace(y, hidden=True))
    if made:
        columns = (*relation.columns, *(a for a, _ in made))
        kept = [
            by_attribute[id(c)].column if id(c) in by_attribute else column(c)
            for c in relation.columns
        ]
        relation = Project(columns, relation, (*kept, *(e for _, e in made)))
    used = {id(v.attribute) for v in (*keys, *hidden)}
    rest = [v for v in found.columns if id(v.attribute) not in used]
    return Source(relation, [*hidden, *keys, *rest])


def _one(side: Source, name: str) -> Visible:
    found = [
        v for v in side.columns if not v.hidden and v.attribute.name.casefold() == name.casefold()
    ]
    if not found:
        if is_open(v.attribute for v in side.columns):
            raise Unknown
        names = [v.attribute.name for v in side.columns if not v.hidden]
        hint = near(name, names) or these("columns", names)
        raise Misused(f"USING: there is no column {name} on one side", "SS5004", hint)
    # Of several, Spark takes the first.
    return found[0]


def _table_of(node: Any, cx: Context) -> Relation:
    table = exp.Table(this=node.copy()) if isinstance(node, exp.Anonymous) else node
    found: Relation = item(table, cx).relation
    return found


def lateral(node: Any, left: Source, kind: str, on: Any, cx: Context) -> Source:
    """LATERAL: the query on the right sees the columns on the left."""
    if kind not in ("inner", "cross", "left"):
        raise Misused(f"LATERAL goes with INNER, CROSS and LEFT joins, not with {kind.upper()}")
    if isinstance(node.this, exp.Anonymous) and name_of(node.this).lower() != "range":
        if kind == "left" and not cx.source.has_condition(node):
            # Spark joins inwards then; sqlglot's tree has ON TRUE.
            kind, on = "inner", None
        if kind != "left":
            return generate.lateral_function(node, left, on, cx)
    inner_scope = Scope([], outer=Scope(left.columns, lateral=True))
    inside = replace(cx.inside(inner_scope), draws=False)
    made = (
        query(node.this.this, inside)
        if isinstance(node.this, exp.Subquery)
        else _table_of(node.this, inside)
    )
    with cx.about(node):
        correlation.check(made)
    if kind == "left" and generate.may_make_none(made) and not cx.source.has_condition(node):
        what = "LEFT JOIN LATERAL of generated rows without ON: Spark leaves out rows there that LEFT keeps"
        raise cx.error("SS5007", what, node, "say ON TRUE, or CROSS JOIN LATERAL")
    right = named(made, node, ())
    condition, unknown = (None, False) if on is None else _on(on, left, right, kind, cx)
    if unknown:
        raise Misused("a plan has no word for NOT IN (query) in the ON of LATERAL", "SS5007")
    if kind == "inner" and condition is None:
        kind = "cross"
    return _made(left, right, kind, condition, _shown(left, right, kind), is_lateral=True)
