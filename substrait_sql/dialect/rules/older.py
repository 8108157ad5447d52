"""What functions meant to older releases of a producer, where a template cannot say it: see `plan.deviations`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import (
    Result,
    aggregates,
    datetime,
    engines,
    formats,
    is_null,
    lists,
    literal_int,
    literal_text,
    mirrored,
    number,
    numbers,
    refused,
    rounding,
    strings,
)
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node


def _around(template: str, made: Node, /, **arguments: Node) -> Node:
    """A template about SQL that the arguments are part of."""
    return Template(template, list(arguments)).around(made, list(arguments.values()))


# --- lists ----------------------------------------------------------------------------------------


def has_or_not(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has`` before 42: never NULL but for a list that is; a NULL is found where there is one."""
    items, wanted = call.values
    if is_null(wanted) or call.types[1] is None or ty.nullable(call.types[1]):
        made = Template("exists(:items, x -> x <=> :wanted)", ["items", "wanted"]).build(
            call.values
        )
        return made, ty.boolean(nullable=mirrored(call))
    found = operators.call("array_contains", items, wanted)
    made = _around(
        "CASE WHEN :items IS NOT NULL THEN coalesce(:result, FALSE) END", found, items=items
    )
    return made, ty.boolean(nullable=mirrored(call))


def has_in_some(call: Call, line: Line) -> Result:
    """DataFusion's ``array_has`` from 42 to 48: NULL for a list without elements, if a constant is looked for."""
    items, wanted = call.values
    found, yields = lists.has(call, line)
    while isinstance(wanted, (exp.Cast, exp.Neg)):
        wanted = wanted.this
    if not isinstance(wanted, (exp.Literal, exp.Boolean, exp.Var)):
        return found, yields
    made = _around("CASE WHEN size(:items) > 0 THEN :result END", found, items=items)
    return made, ty.with_nullability(yields, True)


def slice_(call: Call, line: Line) -> Result:
    """DataFusion's ``array_slice`` before 46: NULL is a list without elements."""
    return _never_null(*lists.slice_(call, line))


def resized(call: Call, line: Line) -> Result:
    """DataFusion's ``array_resize`` before 43: NULL is a list without elements."""
    return lists.resized(
        call, line, operators.call("coalesce", call.values[0], operators.call("array"))
    )


def _never_null(made: Node, yields: Any) -> Result:
    return _around("coalesce(:result, array())", made), yields


def cardinality(call: Call, line: Line) -> Result:
    """DataFusion's ``cardinality`` before 53: NULL for a list without elements."""
    if ty.kind(call.types[0]) == "list" and ty.kind(call.types[0].list.type) == "list":
        raise refused(call, "older releases multiply the lengths of the first lists")
    made, yields = lists.cardinality(call, line)
    if ty.kind(call.types[0]) == "map":
        return made, yields
    return _around("nullif(:result, 0)", made), ty.with_nullability(yields, True)


# --- texts ----------------------------------------------------------------------------------------


def split_up(call: Call, line: Line) -> Result:
    """DataFusion's ``string_to_array`` before 54: a text without a character is a list of it."""
    made, yields = strings.split_up(call, line)
    text, separator = call.values
    if is_null(separator):
        return made, yields
    return _around("CASE WHEN :text = '' THEN array('') ELSE :result END", made, text=text), yields


def split_part(call: Call, line: Line) -> Result:
    """DataFusion's ``split_part`` before 53, which splits at every place of an empty text."""
    if literal_text(call.values[1]) == "":
        raise refused(call, "an empty separator")
    return operators.call("split_part", *call.values), ty.string(nullable=mirrored(call))


def overlay(call: Call, line: Line) -> Result:
    """DataFusion's ``overlay`` before 54: from a place behind the text, the replacement alone."""
    made, yields = strings.overlay(call, line)
    text, by, first, *_ = call.values
    if literal_int(first) == 1:
        return made, yields
    within = "CASE WHEN char_length(:text) < :first THEN :by ELSE :result END"
    return _around(within, made, text=text, first=first, by=by), yields


def replaced(call: Call, line: Line) -> Result:
    """DataFusion's ``replace`` before 55: what replaces an empty text stands around each character."""
    if literal_text(call.values[1]) == "":
        raise refused(call, "an empty text to replace")
    return operators.call("replace", *call.values), ty.string(nullable=mirrored(call))


def counted(call: Call, line: Line) -> Result:
    """DataFusion's ``regexp_count`` before 55: 0 where a text is NULL."""
    made, yields = engines.count(call, line)
    return _around("coalesce(:result, 0)", made), ty.with_nullability(yields, False)


def place(call: Call, line: Line) -> Result:
    """DataFusion's ``regexp_instr`` before 55: nothing is found in an empty text, nor by an empty pattern."""
    made, yields = engines.place(call, line)
    if is_null(call.values[1]):
        return made, yields
    if literal_text(call.values[1]) == "":
        return number(0), ty.with_nullability(yields, False)
    if not engines.may_match_nothing(call, line):
        return made, yields
    return _around(
        "CASE WHEN :text = '' THEN 0 ELSE :result END", made, text=call.values[0]
    ), yields


def to_char(call: Call, line: Line) -> Result:
    """DataFusion's ``to_char`` before 47: an empty text for what is NULL, unless the format is."""
    made, yields = formats.to_char(call, line)
    if is_null(call.values[1]):
        return made, yields
    return _around("coalesce(:result, '')", made), ty.with_nullability(yields, False)


# --- numbers and times ----------------------------------------------------------------------------


def nanvl(call: Call, line: Line) -> Result:
    """DataFusion's ``nanvl`` before 53: NULL where what stands for NaN is."""
    instead = ":x = CAST('NaN' AS DOUBLE)"
    if call.types[1] is None or ty.nullable(call.types[1]):
        instead += " OR :y IS NULL"
    made = Template(f"CASE WHEN {instead} THEN :y ELSE :x END", ["x", "y"]).build(call.values)
    return made, ty.fp64(nullable=mirrored(call))


def truncated(call: Call, line: Line) -> Result:
    """DataFusion's ``trunc`` before 53: to a number of places it rounds."""
    if len(call.values) == 1:
        return numbers.truncate(call, line)
    return rounding.rounded(call, line)


def date_part(call: Call, line: Line) -> Result:
    """DataFusion's ``date_part`` from 44 to 53: the days of a week from Monday as 0."""
    made, yields = datetime.date_part_whole(call, line)
    if (literal_text(call.values[0]) or "").upper() != "ISODOW":
        return made, yields
    return operators.infix(exp.Sub, made, number(1)), yields


# --- aggregates -----------------------------------------------------------------------------------

_WHOLE = {"i8": "TINYINT", "i16": "SMALLINT", "i32": "INT"}
# The sum of two BIGINTs may be none.
_MIDDLE = (
    "get(transform(array(array_sort(collect_list(:x))), x -> (CAST(get(x, CAST((size(x) - 1) div 2 AS INT)) "
    "AS DECIMAL(20, 0)) + get(x, CAST(size(x) div 2 AS INT))) div 2), 0)"
)


def median(call: Call, line: Line) -> Result:
    """DataFusion's ``median`` before 54: of whole numbers one, cut off towards zero."""
    (x,), (type_,) = call.values, call.types
    match ty.kind(type_):
        case "i64":
            # A double does not hold each BIGINT.
            return Template(_MIDDLE, ["x"]).build([x]), ty.i64(nullable=True)
        case "i8" | "i16" | "i32":
            whole = operators.cast(
                operators.call("median", x), exp.Var(this=_WHOLE[str(ty.kind(type_))])
            )
            return whole, ty.with_nullability(type_, True)
    return aggregates.median_as_given(call, line)
