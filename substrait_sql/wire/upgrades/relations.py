"""Relations in retired forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.errors import InvalidPlanError
from substrait_sql.wire.descriptors import Variant, message
from substrait_sql.wire.upgrades.walk import Context, upgrades, wrong

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_ALL_RECORDS = -1
# DuckDB 1.0 writes it for OFFSET without LIMIT.
_LEAST = -(2**63)
_NULLABLE = 1
_COMPARE_EQUAL = 1
_PARQUET = 1
_INNER = 1


@upgrades("FetchRel")
def fetch_offset(fetch: Any, path: Path, context: Context) -> None:
    """Upgrade: the offset was a plain number (row 16)."""
    if not fetch.HasField("offset"):
        return
    context.retired("FetchRel.offset", 98, path)
    offset = fetch.offset
    fetch.ClearField("offset")
    if offset < 0:
        raise wrong(f"the offset of a fetch cannot be {offset}", path)
    # Zero is what an absent offset means, then and now.
    if offset and not fetch.HasField("offset_expr"):
        fetch.offset_expr.literal.i64 = offset


@upgrades("FetchRel")
def fetch_count(fetch: Any, path: Path, context: Context) -> None:
    """Upgrade: the count was a plain number.

    -1 was all, and before 0.63 an absent one was zero (row 17).

    The upgraded plan keeps its version, so it must mean the same when it is read once more.
    """
    if not fetch.HasField("count"):
        if not fetch.HasField("count_expr"):
            context.later(lambda: _absent_count(fetch, path, context))
        return
    context.retired("FetchRel.count", 98, path)
    count = fetch.count
    fetch.ClearField("count")
    if fetch.HasField("count_expr"):
        return
    if count == _ALL_RECORDS or (count == _LEAST and context.producer.startswith("duckdb")):
        if context.minor is not None and context.minor < 63:
            # Under this version an absent count is zero; a null count is all in every reading.
            fetch.count_expr.literal.null.i64.nullability = _NULLABLE
        return
    if count < 0:
        raise wrong(f"the count of a fetch cannot be {count}", path, "-1 means all records")
    fetch.count_expr.literal.i64 = count


def _absent_count(fetch: Any, path: Path, context: Context) -> None:
    old = context.before(63)
    if old is None:
        raise InvalidPlanError.of(
            "SS1011",
            "a fetch without count returns no record before 0.63.0 and all records since, "
            "and this old plan has no version",
            path,
            "write the version of the producer into the plan, or the count",
        )
    datafusion = context.producer.startswith("datafusion") and context.producer_before(35)
    if old and (datafusion or context.producer.startswith("ibis")):
        who = "DataFusion up to 31 writes" if datafusion else "Ibis writes"
        raise InvalidPlanError.of(
            "SS1014",
            f"a fetch without count is what {who} for no limit and for a limit of 0",
            path,
            "give it a limit from 1 on",
        )
    if old:
        fetch.count_expr.literal.i64 = 0
        context.note(
            "SS1102",
            "a fetch without count returns no record in a plan older than 0.63.0",
            path,
            warn=True,
        )


@upgrades("AggregateRel")
def inline_groupings(aggregate: Any, path: Path, context: Context) -> None:
    """Upgrade: inline keys become references; equal ones are one key, first come first (18)."""
    if not any(g.grouping_expressions for g in aggregate.groupings):
        return
    context.retired("Grouping.grouping_expressions", 88, path)
    keys: dict[bytes, int] = {}
    for i, key in enumerate(aggregate.grouping_expressions):
        keys.setdefault(key.SerializeToString(deterministic=True), i)
    for grouping in aggregate.groupings:
        # Some producers write both forms; the references are the ones that count.
        if not grouping.expression_references:
            for key in grouping.grouping_expressions:
                content = key.SerializeToString(deterministic=True)
                if content not in keys:
                    keys[content] = len(aggregate.grouping_expressions)
                    aggregate.grouping_expressions.add().CopyFrom(key)
                grouping.expression_references.append(keys[content])
        grouping.ClearField("grouping_expressions")


@upgrades("ReadRel.VirtualTable")
def virtual_table_values(table: Any, path: Path, context: Context) -> None:
    """Rows were structs of literals (row 13)."""
    if not table.values:
        return
    context.retired("VirtualTable.values", 98, path)
    if not table.expressions:
        for row in table.values:
            new = table.expressions.add()
            for literal in row.fields:
                new.fields.add().literal.CopyFrom(literal)
    table.ClearField("values")


@upgrades("ReadRel.VirtualTable")
def virtual_table_rows_as_expressions(table: Any, path: Path, context: Context) -> None:
    """In 0.58 a row was an expression, under the number of today's struct (row 14)."""
    for i, row in enumerate(table.expressions):
        old = _row_as_expression(row)
        if old is None:
            continue
        where = path / f"expressions[{i}]"
        context.retired("VirtualTable.expressions of 0.58", 59, where)
        kind = old.WhichOneof("rex_type")
        row.Clear()
        if kind == "literal" and old.literal.WhichOneof("literal_type") == "struct":
            for literal in old.literal.struct.fields:
                row.fields.add().literal.CopyFrom(literal)
        elif kind == "nested" and old.nested.WhichOneof("nested_type") == "struct":
            row.CopyFrom(old.nested.struct)
        else:
            raise wrong(
                "a row of a virtual table is neither a struct literal nor a nested struct", where
            )


def _row_as_expression(row: Any) -> Any:
    """Return the row as an expression of 0.58, or None if it is today's struct."""
    expression: Any = message("Expression", Variant.HISTORY)
    for name in ("literal", "nested"):
        if row.HasField(name):
            made = expression()
            getattr(made, name).CopyFrom(getattr(row, name))
            return made
    if not _has_unknown(row) and not any(
        f.WhichOneof("rex_type") is None and _has_unknown(f) for f in row.fields
    ):
        return None
    try:
        made = expression.FromString(row.SerializeToString())
    except ProtobufError:
        return None
    return None if _has_unknown(made) or made.WhichOneof("rex_type") is None else made


def _has_unknown(node: Any) -> bool:
    return len(UnknownFieldSet(node)) > 0


@upgrades("ReadRel.LocalFiles.FileOrFiles")
def file_format(item: Any, path: Path, context: Context) -> None:
    """Upgrade: the format was an enum with one real member (row 15)."""
    if not item.format:
        return
    context.retired("FileOrFiles.format", 5, path)
    if item.WhichOneof("file_format") is None:
        if item.format != _PARQUET:
            raise wrong(f"there is no file format {item.format}", path)
        item.parquet.SetInParent()
    item.ClearField("format")


@upgrades("HashJoinRel", "MergeJoinRel")
def join_keys(join: Any, path: Path, context: Context) -> None:
    """Keys were two lists, compared pairwise for equality (rows 19, 20)."""
    if not join.left_keys and not join.right_keys:
        return
    context.retired(f"{join.DESCRIPTOR.name}.left_keys", 98, path)
    if not join.keys:
        if len(join.left_keys) != len(join.right_keys):
            raise wrong(
                f"the join has {len(join.left_keys)} left and {len(join.right_keys)} right keys",
                path,
            )
        for left, right in zip(join.left_keys, join.right_keys, strict=True):
            key = join.keys.add()
            key.left.CopyFrom(left)
            key.right.CopyFrom(right)
            key.comparison.simple = _COMPARE_EQUAL
    join.ClearField("left_keys")
    join.ClearField("right_keys")


@upgrades("HashJoinRel", "MergeJoinRel")
def post_join_filter(join: Any, path: Path, context: Context) -> None:
    """Upgrade: until 0.91 the filter was a part of the condition, which is the residual expression now.

    Only an inner join has the same rows either way.
    """
    if not join.HasField("post_join_filter") or join.HasField("residual_expression"):
        return

    def decide() -> None:
        old = context.before(91)
        if old is None and join.type != _INNER:
            raise InvalidPlanError.of(
                "SS1011",
                "a post-join filter is a part of the join's condition before 0.91.0 and a filter "
                "above the join since, and this old plan has no version",
                path,
                "write the version of the producer into the plan",
            )
        if old:
            join.residual_expression.CopyFrom(join.post_join_filter)
            join.ClearField("post_join_filter")
            context.note(
                "SS1102",
                "the post-join filter of a join by keys is a part of its condition before 0.91.0",
                path,
                warn=True,
            )

    context.later(decide)


@upgrades("JoinRel", "HashJoinRel", "MergeJoinRel", "NestedLoopJoinRel")
def join_output(join: Any, path: Path, context: Context) -> None:
    """Say what is assumed of joins that 0.54 to 0.71 described in another way than any producer has it.

    The text had the columns of both sides in the output of a semi, anti or mark join. Those of the
    left side are at the same places either way, so a left semi or anti join needs no word.
    """
    values = join.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number
    kind = values[join.type].name.removeprefix("JOIN_TYPE_") if join.type in values else ""
    if kind.endswith("SINGLE"):
        what = "more than one match of a single join is an error, as since 0.72.0"
    elif kind.endswith("MARK") or kind in ("RIGHT_SEMI", "RIGHT_ANTI"):
        word = kind.lower().replace("_", " ")
        what = f"a {word} join returns the columns of one side, as since 0.72.0"
    else:
        return

    def decide() -> None:
        if context.before(72):
            context.note("SS1103", what, path, warn=True)

    context.later(decide)
