"""Rows that make no difference to what is above them.

A row is *unseen* if every set of columns has a NULL in it. A measure that passes over NULLs sees no row whose argument
is NULL; a condition that compares keeps no row with a NULL in what it compares. So an outer join below may be an inner
one, and a group of all rows need not be there if there are no rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.unnest.key_types import plain_column
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lower.context import Context
    from substrait_sql.schema.functions import Functions

# The sets of columns of a relation; None where every row may matter.
Seen = tuple[frozenset[int], ...] | None


def by_measures(node: Any, cx: Context) -> Seen:
    """What an aggregation without keys sees of its input."""
    found = []
    for measure in node.measures:
        call = measure.measure
        arguments = [a.value for a in call.arguments if a.WhichOneof("arg_type") == "value"]
        name = cx.functions.get(call.function_reference, ROOT)
        if not cx.dialect.facts("aggregate", name).passes_over_nulls or len(arguments) != 1:
            return None
        ordinal = plain_column(arguments[0])
        if ordinal is None:
            return None
        found.append(frozenset({ordinal}))
    return tuple(found) or None


def may_be_left_out(node: Any, cx: Context, seen: Seen) -> bool:
    """Whether nobody sees the row that an aggregation without keys makes of no rows. seen: of its output."""
    if seen is None:
        return False
    names = [cx.functions.get(m.measure.function_reference, ROOT) for m in node.measures]
    known = [cx.dialect.facts("aggregate", name) for name in names]
    nulls = {i for i, facts in enumerate(known) if facts.over_nothing is None}
    return all(columns & nulls for columns in below_emit(node, seen) or ())


def below_emit(node: Any, seen: Seen) -> Seen:
    """The same columns, by their ordinals before the emit."""
    if seen is None or node.common.WhichOneof("emit_kind") != "emit":
        return seen
    mapping = node.common.emit.output_mapping
    return tuple(frozenset(mapping[i] for i in columns) for columns in seen)


def by_filter(node: Any, cx: Context, seen: Seen) -> Seen:
    """What a filter sees of its input. seen: what is seen of the filter, by the input's ordinals."""
    strict = _compared(node.condition, cx)
    if not strict:
        return seen
    return tuple(columns | strict for columns in seen) if seen is not None else (strict,)


def by_projection(node: Any, width: int, seen: Seen) -> Seen:
    """What a projection sees of its input, of so many columns. seen: by the ordinals before the emit."""
    if seen is None or any(map(has_window, node.expressions)):
        return None
    plain = {width + i: plain_column(each) for i, each in enumerate(node.expressions)}

    def below(columns: frozenset[int]) -> frozenset[int]:
        found = (plain.get(i, i) for i in columns)
        return frozenset(i for i in found if i is not None)

    return tuple(map(below, seen))


def of_side(seen: Seen, begin: int, end: int) -> Seen:
    """What is seen of one side of a join, whose columns are those from `begin` up to `end`."""
    if seen is None:
        return None
    return tuple(frozenset(i - begin for i in columns if begin <= i < end) for columns in seen)


def passes_over(seen: Seen, begin: int, end: int) -> bool:
    """Whether rows are unseen that are NULL in all the columns from `begin` up to `end`."""
    return seen is not None and all(any(begin <= i < end for i in columns) for columns in seen)


def _compared(condition: Any, cx: Context) -> frozenset[int]:
    """The columns in which a row that a condition keeps is never NULL."""
    found: set[int] = set()
    for each in conjuncts(condition, cx.functions):
        call = each.scalar_function
        if each.WhichOneof("rex_type") != "scalar_function":
            continue
        name = cx.functions.get(call.function_reference, ROOT)
        if cx.dialect.facts("scalar", name).not_true_of_null:
            columns = (plain_column(a.value) for a in call.arguments)
            found.update(c for c in columns if c is not None)
    return frozenset(found)


def conjuncts(condition: Any, functions: Functions) -> list[Any]:
    """The parts of a condition that must all be true."""
    if condition.WhichOneof("rex_type") == "scalar_function":
        call = condition.scalar_function
        if functions.get(call.function_reference, ROOT).standard == "and":
            return [c for a in call.arguments for c in conjuncts(a.value, functions)]
    return [condition]


def has_window(message: Any) -> bool:
    """Whether an expression calls a window function."""
    return any_message(message, lambda m: m.DESCRIPTOR.name == "WindowFunction")


def any_message(message: Any, wanted: Callable[[Any], bool]) -> bool:
    """Whether a message or one inside it is wanted; relations and types are not looked into."""
    return any(map(wanted, within(message, closed=("Rel", "Literal", "Type"))))
