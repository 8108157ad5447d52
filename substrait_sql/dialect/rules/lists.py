"""Lists, and functions over their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import (
    Result,
    again,
    is_null,
    literal_int,
    literal_text,
    mirrored,
    refused,
)
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call


def match(call: Call, line: Line) -> Result:
    """``exists`` and ``forall``; no predicate at all is NULL, which Spark takes for none."""
    items, predicate = call.values
    yields = ty.boolean(nullable=True)
    if is_null(predicate):
        return operators.cast(predicate, exp.Var(this="BOOLEAN")), yields
    return line.plain([items, predicate]), yields


def index(call: Call, line: Line) -> Result:
    """``index_in``: from 0, and NULL for what is not there, where Spark counts from 1 and says 0.

    With NAN_IS_NOT_NAN there is nothing to be found by a NaN, as by NULL.
    """
    needle, haystack = call.values
    apart = call.chosen.get("NAN_EQUALITY") == "NAN_IS_NOT_NAN"
    if apart and ty.kind(call.types[0]) in ("fp32", "fp64", None):
        nan = operators.cast(exp.Literal.string("NaN"), exp.Var(this="DOUBLE"))
        needle = operators.call("nullif", needle, nan)
    place = operators.call("array_position", haystack, needle)
    known = operators.call("nullif", place, exp.Literal.number(0))
    return operators.infix(exp.Sub, known, exp.Literal.number(1)), ty.i64(nullable=True)


def has(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has``: never NULL but for a list that is; elements that are NULL equal nothing."""
    items, wanted = call.values
    list_, element = call.types
    found = operators.call("array_contains", items, wanted)
    inside = ty.children(list_)
    yields = ty.boolean(nullable=mirrored(call))
    if inside and not ty.nullable(inside[0]) and element is not None and not ty.nullable(element):
        return found, yields
    known = operators.is_null(again(items), negated=True)
    either = operators.call("coalesce", found, exp.Boolean(this=False))
    return exp.Case(ifs=[exp.If(this=known, true=either)]), yields


def transformed(call: Call, line: Line) -> Result:
    """``transform``: a list of what the lambda makes."""
    inside = ty.children(call.types[1])
    made = ty.list_(inside[-1], nullable=mirrored(call)) if inside else None
    return operators.call("transform", *call.values), made


def concat(call: Call, line: Line) -> Result:
    """DataFusion's ``array_concat``: a list that is NULL adds nothing, and nothing but those is NULL."""
    doubtful = [t is None or ty.nullable(t) for t in call.types]
    lists = [
        operators.call("coalesce", v, operators.call("array")) if maybe else v
        for v, maybe in zip(call.values, doubtful, strict=True)
    ]
    joined = operators.call("concat", *lists)
    yields = call.types[0]
    if not all(doubtful):
        return joined, yields if yields is None else ty.with_nullability(yields, False)
    any_ = operators.call("coalesce", *map(again, call.values))
    known = operators.is_null(any_, negated=True)
    return exp.Case(ifs=[exp.If(this=known, true=joined)]), yields


def without(call: Call, line: Line) -> Result:
    """DataFusion's ``array_remove_all``; of NULL Spark makes NULL."""
    if call.types[1] is None or ty.nullable(call.types[1]):
        raise refused(call, "an element that may be NULL")
    return operators.call("array_remove", *call.values), call.types[0]


def slice_(call: Call, line: Line) -> Result:
    """DataFusion's ``array_slice``: from one place to another, both of them in it, where Spark takes a length."""
    list_, *ends = call.values
    first, last = map(literal_int, ends)
    if first is None or last is None or first < 1 or last < 0:
        raise refused(call, "places that are not literals counted from the front")
    length = exp.Literal.number(max(last - first + 1, 0))
    return operators.call("slice", list_, exp.Literal.number(first), length), call.types[0]


def joined(call: Call, line: Line) -> Result:
    """DataFusion's ``array_to_string``; of numbers and days, whose text is the same everywhere."""
    inside = ty.children(call.types[0])
    kind = ty.kind(inside[0]) if inside else None
    if kind not in ("string", "i8", "i16", "i32", "i64", "date"):
        raise refused(call, "the text of elements of that type is not the same everywhere")
    list_, *texts = call.values
    if kind != "string":
        list_ = operators.cast(list_, exp.Var(this="ARRAY<STRING>"))
    return operators.call("array_join", list_, *texts), ty.string(nullable=True)


_SORTED = {
    ("ASC", "NULLS FIRST"): "sort_array(:x)",
    ("ASC", "NULLS LAST"): "array_sort(:x)",
    ("DESC", "NULLS FIRST"): "reverse(array_sort(:x))",
    ("DESC", "NULLS LAST"): "sort_array(:x, FALSE)",
}


def sort(call: Call, line: Line) -> Result:
    """DataFusion's ``array_sort``, which is told the direction and where NULLs are; first if it is not."""
    list_, *words = call.values
    given = tuple((literal_text(w) or "").upper() for w in words)
    way = given + ("ASC", "NULLS FIRST")[len(given) :]
    if way not in _SORTED:
        raise refused(call, "a direction that is not a literal")
    return Template(_SORTED[way], ["x"]).build([list_]), call.types[0]


def cardinality(call: Call, line: Line) -> Result:
    """DataFusion's: how many elements there are in all the lists in a list."""
    (x,) = call.values
    inside = call.types[0]
    while ty.kind(inside) == "list":
        inside = inside.list.type
        if ty.kind(inside) == "list":
            x = Template("flatten(filter(:x, e -> e IS NOT NULL))", ["x"]).build([x])
    return operators.call("size", x), ty.i32(nullable=mirrored(call))


def map_from(call: Call, line: Line) -> Result:
    """A map from its keys and its values."""
    keys, values = (t.list.type if ty.kind(t) == "list" else None for t in call.types)
    made = operators.call("map_from_arrays", *call.values)
    if keys is None or values is None:
        return made, None
    return made, ty.map_(ty.with_nullability(keys, False), values, nullable=mirrored(call))
