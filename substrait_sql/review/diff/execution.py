"""Running both sides of a comparison, and comparing their rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.review.diff.rows import Executed, shown
from substrait_sql.run.execute import execute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.pipeline import Dialect
    from substrait_sql.review.diff.difference import Difference
    from substrait_sql.review.diff.rows import Row

_SHOWN = 20


def executed(
    found: Difference,
    spark: Any,
    plans: tuple[Any, Any],
    tables: Mapping[str, Any],
    *,
    ordered: bool,
    dialect: Dialect = "spark",
    most: int = _SHOWN,
) -> Difference:
    """The difference, with what running both on these tables shows.

    plans: of both sides. ordered: whether both sort their rows. most: how many rows that differ are kept, of each side.
    Raises `ExecutionError` and what `execute` raises.
    """
    old, new = (_rows(spark, plan, tables, dialect) for plan in plans)
    each = [_compared(a, b, ordered, most) for a, b in zip(old, new, strict=False)]
    first = next((e for e in each if not e.same), each[0] if each else None)
    return replace(found, executed=first)


def _rows(
    spark: Any, plan: Any, tables: Mapping[str, Any], dialect: Dialect
) -> list[tuple[tuple[str, ...], list[Row]]]:
    """The columns and rows of each root."""
    frames = execute(spark, plan, tables=tables, dialect=dialect)
    return [
        (tuple(frame.columns), [tuple(row) for row in frame.collect()])
        for frame in (frames if isinstance(frames, list) else [frames])
    ]


def _compared(
    a: tuple[tuple[str, ...], list[Row]],
    b: tuple[tuple[str, ...], list[Row]],
    ordered: bool,
    most: int,
) -> Executed:
    """The rows of one root of each side."""
    (names, old), (others, new) = a, b
    left, right = (Counter(map(_key, rows)) for rows in (old, new))
    only_old, only_new = _only(old, right), _only(new, left)
    first = None
    if ordered and not (only_old or only_new):
        places = (i for i, (x, y) in enumerate(zip(old, new, strict=True), 1) if _key(x) != _key(y))
        first = next(places, None)
    return Executed(
        ordered,
        (names, others),
        (len(old), len(new)),
        tuple(only_old[:most]),
        tuple(only_new[:most]),
        (len(only_old), len(only_new)),
        first,
    )


def _only(rows: Sequence[Row], others: Counter[tuple[str, ...]]) -> list[Row]:
    """The rows that the other side has not, or less often."""
    left = Counter(others)
    found = []
    for row in rows:
        key = _key(row)
        if left[key]:
            left[key] -= 1
        else:
            found.append(row)
    return found


def _key(row: Row) -> tuple[str, ...]:
    return tuple(map(shown, row))
