"""Messages of the relations and expressions that a rewriting adds."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.plan.join_types import JoinType
    from substrait_sql.schema.functions import Functions

EQ, IS_NOT_DISTINCT_FROM, MIGHT_EQUAL = 1, 2, 3


@cache
def _class(name: str) -> Any:
    return message(name)


def rel() -> Any:
    """An empty relation."""
    return _class("Rel")()


def copied(original: Any) -> Any:
    """A copy that may be changed."""
    made = type(original)()
    made.CopyFrom(original)
    return made


def column(ordinal: int) -> Any:
    """A reference to a field of the record."""
    made = _class("Expression")()
    made.selection.direct_reference.struct_field.field = ordinal
    made.selection.root_reference.SetInParent()
    return made


def expression_of(reference: Any) -> Any:
    """A field reference as an expression."""
    made = _class("Expression")()
    made.selection.CopyFrom(reference)
    return made


def outer_column(ordinal: int, *, steps: int = 0, anchor: int = 0) -> Any:
    """A reference to a field of a record around."""
    made = _class("Expression")()
    made.selection.direct_reference.struct_field.field = ordinal
    aim(made.selection, steps=steps, anchor=anchor)
    return made


def aim(reference: Any, *, steps: int = 0, anchor: int = 0) -> None:
    """Roots a reference in a record around, in that of the record itself where neither is given."""
    if anchor:
        reference.outer_reference.rel_reference = anchor
    elif steps:
        reference.outer_reference.steps_out = steps
    else:
        reference.root_reference.SetInParent()


def call(functions: Functions, stem: str, name: str, *arguments: Any) -> Any:
    """A call of a boolean function of an official extension file."""
    made = _class("Expression")()
    made.scalar_function.function_reference = functions.declare(stem, name)
    made.scalar_function.output_type.CopyFrom(types.boolean(nullable=True))
    for each in arguments:
        made.scalar_function.arguments.add().value.CopyFrom(each)
    return made


def conjunction(functions: Functions, conditions: Sequence[Any]) -> Any:
    """All conditions together; there is at least one."""
    if len(conditions) == 1:
        return conditions[0]
    return call(functions, "functions_boolean", "and:bool", *conditions)


def same(functions: Functions, left: Any, right: Any) -> Any:
    """``left <=> right``."""
    return call(functions, "functions_comparison", "is_not_distinct_from:any_any", left, right)


def true() -> Any:
    """The literal TRUE."""
    made = _class("Expression")()
    made.literal.boolean = True
    return made


def false() -> Any:
    """The literal FALSE."""
    made = _class("Expression")()
    made.literal.boolean = False
    return made


def choice(condition: Any, value: Any, otherwise: Any) -> Any:
    """The one value where the condition is true, the other where it is false or NULL."""
    made = _class("Expression")()
    clause = made.if_then.ifs.add(then=value)
    getattr(clause, "if").CopyFrom(condition)
    getattr(made.if_then, "else").CopyFrom(otherwise)
    return made


def null(type: Any) -> Any:
    """A typed NULL."""
    made = _class("Expression")()
    made.literal.null.CopyFrom(types.with_nullability(type, True))
    made.literal.nullable = True
    return made


def emitted(made: Any, mapping: Iterable[int]) -> Any:
    """The relation with that emit."""
    node = getattr(made, made.WhichOneof("rel_type"))
    node.common.emit.ClearField("output_mapping")
    node.common.emit.output_mapping.extend(mapping)
    node.common.emit.SetInParent()
    return made


def project(source: Any, added: Iterable[Any], mapping: Iterable[int]) -> Any:
    """The source's columns, then the added ones; of these what the mapping says."""
    made = rel()
    made.project.input.CopyFrom(source)
    made.project.expressions.extend(added)
    return emitted(made, mapping)


def named(made: Any, ordinal: int, name: str) -> Any:
    """The relation with a hint for what to call a column."""
    node = getattr(made, made.WhichOneof("rel_type"))
    width = len(node.common.emit.output_mapping)
    node.common.hint.output_names.extend(name if i == ordinal else "" for i in range(width))
    return made


def filtered(source: Any, condition: Any) -> Any:
    """The rows for which the condition is true."""
    made = rel()
    made.filter.input.CopyFrom(source)
    made.filter.condition.CopyFrom(condition)
    return made


def cross(left: Any, right: Any) -> Any:
    """All pairs of rows."""
    made = rel()
    made.cross.left.CopyFrom(left)
    made.cross.right.CopyFrom(right)
    return made


def reference(ordinal: int) -> Any:
    """What stands under an ordinal."""
    made = rel()
    made.reference.subtree_ordinal = ordinal
    return made


def union_all(inputs: Iterable[Any]) -> Any:
    """The rows of all inputs."""
    made = rel()
    made.set.op = (
        type(made.set)
        .DESCRIPTOR.fields_by_name["op"]
        .enum_type.values_by_name["SET_OP_UNION_ALL"]
        .number
    )
    made.set.inputs.extend(inputs)
    return made


def hash_join(left: Any, right: Any, type: JoinType, pairs: Iterable[tuple[int, int]]) -> Any:
    """A join on pairs of columns that are not distinct."""
    made = rel()
    made.hash_join.left.CopyFrom(left)
    made.hash_join.right.CopyFrom(right)
    made.hash_join.type = type.physical
    add_keys(made.hash_join, pairs)
    return made


def add_keys(node: Any, pairs: Iterable[tuple[int, int]]) -> None:
    """More keys for a physical join: these columns are not distinct."""
    for left, right in pairs:
        key = node.keys.add()
        key.left.CopyFrom(column(left).selection)
        key.right.CopyFrom(column(right).selection)
        key.comparison.simple = IS_NOT_DISTINCT_FROM


def number(value: int, kind: str) -> Any:
    """An integer literal. kind: ``i32`` or ``i64``."""
    made = _class("Expression")()
    setattr(made.literal, kind, value)
    return made
