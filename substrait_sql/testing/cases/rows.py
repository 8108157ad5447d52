"""The relations that plans of cases are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import substrait.proto as pb

from substrait_sql.testing.cases.types import USER_DEFINED, is_nullable, nullable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.testing.cases.read import Case

_PREFIX = "extension:io.substrait:"
_URN_OF_TYPES = {"geometry": f"{_PREFIX}functions_geometry"}
_UNSIGNED = f"{_PREFIX}unsigned_integers"


@dataclass(frozen=True)
class Expr:
    """An expression and its type."""

    message: pb.Expression
    type: pb.Type


@dataclass
class Anchors:
    """The functions that a plan calls, by extension and compound name."""

    found: dict[tuple[str, str], int] = field(default_factory=dict)

    def of(self, urn: str, name: str) -> int:
        """The anchor of a function, which the plan will declare."""
        return self.found.setdefault((urn, name), len(self.found) + 1)


@dataclass(frozen=True)
class Rows:
    """A relation and the types of its columns."""

    message: pb.Rel
    types: list[pb.Type]

    def project(self, made: Sequence[Expr], emit: Iterable[int] | None = None) -> Rows:
        """More columns. emit: those to keep."""
        out = pb.Rel()
        out.project.input.CopyFrom(self.message)
        types = [*self.types, *(e.type for e in made)]
        out.project.expressions.extend(e.message for e in made)
        if emit is not None:
            kept = list(emit)
            out.project.common.emit.output_mapping.extend(kept)
            types = [types[i] for i in kept]
        return Rows(out, types)

    def aggregate(self, function: pb.AggregateFunction, kind: pb.Type) -> Rows:
        """One measure of all rows."""
        out = pb.Rel()
        out.aggregate.input.CopyFrom(self.message)
        out.aggregate.measures.append(pb.AggregateRel.Measure(measure=function))
        return Rows(out, [kind])


def union(parts: Sequence[Rows]) -> Rows:
    """All rows of relations with columns of the same types."""
    out = pb.Rel()
    out.set.op = pb.SetRel.SET_OP_UNION_ALL
    out.set.inputs.extend(p.message for p in parts)
    columns = zip(*(p.types for p in parts), strict=True)
    return Rows(out, [nullable(c[0], any(map(is_nullable, c))) for c in columns])


def field_of(index: int, t: pb.Type) -> Expr:
    """A column."""
    out = pb.Expression()
    out.selection.direct_reference.struct_field.field = index
    out.selection.root_reference.SetInParent()
    return Expr(out, t)


def plan(rows: Rows, anchors: Anchors, cases: Sequence[Case]) -> pb.Plan:
    """The plan of the rows, with the declarations of what it calls and of the types that the cases name."""
    out = pb.Plan()
    out.version.minor_number = 106
    out.version.producer = "hand-written"
    made = out.relations.add().root
    made.input.CopyFrom(rows.message)
    made.names.extend(f"r{i}" for i in range(len(rows.types)))
    urns: dict[str, int] = {}
    for (urn, name), number in anchors.found.items():
        function = out.extensions.add().extension_function
        function.extension_urn_reference = urns.setdefault(urn, len(urns) + 1)
        function.function_anchor, function.name = number, name
    for name, number in USER_DEFINED.items():
        if any(f"u!{name}" in case.text for case in cases):
            urn = _URN_OF_TYPES.get(name, _UNSIGNED)
            declared = out.extensions.add().extension_type
            declared.extension_urn_reference = urns.setdefault(urn, len(urns) + 1)
            declared.type_anchor, declared.name = number, name
    for urn, number in urns.items():
        out.extension_urns.add(extension_urn_anchor=number, urn=urn)
    return out
