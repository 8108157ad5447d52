"""https://substrait.io/relations/logical_relations/#fetch-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.block import Block, Slot
from substrait_sql.lower.context import Context, Env, invalid, refuse
from substrait_sql.lower.relations import lowers, relation

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_INT_MAX = 2**31 - 1
_INTEGERS = ("i8", "i16", "i32", "i64")


@lowers("fetch")
def fetch_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """LIMIT and OFFSET. No count, or NULL, is all rows; no offset, or NULL, is none skipped."""
    block = relation(message.input, cx, path / "input", outer)
    offset = _number(message, "offset_expr", path)
    count = _number(message, "count_expr", path)
    if not offset and count is None:
        return block
    block = block.at(Slot.LIMIT)
    if count is not None:
        if count + (offset or 0) > _INT_MAX:
            raise refuse("SS2031", f"Spark's LIMIT ends at {_INT_MAX} rows", path / "count_expr")
        block.limit = exp.Literal.number(count)
    if offset:
        block.offset = exp.Literal.number(offset)
    return block


def _number(message: Any, name: str, path: Path) -> int | None:
    """The value of a count or offset, None where it is absent or NULL."""
    if not message.HasField(name):
        return None
    value = getattr(message, name)
    at = path / name
    while value.WhichOneof("rex_type") == "cast":
        value, at = value.cast.input, at / "cast"
    kind = (
        value.literal.WhichOneof("literal_type")
        if value.WhichOneof("rex_type") == "literal"
        else None
    )
    if kind == "null":
        return None
    if kind not in _INTEGERS:
        raise refuse("SS2032", "a count or offset that is no integer literal has no SQL yet", at)
    number = int(getattr(value.literal, kind))
    if number < 0:
        raise invalid("SS2033", f"{name} is {number}, it may not be negative", at)
    return number
