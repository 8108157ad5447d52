"""Frames whose offsets change from row to row, which Spark's OVER does not take.

The rows of the partition, as an array, and the place of the current one among them are columns of a derived table; the
frame is what a filter leaves of the array:

    SELECT id, array_max(filter(rows, (x, i) -> i + 1 BETWEEN place - lower AND place))
    FROM (SELECT id, n AS lower, row_number() OVER (ORDER BY id) AS place, collect_list(x) OVER (ORDER BY id …) …)

Both windows have one order, so that Spark computes them over the same sorted rows.

`lag` and `lead` by a number of rows that changes from row to row take one value out of that array, where Spark's own
want a constant: ``get(rows, try_subtract(place - 1, n))``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.calls import values_listed
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.constants import NotConstant, constant
from substrait_sql.lower.expression import computed, expression
from substrait_sql.lower.expressions.windows.distance import with_room
from substrait_sql.lower.expressions.windows.frame import check_key
from substrait_sql.lower.retry import apart
from substrait_sql.schema import types
from substrait_sql.select.field import Field, Traits, absorb
from substrait_sql.select.signals import CloseBlock, ComputeFirst
from substrait_sql.spark.clauses import Clause
from substrait_sql.tree.compare import same_text
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.lower.expressions.windows.over import Over, Window
    from substrait_sql.lower.value import Value
    from substrait_sql.select.block import SortKey
    from substrait_sql.wire.path import Path

_RANGE = 2
_NUMBERS = ("i8", "i16", "i32", "i64", "fp32", "fp64", "decimal")
_ZERO_INTERVALS = {"interval_day": "make_dt_interval", "interval_year": "make_ym_interval"}
# How far an offset may be that is not known.
_ANY = 2**63
_WRONG = "the offset of a window frame is negative or NULL"


def moves(message: Any, cx: Context, path: Path) -> bool:
    """Whether a bound of the frame is an offset that is computed for each row."""
    return any(
        _is_computed(getattr(message, s), cx, path / s) for s in ("lower_bound", "upper_bound")
    )


def _is_computed(bound: Any, cx: Context, path: Path) -> bool:
    kind = bound.WhichOneof("kind")
    if kind not in ("preceding", "following"):
        return False
    part = getattr(bound, kind)
    if not part.HasField("offset_expr") or part.offset_expr.WhichOneof("rex_type") == "literal":
        return False
    try:
        constant(part.offset_expr, cx, path / kind / "offset_expr")
    except NotConstant:
        return True
    return False


@dataclass(slots=True)
class _End:
    """One end of the frame. sign: -1 for preceding, 1 for following, 0 for the current row; offset: how far away."""

    unbounded: bool = False
    sign: int = 0
    offset: exp.Expression | None = None


class MovingFrame:
    """The frame of one call. over: what stands in its OVER; argument: lowers what the function is called on."""

    def __init__(
        self, message: Any, over: Over, argument: Callable[[], Value], env: Env, path: Path
    ) -> None:
        self.message, self.over, self.argument = message, over, argument
        self.env, self.path = env, path

    def values(self, keeps_nulls: bool) -> exp.Expression:
        """The values of the argument in the frame, as an array. keeps_nulls: also those that are NULL."""
        if not self.message.bounds_type:
            at = self.path / "bounds_type"
            raise invalid("SS2172", "the window has bounds and no bounds_type", at)
        if self.message.bounds_type == _RANGE:
            return self._by_distance(keeps_nulls)
        return self._by_place(keeps_nulls)

    def shifted(
        self,
        operator: str,
        offset: Callable[[], tuple[exp.Expression, Any]],
        default: exp.Expression | None,
    ) -> exp.Expression:
        """The argument so many rows away, NULL by a NULL offset. operator: ``try_add`` or ``try_subtract``.

        default: what it is where there is no such row.
        """
        rows = self._column("rows", self._rows)
        place = self._column("place", self._place)
        far = self._column("distance", offset)
        before = operators.infix(exp.Sub, place, exp.Literal.number(1))
        index = operators.call(operator, before, far)
        if default is None:
            return operators.call("get", rows, index)
        last = operators.infix(exp.Sub, operators.call("size", clone(rows)), exp.Literal.number(1))
        there = exp.Between(this=clone(index), low=exp.Literal.number(0), high=last)
        known = operators.is_null(clone(far), negated=True)
        found = operators.call("get", rows, index)
        arms = [exp.If(this=there, true=found), exp.If(this=known, true=default)]
        return exp.Case(ifs=arms)

    # -- the two kinds of frame ---------------------------------------------------------------------------------------

    def _by_place(self, keeps_nulls: bool) -> exp.Expression:
        rows = self._column("rows", self._rows)
        place = self._column("place", self._place)
        lower, upper = self._ends()
        number = operators.infix(exp.Add, _name("i"), exp.Literal.number(1))
        condition = _between(number, _moved(place, lower), _moved(clone(place), upper))
        if not keeps_nulls:
            condition = _and_known(condition, _name("x"))
        return operators.call("filter", rows, _lambda(condition, "x", "i"))

    def _by_distance(self, keeps_nulls: bool) -> exp.Expression:
        """By the distance of keys. The frame of a row without a key is its peers, and what its open end reaches."""
        sort = self._sort()
        rows = self._column("rows", self._pairs)
        key = self._column("key", self._key)
        lower, upper = self._ends()
        forwards = -1 if sort.descending else 1
        held = sort.field.sql_type or sort.field.type
        first, last = (
            _moved(
                clone(key) if e.offset is None else with_room(clone(key), held, _ANY), e, forwards
            )
            for e in (lower, upper)
        )
        if sort.descending:
            first, last = last, first
        condition = _between(_part("k"), first, last)
        if sort.field.type is None or types.nullable(sort.field.type):
            before, after = (lower, upper) if sort.nulls_first else (upper, lower)
            if before.unbounded:
                condition = operators.call("coalesce", condition, exp.true())
            peers = exp.true() if after.unbounded else operators.is_null(_part("k"))
            case = exp.If(this=operators.is_null(clone(key)), true=peers)
            condition = exp.Case(ifs=[case], default=condition)
        if not keeps_nulls:
            condition = _and_known(condition, _part("v"))
        found = operators.call("filter", rows, _lambda(condition, "x"))
        return operators.call("transform", found, _lambda(_part("v"), "x"))

    def _sort(self) -> SortKey:
        check_key(self.over.sorts, self.path)
        with self.env.apart():
            keys = self.over.sort_keys(self.env)
        if not keys:
            raise refuse("SS2175", "the distance from a constant has no SQL", self.over.sorts_at)
        return keys[0]

    # -- columns of the derived table ---------------------------------------------------------------------------------

    def _column(self, name: str, make: Callable[[], tuple[exp.Expression, Any]]) -> exp.Expression:
        """That column; asks for it first where it is not there yet."""
        env, at = self.env, self.path / name
        found = env.block.computed.get(str(at))
        if found is not None:
            return computed(found, env)
        if env.moved:
            raise CloseBlock(env.block)
        with env.apart() as parts:
            sql, type = make()
        field = Field(type, name, sql=sql, parts=parts)
        if not parts.traits & Traits.IMPURE:
            # The functions of one window have their rows in common.
            known = (f for f in env.block.computed.values() if f.sql is not None)
            field = next((f for f in known if f.sql and same_text(f.sql, sql)), field)
        raise ComputeFirst(env.block, field, at)

    def _rows(self) -> tuple[exp.Expression, Any]:
        """The argument of all rows of the partition, in their order."""
        listed, field = values_listed(self.argument().sql, self.env.context.dialect.target.lacks)
        rows = self._whole(listed)
        return (exp.Dot(this=rows, expression=field) if field is not None else rows), None

    def _pairs(self) -> tuple[exp.Expression, Any]:
        key = self._key()[0]
        pair = [exp.Literal.string("k"), key, exp.Literal.string("v"), self.argument().sql]
        listed = operators.call("collect_list", operators.call("named_struct", *pair))
        return self._whole(listed), None

    def _place(self) -> tuple[exp.Expression, Any]:
        return self._window(exp.Anonymous(this="row_number"), None), types.i32()

    def _key(self) -> tuple[exp.Expression, Any]:
        (sort,) = self.over.sort_keys(self.env)
        return sort.field.copy(self.env.parts), sort.field.type

    def _whole(self, node: exp.Expression) -> exp.Expression:
        return self._window(
            node,
            exp.WindowSpec(
                kind="ROWS",
                start="UNBOUNDED",
                start_side="PRECEDING",
                end="UNBOUNDED",
                end_side="FOLLOWING",
            ),
        )

    def _window(self, node: exp.Expression, spec: exp.Expression | None) -> exp.Expression:
        window: Window = self.over.window(self.env)
        absorb(self.env.parts, window.parts)
        keys = window.keys or [exp.Ordered(this=exp.Null(), nulls_first=True)]
        self.env.parts.traits |= Traits.WINDOW
        return exp.Window(
            this=node,
            partition_by=window.partitions,
            order=exp.Order(expressions=keys),
            spec=spec,
            over="OVER",
        )

    # -- the ends of the frame ----------------------------------------------------------------------------------------

    def _ends(self) -> tuple[_End, _End]:
        return self._end("lower_bound"), self._end("upper_bound")

    def _end(self, side: str) -> _End:
        bound = getattr(self.message, side)
        kind = bound.WhichOneof("kind")
        if kind in (None, "unbounded"):
            return _End(unbounded=True)
        if kind == "current_row":
            return _End()
        part, at = getattr(bound, kind), self.path / side / kind
        return _End(sign=-1 if kind == "preceding" else 1, offset=self._offset(part, side, at))

    def _offset(self, part: Any, side: str, path: Path) -> exp.Expression:
        """The offset: a number of rows, or a distance."""
        message, at = part.offset_expr, path / "offset_expr"
        try:
            known = (
                constant(message, self.env.context, at)
                if part.HasField("offset_expr")
                else part.offset
            )
        except NotConstant:
            if message.WhichOneof("rex_type") == "literal":
                return expression(message, self.env, at).sql
            return self._column(side.removesuffix("_bound"), lambda: self._checked(message, at))
        if known is None or known < 0:
            raise invalid("SS2174", f"a frame offset of {known}", path)
        return exp.Literal.number(known)

    def _checked(self, message: Any, path: Path) -> tuple[exp.Expression, Any]:
        """The offset of the row, which may be neither NULL nor negative."""
        value = apart(message, self.env, path, Clause.GROUPED)
        kind = types.kind(value.type)
        if kind in _ZERO_INTERVALS:
            zero = operators.call(_ZERO_INTERVALS[kind or ""])
        elif kind in _NUMBERS:
            zero = exp.Literal.number(0)
        else:
            raise refuse("SS2175", "an offset that is neither number nor interval", path)
        fits = operators.infix(exp.GTE, value.sql, zero)
        again = clone(value.sql, self.env.parts.columns)
        error = operators.call("raise_error", exp.Literal.string(_WRONG))
        return exp.Case(ifs=[exp.If(this=fits, true=again)], default=error), value.type


def _moved(place: exp.Expression, end: _End, forwards: int = 1) -> exp.Expression | None:
    """Where the frame ends, None if only with the partition."""
    if end.unbounded:
        return None
    if end.offset is None:
        return place
    operator = exp.Add if end.sign * forwards > 0 else exp.Sub
    return operators.infix(operator, place, end.offset)


def _between(
    node: exp.Expression, first: exp.Expression | None, last: exp.Expression | None
) -> exp.Expression:
    if first is not None and last is not None:
        return exp.Between(this=node, low=first, high=last)
    if first is not None:
        return operators.infix(exp.GTE, node, first)
    assert last is not None
    return operators.infix(exp.LTE, node, last)


def _and_known(condition: exp.Expression, value: exp.Expression) -> exp.Expression:
    return operators.fold(exp.And, [condition, operators.is_null(value, negated=True)])


def _lambda(body: exp.Expression, *names: str) -> exp.Expression:
    return exp.Lambda(this=body, expressions=[exp.to_identifier(n) for n in names])


def _name(name: str) -> exp.Expression:
    return exp.Column(this=exp.to_identifier(name))


def _part(name: str) -> exp.Expression:
    return exp.Dot(this=_name("x"), expression=exp.to_identifier(name))
