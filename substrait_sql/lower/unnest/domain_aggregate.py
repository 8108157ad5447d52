"""Aggregations over a domain: each group is within one outer value.

A group of all rows has a row even where there is none, so every outer value must have one: the domain is joined to the
rows again, and the measures count only those that are there.
"""

from __future__ import annotations

from typing import Any

from substrait_sql.lower.unnest.columns import become, re_emit, refuse_renumbered
from substrait_sql.lower.unnest.domain import Domain, Extended, extended_input, step
from substrait_sql.plan import build
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types

_AGGREGATE = "functions_aggregate_generic"


@step("aggregate")
def aggregate(domain: Domain, rel: Any) -> Extended:
    """The domain's columns are keys of every grouping set; of the output they are behind."""
    node = rel.aggregate
    keys, measures = len(node.grouping_expressions), len(node.measures)
    direct = domain.widths.direct(rel)
    inner = extended_input(domain, rel)
    emitted = node.common.WhichOneof("emit_kind") == "emit"
    width = len(node.common.emit.output_mapping) if emitted else direct
    if not inner.dependent:
        return Extended(False, width)
    refuse_renumbered(node, domain.cx.habits)
    if not node.groupings:
        node.groupings.add()
    empty = [i for i, g in enumerate(node.groupings) if not g.expression_references]
    mixed = bool(empty) and len(empty) < len(node.groupings)
    if empty:
        _every_value(domain, node, inner.width)
    if mixed:
        _add_presence(domain, node, inner.width + domain.count)
    node.grouping_expressions.extend(map(build.column, domain.columns_at(inner.width)))
    for grouping in node.groupings:
        grouping.expression_references.extend(domain.columns_at(keys))

    def moved(i: int) -> int:
        return i if i < keys else i + domain.count + (mixed and i >= keys + measures)

    behind = domain.columns_at(keys)
    if mixed:
        mapping = list(node.common.emit.output_mapping) if emitted else range(direct)
        node.common.ClearField("emit_kind")
        condition = _present(domain, keys + domain.count + measures, empty)
        become(rel, build.filtered(rel, condition))
        build.emitted(rel, [*(moved(i) for i in mapping), *behind])
    else:
        re_emit(rel, direct, moved, behind)
    return Extended(True, width)


def _every_value(domain: Domain, node: Any, width: int) -> None:
    """The input with a row for each outer value at least, and a mark behind it that says which rows are real."""
    count = domain.count
    rows = build.project(node.input, [build.true()], range(width + count + 1))
    build.named(rows, width + count, "is_there")
    pairs = [(i, width + i) for i in range(count)]
    joined = build.hash_join(domain.source, rows, JoinType.LEFT, pairs)
    own = range(count, count + width)
    node.input.CopyFrom(build.emitted(joined, [*own, *range(count), count + width + count]))
    mark = build.column(width + count)
    for measure in node.measures:
        kept = [mark, measure.filter] if measure.HasField("filter") else [mark]
        measure.filter.CopyFrom(build.conjunction(domain.cx.functions, kept))


def _add_presence(domain: Domain, node: Any, mark: int) -> None:
    """A measure more: how many real rows a group has."""
    made = node.measures.add().measure
    made.function_reference = domain.cx.functions.declare(_AGGREGATE, "count:any")
    made.output_type.CopyFrom(types.i64())
    made.phase = 3
    made.arguments.add().value.CopyFrom(build.column(mark))


def _present(domain: Domain, counted: int, empty: list[int]) -> Any:
    """The groups that there would be: those with a row, and those of all rows. The set's number comes last."""
    functions = domain.cx.functions
    zero = build.number(0, "i64")
    conditions = [
        build.call(functions, "functions_comparison", "gt:any_any", build.column(counted), zero)
    ]
    for index in empty:
        number = build.number(index, "i32")
        conditions.append(
            build.call(
                functions,
                "functions_comparison",
                "equal:any_any",
                build.column(counted + 1),
                number,
            )
        )
    return build.call(functions, "functions_boolean", "or:bool", *conditions)
