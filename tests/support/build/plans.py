"""Plans of relations: anchors and declarations; and the parameters of shared relations, which are only in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb
from google.protobuf import json_format

from tests.support.build.base import Expr, _anchors, lit
from tests.support.build.expressions import add, multiply, part, struct_of
from tests.support.build.relations import R
from tests.support.plan_types import (
    USER_DEFINED,
    split_names,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

_REFERENCES = (
    "function_reference",
    "custom_function_reference",
    "comparison_function_reference",
)
_USER_DEFINED = ("substrait.Type.UserDefined", "substrait.Expression.Literal.UserDefined")


def _messages(root: Message) -> Iterator[Any]:
    """Yield every message, in the order of the text; a stack, as plans may be deep."""
    stack = [root]
    while stack:
        message = stack.pop()
        yield message
        children: list[Message] = []
        for descriptor, value in message.ListFields():
            if descriptor.message_type is not None:
                children.extend([value] if hasattr(value, "ListFields") else value)
        stack.extend(reversed(children))


def _declare_types(out: pb.Plan, anchors: set[int], urns: dict[str, int]) -> None:
    """Declare the user-defined types that the plan uses."""
    for name, anchor in USER_DEFINED.items():
        if anchor in anchors:
            file = "functions_geometry" if name == "geometry" else "unsigned_integers"
            urn = "extension:io.substrait:" + file
            if urn not in urns:
                urns[urn] = len(urns) + 1
                out.extension_urns.add(extension_urn_anchor=urns[urn], urn=urn)
            declared = out.extensions.add().extension_type
            declared.extension_urn_reference = urns[urn]
            declared.type_anchor, declared.name = anchor, name


# The draft's fields, which the classes do not know: what stands for bindings until the JSON is written.
_BINDINGS = "(bindings)"


def bound_reference(
    ordinal: int, rel: R, *bindings: Expr, computed: tuple[int, int] | None = None
) -> R:
    """Read a shared relation that takes parameters. computed: (f, m) to bind ``f * parameter + m`` instead.

    The classes have no field for bindings: they stand in a projection's place until `declares` has the JSON.
    """
    holder = pb.Rel()
    holder.project.input.reference.subtree_ordinal = ordinal
    for each in bindings:
        if computed is not None:
            factor, more = (lit(n, "i64") for n in computed)
            value = struct_of(add(multiply(each, factor), more))
            holder.project.expressions.append(part(value, 0, out="i64").message)
        else:
            holder.project.expressions.append(each.message)
    holder.project.common.emit.SetInParent()
    holder.project.common.hint.alias = _BINDINGS
    return R(holder, rel.types)


def declares(
    declarations: dict[int, list[tuple[int, int, str]]],
) -> Callable[[dict[str, Any]], None]:
    """Write parameters into a plan's JSON. declarations: of each subtree its (field, steps out, type)."""

    def edit(tree: dict[str, Any]) -> None:
        for ordinal, taken in declarations.items():
            tree["relations"][ordinal]["outerReferenceDeclarations"] = [
                {
                    "outerReference": {
                        "directReference": {"structField": {"field": field} if field else {}},
                        "outerReference": {"stepsOut": steps},
                    },
                    "type": json_format.MessageToDict(type_of(kind)),
                }
                for field, steps, kind in taken
            ]
        _bind(tree)

    return edit


def _bind(node: Any) -> None:
    if isinstance(node, list):
        for each in node:
            _bind(each)
    if not isinstance(node, dict):
        return
    project = node.get("project", {})
    if project.get("common", {}).get("hint", {}).get("alias") == _BINDINGS:
        reference_ = project["input"]["reference"]
        reference_["outerReferenceBindings"] = [
            e["selection"] for e in project.get("expressions", [])
        ]
        del node["project"]
        node["reference"] = reference_
    for each in node.values():
        _bind(each)


def plan(*roots: tuple[R, str] | R) -> pb.Plan:
    """Make a plan of roots, each a relation with its column names in one string.

    A relation alone is no result, but one that others refer to.
    """
    out = pb.Plan()
    out.version.minor_number = 106
    out.version.producer = "hand-written"
    for root in roots:
        made = out.relations.add()
        if isinstance(root, R):
            made.rel.CopyFrom(root.message)
            continue
        relation, names = root
        made.root.input.CopyFrom(relation.message)
        made.root.names.extend(n for column in split_names(names) for n in column)
    known = {number: key for key, number in _anchors.items()}
    numbers: dict[int, int] = {}
    urns: dict[str, int] = {}
    types: set[int] = set()
    for user in _messages(out):
        if user.DESCRIPTOR.full_name in _USER_DEFINED:
            types.add(user.type_reference)
        field = next((f for f, _ in user.ListFields() if f.name in _REFERENCES), None)
        if field is None:
            continue
        old = getattr(user, field.name)
        if old not in numbers:
            numbers[old] = len(numbers) + 1
            urn, name = known[old]
            if urn not in urns:
                urns[urn] = len(urns) + 1
                out.extension_urns.add(extension_urn_anchor=urns[urn], urn=urn)
            out.extensions.add().extension_function.MergeFrom(
                pb.SimpleExtensionDeclaration.ExtensionFunction(
                    extension_urn_reference=urns[urn], function_anchor=numbers[old], name=name
                )
            )
        setattr(user, field.name, numbers[old])
    _declare_types(out, types, urns)
    return out
