"""https://substrait.io/relations/physical_relations/#exchange-operator"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expressions.references.selection import struct_field
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.select.block import Block, Repartition

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


@lowers("exchange")
def exchange_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """The rows as they are: how they are spread is advice to Spark, a ``REPARTITION`` hint where it has the words.

    A broadcast, or one row for several partitions, is the same row everywhere; to a query it is there once. A target
    that only lists partitions says no more than how rows are spread. One with a URI, or of the producer's own, has rows
    delivered there, which is an effect that no query has: it is never passed over.
    """
    for i, target in enumerate(message.targets):
        if target.WhichOneof("target_type") is not None:
            raise refuse(
                "SS2197",
                "the exchange delivers its partitions to places outside of the query",
                (path / "targets")[i],
                "write the rows with a WriteRel, or plan the exchange without targets",
            )
    block = relation(message.input, cx, path / "input", outer)
    kind = message.WhichOneof("exchange_kind")
    if message.partition_count < 0:
        raise invalid("SS2198", "the number of partitions is negative", path / "partition_count")
    if kind in (None, "broadcast", "multi_target"):
        return block
    if block.body is not None or block.repartition is not None or block.limited:
        block = block.close()
    columns: list[Field] = []
    if kind == "scatter_by_fields":
        for i, reference in enumerate(message.scatter_by_fields.fields):
            at = (path / kind / "fields")[i]
            ordinal = struct_field(reference.direct_reference, at)
            if not 0 <= ordinal < len(block.fields):
                raise invalid(
                    "SS2101",
                    f"field {ordinal} does not exist: the record has {len(block.fields)}",
                    at,
                )
            columns.append(block.fields[ordinal])
    if not columns and not message.partition_count:
        return block
    block.repartition = Repartition(message.partition_count, columns)
    return block
