"""Today's plan is written in any encoding, or as a message of the installed bindings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from google.protobuf.unknown_fields import UnknownFieldSet
from substrait import extended_expression_pb2, plan_pb2

from substrait_sql.errors import UnsupportedError
from substrait_sql.wire.deep import in_big_stack, parse
from substrait_sql.wire.descriptors import Variant, message
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from google.protobuf.message import Message

_RELEASED = {
    "Plan": plan_pb2.Plan,
    "ExtendedExpression": extended_expression_pb2.ExtendedExpression,
}


def to_bytes(plan: Any) -> bytes:
    """Return the plan in binary form.

    The declarations of PR #977 are written under the number of the draft.
    """
    if not _has_declarations(plan):
        return bytes(plan.SerializeToString())
    old: Any = parse(message("Plan", Variant.HISTORY), plan.SerializeToString())
    for relation in old.relations:
        for declaration in relation.outer_reference_declarations:
            relation.raw_field_3.append(declaration.SerializeToString())
        relation.ClearField("outer_reference_declarations")
    return bytes(old.SerializeToString())


def to_json(plan: Any) -> str:
    """Return the plan as JSON, two spaces to a level; a very deep plan is written on one line."""
    try:
        return _json(plan, 2)
    except RecursionError:
        return in_big_stack(lambda: _json(plan, None))


def to_text(plan: Any) -> str:
    """Return the plan in text format; a very deep plan is written on one line."""
    try:
        return _text(plan)
    except RecursionError:
        return in_big_stack(lambda: _text(plan, one_line=True))


def to_message(plan: Any) -> Any:
    """Return the plan as a message of the installed ``substrait`` bindings.

    Raises UnsupportedError if it holds a field those bindings do not know.
    """
    released: type[Message] = _RELEASED[plan.DESCRIPTOR.name]
    made = parse(released, plan.SerializeToString())
    stack: list[tuple[Message, Path]] = [(made, Path())]
    while stack:
        node, path = stack.pop()
        unknown = UnknownFieldSet(node)
        if len(unknown):
            raise UnsupportedError.of(
                "SS1012",
                "the installed substrait bindings do not know "
                f"{_name(node, unknown[0].field_number)}",
                path,
                "install newer bindings, or write the plan with to_bytes",
            )
        for field, value in node.ListFields():
            if field.message_type is not None:
                step = path / field.name
                stack.extend(
                    [(v, step[i]) for i, v in enumerate(value)]
                    if is_repeated(field)
                    else [(value, step)]
                )
    return made


def _name(node: Message, number: int) -> str:
    name = node.DESCRIPTOR.full_name.removeprefix("substrait.")
    field = message(name).DESCRIPTOR.fields_by_number.get(number)
    return f"{name}.{field.name}" if field else f"field {number} of {name}"


def _has_declarations(plan: Any) -> bool:
    return plan.DESCRIPTOR.name == "Plan" and any(
        r.outer_reference_declarations for r in plan.relations
    )


def _json(plan: Any, indent: int | None) -> str:
    from google.protobuf import json_format

    cls = message(plan.DESCRIPTOR.name, Variant.JSON)
    # Extension values of types that nobody knows can only be written as the pair of fields they
    # are.
    try:
        tree = json_format.MessageToDict(plan)
    except (TypeError, json_format.Error):
        tree = json_format.MessageToDict(parse(cls, plan.SerializeToString()))
    if _STRUCT in plan.SerializeToString():
        tree = _in_one_order(tree)
    return json.dumps(tree, indent=indent)


# The type of extension values that hold a dictionary, whose keys protobuf writes in any order.
_STRUCT = b"google.protobuf.Struct"


def _in_one_order(tree: Any, extension: bool = False) -> Any:
    """The tree with the keys of extension values in alphabetical order. extension: whether it is in such a value."""
    if isinstance(tree, list):
        return [_in_one_order(each, extension) for each in tree]
    if not isinstance(tree, dict):
        return tree
    extension = extension or "@type" in tree
    items = sorted(tree.items()) if extension else tree.items()
    return {key: _in_one_order(value, extension) for key, value in items}


def _text(plan: Any, *, one_line: bool = False) -> str:
    from google.protobuf import text_format

    # As the pair of fields it is, so that the type's name comes back letter for letter.
    cls = message(plan.DESCRIPTOR.name, Variant.JSON)
    written = parse(cls, plan.SerializeToString())
    return str(text_format.MessageToString(written, as_one_line=one_line))
