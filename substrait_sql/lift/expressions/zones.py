"""What the session's time zone decides, where it is not UTC: a plan runs in UTC and says the zone by its name.

``CAST(ts AS DATE)`` becomes ``CAST(from_utc_timestamp(ts, zone) AS DATE)``: under UTC that is the day in the zone. What
reads the clocks of the zone in another way is refused. Of a function its line in ``dialects/spark/signatures`` says
which of these it is (`zone`); one that says nothing, and takes or makes points in time, is refused.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeGuard

from substrait_sql.lift.literals import timestamp
from substrait_sql.lift.tree import (
    Attribute,
    Call,
    Cast,
    Expr,
    Literal,
    Relation,
    WindowCall,
    literal,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.table import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

_UTC = frozenset({"UTC", "ETC/UTC", "GMT", "Z", "+00:00", "UTC+0", "UTC+00:00", "ETC/GMT"})
_DAY = 86_400_000_000
# Between a point in time and these the clocks of the zone stand.
_BY_CLOCK = frozenset({"date", "timestamp_ntz", "string", "time"})
_OPERATORS = frozenset(
    {"=", "<=>", "<", "<=", ">", ">=", "not", "and", "or", "[]", "isnull", "isnotnull", "between"}
)
# Letters of patterns that write the zone itself: https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html
_ZONE_LETTERS = frozenset("VzOXxZ")
_PRINT = frozenset({"date_format", "from_unixtime"})
_DATE_UNITS = frozenset(
    {"YEAR", "YYYY", "YY", "QUARTER", "MONTH", "MON", "MM", "WEEK", "DAY", "DD"}
)


def is_utc(zone: str) -> bool:
    """Whether the zone is the one that plans run in."""
    return zone.upper() in _UTC


def in_utc(found: Any, zone: str) -> Any:
    """A query, or what a statement does, with the zone said where it matters. Raises `Misused` SS5007."""
    if zone == "UTC":
        return found
    return (_OtherName if is_utc(zone) else _Zone)(zone).part(found)


class _Zone:
    """Rewrites all expressions of a query. The relations stay the objects that they are: columns are known by them."""

    def __init__(self, zone: str) -> None:
        self._zone = zone
        self._done: set[int] = set()

    def part(self, held: Any) -> Any:
        """The same with the expressions inside rewritten."""
        if isinstance(held, Expr):
            return self._expression(held)
        if isinstance(held, tuple | list):
            made = [self.part(each) for each in held]
            same = all(a is b for a, b in zip(made, held, strict=True))
            return held if same else type(held)(made)
        if not is_dataclass(held) or isinstance(held, type | Attribute | t.SparkType):
            return held
        if id(held) in self._done:
            return held
        self._done.add(id(held))
        made_ = {f.name: self.part(getattr(held, f.name)) for f in fields(held) if f.compare}
        changed = {n: v for n, v in made_.items() if v is not getattr(held, n)}
        if isinstance(held, Relation):
            for name, value in changed.items():
                setattr(held, name, value)
            return held
        return replace(held, **changed) if changed else held

    def _expression(self, found: Expr) -> Expr:
        for each in fields(found):
            # Of a subquery, and of a frame: they are not among the expressions inside.
            if each.name not in found.inside and each.compare:
                self.part(getattr(found, each.name))
        children = found.children
        made = tuple(map(self._expression, children))
        if any(a is not b for a, b in zip(made, children, strict=True)):
            found = found.with_children(made)
        match found:
            case Cast():
                return self._cast(found)
            case Call():
                return self._call(found)
            case WindowCall():
                self._check_frame(found)
        return found

    # ------------------------------------------------------------------ casts

    def _cast(self, found: Cast) -> Expr:
        given, target = found.value.type.kind, found.type.kind
        if given == "timestamp" and target in _BY_CLOCK:
            return replace(found, value=self._local(found.value))
        if target == "timestamp" and given in ("date", "timestamp_ntz"):
            return self._instant(found)
        if target == "timestamp" and given == "string" and _is_text(found.value):
            return timestamp(found.value.value, t.TIMESTAMP, self._zone)
        if _by_clock(found.value.type, found.type):
            given_, target_ = str(found.value.type).upper(), str(found.type).upper()
            raise self._refused(f"a cast of {given_} to {target_}")
        return found

    def _local(self, value: Expr) -> Expr:
        """A point in time at which the clocks of UTC show what those of the zone show at this one."""
        return Call(t.TIMESTAMP, value.nullable, "from_utc_timestamp", (value, self._name))

    def _instant(self, value: Expr) -> Expr:
        """The point in time at which the clocks of the zone show what those of UTC show at this one."""
        return Call(t.TIMESTAMP, value.nullable, "to_utc_timestamp", (value, self._name))

    @property
    def _name(self) -> Literal:
        return literal(self._zone, t.STRING)

    # ------------------------------------------------------------------ calls

    def _call(self, found: Call) -> Expr:
        match found.name:
            case "current_date" | "curdate":
                return Cast(t.DATE, False, self._local(_now()))
            case "localtimestamp":
                return Cast(t.TIMESTAMP_NTZ, False, self._local(_now()))
            case "current_timezone":
                return self._name
            case "date_trunc" if _unit(found.arguments[0]) in _DATE_UNITS:
                return self._instant(self._with_local(found))
            case "to_date" | "try_to_date" if len(found.arguments) == 1:
                return self._with_local(found)
            case "unix_timestamp" | "to_unix_timestamp" if _is_point(found.arguments):
                return found
            case "+" | "-" if _is_short(found):
                return found
            case "-" if all(a.type == t.TIMESTAMP for a in found.arguments):
                return self._with_local(found)
            case "date_format" if not _is_zoneless(found.arguments[1]):
                raise self._refused("date_format with the zone in its pattern", "date_format")
        signature = known(found.name)
        line = None if signature is None else signature.of(len(found.arguments))
        says = "free" if found.name in _OPERATORS else "" if line is None else line.zone
        if says == "local":
            return self._with_local(found)
        points = any(
            t.contains(x, "timestamp") for x in (found.type, *(a.type for a in found.arguments))
        )
        if says == "session" or (points and says != "free"):
            raise self._refused(found.name, found.shown or found.name)
        return found

    def _with_local(self, found: Call) -> Call:
        """The call over what the clocks of the zone show."""
        if any(t.contains(a.type, "timestamp") and a.type != t.TIMESTAMP for a in found.arguments):
            raise self._refused(f"{found.name} of points in time inside of others", found.name)
        made = (self._local(a) if a.type == t.TIMESTAMP else a for a in found.arguments)
        return replace(found, arguments=tuple(made))

    def _check_frame(self, found: WindowCall) -> None:
        """Raises `Misused` for a RANGE of days or months, which the clocks of the zone count."""
        frame = found.frame
        if frame is None or not any(k.value.type == t.TIMESTAMP for k in found.order):
            return
        for bound in (frame.start, frame.end):
            if isinstance(bound, Expr) and not _is_below_a_day(bound):
                raise self._refused("RANGE BETWEEN days or months")

    def _refused(self, what: str, word: str = "") -> Misused:
        return Misused(
            f"{what} depends on the session's time zone, {self._zone}: a plan runs in UTC",
            "SS5007",
            "set spark.sql.session.timeZone to UTC, or cast points in time to TIMESTAMP_NTZ first",
            word,
        )


def _now() -> Expr:
    return Call(t.TIMESTAMP, False, "current_timestamp", ())


def _is_text(value: Expr) -> TypeGuard[Literal]:
    return isinstance(value, Literal) and isinstance(value.value, str)


class _OtherName(_Zone):
    """UTC by another name, as ``Etc/UTC``: only the name is another one, where a pattern writes that."""

    def _cast(self, found: Cast) -> Expr:
        return found

    def _call(self, found: Call) -> Expr:
        pattern = found.arguments[1] if len(found.arguments) > 1 else None
        # Java's short name of it is UTC as well.
        letters = "V" if self._zone.upper() == "ETC/UTC" else "Vz"
        plain = pattern is None or (_is_text(pattern) and not set(letters) & set(pattern.value))
        if found.name in _PRINT and not plain:
            raise self._refused(found.name, found.shown or found.name)
        return found

    def _check_frame(self, found: WindowCall) -> None:
        pass


def _by_clock(given: SparkType, target: SparkType) -> bool:
    """Whether points in time become something else, or something else becomes one, anywhere inside."""
    if given.kind != target.kind:
        inside = given.kind == "timestamp" or target.kind == "timestamp"
        # A number of seconds is the same everywhere.
        numbers = given.kind in (*t.NUMERIC, "void") or target.kind in t.NUMERIC
        return (inside and not numbers) or (
            target.kind == "string" and t.contains(given, "timestamp")
        )
    pairs = [*zip(given.parts, target.parts, strict=False)]
    pairs += [(a.type, b.type) for a, b in zip(given.fields, target.fields, strict=False)]
    return any(_by_clock(a, b) for a, b in pairs)


def _is_point(arguments: Sequence[Expr]) -> bool:
    return bool(arguments) and arguments[0].type == t.TIMESTAMP


def _unit(value: Expr) -> str:
    return value.value.upper() if _is_text(value) else ""


def _is_zoneless(pattern: Expr) -> bool:
    return _is_text(pattern) and _ZONE_LETTERS.isdisjoint(pattern.value)


def _is_short(found: Call) -> bool:
    """Whether less than a day is added or taken away: that lasts as long everywhere."""
    kinds = {a.type.kind for a in found.arguments}
    spans = [a for a in found.arguments if a.type.kind in t.INTERVALS]
    return kinds == {"timestamp", "interval_day"} and all(map(_is_below_a_day, spans))


def _is_below_a_day(span: Expr) -> bool:
    if span.type.kind != "interval_day" or not isinstance(span, Literal):
        return False
    return span.value is None or abs(span.value) < _DAY
