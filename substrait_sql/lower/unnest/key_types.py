"""The declared type of a column, found where the plan says it, and which types are equal as they are grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.plan.join_types import JOINS, join_type
from substrait_sql.plan.scopes import node_of
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.plan.widths import Widths

_INTEGERS = {"i8": 3, "i16": 5, "i32": 10, "i64": 19}
_TEXT = ("string", "varchar")
# Two values of these are equal if and only if they are in one group. Not so of floating point numbers beside others.
_SIMPLE = (
    "bool",
    "date",
    "binary",
    "fixed_binary",
    "fixed_char",
    "uuid",
    "precision_timestamp",
    "precision_timestamp_tz",
)
_INPUT_COLUMNS = ("filter", "sort", "fetch", "top_n", "exchange")
_MOST_DIGITS = 38


def column_type(rel: Any, ordinal: int, widths: Widths) -> Any:
    """The type of a relation's column, None where the plan does not say it in so many words."""
    kind, node = rel.WhichOneof("rel_type"), node_of(rel)
    if node is None or kind == "reference":
        return None
    if node.common.WhichOneof("emit_kind") == "emit":
        mapping = node.common.emit.output_mapping
        if ordinal >= len(mapping):
            return None
        ordinal = mapping[ordinal]
    if not 0 <= ordinal < widths.direct(rel):
        return None
    if kind in _INPUT_COLUMNS:
        return column_type(node.input, ordinal, widths)
    if kind == "read":
        return _read_type(node, ordinal)
    if kind == "set":
        return column_type(node.inputs[0], ordinal, widths)
    if kind in ("project", "window"):
        width = widths.direct(rel) - _added(kind, node)
        if ordinal < width:
            return column_type(node.input, ordinal, widths)
        if kind == "window":
            return node.window_functions[ordinal - width].output_type
        return expression_type(node.expressions[ordinal - width], node.input, widths)
    if kind == "aggregate":
        keys = len(node.grouping_expressions)
        if ordinal < keys:
            return expression_type(node.grouping_expressions[ordinal], node.input, widths)
        measures = node.measures[ordinal - keys : ordinal - keys + 1]
        return measures[0].measure.output_type if measures else None
    return _join_type(rel, kind, node, ordinal, widths) if kind in JOINS else None


def expression_type(expression: Any, record: Any, widths: Widths) -> Any:
    """The type of an expression over the rows of a relation, None where it is not plain."""
    kind = expression.WhichOneof("rex_type")
    if kind == "selection":
        ordinal = plain_column(expression)
        return None if ordinal is None else column_type(record, ordinal, widths)
    if kind == "cast":
        return expression.cast.type
    if kind == "scalar_function":
        return expression.scalar_function.output_type
    return None


def plain_column(expression: Any) -> int | None:
    """The ordinal, where an expression is a column of the record and nothing else."""
    if expression.WhichOneof("rex_type") != "selection":
        return None
    reference = expression.selection
    if reference.WhichOneof("root_type") not in (None, "root_reference"):
        return None
    return field_of(reference)


def field_of(reference: Any) -> int | None:
    """The one field of a record that a reference means, None where it means a part of one, or several."""
    if reference.WhichOneof("reference_type") != "direct_reference":
        return None
    direct = reference.direct_reference
    if direct.WhichOneof("reference_type") not in (None, "struct_field"):
        return None
    return None if direct.struct_field.HasField("child") else int(direct.struct_field.field)


def grouped_as_equal(a: Any, b: Any) -> bool:
    """Whether values of the one type that equal a value of the other are always in one group.

    Not so where the comparison is made in a type that holds fewer values: many integers are equal to one double.
    """
    first, second = types.kind(a), types.kind(b)
    if first in _TEXT and second in _TEXT:
        return True
    if first in _SIMPLE:
        return types.same(a, b)
    digits = [_digits(t) for t in (a, b)]
    if None in digits:
        return False
    (whole, places), (more, rest) = digits  # type: ignore[misc]
    return bool(max(whole, more) + max(places, rest) <= _MOST_DIGITS)


def _digits(t: Any) -> tuple[int, int] | None:
    """How many digits an exact number has before the point and behind it."""
    kind = types.kind(t)
    if kind in _INTEGERS:
        return _INTEGERS[kind], 0
    if kind == "decimal":
        precision, scale = types.parameters(t)
        return precision - scale, scale
    return None


def _added(kind: str, node: Any) -> int:
    return len(node.expressions if kind == "project" else node.window_functions)


def _read_type(node: Any, ordinal: int) -> Any:
    if node.HasField("projection"):
        item = node.projection.select.struct_items[ordinal]
        if item.HasField("child"):
            return None
        ordinal = item.field
    declared = node.base_schema.struct.types
    return declared[ordinal] if ordinal < len(declared) else None


def _join_type(rel: Any, kind: str, node: Any, ordinal: int, widths: Widths) -> Any:
    type = join_type(node, kind)
    first = node.left if type.returned.left else node.right
    width = widths.of(first)
    if ordinal < width:
        return column_type(first, ordinal, widths)
    if type.mark:
        return types.boolean(nullable=True)
    return column_type(node.right, ordinal - width, widths)
