"""The declared type of a column, found where the plan says it, and which types are equal as they are grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.plan.scopes import node_of
from substrait_sql.plan.shapes import MARK, Added, Generated, Made, Passed, input_of
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
    known = kind != "expand" and widths.known(rel)
    found = widths.place(rel, ordinal) if known else None
    if found is None:
        return None
    part, ordinal = found
    if isinstance(part, Passed):
        return column_type(input_of(rel, part.field), part.begin + ordinal, widths)
    if isinstance(part, (Added, Generated)):
        return types.boolean(nullable=True) if part is MARK else None
    return _made_type(node, part, ordinal, widths)


def _made_type(node: Any, part: Made, ordinal: int, widths: Widths) -> Any:
    """The type of a column that a relation makes, of a part of its output."""
    made = part.members[ordinal]
    match part.field:
        case "base_schema":
            return made if node.base_schema.struct.types else None
        case "projection":
            declared = node.base_schema.struct.types
            plain = not made.HasField("child") and made.field < len(declared)
            return declared[made.field] if plain else None
        case "measures":
            return made.measure.output_type
        case "window_functions":
            return made.output_type
    return expression_type(made, node.input, widths)


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
