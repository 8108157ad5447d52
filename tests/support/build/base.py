"""What the builder is made of: expressions with their types, rows, anchors of functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.plan_types import (
    literal,
    nullable,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


URN = "extension:io.substrait:functions_"
# (urn, compound name) -> anchor, for this process; plan() numbers them anew from 1 in the order
# they occur.
_anchors: dict[tuple[str, str], int] = {}


def anchor(urn: str, name: str) -> int:
    """The anchor of the function ``name`` (a compound signature) of an extension."""
    return _anchors.setdefault((urn, name), len(_anchors) + 1)


@dataclass(frozen=True)
class Expr:
    """An expression and its type."""

    message: pb.Expression
    type: pb.Type


class Row:
    """What an expression sees: the columns of its relation's input."""

    def __init__(self, types: Sequence[pb.Type]) -> None:
        self.types = list(types)

    def __getitem__(self, index: int) -> Expr:
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.root_reference.SetInParent()
        return Expr(out, self.types[index])

    def outer(self, index: int, steps: int = 1) -> Expr:
        """Return this row's column as seen from a subquery ``steps`` boundaries further in."""
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.outer_reference.steps_out = steps
        return Expr(out, self.types[index])

    def by_anchor(self, index: int, anchor: int) -> Expr:
        """Return this row's column as seen from a subquery, by the anchor of the relation it is a row of."""
        out = pb.Expression()
        out.selection.direct_reference.struct_field.field = index
        out.selection.outer_reference.rel_reference = anchor
        return Expr(out, self.types[index])


def lit(value: Any, type_: str) -> Expr:
    t = type_of(type_)
    if value is None:
        t = nullable(t)
    return Expr(pb.Expression(literal=literal(value, t)), t)


def call(file: str, name: str, out: pb.Type | str, *args: Expr, **options: str) -> Expr:
    """Call the scalar function ``name`` (a compound signature) of the extension file
    ``functions_<file>``, or of the one with that URN."""
    t = type_of(out) if isinstance(out, str) else out
    function = pb.Expression.ScalarFunction(
        function_reference=anchor(file if ":" in file else URN + file, name),
        arguments=[pb.FunctionArgument(value=a.message) for a in args],
        options=[pb.FunctionOption(name=k, preference=[v]) for k, v in options.items()],
        output_type=t,
    )
    return Expr(pb.Expression(scalar_function=function), t)
