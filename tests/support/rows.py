"""Rows: how the expected ones are stored, and when two results are the same.

Columns are compared by position. Exact values (integers, decimals, text, dates) must be equal. As
soon as one side of a column holds floats, its numbers are compared to 1e-6 relative, or to half a
unit in the last place of a decimal, a whole one where the plan's engine cuts digits off. Rows are a
multiset, or a list where the plan fixes the order.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RELATIVE = 1e-6


# --- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """The result of one root. types: Spark's name per column, None where it is not checked."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    ordered: bool
    types: list[str | None]


def _encode(value: Any) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else {"float": repr(value)}
        case Decimal():
            return {"decimal": str(value)}
        case dt.datetime():
            return {"timestamp": value.isoformat()}
        case dt.date():
            return {"date": value.isoformat()}
        case dt.timedelta():
            return {"microseconds": value // dt.timedelta(microseconds=1)}
        case bytes():
            return {"binary": value.hex()}
        case list() | tuple():
            return [_encode(v) for v in value]
        case dict():
            return {"map": [[_encode(k), _encode(v)] for k, v in value.items()]}
    raise TypeError(f"no file form for {value!r}")


def _decode(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_decode(v) for v in value)
    if isinstance(value, dict) and "map" in value:
        return {_decode(k): _decode(v) for k, v in value["map"]}
    if not isinstance(value, dict):
        return value
    ((kind, text),) = value.items()
    return {
        "float": float,
        "decimal": Decimal,
        "timestamp": dt.datetime.fromisoformat,
        "date": dt.date.fromisoformat,
        "binary": bytes.fromhex,
        "microseconds": lambda n: dt.timedelta(microseconds=n),
    }[kind](text)


def dump(about: str, results: Sequence[Expected]) -> str:
    """Return the text of a ``.rows.json`` file: one line per row, so that a diff shows rows."""

    def one(r: Expected) -> str:
        lines = ",\n".join(
            "   " + json.dumps([_encode(v) for v in row], ensure_ascii=False) for row in r.rows
        )
        rows = f"[\n{lines}\n  ]" if r.rows else "[]"
        return (
            f'  {{"columns": {json.dumps(r.columns)}, "types": {json.dumps(r.types)}, '
            f'"ordered": {json.dumps(r.ordered)}, "rows": {rows}}}'
        )

    about_text = json.dumps(about, ensure_ascii=False)
    body = ",\n".join(map(one, results))
    return f'{{\n "about": {about_text},\n "results": [\n{body}\n ]\n}}\n'


def load(path: Path) -> list[Expected]:
    """Read a ``.rows.json`` file; ``types`` and ``ordered`` may be left out of a hand-written
    one."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    return [
        Expected(
            columns=r["columns"],
            rows=[tuple(_decode(v) for v in row) for row in r["rows"]],
            ordered=r.get("ordered", False),
            types=r.get("types") or [None] * len(r["columns"]),
        )
        for r in tree["results"]
    ]


def load_table(path: Path) -> tuple[str, list[tuple[Any, ...]]]:
    """Read a table of ``tests/plans/tables``: its Spark schema and its rows."""
    tree = json.loads(path.read_text(encoding="utf-8"))
    schema = ", ".join(f"`{name}` {type_}" for name, type_ in tree["columns"].items())
    return schema, [tuple(_decode(v) for v in row) for row in tree["rows"]]


# --- comparison -----------------------------------------------------------------------------------


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _exact(value: Any) -> Any:
    """Return a hashable form in which equal values of different Python types are equal, and only
    those."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, float) and math.isnan(value):
        return ("nan",)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, dt.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(dt.UTC).replace(tzinfo=None)
        return value
    if isinstance(
        value, dt.date
    ):  # midnight and its date are one value: engines differ in which they return
        return dt.datetime(value.year, value.month, value.day)
    if isinstance(value, dict):
        return tuple((_exact(k), _exact(v)) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(map(_exact, value))
    return value


def close(a: Any, b: Any, smallest: float = 1e-9, *, cut: bool = False) -> bool:
    """Whether two numbers are the same as far as floats go; NULL is only NULL.

    cut: what a decimal has no places for was cut off, not rounded: it may be a whole unit of the last place away.
    """
    if a is None or b is None:
        return a is b
    x, y = float(a), float(b)
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    part = 1 if cut else 0.5
    last_place = max(
        (10.0 ** v.as_tuple().exponent * part for v in (a, b) if isinstance(v, Decimal)),
        default=0.0,
    )
    return math.isclose(x, y, rel_tol=RELATIVE, abs_tol=max(last_place * 1.01, smallest))


def _plain(value: Any) -> Any:
    """Return what a result that went through another engine and a file keeps of a value."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, dt.date):
        return value.isoformat()
    return value.rstrip() if isinstance(value, str) else value


def difference(
    got: Iterable[Sequence[Any]],
    want: Iterable[Sequence[Any]],
    ordered: bool = False,
    loose: bool = False,
    cut: bool = False,
) -> str:
    """Return "" if the results are the same, else one line that says what differs.

    loose: for rows of unknown engines. Decimals are numbers (one engine rounds an average, another
    cuts it off), numbers may differ by 1e-6, dates may be text, trailing blanks do not count.
    cut: for plans of an engine that cuts averages and quotients of decimals off (DataFusion), see `close`.
    """
    g, w = [tuple(r) for r in got], [tuple(r) for r in want]
    if loose:
        g, w = ([tuple(map(_plain, r)) for r in x] for x in (g, w))
    smallest = 1.01e-6 if loose else 1e-9  # one unit in the sixth place, cut off or rounded
    if g and w and len(g[0]) != len(w[0]):
        return f"{len(g[0])} columns, expected {len(w[0])}"
    if len(g) != len(w):
        return f"{len(g)} rows, expected {len(w)}; {_sample(g, w)}"
    if not g:
        return ""
    width = len(w[0])
    inexact = {
        i
        for i in range(width)
        if any(isinstance(r[i], float) for r in g) or any(isinstance(r[i], float) for r in w)
    }

    def key(row: tuple[Any, ...]) -> tuple[Any, ...]:
        # NULL stays in the key, so that a row without a number never waits for one with a number
        return tuple(
            ("number",) if i in inexact and _is_number(v) else _exact(v) for i, v in enumerate(row)
        )

    def same(x: tuple[Any, ...], y: tuple[Any, ...]) -> bool:
        return key(x) == key(y) and all(
            close(x[i], y[i], smallest, cut=cut)
            for i in inexact
            if _is_number(x[i]) and _is_number(y[i])
        )

    if ordered:
        for n, (x, y) in enumerate(zip(g, w, strict=True)):
            if not same(x, y):
                return f"row {n} is {x!r}, expected {y!r}"
        return ""
    waiting: dict[tuple[Any, ...], list[tuple[Any, ...]]] = defaultdict(list)
    for row in g:
        waiting[key(row)].append(row)
    for row in w:
        candidates = waiting.get(key(row), [])
        at = next((i for i, x in enumerate(candidates) if same(x, row)), None)
        if at is None:
            return f"row {row!r} is missing; {_sample(g, w)}"
        candidates.pop(at)
    return ""


def _sample(g: list[Any], w: list[Any]) -> str:
    return (
        f"got {g[:5]!r}{' …' if len(g) > 5 else ''}, expected {w[:5]!r}{' …' if len(w) > 5 else ''}"
    )
