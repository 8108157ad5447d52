"""Expressions as messages."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial, singledispatchmethod
from typing import TYPE_CHECKING, Any

from substrait_sql.lift import operators
from substrait_sql.lift.encode import (
    bounds,
    casts,
    choices,
    composed,
    functions,
    literals,
    members,
    own,
    segments,
    shorter,
)
from substrait_sql.lift.encode.special import SPECIAL, is_empty
from substrait_sql.lift.encode.types import argument_type, column_type, encoded, type_of
from substrait_sql.lift.tree import (
    AggregateCall,
    Call,
    Case,
    Cast,
    Column,
    Expr,
    In,
    Lambda,
    Literal,
    Parameter,
    SortKey,
    StructField,
    Subquery,
    WindowCall,
)
from substrait_sql.lift.typing import struct_names
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.schema import types as ty
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lift.encode.composed import Composition
    from substrait_sql.lift.encode.declared import Declared
    from substrait_sql.lift.encode.frames import Frames
    from substrait_sql.lift.encode.marks import Given
    from substrait_sql.lift.tree import Relation

OWN = "extension:substrait_sql:spark"
_NULL, _THROW = 1, 2


@cache
def _class(name: str) -> Any:
    return message(name)


class Expressions:
    """Makes the messages of expressions. declared: the plan's functions. relation: makes those of subqueries."""

    def __init__(
        self,
        declared: Declared,
        relation: Callable[[Relation, Frames], Any],
        dialect: str,
        *,
        steps_out: bool,
        standard_only: bool,
        plain: bool = False,
    ) -> None:
        self.declared, self._relation, self._dialect = declared, relation, dialect
        self._steps_out, self._standard_only = steps_out, standard_only
        self._plain, self._anchors = plain, 0

    @singledispatchmethod
    def one(self, found: Expr, frames: Frames) -> Any:
        """The message of an expression, over these records."""
        raise Misused(f"a plan has no word for {type(found).__name__}")

    @one.register(Literal)
    def _(self, found: Literal, frames: Frames) -> Any:
        return literals.literal(found)

    @one.register(Column)
    def _(self, found: Column, frames: Frames) -> Any:
        made = _class("Expression")()
        self._select(made.selection, found, frames)
        return made

    def _select(self, out: Any, found: Column, frames: Frames) -> None:
        for depth, level in enumerate(reversed(frames.lambdas)):
            for place, parameter in enumerate(level):
                if parameter is found.attribute:
                    out.direct_reference.struct_field.field = place
                    out.lambda_parameter_reference.steps_out = depth
                    return
        steps = 0
        for distance, frame in enumerate(reversed(frames.records)):
            place_ = frame.places.get(id(found.attribute))
            if place_ is not None:
                out.direct_reference.struct_field.field = place_
                if distance == 0:
                    out.root_reference.SetInParent()
                elif (self._steps_out or not frame.anchored) and not frame.lateral:
                    out.outer_reference.steps_out = steps
                else:
                    if not frame.anchor:
                        self._anchors += 1
                        frame.anchor = self._anchors
                    out.outer_reference.rel_reference = frame.anchor
                return
            steps += not frame.lateral if distance else 1
        # One of a type that Substrait has not stands in no record.
        column_type(found.attribute)
        raise Misused(f"the column {found.attribute.name} is out of reach here")

    @one.register(StructField)
    def _(self, found: StructField, frames: Frames) -> Any:
        return self._part(found, frames)

    def _part(self, found: Expr, frames: Frames) -> Any:
        """A reference to a part of a value."""
        whole, way = segments.steps(found)
        made = _class("Expression")()
        selection = made.selection
        if isinstance(whole, Column):
            self._select(selection, whole, frames)
            segments.write(selection.direct_reference.struct_field.child, way)
        else:
            selection.expression.CopyFrom(self.one(whole, frames))
            segments.write(selection.direct_reference, way)
        return made

    @one.register(Call)
    def _(self, found: Call, frames: Frames) -> Any:
        self.declared.draw(found)
        if any(isinstance(a, Lambda) for a in found.arguments):
            named = struct_names.with_parameters(found, frames.named, self._dialect)
            frames = replace(frames, named=named)
        whole = self._composed(found, frames)
        if whole is not None:
            return whole
        if segments.steps(found)[1]:
            return self._part(found, frames)
        found = shorter.compared(found)
        special = SPECIAL.get(found.name)
        if special is not None:
            return special(self, found, frames)
        return self.call(found, frames)

    def _composed(self, found: Expr, frames: Frames) -> Any:
        """The call of the standard that the expression is as a whole; None where it is none."""
        whole = None if self._plain else composed.composition(found)
        if whole is None:
            return None
        made = _class("Expression")()
        self._fill(made.scalar_function, *whole, found.nullable, frames)
        return made

    def _fill(
        self, out: Any, each: Composition, values: Sequence[Expr], nullable: bool, frames: Frames
    ) -> None:
        """Fills the message of a call of the standard that Spark has several calls for."""
        out.function_reference = self.declared.function(each.urn, each.name)
        for option, value in each.options:
            out.options.add(name=option, preference=[value])
        for given in each.arguments:
            if isinstance(given, str):
                out.arguments.add().enum = given
            else:
                out.arguments.add().value.CopyFrom(self.one(values[given], frames))
        gives = each.returns([argument_type(v) for v in values])
        out.output_type.CopyFrom(ty.with_nullability(gives, nullable))

    def call(self, found: Call, frames: Frames) -> Any:
        """The call of a function."""
        made = _class("Expression")()
        function = made.scalar_function
        wanted = type_of(found)
        arguments = casts.named_arguments(found, frames.named, self._dialect, self.is_standard)
        gives = self._function(("scalar",), found.name, arguments, wanted, function, frames)
        if gives is None or ty.same(gives, wanted):
            function.output_type.CopyFrom(wanted)
            return made
        function.output_type.CopyFrom(ty.with_nullability(gives, found.nullable))
        return _cast(made, wanted)

    def is_standard(self, found: Call) -> bool:
        """Whether the standard has a word for a call of a scalar function."""
        wanted = type_of(found)
        given = found.arguments
        return functions.standard(self._dialect, "scalar", found.name, given, wanted) is not None

    def _function(
        self,
        kinds: Sequence[str],
        name: str,
        arguments: Sequence[Expr],
        wanted: Any,
        out: Any,
        frames: Frames,
    ) -> Any:
        """Fills in the function and its arguments; returns the type that the standard gives, None for one of our own.

        kinds: of functions, those that are rather meant first.
        """
        for kind in kinds:
            found = functions.standard(self._dialect, kind, name, arguments, wanted)
            if found is not None:
                out.function_reference = self.declared.function(found.urn, found.name)
                for option, value in found.options:
                    out.options.add(name=option, preference=[value])
                for each in found.arguments:
                    self._given(out.arguments.add(), each, arguments, frames)
                return found.type
        if self._standard_only:
            raise Misused(f"the standard has no function that is Spark's {name}", word=name)
        spelt = own.OPERATORS.get(name, name)
        signature = own.signature_of(name, [ty.short(argument_type(a)) for a in arguments])
        out.function_reference = self.declared.function(OWN, f"{spelt}:{signature}")
        for argument in arguments:
            out.arguments.add().value.CopyFrom(self.one(argument, frames))
        return None

    def _given(self, out: Any, each: Given, arguments: Sequence[Expr], frames: Frames) -> None:
        if each.enum:
            out.enum = each.enum
        else:
            value = arguments[each.place] if each.constant is None else each.constant
            out.value.CopyFrom(self.one(value, frames))

    @one.register(Cast)
    def _(self, found: Cast, frames: Frames) -> Any:
        whole = self._composed(found, frames)
        if whole is not None:
            return whole
        call = casts.call_for(found)
        if call is not None:
            return self.call(call, frames)
        if not found.attempt and struct_names.only_renames(found):
            return self.one(found.value, frames)
        if (
            isinstance(found.value, Column)
            and found.value.type == t.VOID
            and t.is_nested(found.type)
        ):
            # In a plan a column of NULLs alone is a text, of which there is no cast to an array.
            return self.one(Literal(found.type, True, None), frames)
        if is_empty(found.value) and found.value.type.kind == found.type.kind:
            return self.one(replace(found.value, type=found.type), frames)
        value = casts.with_units(found.value) if found.type.kind == "string" else found.value
        wanted = ty.with_nullability(type_of(found), found.nullable or found.attempt)
        made = _cast(self.one(value, frames), wanted)
        made.cast.failure_behavior = _NULL if found.attempt else _THROW
        return made

    @one.register(Case)
    def _(self, found: Case, frames: Frames) -> Any:
        return self._composed(found, frames) or choices.choice(found, self, frames)

    @one.register(In)
    def _(self, found: In, frames: Frames) -> Any:
        made = _class("Expression")()
        value, *options = shorter.narrow((found.value, *found.options))
        made.singular_or_list.value.CopyFrom(self.one(value, frames))
        for each in options:
            made.singular_or_list.options.add().CopyFrom(self.one(each, frames))
        return made

    @one.register(Lambda)
    def _(self, found: Lambda, frames: Frames) -> Any:
        made = _class("Expression")()
        out = getattr(made, "lambda")
        for each in found.parameters:
            out.parameters.types.add().CopyFrom(encoded(each.type, nullable=each.nullable))
        out.parameters.nullability = ty.REQUIRED
        inner = replace(frames, lambdas=[*frames.lambdas, list(found.parameters)])
        out.body.CopyFrom(self.one(found.body, inner))
        return made

    @one.register(Parameter)
    def _(self, found: Parameter, frames: Frames) -> Any:
        made = _class("Expression")()
        made.dynamic_parameter.parameter_reference = found.anchor
        made.dynamic_parameter.type.CopyFrom(encoded(found.type, nullable=True))
        return made

    @one.register(Subquery)
    def _(self, found: Subquery, frames: Frames) -> Any:
        made = _class("Expression")()
        if found.kind == "found":
            return self.one(members.as_exists(found), frames)
        if found.kind == "missed":
            return self.one(operators.negation(members.as_exists(found)), frames)
        inner = self._relation(found.query, frames)
        match found.kind:
            case "scalar":
                made.subquery.scalar.input.CopyFrom(inner)
            case "exists":
                made.subquery.set_predicate.predicate_op = 1
                made.subquery.set_predicate.tuples.CopyFrom(inner)
            case "in":
                for each in found.values:
                    made.subquery.in_predicate.needles.add().CopyFrom(self.one(each, frames))
                made.subquery.in_predicate.haystack.CopyFrom(inner)
            case _:
                raise Misused(f"a plan has no word for a subquery with {found.kind.upper()}")
        return made

    @one.register(WindowCall)
    def _(self, found: WindowCall, frames: Frames) -> Any:
        made = _class("Expression")()
        out = made.window_function
        self._applied("window", found.function, out, frames)
        for each in found.partition:
            out.partitions.add().CopyFrom(self.one(each, frames))
        self.sorts(found.order, out.sorts, frames)
        frame = found.frame
        if frame is not None:
            out.bounds_type = 1 if frame.unit == "rows" else 2
            value = partial(self.one, frames=frames)
            bounds.bound(out.lower_bound, frame.start, value)
            bounds.bound(out.upper_bound, frame.end, value)
        elif not found.ranking or found.function.name in ("first_value", "last_value", "nth_value"):
            out.bounds_type = 2 if found.order else 1
            out.lower_bound.unbounded.SetInParent()
            (
                out.upper_bound.current_row if found.order else out.upper_bound.unbounded
            ).SetInParent()
        return self._typed(made, out, found.function)

    def aggregate(self, found: AggregateCall, out: Any, frames: Frames) -> Any:
        """Fills a message of an aggregate function; returns the type it gives and the one wanted, or None."""
        return self._applied("aggregate", found, out, frames)

    def _applied(self, kind: str, found: AggregateCall, out: Any, frames: Frames) -> None:
        if found.condition is not None and kind == "window":
            found = functions.over_some_rows(found)
        if found.composed is not None:
            self._fill(out, found.composed, found.arguments, found.nullable, frames)
            out.invocation, out.phase = 1, 3
            return
        arguments = list(found.arguments)
        name = found.name
        if found.order and kind == "window":
            name, arguments = functions.over_in_order(found)
        if found.ignore_nulls:
            name, arguments = functions.ignoring_nulls(found)
        wanted = type_of(found)
        # An aggregate over a window is the aggregate's function.
        kinds = ("window", "aggregate") if kind == "window" else (kind,)
        gives = self._function(kinds, name, arguments, wanted, out, frames)
        if hasattr(out, "invocation"):
            out.invocation = 2 if found.distinct else 1
        out.phase = 3
        if kind == "aggregate":
            self.sorts(found.order, out.sorts, frames)
        given = wanted if gives is None else ty.with_nullability(gives, found.nullable)
        out.output_type.CopyFrom(given)

    def _typed(self, made: Any, out: Any, found: AggregateCall) -> Any:
        wanted = type_of(found)
        return made if ty.same(out.output_type, wanted) else _cast(made, wanted)

    def sorts(self, keys: Sequence[SortKey], out: Any, frames: Frames) -> None:
        """Adds sort keys."""
        for each in keys:
            field = out.add()
            field.expr.CopyFrom(self.one(each.value, frames))
            field.direction = (
                (3 if each.nulls_first else 4)
                if each.descending
                else (1 if each.nulls_first else 2)
            )

    @staticmethod
    def cast(made: Any, wanted: Any) -> Any:
        """The value as another type."""
        return _cast(made, wanted)


def _cast(made: Any, wanted: Any) -> Any:
    out = _class("Expression")()
    out.cast.input.CopyFrom(made)
    out.cast.type.CopyFrom(wanted)
    out.cast.failure_behavior = _THROW
    return out
