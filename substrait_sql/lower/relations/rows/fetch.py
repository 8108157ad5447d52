"""https://substrait.io/relations/logical_relations/#fetch-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.errors import invalid
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.context import Context, Env
from substrait_sql.lower.expression import expression
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.retry import settled
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Parts
from substrait_sql.select.ranking import rankable, ranked
from substrait_sql.select.single import has_one_row

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

    def computed(self, which: str) -> bool:
        """Whether only Spark knows the offset or the count."""
        return not isinstance(getattr(self, which) or 0, int)

    def value(self, which: str, record: Block, outer: Env | None) -> Field:
        """That offset or count as an expression, which is the same for all rows. No offset is 0.

        record: the block of the rows.
        """
        message = getattr(self, which)
        env = Env(self.cx, record, outer)
        value = expression(message, env, self.path / self.names[which])
        parts = env.take()
        if types.kind(value.type) not in ("i8", "i16", "i32", "i64"):
            raise invalid("SS2034", f"the {which} is no integer", self.path / self.names[which])
        if which == "offset":
            value.sql = operators.call("coalesce", value.sql, exp.Literal.number(0))
        value.name = which
        return value.as_field(parts)


def cut(block: Block, rows: Rows, outer: Env | None) -> Block:
    """The block with fewer rows."""
    if not rows.offset and rows.count is None:
        return block
    if not rows.known:
        return numbered(block, rows, outer)
    if rows.count and not rows.offset and has_one_row(block):
        return block
    block = block.at(Slot.LIMIT)
    if rows.count is not None:
        block.limit = exp.Literal.number(rows.count)
    if rows.offset:
        block.offset = exp.Literal.number(rows.offset)
    return block


def numbered(
    block: Block,
    rows: Rows,
    outer: Env | None,
    within: Sequence[Field] = (),
    *,
    ties: bool = False,
) -> Block:
    """By numbers of rows: Spark's LIMIT takes constants only, and none beyond an i32.

    What only Spark knows is a column beside the numbers, so that it is computed once and may be asked twice:

        SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS row_number, (SELECT max(n) FROM t) AS count …)
        WHERE CASE WHEN count < 0 THEN raise_error('…') ELSE coalesce(row_number <= count, TRUE) END

    within: fields whose values have numbers of their own. ties: whether the rows that equal the last one by the sort
    keys are kept too.
    """
    positions = [block.fields.index(f) for f in within]
    block = rankable(block, positions)
    known = [n for n in (rows.offset, rows.count) if isinstance(n, int)]
    block, computed = settled(
        block,
        lambda b: {w: rows.value(w, b, outer) for w in ("offset", "count") if rows.computed(w)},
    )
    functions = ["count" if sum(known) > _INT_MAX else "row_number"]
    if ties:
        functions = ["rank", "row_number"] if rows.offset else ["rank"]
    fresh, columns = ranked(
        block, functions, list(computed.values()), [block.fields[i] for i in positions]
    )
    limits = dict(zip(computed, columns[len(functions) :], strict=True))
    parts = Parts()

    def limit(which: str) -> exp.Expression:
        if which in limits:
            return limits[which].copy(parts)
        return exp.Literal.number(getattr(rows, which))

    kept = []
    if rows.offset:
        number = columns[len(functions) - 1].copy(parts)
        kept.append(operators.infix(exp.GT, number, limit("offset")))
    if rows.count is not None:
        shown = columns[0].copy(parts)
        if isinstance(rows.count, int) and isinstance(rows.offset or 0, int):
            last: exp.Expression = exp.Literal.number(rows.count + (rows.offset or 0))
        else:
            shown = operators.infix(exp.Sub, shown, limit("offset")) if rows.offset else shown
            last = limit("count")
        enough = operators.infix(exp.LTE, shown, last)
        if "count" in limits:
            if ties:
                some = operators.infix(exp.GT, limit("count"), exp.Literal.number(0))
                enough = operators.fold(exp.And, [enough, some])
            # A count of NULL is all rows.
            enough = operators.call("coalesce", enough, exp.true())
        kept.append(enough)
    condition = operators.fold(exp.And, kept)
    if limits:
        condition = _checked(condition, [limit(which) for which in limits])
    fresh.where = [Field(types.boolean(), sql=condition, parts=parts)]
    return fresh


def _checked(condition: exp.Expression, limits: list[exp.Expression]) -> exp.Expression:
    """The condition, for a row count or offset that is not negative: the specification allows no other."""
    zero = exp.Literal.number(0)
    negative = [operators.infix(exp.LT, n, zero.copy()) for n in limits]
    error = operators.call(
        "raise_error", exp.Literal.string("the number of rows to skip or to keep is negative")
    )
    case = exp.If(this=operators.fold(exp.Or, negative), true=error)
    return exp.Case(ifs=[case], default=condition)


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
