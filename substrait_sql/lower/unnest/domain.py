"""A relation over all outer values at once, instead of once for each of them.

A subquery that refers outwards means a relation R(d) for each outer value d. `Domain.extend` changes R into a relation
over a domain, the distinct outer values, whose rows are those of every R(d) with d behind them. It refers to nothing
around it. T. Neumann, A. Kemper: Unnesting Arbitrary Queries (BTW 2015) has the idea. A relation that does not depend
on d is left alone until it meets one that does; then it is crossed with the domain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import refuse
from substrait_sql.lower.unnest.columns import become, explode_values, hoist_filter, re_emit
from substrait_sql.plan import build, generators
from substrait_sql.plan.scopes import (
    columns,
    expressions,
    host,
    is_outer,
    node_of,
    visit_expression,
)
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT, Path

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.plan.widths import Widths
    from substrait_sql.select.block import Block


class Extended(NamedTuple):
    """dependent: the relation now has the domain's columns behind its own. width: of its own columns."""

    dependent: bool
    width: int


class Domain:
    """The outer values that a relation depends on.

    source: the relation of the distinct values. places: where each outer column, (anchor or 0, field), stands in it.
    types: of its columns.
    """

    def __init__(
        self,
        source: Any,
        places: dict[tuple[int, int], int],
        types: list[Any],
        cx: Context,
        widths: Widths,
    ) -> None:
        self.source = source
        self.places = places
        self.types = types
        self.count = len(types)
        self.cx = cx
        self.widths = widths
        # Whether the input of the relation whose step comes next is to be paired whatever it is.
        self.forced = False

    def extend(self, rel: Any) -> Extended:
        """Changes a relation as the module says, in place, if it depends on outer values."""
        kind = rel.WhichOneof("rel_type")
        step = STEPS.get(kind)
        if step is None:
            return Extended(False, self.widths.of(rel))
        return step(self, rel)

    def columns_at(self, begin: int) -> list[int]:
        """The ordinals of the domain's columns that begin there."""
        return list(range(begin, begin + self.count))

    def pair(self, rel: Any) -> None:
        """Every row of an independent relation with every outer value."""
        become(rel, build.cross(rel, self.source))

    def pair_in_order(self, rel: Any) -> None:
        """The same, where the rows of each outer value keep the order that they have: it is paired below the sort."""
        if not _is_sorted(rel):
            self.pair(rel)
            return
        self.forced = True
        STEPS[rel.WhichOneof("rel_type")](self, rel)

    def refers(self, node: Any) -> bool:
        """Whether an expression of this very relation refers to an outer value."""
        found: list[Any] = []
        self._visit(node, found.append)
        return bool(found)

    def aim(self, node: Any, begin: int) -> None:
        """Points the relation's references to the domain's columns, and makes its windows keep them apart."""

        def point(reference: Any) -> None:
            anchor = reference.outer_reference.rel_reference
            for each in columns(reference):
                each.field = begin + self.places[anchor, each.field]
            build.aim(reference)

        self._visit(node, point)
        for _, each in expressions(node):
            partition(each, self.columns_at(begin))

    def _visit(self, node: Any, act: Callable[[Any], None]) -> None:
        own = host(node, self.widths)

        def visit(reference: Any, stack: Any) -> None:
            if not stack and is_outer(reference):
                act(reference)

        for _, each in expressions(node):
            visit_expression(each, (), own, visit, self.widths)


def partition(message: Any, places: list[int]) -> None:
    """Makes the windows of an expression keep the values of these columns apart."""
    for each in within(message, closed=("Rel", "Literal", "Type")):
        if each.DESCRIPTOR.name == "WindowFunction":
            each.partitions.extend(map(build.column, places))


Step = Callable[[Domain, Any], Extended]
STEPS: dict[str, Step] = {}


def step(*kinds: str) -> Callable[[Step], Step]:
    """Registers how relations of these kinds are extended."""

    def register(function: Step) -> Step:
        STEPS.update(dict.fromkeys(kinds, function))
        return function

    return register


def extended_input(domain: Domain, rel: Any) -> Extended:
    """Extends the input of a relation that depends on outer values itself or through it."""
    node = node_of(rel)
    forced, domain.forced = domain.forced, False
    inner = Extended(False, domain.widths.of(node.input)) if forced else domain.extend(node.input)
    if not inner.dependent:
        if not forced and not domain.refers(node):
            return inner
        if rel.WhichOneof("rel_type") in _CARRIES_ORDER:
            domain.pair_in_order(node.input)
        else:
            domain.pair(node.input)
    domain.aim(node, inner.width)
    return Extended(True, inner.width)


_CARRIES_ORDER = ("filter", "project", "fetch")


def _is_sorted(rel: Any) -> bool:
    """Whether the relation has its rows in an order that is known."""
    kind = rel.WhichOneof("rel_type")
    while kind in _CARRIES_ORDER:
        rel = node_of(rel).input
        kind = rel.WhichOneof("rel_type")
    return kind in ("sort", "top_n")


@step("filter", "sort", "exchange")
def rows_of_input(domain: Domain, rel: Any) -> Extended:
    """The output is the input's columns: the domain's are behind them already."""
    inner = extended_input(domain, rel)
    return _shown(domain, rel, inner, inner.width, inner.width)


@step("project")
def project(domain: Domain, rel: Any) -> Extended:
    """The added columns stand behind the domain's. What is computed by windows is so within each outer value."""
    added = len(rel.project.expressions)
    replaces = domain.cx.habits.project_replaces
    if replaces and rel.project.common.WhichOneof("emit_kind") != "emit":
        width = domain.widths.of(rel.project.input)
        build.emitted(rel, range(width, width + added))
    inner = extended_input(domain, rel)
    return _shown(domain, rel, inner, inner.width + added, inner.width)


@step("window")
def window(domain: Domain, rel: Any) -> Extended:
    """Each window is within one outer value."""
    inner = extended_input(domain, rel)
    if inner.dependent:
        more = map(build.column, domain.columns_at(inner.width))
        rel.window.partition_expressions.extend(more)
    width = inner.width + len(rel.window.window_functions)
    return _shown(domain, rel, inner, width, inner.width)


@step("expand")
def expand(domain: Domain, rel: Any) -> Extended:
    """Columns beyond the defined ones are passed on, so the domain's are; the number of the copy comes last.

    Where more are defined than there are columns, the domain's are defined behind them.
    """
    inner = extended_input(domain, rel)
    begin = max(inner.width, len(rel.expand.fields))
    if inner.dependent and begin > inner.width:
        for column in domain.columns_at(inner.width):
            rel.expand.fields.add().consistent_field.CopyFrom(build.column(column))
    return _shown(domain, rel, inner, begin + 1, begin)


def _shown(domain: Domain, rel: Any, inner: Extended, direct: int, begin: int) -> Extended:
    """As `shown`, where the domain's columns have been put in at `begin`."""
    count = domain.count

    def moved(i: int) -> int:
        return i if i < begin else i + count

    return shown(rel, inner.dependent, direct, moved, domain.columns_at(begin))


def shown(
    rel: Any, dependent: bool, direct: int, moved: Callable[[int], int], behind: list[int]
) -> Extended:
    """The output that the relation had, and the domain's columns behind it.

    direct: the width of the old direct output. moved: where its columns are now. behind: where the domain's are.
    """
    common = node_of(rel).common
    emitted = common.WhichOneof("emit_kind") == "emit"
    width = len(common.emit.output_mapping) if emitted else direct
    if dependent:
        re_emit(rel, direct, moved, behind)
    return Extended(dependent, width)


@step("fetch", "top_n")
def fetch(domain: Domain, rel: Any) -> Extended:
    """Rows are counted within each outer value."""
    common = build.copied(node_of(rel).common)
    inner = extended_input(domain, rel)
    emitted = common.WhichOneof("emit_kind") == "emit"
    mapping = list(common.emit.output_mapping) if emitted else list(range(inner.width))
    if not inner.dependent:
        return Extended(False, len(mapping))
    fetched_within(domain.cx, rel, domain.count, [*mapping, *domain.columns_at(inner.width)])
    return Extended(True, len(mapping))


def fetched_within(cx: Context, rel: Any, count: int, mapping: list[int]) -> None:
    """Counts a fetch's rows within each value of its input's last columns. mapping: what is shown of the input."""
    from substrait_sql.lower.relations.rows.fetch import cut_within
    from substrait_sql.lower.relations.rows.top_n import top_within

    message = build.copied(node_of(rel))
    message.ClearField("common")
    within = cut_within if rel.WhichOneof("rel_type") == "fetch" else top_within

    def lower(cx: Context, path: Path, outer: Env | None) -> Block:
        block = within(message, count, cx, path, outer)
        block.fields = [block.fields[i] for i in mapping]
        return block

    anchor = node_of(rel).common.rel_anchor
    become(rel, cx.shared.make(lower, len(mapping)))
    if anchor:
        become(rel, build.project(rel, [], range(len(mapping))))
        rel.project.common.rel_anchor = anchor


@step("set")
def set_operation(domain: Domain, rel: Any) -> Extended:
    """Rows are equal only if their outer values are."""
    inner = [domain.extend(each) for each in rel.set.inputs]
    dependent = any(e.dependent for e in inner)
    if dependent:
        for each, extended in zip(rel.set.inputs, inner, strict=True):
            if not extended.dependent:
                domain.pair(each)
    width = inner[0].width
    return _shown(domain, rel, Extended(dependent, width), width, width)


@step("read")
def read(domain: Domain, rel: Any) -> Extended:
    """A filter of a read, and an expression in a virtual table, may refer to outer values."""
    if not domain.refers(rel.read):
        return Extended(False, domain.widths.of(rel))
    filtered = rel.read.HasField("filter") or rel.read.HasField("best_effort_filter")
    if filtered:
        hoist_filter(rel)
    else:
        explode_values(rel)
    return domain.extend(rel)


@step("extension_single", "extension_multi")
def extension(domain: Domain, rel: Any) -> Extended:
    """What a foreign relation makes of more columns is not known."""
    node = node_of(rel)
    made = generators.read(node.detail)
    if made is not None and hasattr(node, "input"):
        return _generated(domain, rel, made)
    below = [node.input] if hasattr(node, "input") else list(node.inputs)
    if any(domain.extend(each).dependent for each in below):
        raise refuse(
            "SS2233",
            "an extension relation over rows that depend on the query around the subquery has no SQL",
            ROOT,
        )
    return Extended(False, domain.widths.of(rel))


def _generated(domain: Domain, rel: Any, made: generators.Generator) -> Extended:
    """Rows are generated of each row's arguments: the domain's columns are put before these."""
    node = node_of(rel)
    inner = domain.extend(node.input)
    kept = inner.width - made.arguments
    if inner.dependent:
        arguments = range(kept, inner.width)
        moved = [*range(kept), *domain.columns_at(inner.width), *arguments]
        become(node.input, build.project(node.input, [], moved))
    return _shown(domain, rel, inner, kept + len(made.columns), kept)
