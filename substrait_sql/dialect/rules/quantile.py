"""``quantile``: the values at the boundaries of equally filled bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.dialect.rules import Result, is_null, literal_int, preference, refused
from substrait_sql.dialect.template import Template
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call

# Spark interpolates in doubles. What they become, where the values are others.
_NAMES = {"fp64": "DOUBLE", "fp32": "FLOAT", "i8": "TINYINT", "i16": "SMALLINT", "i32": "INT"}
_ROUNDED = {
    "TIE_TO_EVEN": "bround(q)",
    "TIE_AWAY_FROM_ZERO": "round(q)",
    "TRUNCATE": "q",
    "CEILING": "ceil(q)",
    "FLOOR": "floor(q)",
}
_MOST = 10_000


def quantile(call: Call, line: Line) -> Result:
    """``percentile(x, array(0.25D, 0.5D, 0.75D))``, and NULL as soon as there is one among the values."""
    boundaries, _ = (a.enum for a in call.arguments if a.enum is not None)
    n, x = call.values
    if call.distinct:
        raise refused(call, "quantiles of distinct values")
    kind = ty.kind(call.types[1])
    if kind not in _NAMES:
        raise refused(call, "quantiles of anything but floats and integers of up to 32 bits")
    parts = literal_int(n)
    if parts is None and not is_null(n):
        raise refused(call, "a number of parts that is not a literal")
    element = getattr(ty, str(kind))()
    yields = ty.list_(element, nullable=True)
    if parts is None or parts < 1:
        text = f"any_value(CAST(NULL AS ARRAY<{_NAMES[str(kind)]}>))"
        return Template(text, ()).build(()), yields
    if parts > _MOST:
        raise refused(call, f"more than {_MOST} parts")
    mode = preference(call, line, "rounding")
    if kind in ("fp32", "fp64") and mode not in (None, "TIE_TO_EVEN"):
        raise refused(call, f"floats rounded by {mode}")
    return _template(kind, _fractions(str(boundaries), parts), call, line).build([x]), yields


def _fractions(boundaries: str, parts: int) -> list[str]:
    first = 0 if boundaries.upper() in ("MINIMUM", "BOTH") else 1
    last = parts if boundaries.upper() in ("MAXIMUM", "BOTH") else parts - 1
    return [f"{k / parts!r}D" for k in range(first, last + 1)]


def _template(kind: str | None, fractions: list[str], call: Call, line: Line) -> Template:
    made = f"percentile(:x, array({', '.join(fractions)}))"
    if not fractions:
        made = f"CAST(array() AS ARRAY<{_NAMES[str(kind)]}>)"
    elif kind != "fp64":
        mode = preference(call, line, "rounding") or "TIE_TO_EVEN"
        rounded = "q" if kind == "fp32" else _ROUNDED[mode]
        made = f"transform({made}, q -> CAST({rounded} AS {_NAMES[str(kind)]}))"
    return Template(f"CASE WHEN count(*) = count(:x) THEN {made} END", ["x"])
