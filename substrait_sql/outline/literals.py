"""The values that stand in a plan, as a person writes them, and text that is safe on a terminal."""

from __future__ import annotations

import datetime as dt
import struct
import uuid
from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST = 40
_MOST_ITEMS = 12
_EPOCH = dt.datetime(1970, 1, 1)


def clean(text: str) -> str:
    r"""Return the text without anything that a terminal would obey: ``\x1b``, ``\n``, ``\u202e``.

    What a plan calls its columns may come from anybody.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    # A lone surrogate cannot be encoded, and would make printing fail.
    code = ord(character)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def shorten(text: str, longest: int) -> str:
    """At most so many characters, the last of them an ellipsis where some are missing."""
    return text if len(text) <= longest else text[: max(longest - 1, 0)] + "…"


def name_of(text: str) -> str:
    """Return a name as it is shown."""
    return clean(shorten(text, 80))


def few(items: list[str], most: int = _MOST_ITEMS) -> str:
    """Return the items with commas, and how many more there are."""
    if len(items) <= most:
        return ", ".join(items)
    return ", ".join(items[:most]) + f", … and {len(items) - most:,} more"


def quoted(text: str) -> str:
    """Return a string in quotes, shortened past 40 characters."""
    text = shorten(text, _LONGEST).replace("\\", "\\\\").replace("'", "''")
    return f"'{clean(text)}'"


def type_text(t: Any) -> str:
    """Return a type; what an unfinished message leaves out of it is unknown."""
    return clean(types.text(t))


def literal(message: Any) -> str:
    """Return the value of a literal, with the type only where the value does not show one."""
    kind = message.WhichOneof("literal_type")
    if kind is None:
        return "(empty literal)"
    write = _WRITERS.get(kind)
    value = getattr(message, kind)
    return write(value) if write is not None else clean(shorten(f"{kind}({value!s})", 80))


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _single(value: float) -> str:
    """Return the shortest text that reads back as the same single-precision number."""
    for digits in range(1, 9):
        text = f"{value:.{digits}g}"
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return repr(float(text))
    return repr(value)


def _hexadecimal(value: bytes) -> str:
    return "x'" + shorten(value[:_LONGEST].hex(), _LONGEST) + "'"


def _date(days: int) -> str:
    try:
        return (_EPOCH + dt.timedelta(days=days)).date().isoformat()
    except OverflowError:
        return f"date({days} days since 1970)"


def scaled(value: int, scale: int) -> str:
    """Return an integer with that many digits behind the point; an absurd number as exponent."""
    if not 0 <= scale <= 40:
        return f"{value}e{-scale}"
    digits = str(abs(value)).rjust(scale + 1, "0")
    whole, fraction = (digits[:-scale], digits[-scale:]) if scale else (digits, "")
    return ("-" if value < 0 else "") + whole + ("." + fraction if fraction else "")


def _decimal(value: Any) -> str:
    return scaled(int.from_bytes(value.value[:32], "little", signed=True), value.scale)


def _clock(value: int, precision: int) -> tuple[int, str] | None:
    """Return the whole seconds in a count of 10^-precision seconds, and the rest as ``.25``."""
    if not 0 <= precision <= 12:
        return None
    seconds, rest = divmod(value, 10**precision)
    return seconds, ("." + str(rest).rjust(precision, "0")).rstrip("0") if rest else ""


def _timestamp(value: Any) -> str:
    found = _clock(value.value, value.precision)
    if found is not None:
        try:
            return (_EPOCH + dt.timedelta(seconds=found[0])).isoformat(sep=" ") + found[1]
        except OverflowError:
            pass
    return f"timestamp({value.value} at precision {value.precision})"


def _time(value: Any) -> str:
    found = _clock(value.value, value.precision)
    if found is None or not 0 <= found[0] < 86_400:
        return f"time({value.value} at precision {value.precision})"
    return (_EPOCH + dt.timedelta(seconds=found[0])).time().isoformat() + found[1]


def _months(value: Any) -> list[str]:
    pairs = ((value.years, "year"), (value.months, "month"))
    return [f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in pairs if n]


def _days(value: Any) -> list[str]:
    found = [f"{value.days} day{'' if value.days == 1 else 's'}"] if value.days else []
    precision = value.precision
    if not 0 <= precision <= 12:
        return [*found, f"{value.seconds} seconds", f"{value.subseconds} at precision {precision}"]
    total = value.seconds * 10**precision + value.subseconds
    if total:
        text = scaled(total, precision)
        text = text.rstrip("0").rstrip(".") if "." in text else text
        found.append(f"{text} second{'' if text == '1' else 's'}")
    return found


def _interval(parts: list[str], nothing: str) -> str:
    return "interval " + (" ".join(parts) or nothing)


def _compound(value: Any) -> str:
    parts = _months(value.interval_year_to_month) + _days(value.interval_day_to_second)
    return _interval(parts, "0 days")


def _uuid(value: bytes) -> str:
    return f"uuid '{uuid.UUID(bytes=value)}'" if len(value) == 16 else f"uuid {_hexadecimal(value)}"


def _null(type: Any) -> str:
    # A NULL's type is nullable anyway, so its question mark says nothing.
    return f"null::{type_text(types.with_nullability(type, value=False))}"


def _struct(value: Any) -> str:
    return "{" + few([literal(f) for f in value.fields]) + "}"


def _list(value: Any) -> str:
    return "[" + few([literal(v) for v in value.values]) + "]"


def _map(value: Any) -> str:
    return "map{" + few([f"{literal(p.key)}: {literal(p.value)}" for p in value.key_values]) + "}"


def _user_defined(value: Any) -> str:
    which = value.WhichOneof("type_anchor_type") or "type_reference"
    head = f"u!{getattr(value, which)}"
    if value.WhichOneof("val") == "struct":
        return head + _struct(value.struct)
    return f"{head}({clean(value.value.type_url)}, {len(value.value.value)} bytes)"


_WRITERS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("i8", "i16", "i32", "i64"), str),
    "boolean": _boolean,
    "fp32": _single,
    "fp64": repr,
    "string": quoted,
    "fixed_char": quoted,
    "var_char": lambda value: quoted(value.value),
    "binary": _hexadecimal,
    "fixed_binary": _hexadecimal,
    "date": _date,
    "decimal": _decimal,
    "precision_time": _time,
    "precision_timestamp": _timestamp,
    "precision_timestamp_tz": lambda value: _timestamp(value) + "Z",
    "interval_year_to_month": lambda value: _interval(_months(value), "0 months"),
    "interval_day_to_second": lambda value: _interval(_days(value), "0 days"),
    "interval_compound": _compound,
    "uuid": _uuid,
    "null": _null,
    "struct": _struct,
    "list": _list,
    "map": _map,
    "empty_list": lambda value: f"[]::list<{type_text(value.type)}>",
    "empty_map": lambda value: f"map{{}}::map<{type_text(value.key)}, {type_text(value.value)}>",
    "user_defined": _user_defined,
}
