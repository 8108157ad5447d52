"""Logical relations as messages: https://substrait.io/relations/logical_relations/"""

from __future__ import annotations

from functools import cache, singledispatchmethod
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.correlation import rounds_of
from substrait_sql.lift.encode.frames import Frames, places_of
from substrait_sql.lift.encode.relations import physical
from substrait_sql.lift.encode.relations.called import (
    all_names,
    anchored,
    called,
    common_of,
    is_named,
    named,
    named_struct,
    reference,
)
from substrait_sql.lift.encode.relations.pins import without_pin
from substrait_sql.lift.encode.types import type_of
from substrait_sql.lift.relations import (
    Aggregate,
    Distinct,
    Exchange,
    Expand,
    Fetch,
    Filter,
    Generate,
    Join,
    LastRound,
    Project,
    Recursion,
    Scan,
    SetOperation,
    Shared,
    Sort,
    Values,
)
from substrait_sql.lift.tree import Column, Relation
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.plan import recursion
from substrait_sql.plan.named_queries import mark
from substrait_sql.schema import types as ty
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.lift.encode.declared import SharedPlans
    from substrait_sql.lift.encode.expressions import Expressions
    from substrait_sql.lift.relations import CommonQuery

_JOINS = {"inner": 1, "full": 2, "left": 3, "right": 4, "semi": 5, "anti": 6}
# https://substrait.io/relations/logical_relations/#set-operation-types
_SETS = {
    "union": 5, "union all": 6, "intersect": 4, "intersect all": 8, "except": 1, "except all": 7,
}  # fmt: skip


@cache
def _class(name: str) -> Any:
    return message(name)


class Relations:
    """Makes the messages of relations. The columns of what is made stand in the order of the relation's columns."""

    def __init__(self, shared: SharedPlans) -> None:
        self._shared = shared
        # The recursions whose steps are being made, the nearest last.
        self._open: list[CommonQuery] = []
        self.expressions: Expressions

    def one(self, found: Relation, frames: Frames) -> Any:
        """The message of a relation. frames: the records around it."""
        made = self._made(found, frames)
        if is_named(made):
            return called(made, found)
        if found.alias:
            common_of(made).hint.alias = found.alias
        return made

    @singledispatchmethod
    def _made(self, found: Relation, frames: Frames) -> Any:
        raise Misused(f"a plan has no word for {type(found).__name__}")

    @_made.register(Scan)
    def _(self, found: Scan, frames: Frames) -> Any:
        made = _class("Rel")()
        made.read.common.direct.SetInParent()
        named_struct(made.read.base_schema, found.columns)
        made.read.named_table.names.extend(found.table)
        return made

    @_made.register(Values)
    def _(self, found: Values, frames: Frames) -> Any:
        made = _class("Rel")()
        made.read.common.direct.SetInParent()
        named_struct(made.read.base_schema, found.columns)
        made.read.virtual_table.SetInParent()
        inner = frames.inside(())
        for row in found.rows:
            out = made.read.virtual_table.expressions.add()
            for each in row:
                out.fields.add().CopyFrom(self.expressions.one(each, inner))
        return made

    @_made.register(Filter)
    def _(self, found: Filter, frames: Frames) -> Any:
        # Where nothing is shared the condition stays: what is drawn is then refused where it is read twice.
        condition = found.condition if self._shared.inline else without_pin(found.condition)
        if condition is None:
            return self.one(found.source, frames)
        made = _class("Rel")()
        made.filter.common.direct.SetInParent()
        made.filter.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(found.source.columns)
        made.filter.condition.CopyFrom(self.expressions.one(condition, inner))
        return anchored(made, inner)

    @_made.register(Project)
    def _(self, found: Project, frames: Frames) -> Any:
        source = self.one(found.source, frames)
        inner = frames.inside(found.source.columns)
        width = len(found.source.columns)
        mapping: list[int] = []
        added: list[Any] = []
        for each in found.expressions:
            place = (
                inner.records[-1].places.get(id(each.attribute))
                if isinstance(each, Column)
                else None
            )
            if place is None:
                place = width + len(added)
                added.append(self.expressions.one(each, inner))
            mapping.append(place)
        if not added and mapping == list(range(width)):
            return named(source, found)
        made = _class("Rel")()
        made.project.input.CopyFrom(source)
        made.project.expressions.extend(added)
        made.project.common.emit.output_mapping.extend(mapping)
        made.project.common.emit.SetInParent()
        names = [c.name for c in found.columns]
        if any(names):
            made.project.common.hint.output_names.extend(all_names(found.columns))
        return anchored(made, inner)

    @_made.register(Aggregate)
    def _(self, found: Aggregate, frames: Frames) -> Any:
        made = _class("Rel")()
        out = made.aggregate
        out.common.direct.SetInParent()
        out.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(found.source.columns)
        for key in found.keys:
            out.grouping_expressions.add().CopyFrom(self.expressions.one(key, inner))
        if found.sets is not None:
            for one in found.sets:
                out.groupings.add().expression_references.extend(one)
        elif found.keys:
            out.groupings.add().expression_references.extend(range(len(found.keys)))
        for each in found.measures:
            measure = out.measures.add()
            self.expressions.aggregate(each, measure.measure, inner)
            if each.condition is not None:
                measure.filter.CopyFrom(self.expressions.one(each.condition, inner))
        width = len(found.columns)
        if found.sets is not None and width == len(found.keys) + len(found.measures):
            # Nobody reads the index of the grouping set.
            out.common.emit.output_mapping.extend(range(width))
        return self._measures_cast(anchored(made, inner), found, frames)

    def _measures_cast(self, made: Any, found: Aggregate, frames: Frames) -> Any:
        """Measures whose standard gives another integer type than Spark are cast above the aggregation."""
        start = len(found.keys)
        width = len(found.columns)
        casts: dict[int, Any] = {}
        for place, each in enumerate(found.measures):
            wanted = type_of(each)
            if not ty.same(made.aggregate.measures[place].measure.output_type, wanted):
                casts[start + place] = wanted
        if not casts:
            return made
        out = _class("Rel")()
        out.project.input.CopyFrom(made)
        mapping = list(range(width))
        for place, wanted in casts.items():
            expression = out.project.expressions.add()
            expression.cast.type.CopyFrom(wanted)
            expression.cast.failure_behavior = 2
            selection = expression.cast.input.selection
            selection.direct_reference.struct_field.field = place
            selection.root_reference.SetInParent()
            mapping[place] = width + len(out.project.expressions) - 1
        out.project.common.emit.output_mapping.extend(mapping)
        return out

    @_made.register(Distinct)
    def _(self, found: Distinct, frames: Frames) -> Any:
        made = _class("Rel")()
        out = made.aggregate
        out.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(found.source.columns)
        places = places_of(found.columns)
        order = list(dict.fromkeys(places.values()))
        for place in order:
            key = self.expressions.one(reference(found.columns[place]), inner)
            out.grouping_expressions.add().CopyFrom(key)
        out.groupings.add().expression_references.extend(range(len(order)))
        if len(order) == len(found.columns):
            out.common.direct.SetInParent()
        else:
            mapping = [order.index(places[id(c)]) for c in found.columns]
            out.common.emit.output_mapping.extend(mapping)
        return made

    @_made.register(Join)
    def _(self, found: Join, frames: Frames) -> Any:
        made = _class("Rel")()
        left = self.one(found.left, frames)
        both = frames.inside((*found.left.columns, *found.right.columns))
        if found.lateral:
            return self._lateral(made, found, left, frames, both)
        right = self.one(found.right, frames)
        if found.algorithm and physical.has_key(found):
            out = physical.fill_join(made, found, lambda e: self.expressions.one(e, both))
        elif found.kind == "cross":
            out = made.cross
        else:
            out = made.join
            out.type = _JOINS[found.kind]
            self._join_condition(out, found, both)
        out.common.direct.SetInParent()
        out.left.CopyFrom(left)
        out.right.CopyFrom(right)
        if made.WhichOneof("rel_type") == "merge_join":
            physical.sorted_by_keys(made, out)
        return anchored(made, both)

    def _lateral(self, made: Any, found: Join, left: Any, frames: Frames, both: Frames) -> Any:
        out = made.lateral_join
        out.common.direct.SetInParent()
        inner = frames.inside(found.left.columns)
        inner.records[-1].lateral = True
        out.left.CopyFrom(left)
        out.right.CopyFrom(self.one(found.right, inner))
        out.type = _JOINS["inner" if found.kind == "cross" else found.kind]
        self._join_condition(out, found, both)
        return anchored(made, inner)

    def _join_condition(self, out: Any, found: Join, frames: Frames) -> None:
        if found.condition is None:
            out.expression.literal.boolean = True
        else:
            out.expression.CopyFrom(self.expressions.one(found.condition, frames))

    @_made.register(Expand)
    def _(self, found: Expand, frames: Frames) -> Any:
        made = _class("Rel")()
        out = made.expand
        out.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(found.source.columns)
        last = len(found.columns) - 1
        for place in range(len(found.columns)):
            copies = [row[place] for row in found.rows]
            field = out.fields.add()
            # The number of copies is that of the longest switching field: there must be one.
            if len(copies) == 1 or (place < last and all(c == copies[0] for c in copies[1:])):
                field.consistent_field.CopyFrom(self.expressions.one(copies[0], inner))
                continue
            for each in copies:
                field.switching_field.duplicates.add().CopyFrom(self.expressions.one(each, inner))
        out.common.emit.output_mapping.extend(range(len(found.columns)))
        if any(c.name for c in found.columns):
            out.common.hint.output_names.extend(all_names(found.columns))
        return anchored(made, inner)

    @_made.register(Generate)
    def _(self, found: Generate, frames: Frames) -> Any:
        made = _class("Rel")()
        inner = frames.inside(found.source.columns)
        source = self.one(found.source, frames)
        arguments = [self.expressions.one(each, inner) for each in found.generator.arguments]
        physical.fill_generator(made, found, source, arguments)
        made.extension_single.common.hint.output_names.extend(all_names(found.columns))
        anchored(made.extension_single.input, inner)
        return made

    @_made.register(Recursion)
    def _(self, found: Recursion, frames: Frames) -> Any:
        made = _class("Rel")()
        made.extension_multi.common.direct.SetInParent()
        made.extension_multi.inputs.add().CopyFrom(self.one(found.start, frames))
        self._open.append(found.query)
        made.extension_multi.inputs.add().CopyFrom(self.one(found.step, frames))
        self._open.pop()
        said = recursion.Recursive(found.query.name, found.most_rounds)
        recursion.write_recursion(made.extension_multi.detail, said)
        return made

    @_made.register(LastRound)
    def _(self, found: LastRound, frames: Frames) -> Any:
        made = _class("Rel")()
        made.read.common.direct.SetInParent()
        named_struct(made.read.base_schema, found.columns)
        steps = self._open[::-1].index(found.query)
        recursion.write_round(made.read.extension_table.detail, steps)
        return made

    @_made.register(Sort)
    def _(self, found: Sort, frames: Frames) -> Any:
        made = _class("Rel")()
        made.sort.common.direct.SetInParent()
        made.sort.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(found.source.columns)
        self.expressions.sorts(found.keys, made.sort.sorts, inner)
        return anchored(made, inner)

    @_made.register(Exchange)
    def _(self, found: Exchange, frames: Frames) -> Any:
        made = _class("Rel")()
        made.exchange.common.direct.SetInParent()
        made.exchange.input.CopyFrom(self.one(found.source, frames))
        physical.fill_exchange(made.exchange, found)
        return made

    @_made.register(Fetch)
    def _(self, found: Fetch, frames: Frames) -> Any:
        made = _class("Rel")()
        made.fetch.common.direct.SetInParent()
        made.fetch.input.CopyFrom(self.one(found.source, frames))
        inner = frames.inside(())
        if found.offset is not None:
            made.fetch.offset_expr.CopyFrom(self.expressions.one(found.offset, inner))
        if found.count is not None:
            made.fetch.count_expr.CopyFrom(self.expressions.one(found.count, inner))
        return made

    @_made.register(SetOperation)
    def _(self, found: SetOperation, frames: Frames) -> Any:
        made = _class("Rel")()
        made.set.common.direct.SetInParent()
        made.set.op = _SETS[found.kind]
        for each in found.sources:
            made.set.inputs.add().CopyFrom(self.one(each, frames))
        return made

    @_made.register(Shared)
    def _(self, found: Shared, frames: Frames) -> Any:
        # What stands for all rounds cannot be made of one.
        if self._open and not rounds_of(found.query.relation).isdisjoint(self._open):
            return self.one(found.query.relation, frames)
        if not self._shared.apart(found.query):
            made = self.one(found.query.relation, frames)
            if not is_named(made) and found.query.uses == 1:
                mark(made, found.query.name)
            return made
        made = _class("Rel")()
        made.reference.subtree_ordinal = self._shared.ordinal(found.query)
        return made
