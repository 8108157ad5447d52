"""Drawn plans over tables whose numbers have another type, cast where they are read: the rows are the same.

What leaves a cast out because Spark widens by itself has to put it in again where that is not so: in GROUP BY, in an
alias, below a function that is as wide as what it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.oracle import draw
from tests.support.plan_types import spark_type, type_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Narrow:
    """Reads of that type instead of i64, each below a projection that casts."""

    def __init__(self, type: str) -> None:
        self.type = type

    def plan(self, plan: pb.Plan) -> pb.Plan:
        """The plan with these reads."""
        out = pb.Plan()
        out.CopyFrom(plan)
        self._exchange(out)
        return out

    def rows(self, frame: DataFrame) -> list[tuple[Any, ...]]:
        """The rows: what is cast is what it was."""
        return [tuple(row) for row in frame.collect()]

    def views(self, spark: SparkSession) -> None:
        """The three tables, with numbers of this type."""
        for name in draw.TABLES:
            held = spark.table(name)
            number = held["k"].cast(spark_type(type_of(self.type)) or "")
            held.select(number.alias("k"), "s", "b").createOrReplaceTempView(name)

    def _exchange(self, message: Any) -> None:
        name = message.DESCRIPTOR.full_name
        if name == "substrait.Rel" and message.read.HasField("named_table"):
            message.CopyFrom(self._cast(message.read))
            return
        for field, held in message.ListFields():
            if field.message_type is not None:
                for each in [held] if hasattr(held, "DESCRIPTOR") else held:
                    self._exchange(each)

    def _cast(self, read: Any) -> pb.Rel:
        """The read of all columns, cast; then its filter and its columns in their order."""
        mask = [item.field for item in read.projection.select.struct_items] or [0, 1, 2]
        emitted = read.common.emit.output_mapping or range(len(mask))
        shown = [mask[i] for i in emitted]
        bare = pb.Rel()
        bare.read.base_schema.CopyFrom(read.base_schema)
        bare.read.base_schema.struct.types[0].CopyFrom(type_of(self.type + "?"))
        bare.read.named_table.CopyFrom(read.named_table)
        bare.read.common.direct.SetInParent()
        out = pb.Rel()
        out.project.input.CopyFrom(bare)
        number = out.project.expressions.add().cast
        number.input.CopyFrom(_column(0))
        number.type.CopyFrom(type_of("i64?"))
        number.failure_behavior = pb.Expression.Cast.FAILURE_BEHAVIOR_THROW_EXCEPTION
        out.project.expressions.extend([_column(1), _column(2)])
        if not read.HasField("filter"):
            out.project.common.CopyFrom(read.common)
            out.project.common.emit.output_mapping[:] = [3 + i for i in shown]
            return out
        out.project.common.emit.output_mapping.extend([3, 4, 5])
        kept = pb.Rel()
        kept.filter.input.CopyFrom(out)
        kept.filter.condition.CopyFrom(read.filter)
        self._exchange(kept.filter.condition)
        kept.filter.common.CopyFrom(read.common)
        kept.filter.common.emit.output_mapping[:] = shown
        return kept


def _column(place: int) -> pb.Expression:
    found = pb.Expression()
    found.selection.direct_reference.struct_field.field = place
    found.selection.root_reference.SetInParent()
    return found
