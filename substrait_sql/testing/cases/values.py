"""The values of cases: from their text to Python, and whether what Spark returned is the expected one."""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import substrait.proto as pb

_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<y>-?\d+)Y)?(?:(?P<mo>-?\d+)M)?(?:(?P<d>-?\d+)D)?"
    r"(?:T(?:(?P<h>-?\d+)H)?(?:(?P<m>-?\d+)M)?(?:(?P<s>-?\d+)(?:\.(?P<f>\d+))?S)?)?$"
)


def value(raw: Any, t: pb.Type) -> Any:
    """The value that a text stands for, as `plan_types.literal` takes it."""
    kind = t.WhichOneof("kind")
    if isinstance(raw, str) and raw.lower() == "null":
        return None
    match kind:
        case "list":
            return [value(v, t.list.type) for v in raw]
        case "struct":
            return tuple(value(v, c) for v, c in zip(raw, t.struct.types, strict=True))
        case "map":
            return {value(k, t.map.key): value(v, t.map.value) for k, v in raw.items()}
        case "user_defined":
            (text,) = raw if isinstance(raw, tuple) else (raw,)
            return _text(text)
        case "bool":
            return raw.lower() == "true"
        case "i8" | "i16" | "i32" | "i64":
            return int(raw)
        case "fp32" | "fp64":
            return float(raw)
        case "decimal":
            return Decimal(raw)
        case "string" | "varchar" | "fixed_char":
            return _text(raw)
        case "binary" | "fixed_binary":
            return bytes.fromhex(_text(raw).removeprefix("0x"))
        case "uuid":
            return _text(raw)
        case "date":
            return dt.date.fromisoformat(raw)
        case "precision_time":
            return dt.time.fromisoformat(raw)
        case "precision_timestamp" | "precision_timestamp_tz":
            return dt.datetime.fromisoformat(raw)
        case "interval_year":
            found = _duration(raw)
            return found["y"], found["mo"]
        case "interval_day":
            return _days(raw, t.interval_day.precision)
    raise NotImplementedError(kind)


def _text(raw: str) -> str:
    return raw[1:-1].replace("''", "'")


def _duration(raw: str) -> dict[str, int]:
    found = _DURATION.match(raw.strip("'"))
    if found is None:
        raise ValueError(f"not a duration: {raw}")
    sign = -1 if found["sign"] else 1
    return {k: sign * int(found[k] or 0) for k in ("y", "mo", "d", "h", "m", "s")}


def _days(raw: str, precision: int) -> tuple[int, int, int]:
    found = _duration(raw)
    seconds = (found["h"] * 60 + found["m"]) * 60 + found["s"]
    fraction = re.search(r"\.(\d+)S", raw)
    part = int(fraction[1].ljust(precision, "0")[:precision]) if fraction else 0
    return found["d"], seconds, -part if raw.startswith("-") else part


def same(got: Any, raw: Any, t: pb.Type) -> bool:
    """Whether Spark's value is the one written. Floats may differ in the last digits that are written."""
    kind = t.WhichOneof("kind")
    want = value(raw, t)
    if got is None or want is None:
        return got is want
    match kind:
        case "fp32" | "fp64":
            return _close(got, want, str(raw), 2e-7 if kind == "fp32" else 4e-16)
        case "decimal":
            return isinstance(got, Decimal) and got == want
        case "user_defined" if want.isdigit():
            return int(got) == int(want)
        case "interval_day":
            days, seconds, part = want
            micros = part * 10**6 // 10**t.interval_day.precision
            return bool(got == dt.timedelta(days, seconds, micros))
        case "interval_year":
            years, months = want
            return bool(got == years * 12 + months)
        case "list":
            return len(got) == len(raw) and all(
                same(g, r, t.list.type) for g, r in zip(got, raw, strict=True)
            )
        case "struct":
            return all(map(same, got, raw, t.struct.types))
    return type(got) is type(want) and bool(got == want)


def _close(got: float, want: float, text: str, relative: float) -> bool:
    if math.isnan(want):
        return math.isnan(got)
    if math.isinf(want) or want == 0:
        return got == want or abs(got) < 1e-15 > abs(want)
    digits = Decimal(text)
    unit = 10.0 ** int(digits.as_tuple().exponent)
    return math.isclose(got, want, rel_tol=4 * relative, abs_tol=min(unit, abs(want) * 1e-5))
