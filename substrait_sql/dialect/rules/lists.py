"""Lists, and functions over their elements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp
from sqlglot.errors import ParseError

from substrait_sql.dialect import operators, results
from substrait_sql.dialect.calls import is_empty_list
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.rules import (
    Result,
    again,
    is_null,
    literal_int,
    literal_text,
    mirrored,
    number,
    quoted,
    refused,
)
from substrait_sql.dialect.strings import text_of
from substrait_sql.dialect.template import GRAMMAR, Template
from substrait_sql.schema import naming
from substrait_sql.schema import types as ty
from substrait_sql.tree.data_types import with_times

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


def has_several(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has_all`` and ``array_has_any``; of no elements TRUE and FALSE, also in no list."""
    items, wanted = call.values
    every = line.name == "array_has_all"
    if is_empty_list(wanted):
        return exp.Boolean(this=every), ty.boolean()
    text = "size(array_except(:y, :x)) = 0" if every else "size(array_intersect(:x, :y)) > 0"
    yields = ty.boolean(nullable=mirrored(call))
    return Template(text, ["x", "y"]).build([items, wanted]), yields


def has(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has``: NULL for a list or an element that is; elements that are NULL equal nothing."""
    items, wanted = call.values
    inside = ty.children(call.types[0])
    yields = ty.boolean(nullable=mirrored(call))
    if is_null(wanted):
        return operators.cast(exp.Null(), exp.Var(this="BOOLEAN")), yields
    found = operators.call("array_contains", items, wanted)
    if inside and not ty.nullable(inside[0]):
        return found, yields
    known = [
        operators.is_null(again(v), negated=True)
        for v, t in zip((items, wanted), call.types, strict=True)
        if t is None or ty.nullable(t)
    ]
    either = operators.call("coalesce", found, exp.Boolean(this=False))
    if not known:
        return either, yields
    return exp.Case(ifs=[exp.If(this=operators.fold(exp.And, known), true=either)]), yields


def element(call: Call, line: Line) -> Result:
    """DataFusion's ``array_element``: from 1 or, negative, from the end; at 0 and beyond the ends it is NULL."""
    items, place = call.values
    known = literal_int(place)
    if known == 0:
        place = operators.cast(exp.Null(), exp.Var(this="INT"))
    elif known is not None and abs(known) < _INT:
        place = exp.Literal.number(known)
    else:
        if ty.kind(call.types[1]) not in ("i8", "i16", "i32"):
            place = exp.TryCast(this=place, to=exp.Var(this="INT"), safe=True)
        place = operators.call("nullif", place, exp.Literal.number(0))
    return operators.call("try_element_at", items, place), line.returns(call)


_INT = 2**31
# Where an element is in a list, counted from 1; 0 if it is not there. A NULL is found where the list has one.
_PLACE = "array_position(:list, :element)"
_PLACE_OF_NULL = "array_position(transform(:list, x -> x IS NULL), TRUE)"
_PLACE_OF_ANY = f"CASE WHEN :element IS NULL THEN {_PLACE_OF_NULL} ELSE {_PLACE} END"
_BEFORE = "slice(:list, 1, CAST({} AS INT) - 1)"
_BEHIND = "slice(:list, CAST({} AS INT) + 1, size(:list))"


def _in_list(call: Call, text: str) -> exp.Expression:
    """The template over list, element and what stands instead of it; {} is the place of the element."""
    maybe = call.types[1] is None or ty.nullable(call.types[1])
    place = _PLACE_OF_ANY if maybe else _PLACE
    if is_null(call.values[1]):
        place = _PLACE_OF_NULL
    return Template(text.replace("{}", place), ["list", "element", "new"]).build(call.values)


def position(call: Call, line: Line) -> Result:
    """DataFusion's ``array_position``: NULL where there is none."""
    return _in_list(call, "nullif({}, 0)"), ty.i64(nullable=True)


def replaced(call: Call, line: Line) -> Result:
    """DataFusion's ``array_replace``: the first one only."""
    parts = f"concat({_BEFORE}, array(:new), {_BEHIND})"
    return _in_list(call, f"CASE WHEN {{}} > 0 THEN {parts} ELSE :list END"), call.types[0]


def removed_null(call: Call, line: Line) -> Result:
    """``array_remove`` of older releases: the first one only, which may be NULL."""
    text = f"CASE WHEN {{}} > 0 THEN concat({_BEFORE}, {_BEHIND}) ELSE :list END"
    return _in_list(call, text), call.types[0]


def removed(call: Call, line: Line) -> Result:
    """DataFusion's ``array_remove``: the first one only; of NULL it makes NULL."""
    text = f"CASE WHEN {_PLACE} > 0 THEN concat({_BEFORE}, {_BEHIND}) ELSE :list END".replace(
        "{}", _PLACE
    )
    found = Template(text, ["list", "element"]).build(call.values)
    if call.types[1] is None or ty.nullable(call.types[1]):
        known = operators.is_null(again(call.values[1]), negated=True)
        found = exp.Case(ifs=[exp.If(this=known, true=found)])
    return found, call.types[0] and ty.with_nullability(call.types[0], mirrored(call))


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
    """DataFusion's ``array_remove_all``; of NULL it makes NULL, as Spark does."""
    return operators.call("array_remove", *call.values), call.types[0]


def slice_(call: Call, line: Line) -> Result:
    """DataFusion's ``array_slice``: from one place to another, both of them in it, where Spark takes a length.

    Negative places are counted from the end, and what is beyond the ends is cut off.
    """
    list_, *places = call.values
    first, last, step = (*map(literal_int, places), 1)[:3]
    if first is None or last is None or step != 1:
        raise refused(call, "places that are not literals, or steps other than 1")
    text = f"slice(:l, {_first(first)}, {_length(first or 1, last)})"
    return Template(text, ["l"]).build([list_]), call.types[0]


def _first(place: int) -> str:
    if place >= 0:
        return str(max(place, 1))
    return f"greatest(size(:l){_plus(place + 1)}, 1)"


def _length(first: int, last: int) -> str:
    if first > 0 and last >= 0:
        return str(max(last - first + 1, 0))
    if first > 0:
        return f"greatest(size(:l){_plus(last - first + 2)}, 0)"
    if last >= 0:
        return f"greatest({last + 1} - {_first(first)}, 0)"
    if last == -1 or last < first:
        return str(max(last - first + 1, 0))
    return f"greatest(least(size(:l){_plus(last + 1)}, {last - first + 1}), 0)"


def _plus(value: int) -> str:
    return f" {'-' if value < 0 else '+'} {abs(value)}" if value else ""


def resized(call: Call, line: Line, of: exp.Expression | None = None) -> Result:
    """DataFusion's ``array_resize``: cut, or filled with a value, NULL without one. of: another list."""
    list_, size, *fill = call.values
    length = literal_int(size)
    if length is None or length < 0:
        raise refused(call, "a size that is not a literal from 0 on")
    more = operators.call("array_repeat", *(fill or [exp.Null()]), number(length))
    filled = operators.call("concat", of or list_, more)
    return operators.call("slice", filled, number(1), number(length)), call.types[0]


def joined(call: Call, line: Line) -> Result:
    """DataFusion's ``array_to_string``; of numbers and days, whose text is the same everywhere.

    A NULL for what stands in the place of NULLs leaves them out, as if it was not said.
    """
    inside = ty.children(call.types[0])
    kind = ty.kind(inside[0]) if inside else None
    if kind not in ("string", "i8", "i16", "i32", "i64", "date"):
        raise refused(call, "the text of elements of that type is not the same everywhere")
    list_, *texts = call.values
    if kind != "string":
        list_ = operators.cast(list_, exp.Var(this="ARRAY<STRING>"))
    instead = texts[1] if len(texts) > 1 else None
    if instead is None or literal_text(instead) is not None:
        return operators.call("array_join", list_, *texts), ty.string(nullable=True)
    if is_null(instead):
        return operators.call("array_join", list_, texts[0]), ty.string(nullable=True)
    names = ["list", "separator", "instead"]
    return Template(_JOINED, names).build([list_, *texts]), ty.string(nullable=True)


_JOINED = (
    "CASE WHEN :instead IS NULL THEN array_join(:list, :separator) "
    "ELSE array_join(:list, :separator, :instead) END"
)


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
            x = Template("flatten(filter(:x, x -> x IS NOT NULL))", ["x"]).build([x])
    return operators.call("size", x), ty.i32(nullable=mirrored(call))


def map_from(call: Call, line: Line) -> Result:
    """A map from its keys and its values."""
    keys, values = (t.list.type if ty.kind(t) == "list" else None for t in call.types)
    made = operators.call("map_from_arrays", *call.values)
    if keys is None or values is None:
        return made, None
    return made, ty.map_(ty.with_nullability(keys, False), values, nullable=mirrored(call))


def item(call: Call, line: Line) -> Result:
    """``values[index]``: an array's from 0, a map's by its key; an error where there is none, or NULL for a map."""
    values, index = call.values
    return exp.Bracket(this=_held(values), expressions=[index]), results.part(call.types)


def field_of_each(call: Call, line: Line) -> Result:
    """``structs.field``: the field of each struct of an array."""
    values, field = call.values
    name = exp.to_identifier(text_of(field), quoted=True)
    return exp.Dot(this=_held(values), expression=name), None


def as_interval(call: Call, line: Line) -> Result:
    """A cast to the interval that the function is named after: ``interval_day_to_hour``."""
    (value,) = call.values
    units = line.name.replace("_", " ").upper().removeprefix("INTERVAL ")
    said = _in_units(value, units)
    return said or operators.cast(value, exp.Var(this=f"INTERVAL {units}")), None


# What the others say where one unit is all there is: INTERVAL '7 00:00:00' DAY TO SECOND is seven days.
_REST: Final = {("DAY", "DAY TO SECOND"): " 00:00:00", ("YEAR", "YEAR TO MONTH"): "-0"}


def _in_units(value: exp.Expression, units: str) -> exp.Expression | None:
    """The literal of an interval in those units; None for what is no literal, or has no such form."""
    if not isinstance(value, exp.Interval):
        return None
    said = value.args["unit"].name
    if said == units:
        return value
    rest = _REST.get((units, said))
    text = literal_text(value.this) or ""
    if rest is None or not text.endswith(rest):
        return None
    return exp.Interval(this=quoted(text.removesuffix(rest)), unit=exp.Var(this=units))


def as_type(call: Call, line: Line) -> Result:
    """A cast to a type by its text: ``as_type(x, 'STRUCT<a: INT>')``."""
    value, kind = call.values[0], _type_of(call)
    if type(value) is exp.Cast and _differs_in_names(call):
        value = value.this
    return operators.cast(value, kind), _with_names_of(kind, call)


def _with_names_of(kind: exp.Expression, call: Call) -> Any:
    """The type of the result, whose structs have the names of the text; None where that is not known."""
    names = [each.name for each in kind.find_all(exp.ColumnDef, bfs=False)]
    wanted = call.output_type
    if wanted is None or not ty.holds(wanted, "struct") or len(names) != ty.inner_names(wanted):
        return None
    return naming.named(wanted, names)


def try_as_type(call: Call, line: Line) -> Result:
    """TRY_CAST to a type by its text, where a plan's own cast does not say how: ``try_as_type(ts, 'BIGINT')``."""
    return exp.TryCast(this=call.values[0], to=_type_of(call)), None


def _type_of(call: Call) -> Any:
    text = text_of(call.values[1]) or ""
    if _INTERVAL.fullmatch(text):
        return exp.Var(this=text)
    try:
        kind = with_times(exp.DataType.build(text, dialect=GRAMMAR))
    except ParseError as error:
        raise refused(call, "a text that is no type") from error
    if kind.sql(GRAMMAR).split() != text.split():
        # The parser leaves out what it does not know.
        raise refused(call, "a type in other than Spark's own spelling")
    for each in list(kind.find_all(exp.Identifier)):
        each.replace(identifier(each.name))
    return kind


_UNIT = "(?:YEAR|MONTH|DAY|HOUR|MINUTE|SECOND)"
_INTERVAL = re.compile(f"INTERVAL {_UNIT}(?: TO {_UNIT})?")


def _differs_in_names(call: Call) -> bool:
    """Whether a type only has other names of fields: then a cast to the one need not go through the other."""
    given, wanted = call.types[0], call.output_type
    units = ("interval_day", "interval_year")
    return (
        ty.holds(wanted, "struct")
        and not any(ty.holds(wanted, each) for each in units)
        and ty.same(naming.bare(given), naming.bare(wanted))
    )


def _held(node: exp.Expression) -> exp.Expression:
    """The node as what an element or a field is taken of."""
    plain = (exp.Column, exp.Anonymous, exp.Bracket, exp.Dot, exp.Paren, exp.Identifier)
    return node if isinstance(node, plain) else exp.Paren(this=node)
