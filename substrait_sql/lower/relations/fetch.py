"""https://substrait.io/relations/logical_relations/#fetch-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.lower.block import Block, Slot
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.context import Context, Env, invalid
from substrait_sql.lower.expressions import expression
from substrait_sql.lower.field import Field, Parts
from substrait_sql.lower.relations import lowers, relation
from substrait_sql.lower.sorting import ranked
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.wire.path import Path

_INT_MAX = 2**31 - 1
# No table has as many rows: some producers write the largest i64 for all of them.
_ALL = 2**62


@lowers("fetch")
def fetch_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """LIMIT and OFFSET. No count, or NULL, is all rows; no offset, or NULL, is none skipped."""
    block = relation(message.input, cx, path / "input", outer)
    return cut(block, Rows(message, "offset_expr", "count_expr", cx, path), outer)


def cut_within(message: Any, count: int, cx: Context, path: Path, outer: Env | None) -> Block:
    """A fetch of its own for each value of the input's last columns. count: how many they are."""
    block = relation(message.input, cx, path / "input", outer)
    rows = Rows(message, "offset_expr", "count_expr", cx, path)
    if not rows.offset and rows.count is None:
        return block
    return numbered(block, rows, outer, block.fields[-count:])


class Rows:
    """Which rows a relation keeps: all after the first `offset`, at most `count`.

    Each is a number, None where the plan has none or NULL, or a message whose value only Spark knows.
    """

    def __init__(self, message: Any, offset: str, count: str, cx: Context, path: Path) -> None:
        self.cx = cx
        self.path = path
        self.names = {"offset": offset, "count": count}
        self.offset = _number(message, offset, cx, path)
        self.count = _number(message, count, cx, path)
        if isinstance(self.count, int) and self.count > _ALL:
            self.count = None

    @property
    def known(self) -> bool:
        """Whether both are plain numbers that Spark's LIMIT can take."""
        if not all(n is None or isinstance(n, int) for n in (self.offset, self.count)):
            return False
        return (self.offset or 0) + (self.count or 0) <= _INT_MAX

    def value(self, which: str, record: Block, outer: Env | None) -> Field:
        """The offset or the count as an expression, which is the same for all rows. record: the block of the rows."""
        message = getattr(self, which)
        if isinstance(message, int):
            sql: exp.Expression = exp.Literal.number(message)
            return Field(types.i64(), which, sql=sql, parts=Parts())
        env = Env(self.cx, record, outer)
        value = expression(message, env, self.path / self.names[which])
        parts = env.take()
        if types.kind(value.type) not in ("i8", "i16", "i32", "i64"):
            raise invalid("SS2034", f"the {which} is no integer", self.path / self.names[which])
        return value.as_field(parts)


def cut(block: Block, rows: Rows, outer: Env | None) -> Block:
    """The block with fewer rows."""
    if not rows.offset and rows.count is None:
        return block
    if not rows.known:
        return numbered(block, rows, outer)
    block = block.at(Slot.LIMIT)
    if rows.count is not None:
        block.limit = exp.Literal.number(rows.count)
    if rows.offset:
        block.offset = exp.Literal.number(rows.offset)
    return block


def numbered(block: Block, rows: Rows, outer: Env | None, within: Sequence[Field] = ()) -> Block:
    """By numbers of rows: Spark's LIMIT takes constants only, and none beyond an i32."""
    numbers = [n for n in (rows.offset, rows.count) if isinstance(n, int)]
    fresh, (number,) = ranked(block, ["count" if sum(numbers) > _INT_MAX else "row_number"], within)
    conditions = []
    if rows.offset:
        parts = Parts()
        skipped = rows.value("offset", fresh, outer).emit(parts)
        if not isinstance(rows.offset, int):
            skipped = operators.call("coalesce", skipped, exp.Literal.number(0))
        conditions.append(_condition(exp.GT, number.copy(parts), skipped, parts))
    if rows.count is not None:
        parts = Parts()
        last = rows.value("count", fresh, outer).emit(parts)
        shown = number.copy(parts)
        if isinstance(rows.count, int) and isinstance(rows.offset or 0, int):
            last = exp.Literal.number(rows.count + (rows.offset or 0))
        elif rows.offset:
            skipped = rows.value("offset", fresh, outer).emit(parts)
            if not isinstance(rows.offset, int):
                skipped = operators.call("coalesce", skipped, exp.Literal.number(0))
            shown = operators.infix(exp.Sub, shown, skipped)
        if not isinstance(rows.count, int):
            # A count of NULL is all rows.
            last = operators.call("coalesce", last, exp.Literal.number(2**63 - 1))
        conditions.append(_condition(exp.LTE, shown, last, parts))
    fresh.where = conditions
    return fresh


def _condition(
    operator: type[exp.Expression], left: exp.Expression, right: exp.Expression, parts: Parts
) -> Field:
    return Field(types.boolean(), sql=operators.infix(operator, left, right), parts=parts)


def _number(message: Any, name: str, cx: Context, path: Path) -> Any:
    """The value of a count or offset, None where it is absent or NULL, the message where it is not known."""
    if not message.HasField(name):
        return None
    value = getattr(message, name)
    at = path / name
    try:
        number = constant(value, cx, at)
    except NotConstant:
        return value
    if number is not None and number < 0:
        raise invalid("SS2033", f"{name} is {number}, it may not be negative", at)
    return number
