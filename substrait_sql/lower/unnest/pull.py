"""Equalities with outer values, moved up to where Spark can run them.

`k = d`, for a column k of the rows and an outer value d, may be asked before or after most of what is done with the
rows, as long as rows of different k are kept apart:

    (SELECT max(n) FROM (SELECT sum(x) AS n FROM t WHERE t.k = d.k GROUP BY GROUPING SETS ((t.a), (t.b))))
    (SELECT max(n) FROM (SELECT sum(x) AS n, k FROM t GROUP BY GROUPING SETS ((a, k), (b, k))) AS g WHERE g.k = d.k)

So k becomes a key of aggregations, a partition of windows, a part of what joins and set operations compare. Each step
is an equation between queries: nothing has to be known about the outer values. Where a relation has no such equation
(a group of all rows, the padded side of a join, a branch of a union without the equality) the condition stays below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.relation import relation
from substrait_sql.lower.unnest import unseen
from substrait_sql.lower.unnest.columns import (
    become,
    hoist_filter,
    re_emit,
    refuse_renumbered,
)
from substrait_sql.lower.unnest.domain import fetched_within, partition
from substrait_sql.lower.unnest.key_types import (
    expression_type,
    field_of,
    grouped_as_equal,
    plain_column,
)
from substrait_sql.lower.unnest.keys import Key, Pulled, same_as
from substrait_sql.plan import build
from substrait_sql.plan.scopes import (
    expressions,
    host,
    is_outer,
    node_of,
    visit_expression,
    visit_relation,
)
from substrait_sql.schema import types
from substrait_sql.wire.inside import inputs
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env, Made
    from substrait_sql.lower.unnest.unseen import Seen
    from substrait_sql.plan.widths import Widths
    from substrait_sql.select.block import Block
from substrait_sql.wire.path import Path

_EQUALITIES = ("equal", "is_not_distinct_from")


# Gives the type of the outer value that a reference means, None where it is none of the nearest record.
OuterType = Callable[[Any], Any]


class Pull:
    """One run over a relation. moved: whether an equality has passed something that Spark minds."""

    def __init__(self, cx: Context, widths: Widths, outer_type: OuterType) -> None:
        self.cx = cx
        self.widths = widths
        self.outer_type = outer_type
        self.moved = False

    def up(self, rel: Any, seen: Seen = None) -> Pulled:
        """Takes the equalities out of a relation, in place. seen: what is seen of it, see `unseen`."""
        step = STEPS.get(rel.WhichOneof("rel_type"))
        if step is not None:
            return step(self, rel, seen)
        node = node_of(rel)
        if node is not None and rel.WhichOneof("rel_type") != "reference":
            for _, below in inputs(node):
                self.settled(below)
        return Pulled(self.widths.of(rel))

    def settled(self, rel: Any, seen: Seen = None) -> int:
        """Takes the equalities up to this relation and no further. Returns its width."""
        pulled = self.up(rel, seen)
        self.settle(rel, pulled)
        return pulled.width

    def settle(self, rel: Any, pulled: Pulled) -> None:
        """Puts the equalities on top of a relation, which has no columns for them any more."""
        if not pulled.keys:
            return
        anchor = node_of(rel).common.rel_anchor if hasattr(node_of(rel), "common") else 0
        functions = self.cx.functions
        same = [
            same_as(functions, key, build.column(pulled.width + i), key.value)
            for i, key in enumerate(pulled.keys)
        ]
        rows = self.cx.shared.make(_closed(build.copied(rel)), pulled.width + len(pulled.keys))
        made = build.filtered(rows, build.conjunction(functions, same))
        made.filter.common.rel_anchor = anchor
        become(rel, build.emitted(made, range(pulled.width)))

    def substitute(self, node: Any, keys: tuple[Key, ...], places: list[int]) -> None:
        """Points a relation's references to outer values at the columns that equal them, and partitions by those."""
        if not keys:
            return
        self.point(node, keys, places)
        for _, each in expressions(node):
            self.moved |= unseen.has_window(each)
            partition(each, places)

    def point(self, node: Any, keys: tuple[Key, ...], places: list[int]) -> None:
        """Points a relation's references to outer values at the columns that equal them."""
        known = {
            key.of: place
            for key, place in zip(keys, places, strict=True)
            if key.outer_type is not None and types.same(key.type, key.outer_type)
        }
        own = host(node, self.widths)

        def visit(reference: Any, stack: Any) -> None:
            if stack or not is_outer(reference) or field_of(reference) is None:
                return
            place = known.get(_identity(build.expression_of(reference)))
            if place is not None:
                reference.direct_reference.struct_field.field = place
                build.aim(reference)

        for _, each in expressions(node):
            visit_expression(each, (), own, visit, self.widths)

    def key(self, condition: Any, record: Any) -> tuple[Any, Key] | None:
        """The column and the key, if a condition over a relation's rows is an equality with an outer value."""
        if condition.WhichOneof("rex_type") != "scalar_function":
            return None
        call = condition.scalar_function
        name = self.cx.functions.get(call.function_reference, ROOT)
        if name.standard not in _EQUALITIES or len(call.arguments) != 2:
            return None
        first, second = (a.value for a in call.arguments)
        for column, value in ((first, second), (second, first)):
            outer_type = self._outer(value)
            if outer_type is None or not _is_column(column):
                continue
            own = expression_type(column, record, self.widths)
            if grouped_as_equal(own, outer_type):
                key = Key(
                    build.copied(value), _identity(value), call.function_reference, own, outer_type
                )
                return build.copied(column), key
        return None

    def _outer(self, value: Any) -> Any:
        """The type of an outer value, or of a cast of one; None for anything else."""
        if value.WhichOneof("rex_type") == "cast":
            return value.cast.type if self._outer(value.cast.input) is not None else None
        if value.WhichOneof("rex_type") != "selection" or not is_outer(value.selection):
            return None
        return self.outer_type(value.selection) if field_of(value.selection) is not None else None


def pulled_up(rel: Any, cx: Context, widths: Widths, outer_type: OuterType) -> Any:
    """An equal relation whose equalities with outer values stand further up, None where that changes nothing."""
    pull = Pull(cx, widths, outer_type)
    pull.settled(rel)
    return rel if pull.moved else None


Step = Callable[[Pull, Any, "Seen"], Pulled]
STEPS: dict[str, Step] = {}


def step(*kinds: str) -> Callable[[Step], Step]:
    """Registers how equalities pass relations of these kinds."""

    def register(function: Step) -> Step:
        STEPS.update(dict.fromkeys(kinds, function))
        return function

    return register


def depends(rel: Any, widths: Widths) -> bool:
    """Whether a relation refers to a record outside of it. What crosses several has been carried already."""
    found: list[Any] = []

    def visit(reference: Any, stack: Any) -> None:
        if not stack and is_outer(reference):
            found.append(reference)

    visit_relation(rel, (), visit, widths)
    return bool(found)


def _closed(rel: Any) -> Made:
    """How a relation is lowered below an equality: Spark takes an outer column in no HAVING beside measures."""

    def lower(cx: Context, path: Path, outer: Env | None) -> Block:
        block = relation(rel, cx, path, outer)
        return block.close() if block.group is not None else block

    return lower


def compared(pull: Pull, key: Key, left: Any, right: Any, *, null_safe: bool = False) -> Any:
    """A condition that two columns are equal as the key's comparison says, or null-safely."""
    if null_safe:
        return build.same(pull.cx.functions, left, right)
    return same_as(pull.cx.functions, key, left, right)


def _identity(value: Any) -> bytes:
    """What tells an outer value from others. An expression has its references' roots, so their scope as well."""
    made: bytes = value.SerializeToString(deterministic=True)
    return made


def _is_column(expression: Any) -> bool:
    if expression.WhichOneof("rex_type") == "cast":
        return _is_column(expression.cast.input)
    return plain_column(expression) is not None


def shown(rel: Any, pulled: Pulled, direct: int, begin: int) -> Pulled:
    """The output that a relation had, and the keys behind it. direct: the old width. begin: where the keys are."""
    common = node_of(rel).common
    count = len(pulled.keys)
    emitted = common.WhichOneof("emit_kind") == "emit"
    width = len(common.emit.output_mapping) if emitted else direct
    if count:
        re_emit(rel, direct, lambda i: i if i < begin else i + count, range(begin, begin + count))
    return Pulled(width, pulled.keys)


def behind(pulled: Pulled) -> list[int]:
    """The ordinals of the keys behind a relation's own columns."""
    return list(range(pulled.width, pulled.width + len(pulled.keys)))


@step("filter")
def filter_(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """Here the equalities come from. The other conditions stay."""
    node = rel.filter
    functions = pull.cx.functions
    below = unseen.by_filter(node, pull.cx, unseen.below_emit(node, seen))
    inner = pull.up(node.input, below)
    found: list[Any] = []
    rest: list[Any] = []
    for each in unseen.conjuncts(node.condition, functions):
        key = pull.key(each, node.input)
        (found if key else rest).append(key or each)
    if not found:
        pull.substitute(node, inner.keys, behind(inner))
        return shown(rel, inner, inner.width, inner.width)
    common = build.copied(node.common)
    made = build.rel()
    made.CopyFrom(node.input)
    if rest:
        made = build.filtered(node.input, build.conjunction(functions, rest))
        made.filter.common.rel_anchor = common.rel_anchor
        pull.substitute(made.filter, inner.keys, behind(inner))
        plain = [(key, plain_column(column)) for column, key in found]
        at = [(key, place) for key, place in plain if place is not None]
        pull.point(made.filter, tuple(key for key, _ in at), [place for _, place in at])
    emitted = common.WhichOneof("emit_kind") == "emit"
    mapping = list(common.emit.output_mapping) if emitted else list(range(inner.width))
    begin = inner.width + len(inner.keys)
    mapping += [*behind(inner), *range(begin, begin + len(found))]
    made = build.project(made, [column for column, _ in found], mapping)
    made.project.common.rel_anchor = common.rel_anchor
    become(rel, made)
    keys = (*inner.keys, *(key for _, key in found))
    return Pulled(len(mapping) - len(keys), keys)


@step("sort", "exchange")
def rows_of_input(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """The output is the input's columns: the keys are behind them already."""
    node = node_of(rel)
    inner = pull.up(node.input, unseen.below_emit(node, seen))
    pull.substitute(node, inner.keys, behind(inner))
    return shown(rel, inner, inner.width, inner.width)


@step("project")
def project(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """The added columns stand behind the keys. Windows keep the keys apart."""
    node = rel.project
    width, added = pull.widths.of(node.input), len(node.expressions)
    replaces = pull.cx.habits.project_replaces
    if replaces and node.common.WhichOneof("emit_kind") != "emit":
        build.emitted(rel, range(width, width + added))
    below = unseen.by_projection(node, width, unseen.below_emit(node, seen))
    inner = pull.up(node.input, below)
    pull.substitute(node, inner.keys, behind(inner))
    return shown(rel, inner, inner.width + added, inner.width)


@step("window")
def window(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """Each window is within one value of the keys."""
    node = rel.window
    inner = pull.up(node.input)
    pull.substitute(node, inner.keys, behind(inner))
    node.partition_expressions.extend(map(build.column, behind(inner)))
    pull.moved |= bool(inner.keys)
    return shown(rel, inner, inner.width + len(node.window_functions), inner.width)


@step("expand")
def expand(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """Columns beyond the defined ones are passed on, so the keys are; the number of the copy comes last."""
    node = rel.expand
    inner = pull.up(node.input)
    if len(node.fields) > inner.width:
        pull.settle(node.input, inner)
        return Pulled(pull.widths.of(rel))
    pull.substitute(node, inner.keys, behind(inner))
    pull.moved |= bool(inner.keys)
    return shown(rel, inner, inner.width + 1, inner.width)


@step("aggregate")
def aggregate(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """The keys are keys of every grouping set. A group of all rows is there for values without rows, too."""
    node = rel.aggregate
    keys = len(node.grouping_expressions)
    direct = pull.widths.direct(rel)
    alone = not keys and len(node.groupings) < 2
    inner = pull.up(node.input, unseen.by_measures(node, pull.cx) if alone else None)
    empty = not node.groupings or any(not g.expression_references for g in node.groupings)
    if empty and not (alone and unseen.may_be_left_out(node, pull.cx, seen)):
        pull.settle(node.input, inner)
        inner = Pulled(inner.width)
    if not inner.keys:
        return Pulled(pull.widths.of(rel))
    refuse_renumbered(node, pull.cx.habits)
    pull.substitute(node, inner.keys, behind(inner))
    pull.moved = True
    if not node.groupings:
        node.groupings.add()
    node.grouping_expressions.extend(map(build.column, behind(inner)))
    for grouping in node.groupings:
        grouping.expression_references.extend(range(keys, keys + len(inner.keys)))
    return shown(rel, inner, direct, keys)


@step("fetch", "top_n")
def fetch(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """Rows are counted within each value of the keys."""
    node = node_of(rel)
    inner = pull.up(node.input)
    if inner.keys and depends(rel, pull.widths):
        pull.settle(node.input, inner)
        inner = Pulled(inner.width)
    emitted = node.common.WhichOneof("emit_kind") == "emit"
    mapping = list(node.common.emit.output_mapping) if emitted else list(range(inner.width))
    if inner.keys:
        fetched_within(pull.cx, rel, len(inner.keys), [*mapping, *behind(inner)])
        pull.moved = True
    return Pulled(len(mapping), inner.keys)


@step("read")
def read(pull: Pull, rel: Any, seen: Seen) -> Pulled:
    """A filter of a read may be about outer values."""
    has_filter = rel.read.HasField("filter") or rel.read.HasField("best_effort_filter")
    if not has_filter or not depends(rel, pull.widths):
        return Pulled(pull.widths.of(rel))
    hoist_filter(rel)
    return pull.up(rel, seen)
