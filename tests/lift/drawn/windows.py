"""Window functions, with named windows and frames. What counts rows is sorted by all columns: its value is one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.lift.drawn.draw import Draw, Env
from tests.lift.drawn.tables import texts

Expression = Callable[[Draw, str, Env, int], str]

BOUNDS = (
    "UNBOUNDED PRECEDING",
    "2 PRECEDING",
    "1 PRECEDING",
    "CURRENT ROW",
    "1 FOLLOWING",
    "UNBOUNDED FOLLOWING",
)
RANKS = {
    "int": ("row_number()", "rank()", "dense_rank()", "ntile(2)"),
    "dbl": ("percent_rank()", "cume_dist()"),
}
VALUES = ("lag({})", "lead({}, 2)", "lag({}, 1, {})", "first_value({})", "last({})", "nth_value({}, 2)",
    "first_value({}) IGNORE NULLS", "lag({}, 1) IGNORE NULLS", "last_value({}, TRUE)")  # fmt: skip
DIRECTIONS = ("", " DESC", " NULLS LAST", " ASC NULLS FIRST", " DESC NULLS FIRST")


def window(d: Draw, kind: str, env: Env, depth: int, of: Expression) -> str | None:
    """A window function of that kind, None if there is none."""
    inside = replace(env, windows=None, around=replace(env.around, queries=0))
    total = _total(d, env)
    partition = _partition(d, env)
    choice = d.pick(("aggregate", "rank", "value"))
    if choice == "rank" and kind in RANKS and total:
        return f"{d.pick(RANKS[kind])} OVER {_named(d, env, f'{partition}ORDER BY {total}')}"
    if choice == "value" and total:
        function = d.pick(VALUES)
        args = [of(d, kind, inside, depth - 1) for _ in range(function.count("{}"))]
        framed = "" if function.startswith(("lag", "lead")) else _rows(d)
        text = function.format(*args)
        return f"{text} OVER {_named(d, env, f'{partition}ORDER BY {total}{framed}')}"
    simple = [a for a in texts()["aggregates"].get(kind, ()) if _windowed(a)]
    if not simple:
        return None
    template = d.pick(simple)
    argument = template[template.find("{") + 1 : template.find("}")] if "{" in template else ""
    text = (
        template.replace(f"{{{argument}}}", of(d, argument, inside, depth - 1))
        if argument
        else template
    )
    return f"{text} OVER {_named(d, env, partition + _framed(d, env, total))}"


def _windowed(template: str) -> bool:
    bad = ("DISTINCT", "::", "WITHIN", "sort", "median", " > ", "string", "collect")
    return template.count("{") <= 1 and not any(b in template for b in bad)


def _named(d: Draw, env: Env, spec: str) -> str:
    spec = spec.strip()
    assert env.windows is not None
    if not d.chance(0.25):
        return f"({spec})"
    env.windows.append(f"w{len(env.windows) + 1} AS ({spec})")
    return f"w{len(env.windows)}"


def _partition(d: Draw, env: Env) -> str:
    keys = [c.text for c in env.columns if c.kind not in ("map",)]
    chosen = d.some(keys, 0, 2)
    return f"PARTITION BY {', '.join(chosen)} " if chosen else ""


def _total(d: Draw, env: Env) -> str:
    keys = [c.text for c in env.columns if c.kind != "map"]
    return ", ".join(k + d.pick(DIRECTIONS) for k in keys)


def _rows(d: Draw) -> str:
    if not d.chance(0.7):
        return ""
    low = d.pick(range(len(BOUNDS) - 1))
    high = low + d.pick(range(len(BOUNDS) - low))
    return f" ROWS BETWEEN {BOUNDS[low]} AND {BOUNDS[max(high, 1)]}"


def _framed(d: Draw, env: Env, total: str) -> str:
    """An order and a frame under which a measure has one value."""
    form = d.pick(("none", "rows", "order", "range", "whole"))
    numbers = [c.text for c in env.columns if c.kind in ("int", "big", "dbl", "dec")]
    if form == "rows" and total:
        return f"ORDER BY {total}{_rows(d)}"
    if form == "range" and numbers:
        key = d.pick(numbers) + d.pick(DIRECTIONS)
        low = d.pick(range(len(BOUNDS) - 1))
        high = low + d.pick(range(len(BOUNDS) - low))
        return f"ORDER BY {key} RANGE BETWEEN {BOUNDS[low]} AND {BOUNDS[max(high, 1)]}"
    if form in ("order", "whole") and numbers:
        frame = (
            " RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING" if form == "whole" else ""
        )
        return f"ORDER BY {d.pick(numbers)}{d.pick(DIRECTIONS)}{frame}"
    return ""
