"""Big plans: text in about linear time, or a clear refusal. The bounds are generous; growth is what is tested."""

from __future__ import annotations

import gc
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql import SubstraitSqlError
from substrait_sql.wire.deep import in_big_stack

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

REQUIRED = pb.Type.NULLABILITY_REQUIRED
FUNCTIONS = {
    "add:i64_i64": "arithmetic",
    "gt:any_any": "comparison",
    "and:bool": "boolean",
    "sum:i64": "arithmetic",
}
ANCHORS = {name: i for i, name in enumerate(FUNCTIONS, 1)}


def empty() -> pb.Plan:
    """A plan that declares the functions used here."""
    plan = pb.Plan()
    plan.version.minor_number = 100
    for i, (name, file) in enumerate(FUNCTIONS.items(), 1):
        plan.extension_urns.add(
            extension_urn_anchor=i, urn=f"extension:io.substrait:functions_{file}"
        )
        function = plan.extensions.add().extension_function
        function.extension_urn_reference = function.function_anchor = i
        function.name = name
    return plan


def read(rel: Any, columns: int = 2, table: str = "t") -> None:
    """Fill in a read of i64 columns."""
    schema = rel.read.base_schema
    schema.names.extend(f"c{i}" for i in range(columns))
    for _ in range(columns):
        schema.struct.types.add().i64.nullability = REQUIRED
    schema.struct.nullability = REQUIRED
    rel.read.named_table.names.append(table)


def field(expression: Any, index: int) -> None:
    """Fill in a reference."""
    expression.selection.direct_reference.struct_field.field = index
    expression.selection.root_reference.SetInParent()


def call(expression: Any, name: str, output: str, count: int = 2) -> list[Any]:
    """Fill in a call; returns the arguments to fill in."""
    function = expression.scalar_function
    function.function_reference = ANCHORS[name]
    getattr(function.output_type, output).nullability = REQUIRED
    return [function.arguments.add().value for _ in range(count)]


def above(expression: Any, index: int, limit: int) -> None:
    """Fill in a comparison of a column with a number."""
    left, right = call(expression, "gt:any_any", "bool")
    field(left, index)
    right.literal.i64 = limit


def filters(rel: Any, i: int) -> Any:
    above(rel.filter.condition, 0, i)
    return rel.filter.input


def projects(rel: Any, i: int) -> Any:
    rel.project.common.emit.output_mapping.extend([0, 2])
    left, right = call(rel.project.expressions.add(), "add:i64_i64", "i64")
    field(left, 1)
    right.literal.i64 = i
    return rel.project.input


def sorts(rel: Any, i: int) -> Any:
    key = rel.sort.sorts.add()
    key.direction = pb.SortField.SORT_DIRECTION_ASC_NULLS_FIRST
    field(key.expr, i % 2)
    return rel.sort.input


def fetches(rel: Any, i: int) -> Any:
    rel.fetch.count_expr.literal.i64 = 10 + i % 3
    rel.fetch.offset_expr.literal.i64 = i % 2
    return rel.fetch.input


def aggregates(rel: Any, i: int) -> Any:
    aggregate = rel.aggregate
    field(aggregate.grouping_expressions.add(), 0)
    aggregate.groupings.add().expression_references.append(0)
    measure = aggregate.measures.add().measure
    measure.function_reference, measure.phase = ANCHORS["sum:i64"], 3
    measure.output_type.i64.nullability = pb.Type.NULLABILITY_NULLABLE
    field(measure.arguments.add().value, 1)
    return aggregate.input


def joins(rel: Any, i: int) -> Any:
    join = rel.join
    join.type = pb.JoinRel.JOIN_TYPE_LEFT_SEMI
    left, right = call(join.expression, "gt:any_any", "bool")
    field(left, 0)
    field(right, 2)
    read(join.right, table=f"u{i}")
    return join.left


def unions(rel: Any, i: int) -> Any:
    rel.set.op = pb.SetRel.SET_OP_UNION_ALL
    first, second = rel.set.inputs.add(), rel.set.inputs.add()
    read(second, table=f"u{i}")
    return first


def crosses_and_cuts(rel: Any, i: int) -> Any:
    return (filters, fetches, projects, sorts)[i % 4](rel, i)


def nested(step: Callable[[Any, int], Any], depth: int) -> bytes:
    """Relations in each other, filled in from the outside, so that nothing is copied."""
    plan = empty()
    root = plan.relations.add().root
    root.names.extend(["a", "b"])
    rel = root.input
    for i in range(depth):
        rel = step(rel, i)
    read(rel)
    # Protobuf writes nested messages recursively, which takes more stack than there is.
    return in_big_stack(plan.SerializeToString)


def wide(fill: Callable[[Any], None], names: int = 1) -> bytes:
    """One relation of many parts."""
    plan = empty()
    root = plan.relations.add().root
    root.names.extend(f"n{i}" for i in range(names))
    fill(root.input)
    return plan.SerializeToString()


def conditions(count: int) -> bytes:
    def fill(rel: Any) -> None:
        read(rel.filter.input, 1)
        for i, part in enumerate(call(rel.filter.condition, "and:bool", "bool", count)):
            above(part, 0, i)

    return wide(fill)


def chain(count: int) -> bytes:
    """AND over two arguments each, as many producers nest them."""

    def fill(rel: Any) -> None:
        read(rel.filter.input, 1)
        node = rel.filter.condition
        for i in range(count):
            node, last = call(node, "and:bool", "bool")
            above(last, 0, i)
        above(node, 0, count)

    return wide(fill)


def options(count: int) -> bytes:
    def fill(rel: Any) -> None:
        read(rel.filter.input, 1)
        found = rel.filter.condition.singular_or_list
        field(found.value, 0)
        for i in range(count):
            found.options.add().literal.i64 = i

    return wide(fill)


def columns(count: int) -> bytes:
    def fill(rel: Any) -> None:
        read(rel.project.input, count)
        rel.project.common.emit.output_mapping.extend(range(count, 2 * count))
        for i in range(count):
            left, right = call(rel.project.expressions.add(), "add:i64_i64", "i64")
            field(left, i)
            field(right, (i + 1) % count)

    return wide(fill, count)


def rows(count: int) -> bytes:
    """A virtual table of texts: the bytes of a plan are mostly data."""

    def fill(rel: Any) -> None:
        table = rel.read
        table.base_schema.names.append("s")
        table.base_schema.struct.types.add().string.nullability = REQUIRED
        table.base_schema.struct.nullability = REQUIRED
        for i in range(count):
            table.virtual_table.expressions.add().fields.add().literal.string = f"{i}" * 20

    return wide(fill)


def seconds(data: bytes) -> float:
    """How long the text takes. Without the collector, whose time grows with what other tests have left behind."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        substrait_sql.to_sql(data)
        return time.process_time() - start
    finally:
        gc.enable()


def assert_linear(make: Callable[[int], bytes], size: int, tries: int = 3) -> None:
    """Four times the plan takes about four times as long; were it quadratic, sixteen times in each of the tries."""
    seconds(make(50))  # What is read once, on first use.
    pairs = [(seconds(make(size // 4)), seconds(make(size)))]
    while (
        not grows_linearly(*pairs[-1]) and len(pairs) < tries
    ):  # Another process may have had the machine.
        pairs.append((seconds(make(size // 4)), seconds(make(size))))
    assert grows_linearly(*pairs[-1]), pairs


def grows_linearly(quarter: float, whole: float) -> bool:
    return whole < 20 and whole < 6.5 * quarter + 0.2


NESTED = [filters, projects, sorts, fetches, aggregates, joins, unions, crosses_and_cuts]
WIDE = [(conditions, 10_000), (options, 5_000), (columns, 2_000), (rows, 20_000)]


@pytest.mark.slow
@pytest.mark.parametrize("step", NESTED, ids=lambda s: s.__name__)
def test_nested_relations(step: Callable[[Any, int], Any]) -> None:
    """Two thousand relations in each other, in no more than linear time."""
    assert_linear(partial(nested, step), 2_000)


@pytest.mark.slow
@pytest.mark.parametrize(("make", "count"), WIDE, ids=lambda v: getattr(v, "__name__", str(v)))
def test_wide_plans(make: Callable[[int], bytes], count: int) -> None:
    """Many terms, options, columns, rows."""
    assert_linear(make, count)


@pytest.mark.slow
def test_a_chain_of_binary_and() -> None:
    """Ten thousand terms of AND, one inside the other."""
    text = substrait_sql.to_sql(chain(10_000))
    assert text.count(" AND ") + text.count("AND\n") + text.count("\n  AND ") >= 10_000


@pytest.mark.slow
def test_ten_megabytes() -> None:
    """A plan of more than ten million bytes."""
    data = rows(100_000)
    assert len(data) > 10_000_000
    assert seconds(data) < 60


def test_beyond_what_is_promised() -> None:
    """Far deeper plans are refused with a reason, or rendered."""
    try:
        substrait_sql.to_sql(nested(filters, 30_000))
    except SubstraitSqlError as error:
        assert error.code == "SS1007"


@pytest.mark.spark
def test_big_plans_run(spark: SparkSession) -> None:
    """What Spark makes of the text: its own limits (stack, rounds of the analyser) are not met."""
    numbers = [(i, i % 7) for i in range(400)]
    table = spark.createDataFrame(numbers, "c0 BIGINT, c1 BIGINT")

    def rows_of(data: bytes) -> list[tuple[Any, ...]]:
        found = substrait_sql.execute(spark, data, tables={"t": table})
        return sorted(tuple(row) for row in found.collect())

    assert rows_of(nested(filters, 300)) == numbers[300:]
    assert rows_of(nested(projects, 300)) == [(a, b + sum(range(300))) for a, b in numbers]
    assert rows_of(nested(sorts, 300)) == numbers
    assert rows_of(nested(aggregates, 60)) == numbers
    assert rows_of(conditions(300)) == [(a,) for a, _ in numbers[300:]]
    assert rows_of(chain(300)) == [(a,) for a, _ in numbers[301:]]
    assert rows_of(options(5_000)) == [(a,) for a, _ in numbers]
    assert len(rows_of(rows(20_000))) == 20_000


@pytest.mark.spark
def test_two_thousand_columns(spark: SparkSession) -> None:
    """Each is the sum of two neighbours."""
    names = ", ".join(f"{i}L AS c{i}" for i in range(2_000))
    found = substrait_sql.execute(spark, columns(2_000), tables={"t": spark.sql(f"SELECT {names}")})
    (row,) = found.collect()
    assert tuple(row) == tuple(i + (i + 1) % 2_000 for i in range(2_000))
