"""Calls that Spark turns into others before it makes up a name: their parts stand in the name, not what was written."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from substrait_sql.lift.tree import Call, Cast, Column, Literal
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.tree import Expr

_INTERVALS = ("interval_year", "interval_day", "interval")
_MOMENTS = ("date", "timestamp", "timestamp_ntz")
_BINARY = {"hex": "hex({0})", "base64": "base64({0})", "utf-8": "decode({0}, {1})"}


def respelt(value: Call, arguments: Sequence[str]) -> str | None:
    """The name, as Spark 4.3 makes it up; None for all other calls. arguments: as they are printed."""
    called = value.shown or value.name
    if called.endswith(")"):
        return called
    if value.name in ("+", "-") and len(arguments) == 2:
        return _moved(value, arguments)
    if value.name in _CUT:
        return _compared(value, arguments)
    if value.name == "*" and value.arguments[-1].type.kind in _INTERVALS:
        return f"({arguments[1]} * {arguments[0]})"
    if called in ("to_char", "to_varchar") and arguments:
        return _to_char(value, arguments)
    if called in ("make_timestamp_ltz", "try_make_timestamp_ltz") and len(arguments) < 4:
        return f"make_timestamp({', '.join(arguments)})"
    if value.name == "struct":
        return _struct(value, arguments)
    return _with_more(value, arguments)


def _with_more(value: Call, arguments: Sequence[str]) -> str | None:
    """A call with what Spark puts in for arguments that are left out, where that is more than words behind them."""
    first = arguments[0] if arguments else ""
    match value.name, len(arguments):
        case "log", 1:
            return f"LOG(E(), {first})"
        case "convert_timezone", 2:
            return f"convert_timezone(current_timezone(), {', '.join(arguments)})"
        case "instr", 3:
            return f"instr({', '.join(arguments)}, 1)"
        case "time_bucket", 2:
            word = "TIMESTAMP_NTZ" if value.type.kind == "timestamp_ntz" else "TIMESTAMP"
            return f"time_bucket({', '.join(arguments)}, {word} '1970-01-01 00:00:00')"
        case "try_make_timestamp_ntz", 2:
            return f"{value.name}(make_timestamp_ntz({', '.join(arguments)}))"
        case "assert_true", 1:
            return f"assert_true({first}, '{first}' is not true!)"
        case "raise_error", 1:
            return f"raise_error(USER_RAISED_EXCEPTION, map(errorMessage, {first}))"
        case (("lpad" | "rpad"), 2) if value.arguments[0].type.kind == "binary":
            return f"{value.name}({', '.join(arguments)}, X'00')"
    return None


def _compared(value: Call, arguments: Sequence[str]) -> str | None:
    """A whole number and a decimal literal: Spark makes a whole number of that, ``k > 0.5`` is ``(k > 0)``."""
    for place in (0, 1):
        literal = _bare(value.arguments[place])
        if not isinstance(literal, Literal) or not isinstance(literal.value, Decimal):
            continue
        if literal.written is not None or not _whole(_bare(value.arguments[1 - place])):
            continue
        down = _CUT[value.name] == place
        shown = [*arguments]
        shown[place] = str(
            int(literal.value.to_integral_value(ROUND_FLOOR if down else ROUND_CEILING))
        )
        return f"({shown[0]} {value.name} {shown[1]})"
    return None


# At which place a literal is rounded down; at the other one it is rounded up.
_CUT = {">": 1, ">=": 0, "<": 0, "<=": 1}


def _bare(value: Expr) -> Expr:
    while isinstance(value, Cast) and not value.asked:
        value = value.value
    return value


def _whole(value: Expr) -> bool:
    return value.type.kind in t.INTEGRAL or (
        isinstance(value, Literal) and isinstance(value.value, int)
    )


def _moved(value: Call, arguments: Sequence[str]) -> str | None:
    """A moment and an interval, or two times of day: ``d + INTERVAL '2' MONTH``, ``t - u``, without brackets."""
    kinds = [a.type.kind for a in value.arguments]
    if kinds == ["time", "time"]:
        return f"{arguments[0]} {value.name} {arguments[1]}"
    gaps = [i for i, kind in enumerate(kinds) if kind in _INTERVALS]
    if len(gaps) != 1 or kinds[1 - gaps[0]] not in (*_MOMENTS, "time"):
        return None
    (place,) = gaps
    moment, gap = arguments[1 - place], arguments[place]
    type = value.arguments[place].type
    if kinds[1 - place] == "date" and type.kind == "interval_day" and type.numbers == (0, 0):
        days = f"extractansiintervaldays({gap})"
        return f"date_add({moment}, {days if value.name == '+' else f'(- {days})'})"
    return f"{moment} {value.name} {gap}"


def _to_char(value: Call, arguments: Sequence[str]) -> str:
    first, *rest = value.arguments
    if first.type.kind in _MOMENTS:
        return f"date_format({', '.join(arguments)})"
    form = rest[0].value if rest and isinstance(rest[0], Literal) else None
    if first.type.kind == "binary" and value.shown == "to_varchar":
        shown = arguments if str(form).lower() == "utf-8" else arguments[:1]
        return f"to_varchar({', '.join(shown)})"
    if first.type.kind == "binary" and str(form).lower() in _BINARY:
        return _BINARY[str(form).lower()].format(*arguments)
    return f"to_char({', '.join(arguments)})"


def _struct(value: Call, arguments: Sequence[str]) -> str:
    """``struct(a AS x, b)``, and ``named_struct(x, a AS x, b, b)`` of ``(a AS x, b)``: see `expressions.operators`."""
    names = [f.name for f in value.type.fields]
    shown = []
    for place, (name, text) in enumerate(zip(names, arguments, strict=True), start=1):
        part = value.arguments[place - 1]
        own = isinstance(part, Column) and part.attribute.name == name
        hidden = isinstance(part, Column) and (part.attribute.bound or bool(part.outer))
        plain = (own and hidden) or name in (f"col{place}", text)
        shown.append(text if plain else _last_as(name, text))
    if value.shown:
        pairs = (f"{name}, {text}" for name, text in zip(names, shown, strict=True))
        return f"{value.shown}({', '.join(pairs)})"
    return f"struct({', '.join(shown)})"


def _last_as(name: str, text: str) -> str:
    """A path, a reference or a key with its last word as it is written, for it names the field; others with AS."""
    last = re.search(
        rf"(?:\.|\[|lateralAliasReference\()({re.escape(name)})[\])]?\Z", text, re.IGNORECASE
    )
    return (
        f"{text} AS {name}" if last is None else text[: last.start(1)] + name + text[last.end(1) :]
    )
