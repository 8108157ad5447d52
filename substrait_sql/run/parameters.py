"""The values given for a plan's parameters: each must be one of its parameter's type, for Spark's casts would round it.

``CAST(:p1 AS BIGINT)`` makes 5 of 5.7, and any length of text is a ``varchar<3>`` to Spark.
"""

from __future__ import annotations

import datetime as dt
import re
import uuid
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import Diagnostic, ExecutionError

if TYPE_CHECKING:
    from collections.abc import Mapping

_INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
_NUMBER = r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?"
_MOMENT = r"[+-]?\d{4,7}\b.*"
# Text that Spark takes for a value of the type, or may: what cannot be one is said before anything is run.
_TEXTS = {
    kind: re.compile(pattern, re.ASCII | re.IGNORECASE)
    for kind, pattern in {
        **dict.fromkeys(_INTEGERS, r"[+-]?\d+"),
        **dict.fromkeys(("fp32", "fp64"), rf"{_NUMBER}[df]?|[+-]?inf(inity)?|nan"),
        "decimal": _NUMBER,
        "boolean": "t|true|y|yes|1|f|false|n|no|0",
        "date": r"[+-]?\d{4,7}(-\d{1,2}){0,2}",
        "precision_timestamp": _MOMENT,
        "precision_timestamp_tz": _MOMENT,
        "precision_time": r"T?\d{1,2}:.*",
    }.items()
}
_MOMENTS = ("precision_timestamp", "precision_timestamp_tz", "precision_time")
_FRACTION = re.compile(r":\d+[.](\d+)", re.ASCII)
_ZONED = re.compile(r":[\d.]+ *([-+]|[A-Za-z])", re.ASCII)
_MICROS, _INFINITE = 6, float("inf")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)


def marker(anchor: object) -> str:
    """The name of a dynamic parameter in the SQL: ``p3`` for anchor 3."""
    text = str(anchor)
    return text if text.startswith("p") else f"p{text}"


def arguments(parameters: Mapping[str, Any], given: Mapping[Any, Any]) -> dict[str, Any]:
    """The arguments of `spark.sql`: all that the plan needs, and no others.

    parameters: the types, by name, as a rendered plan has them. given: the values by anchor.

    Raises `ExecutionError` with all that is wrong: SS4007 for what the plan has not, SS4006 for what is missing, SS4018
    for values of other types.
    """
    needed = {marker(name): value for name, value in parameters.items()}
    values = {marker(anchor): value for anchor, value in given.items()}
    found: list[Diagnostic] = []
    unknown = [name[1:] for name in values if name not in needed]
    if unknown:
        there = ", ".join(name[1:] for name in needed) or "none"
        message = f"the plan has no parameter {', '.join(unknown)}"
        found.append(
            Diagnostic("SS4007", message, hint=f"anchors of the plan's parameters: {there}")
        )
    missing = [name[1:] for name in needed if name not in values]
    if missing:
        message = f"no value was given for parameter {', '.join(missing)}"
        hint = "pass parameters={ANCHOR: value} or --param ANCHOR=VALUE"
        found.append(Diagnostic("SS4006", message, hint=hint))
    out = {}
    for name in (n for n in values if n in needed):
        try:
            out[name] = checked(name, values[name], needed[name])
        except ExecutionError as error:
            found += error.diagnostics
    if found:
        raise ExecutionError(found)
    return out


def checked(name: str, value: Any, type: str | None) -> Any:
    """The value as Spark is to have it. type: the parameter's, as text; None where the plan does not say.

    Raises `ExecutionError` SS4018 for a value that is not of the type.
    """
    if _of_numpy(value):
        value = value.item()
    if not type:
        return value
    kind, _, rest = type.partition("<")
    numbers = rest.rstrip(">")
    if value is None:
        if not kind.endswith("?"):
            raise _wrong(name, "NULL", type)
        return None
    kind = kind.rstrip("?")
    if kind == "list":
        if not isinstance(value, (list, tuple)):
            raise _wrong(name, repr(value), type)
        return [checked(name, each, rest[:-1]) for each in value]
    if kind == "uuid":
        return _canonical(name, value, type)
    if isinstance(value, str) and not _is_text_of(value.strip(), kind):
        raise _wrong(name, repr(value), type)
    if _is_nothing(value, kind) or _loses(value, kind, numbers):
        raise _wrong(name, repr(value), type)
    return value


def _is_text_of(text: str, kind: str) -> bool:
    """Whether text may be a value of the type, as Spark reads it."""
    day = _DAY.fullmatch(text) if kind == "date" else None
    if day is not None:
        try:
            dt.date(*map(int, day.groups()))
        except ValueError:
            return False
    return kind not in _TEXTS or _TEXTS[kind].fullmatch(text) is not None


def _loses(value: Any, kind: str, numbers: str) -> bool:
    """Whether a cast to the type would change the value, or there is none."""
    if kind in _INTEGERS:
        return isinstance(value, bool) or _digits(value) > 0 or not _fits(value, _INTEGERS[kind])
    if kind == "decimal":
        digits, scale = map(int, numbers.split(","))
        return isinstance(value, bool) or _digits(value) > scale or _whole(value) > digits - scale
    if kind in ("varchar", "fixedchar"):
        return len(str(value)) > int(numbers)
    if kind == "fixedbinary":
        return len(value) != int(numbers)
    if kind == "date":
        return isinstance(value, dt.datetime) or (
            isinstance(value, str) and len(value) > len("yyyy-mm-dd")
        )
    if kind in ("fp32", "fp64"):
        return _loses_digits(value)
    if kind in _MOMENTS:
        return _is_finer(value, int(numbers or 6)) or (
            kind == "precision_timestamp"
            and isinstance(value, str)
            and _ZONED.search(value) is not None
        )
    return False


def _of_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "item")


def _is_nothing(value: Any, kind: str) -> bool:
    """Whether it is no value at all: NaN where there is none, NaT, half of a character."""
    if isinstance(value, str):
        return any("\ud800" <= c <= "\udfff" for c in value)
    return kind not in ("fp32", "fp64") and bool(value != value)  # noqa: PLR0124


def _loses_digits(value: Any) -> bool:
    """Whether a number is no float: a whole one of too many digits, or one that would be infinite."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return False
    except OverflowError:
        return True
    if isinstance(value, int):
        return int(number) != value
    return (
        number in (_INFINITE, -_INFINITE) and isinstance(value, str) and value.strip()[-1].isdigit()
    )


def _is_finer(value: Any, places: int) -> bool:
    """Whether a moment has more digits of a second than the type, or Spark, has room for."""
    text = value if isinstance(value, str) else getattr(value, "isoformat", str)()
    found = _FRACTION.search(text)
    return found is not None and len(found[1].rstrip("0")) > min(places, _MICROS)


def _digits(value: Any) -> int:
    """How many digits a number has behind its point, without zeros at the end."""
    try:
        exponent = Decimal(str(value).strip()).normalize().as_tuple().exponent
    except InvalidOperation:
        return 0
    return max(-exponent, 0) if isinstance(exponent, int) else 1


def _fits(value: Any, bits: int) -> bool:
    """Whether a whole number is in the range of an integer; other values are not judged."""
    try:
        return bool(-(2 ** (bits - 1)) <= int(value) < 2 ** (bits - 1))
    except (TypeError, ValueError, OverflowError):
        return True


def _whole(value: Any) -> int:
    """How many digits a number has before its point."""
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return 0
    return max(number.adjusted() + 1, 0) if number.is_finite() and number else 0


def _canonical(name: str, value: Any, type: str) -> str:
    try:
        return str(value if isinstance(value, uuid.UUID) else uuid.UUID(str(value)))
    except ValueError:
        raise _wrong(name, repr(value), type) from None


def _wrong(name: str, value: str, type: str) -> ExecutionError:
    made = ExecutionError.of("SS4018", f"parameter {name[1:]} is a {type}, and {value} is none")
    assert isinstance(made, ExecutionError)
    return made
