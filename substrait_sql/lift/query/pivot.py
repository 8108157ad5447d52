"""PIVOT: columns made of values of a column. UNPIVOT: rows made of columns.

https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-pivot.html
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import literals, operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.folded import folded
from substrait_sql.lift.expressions.functions import aggregates_in
from substrait_sql.lift.functions import is_null, scalar
from substrait_sql.lift.naming import names as naming
from substrait_sql.lift.query.source import Source
from substrait_sql.lift.relations import Aggregate, Expand, Filter, Project
from substrait_sql.lift.scope import Scope, Visible, visible
from substrait_sql.lift.text.nodes import Pivoted, Unpivoted
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Call,
    Column,
    Expr,
    Literal,
    Relation,
    Subquery,
    WindowCall,
    column,
    holds,
    rewritten,
    walk,
)
from substrait_sql.lift.typing import casts, common
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

NODES = (Pivoted, Unpivoted)
_WHOLE = re.compile(r"\s*[+-]?\d+\s*\Z")

# What Spark pivots by grouping twice: what is not there is NULL. Of other types it is what the function makes of no
# rows.
_TWICE = (*t.NUMERIC, "boolean")
_ONE_OF = frozenset({"any_value", "first", "last", "first_value", "last_value"})
# They pass over rows whose arguments are NULL, as they do over those that a filter takes away.
_PASS_NULL = _ONE_OF | {
    "max", "min", "count", "count_if", "sum", "avg", "mean", "collect_list", "array_agg", "collect_set",
}  # fmt: skip


def pivot(node: Any, found: Source, cx: Context) -> Source:
    """The rows behind PIVOT or UNPIVOT, under an alias if there is one."""
    with cx.about(node):
        alias = node.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            raise cx.error("SS5001", "the alias of a pivot names no columns", node)
        made = (
            _pivoted(node, found, cx) if isinstance(node, Pivoted) else _unpivoted(node, found, cx)
        )
        if alias is None or not alias.name:
            return made
        made.relation.alias = alias.name
        return Source(made.relation, visible((v.attribute for v in made.columns), (alias.name,)))


# ------------------------------------------------------------------ PIVOT


def _pivoted(node: Any, found: Source, cx: Context) -> Source:
    inner = cx.inside(Scope(found.columns, outer=cx.scope.outer)).at("PIVOT")
    if not all(isinstance(n, exp.Column) and len(n.parts) == 1 for n in node.args["over"]):
        raise Misused("PIVOT is FOR columns by their own names")
    over = [lift(n, inner) for n in node.args["over"]]
    aggregates = [_aggregate(n, inner) for n in node.expressions]
    values = [_value(n, over, inner) for n in node.args["values"]]
    mentioned = {
        id(x.attribute)
        for each in (*over, *(a for a, _ in aggregates))
        for x in walk(each)
        if isinstance(x, Column)
    }
    keys = [v for v in found.columns if not v.hidden and id(v.attribute) not in mentioned]
    twice = all(a.type.kind in _TWICE for a, _ in aggregates)
    names: list[str] = []
    wanted: list[Expr] = []
    for condition, name in values:
        for aggregate, suffix in aggregates:
            names.append(name if len(aggregates) == 1 else f"{name}_{suffix}")
            wanted.append(_only(aggregate, condition, twice=twice))
    return _grouped(found.relation, keys, names, wanted)


def _aggregate(node: Any, cx: Context) -> tuple[Expr, str]:
    alias = node.alias if isinstance(node, exp.Alias) else ""
    if isinstance(node.args.get("alias"), exp.Literal):
        raise Misused("not Spark SQL: the names of UNPIVOT are no literals", "SS5001")
    body = node.this if isinstance(node, exp.Alias) else node
    with cx.about(node):
        value = lift(body, cx)
        if not aggregates_in(value):
            raise Misused("PIVOT wants aggregate functions")
        if holds(value, WindowCall, Subquery):
            raise Misused("PIVOT takes no window function and no query")
        return value, alias or naming.text(value)


def _value(node: Any, over: Sequence[Expr], cx: Context) -> tuple[Expr, str]:
    """The condition for one of the values, and its name."""
    alias = node.alias if isinstance(node, exp.Alias) else ""
    body = (node.this if isinstance(node, exp.Alias) else node).unnest()
    parts = body.expressions if isinstance(body, exp.Tuple) and len(over) > 1 else [body]
    if len(parts) != len(over):
        raise Misused(f"PIVOT is for {len(over)} columns and has a value of {len(parts)}")
    values = [_constant(p, cx) for p in parts]
    condition: Expr | None = None
    for column_, value in zip(over, values, strict=True):
        if len(over) > 1 and not column_.nullable and casts.may_make_null(value.type, column_.type):
            # Spark casts all of them as one struct.
            kinds = f"{str(value.type).upper()} in brackets for {str(column_.type).upper()}"
            raise Misused(f"PIVOT takes no {kinds} that is never NULL")
        equal = operators.binary(
            "<=>" if is_null(value) else "=", column_, _as(value, column_.type)
        )
        condition = equal if condition is None else operators.binary("and", condition, equal)
    assert condition is not None
    if alias:
        return condition, alias
    shown = [_shown(v) for v in values]
    return condition, shown[0] if len(over) == 1 else "{" + ", ".join(shown) + "}"


def _constant(node: Any, cx: Context) -> Expr:
    if isinstance(node, exp.Tuple):
        return scalar("struct", [_constant(e.unnest(), cx) for e in node.expressions])
    return lift(node, cx.inside(Scope([])))


def _as(value: Expr, wanted: t.SparkType) -> Expr:
    if operators.same(value.type, wanted):
        return value
    if not casts.can_cast(value.type, wanted):
        raise Misused(
            f"PIVOT does not compare {str(wanted).upper()} with {str(value.type).upper()}"
        )
    said = folded(value)
    text = said.value if said is not None and said.type == t.STRING else None
    # Spark computes the cast before there are rows.
    if text is not None and wanted.kind in t.INTEGRAL and not _WHOLE.match(text):
        raise Misused(f"{text!r} is no {str(wanted).upper()}")
    if text is not None and wanted == t.DATE:
        literals.day(text)
    return operators.cast(value, wanted)


def _shown(value: Expr) -> str:
    """The value as Spark casts it to text, for the name of its column."""
    value = folded(value) or value
    if isinstance(value, Literal):
        kind = value.type.kind
        if value.value is None:
            return "null"
        if kind == "date":
            return naming.text(value)[6:-1]
        if kind == "timestamp_ntz":
            return naming.text(value).partition("'")[2][:-1]
        if kind == "binary":
            return str(value.value.decode("utf-8", "replace"))
        if kind in (*t.NUMERIC, *t.INTERVALS, "string", "boolean"):
            return naming.text(value)
    if isinstance(value, Call) and value.name in ("array", "struct", "map", "named_struct"):
        parts = value.arguments[1::2] if value.name == "named_struct" else value.arguments
        shown = [_shown(v) for v in parts]
        if value.name == "array":
            return f"[{', '.join(shown)}]"
        if value.name == "map":
            pairs = zip(shown[::2], shown[1::2], strict=True)
            shown = [f"{k} -> {v}" for k, v in pairs]
        return f"{{{', '.join(shown)}}}"
    raise Misused("this value of PIVOT wants a name: AS")


def _only(aggregate: Expr, condition: Expr, *, twice: bool) -> Expr:
    """The aggregate over the rows for which the condition is true; NULL where there are none."""

    def change(found: Expr) -> Expr | None:
        if not isinstance(found, AggregateCall):
            return None
        if not twice and found.name not in _PASS_NULL:
            raise Misused(
                f"{found.name} in PIVOT is not known here beside aggregates that are no numbers"
            )
        both = condition
        if found.condition is not None:
            both = operators.binary("and", condition, found.condition)
        skips = found.ignore_nulls or (not twice and found.name in _ONE_OF)
        return replace(found, condition=both, ignore_nulls=skips)

    made = rewritten(aggregate, change)
    if not twice or (isinstance(made, AggregateCall) and made.nullable):
        return made
    count = AggregateCall(t.BIGINT, False, "count", (), condition=condition)
    if made == count:
        return scalar("nullif", [made, Literal(t.BIGINT, False, 0)])
    some = operators.binary(">", count, Literal(t.BIGINT, False, 0))
    return operators.case([(some, made)], None)


def _grouped(
    source: Relation, keys: Sequence[Visible], names: Sequence[str], wanted: Sequence[Expr]
) -> Source:
    measures: dict[AggregateCall, Attribute] = {}
    for each in wanted:
        for x in walk(each):
            if isinstance(x, AggregateCall) and x not in measures:
                measures[x] = Attribute("", x.type, x.nullable, True)
    grouping = tuple(v.column for v in keys)
    below = tuple(
        v.attribute
        if v.nullable == v.attribute.nullable
        else Attribute(v.attribute.name, v.attribute.type, v.nullable)
        for v in keys
    )
    made = Aggregate((*below, *measures.values()), source, grouping, tuple(measures))

    def change(found: Expr) -> Expr | None:
        if isinstance(found, AggregateCall):
            return column(measures[found])
        if isinstance(found, Column):
            raise Misused(f"{found.attribute.name} is not within an aggregate function of PIVOT")
        return None

    values = [rewritten(e, change) for e in wanted]
    outputs = [Attribute(n, v.type, True) for n, v in zip(names, values, strict=True)]
    columns = (*below, *outputs)
    project = Project(columns, made, (*(column(a) for a in below), *values))
    shown = [Visible(a, a.nullable, v.qualifier) for a, v in zip(below, keys, strict=True)]
    return Source(project, [*shown, *visible(outputs)])


# ------------------------------------------------------------------ UNPIVOT


def _unpivoted(node: Any, found: Source, cx: Context) -> Source:
    inner = cx.inside(Scope(found.columns, outer=None)).at("UNPIVOT")
    names = [n.name for n in node.args["names"]]
    rows = [_row(n, len(names), inner) for n in node.args["values"]]
    kinds = [_one_type([r[1][i].type for r in rows]) for i in range(len(names))]
    used = {id(x.attribute) for _, values in rows for x in values}
    kept = [v for v in found.columns if not v.hidden and id(v.attribute) not in used]
    head = Attribute(node.args["over"].name, t.STRING, False)
    cast = [
        [operators.cast(e, k) for e, k in zip(values, kinds, strict=True)] for _, values in rows
    ]
    new = [
        Attribute(n, k, any(r[i].nullable for r in cast))
        for i, (n, k) in enumerate(zip(names, kinds, strict=True))
    ]
    below = tuple(
        v.attribute
        if v.nullable == v.attribute.nullable
        else Attribute(v.attribute.name, v.attribute.type, v.nullable)
        for v in kept
    )
    columns = (*below, head, *new)
    copies = tuple(
        (*(v.column for v in kept), Literal(t.STRING, False, label), *values)
        for (label, _), values in zip(rows, cast, strict=True)
    )
    made: Relation = Expand(columns, found.relation, copies)
    every = [a.name.casefold() for a in columns]
    if not node.args.get("nulls") and any(every.count(a.name.casefold()) > 1 for a in new):
        raise Misused("UNPIVOT: a column of values has the name of another column")
    if not node.args.get("nulls") and all(a.nullable for a in new):
        made = Filter(columns, made, _any_given(new))
    shown = [Visible(a, a.nullable, v.qualifier) for a, v in zip(below, kept, strict=True)]
    return Source(made, [*shown, *visible((head, *new))])


def _any_given(new: Sequence[Attribute]) -> Expr:
    condition: Expr = operators.is_null(column(new[0]), negated=True)
    for each in new[1:]:
        condition = operators.binary("or", condition, operators.is_null(column(each), negated=True))
    return condition


def _row(node: Any, width: int, cx: Context) -> tuple[str, list[Column]]:
    """The columns that become one row, and what the row is called."""
    alias = node.alias if isinstance(node, exp.Alias) else ""
    body = (node.this if isinstance(node, exp.Alias) else node).unnest()
    parts = body.expressions if isinstance(body, exp.Tuple) else [body]
    if len(parts) != width:
        raise Misused(f"UNPIVOT makes {width} columns of values and is given {len(parts)}")
    values: list[Column] = []
    for part in parts:
        value = lift(part, cx)
        if not isinstance(value, Column):
            raise Misused("UNPIVOT is known of columns only here")
        values.append(value)
    return alias or "_".join(v.attribute.name for v in values), values


def _one_type(kinds: Sequence[t.SparkType]) -> t.SparkType:
    out = kinds[0]
    for each in kinds[1:]:
        both = out if operators.same(out, each) else common.in_rows(out, each)
        if both is None:
            raise Misused(
                f"UNPIVOT does not put together {str(out).upper()} and {str(each).upper()}"
            )
        out = both
    return out
