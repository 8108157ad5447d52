"""What the habits of a plan's producer mean for this plan: the text is made again without them, and compared."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql import wire
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lower.plan import lower
from substrait_sql.plan.habits import Habits
from substrait_sql.plan.producers import habits_of, rows_about
from substrait_sql.text.generate import generate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.plan.deviations import Deviation
    from substrait_sql.wire import Decoded

_MOST_LINES = 12
_PLAIN: dict[str, Any] = {
    k: v for k, v in Habits._field_defaults.items() if k not in ("older", "unsure", "about_null")
}


class Effect(NamedTuple):
    """A row of the table of deviations that is about a plan.

    here: whether the plan would be another query without it. changes: blocks of lines by the specification, and as they
    are meant.
    """

    row: Deviation
    here: bool
    changes: tuple[tuple[str, str], ...] = ()


def effects(plan: Any, decoded: Decoded, dialect: Dialect) -> list[Effect]:
    """The habits that a plan is read with, those first that matter in it. plan: what `decoded` was read of."""
    rows = [row for row, _ in rows_about(decoded)]
    if not rows:
        return []
    meant = habits_of(decoded)

    def without(names: Sequence[str]) -> str:
        plain = {name: _PLAIN[name] for name in names if name in _PLAIN}
        older = {function: name for function, name in meant.older.items() if name not in names}
        return _text(plan, dialect, meant._replace(older=older, **plain))

    now = without(())
    texts = _mattering(list(dict.fromkeys(row.name for row in rows)), without, now)
    found = [
        Effect(row, row.name in texts, _changes(texts.get(row.name, now), now)) for row in rows
    ]
    return sorted(found, key=lambda effect: not effect.here)


def _mattering(
    names: list[str], without: Callable[[Sequence[str]], str], now: str
) -> dict[str, str]:
    """The names without which the text is another one, and which. Those that change nothing together are asked once."""
    text = without(names)
    if text == now:
        return {}
    if len(names) == 1:
        return {names[0]: text}
    half = len(names) // 2
    return {**_mattering(names[:half], without, now), **_mattering(names[half:], without, now)}


def _text(plan: Any, dialect: Dialect, habits: Habits) -> str:
    """The queries of a plan and what to be warned of, or what is wrong with it.

    The plan is read afresh, for the lowering completes it.
    """
    try:
        lowered = lower(wire.read(plan), dialect, habits=habits)
    except SubstraitSqlError as error:
        return "\n".join(f"refused: {d.code} {d.message}" for d in error.diagnostics)
    queries = [root.query for root in lowered.roots if root.query is not None]
    warned = [f"warning: {d.code} {d.message}" for d in lowered.diagnostics]
    return "\n".join([*(generate(query, dialect.target) for query in queries), *warned])


def _changes(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """The lines that differ, in pairs of blocks."""
    if before == after:
        return ()
    old, new = before.split("\n"), after.split("\n")
    found = [
        (_block(old[a:b]), _block(new[c:d]))
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
    return tuple(found[:_MOST_LINES])


def _block(lines: list[str]) -> str:
    more = len(lines) - _MOST_LINES
    shown = [line.rstrip() for line in lines[:_MOST_LINES]]
    return "\n".join([*shown, f"… and {more} more lines"] if more > 0 else shown)
