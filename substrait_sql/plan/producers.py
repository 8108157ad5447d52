"""Whose a plan is and which habits it has: by the producer's name, its version, and facts of the plan."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.plan.deviations import DEVIATIONS, UNVERSIONED
from substrait_sql.plan.habits import Habits
from substrait_sql.wire.inside import parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.plan.deviations import Deviation
    from substrait_sql.wire import Decoded

OWN = "substrait-sql"
"""What plans say that are made of a text here."""

PRODUCERS = ("acero", "datafusion", "duckdb", "gluten", "ibis", "isthmus", OWN)
"""The producers that are known here: a plan is of the one that its producer's name begins with, in any case."""


def producer_of(decoded: Decoded) -> str:
    """The plan's producer, one of `PRODUCERS`; empty for any other."""
    said = decoded.producer.casefold()
    found = next((name for name in PRODUCERS if said.startswith(name)), "")
    return "ibis" if not found and _is_old_ibis(decoded) else found


def habits_of(decoded: Decoded) -> Habits:
    """The habits of the plan's producer: what those rows say that are about it, its version and this plan."""
    rows = rows_about(decoded)
    older = {row.function: row.name for row, _ in rows if row.function}
    version = (decoded.version or ())[:2]
    unsure = {row.name for row, _ in rows if row.unsure == version}
    others = {row.name: value for row, value in rows if not row.function}
    about_null = frozenset(row.function for row, _ in rows if row.about_null)
    return Habits(older=older, unsure=frozenset(unsure), about_null=about_null, **others)


def rows_about(decoded: Decoded) -> list[tuple[Deviation, Any]]:
    """The rows of the table that are about a plan, and what the habit is."""
    producer = producer_of(decoded)
    version = decoded.version or UNVERSIONED.get(producer, (0, 0))
    declared = {each.extension_function.name.partition(":")[0] for each in decoded.plan.extensions}
    found: list[tuple[Deviation, Any]] = []
    for row in _rows(producer):
        if (row.since and version < row.since) or (row.until and version >= row.until):
            continue
        if row.function and row.function not in declared:
            continue
        fact = FACTS[row.when](decoded) if row.when else True
        if fact:
            found.append((row, fact if row.value is None else row.value))
    return found


@cache
def _rows(producer: str) -> tuple[Deviation, ...]:
    """The rows about a producer; one without any is like those that are not known."""
    found = tuple(row for row in DEVIATIONS if row.producer == producer)
    return found or tuple(row for row in DEVIATIONS if not row.producer)


# --- Facts of a plan that a version does not tell -------------------------------------------------


_FRAME = re.compile("(?:ROWS|RANGE|GROUPS) BETWEEN ")
_BEFORE_FRAMES = {
    # A repeated value changes nothing in the others.
    "DISTINCT": re.compile(r"\b(?!(?:min|max|bool_and|bool_or|bit_and|bit_or)\()\w+\(DISTINCT "),
    "FILTER": re.compile(r"\) FILTER \(WHERE "),
    "IGNORE NULLS": re.compile(r"\) IGNORE NULLS "),
}
_OFFSET = "a RANGE offset"
_OFFSET_FROM = re.compile("RANGE BETWEEN (?!UNBOUNDED |CURRENT )")
_OFFSET_TO = re.compile(" AND (?!UNBOUNDED |CURRENT )")


def _named_loss(plan: Any) -> str:
    """What the names of the results speak of, and no window of the plan has."""
    names = [name for relation in plan.relations for name in relation.root.names]
    windows = [name for name in names if " BETWEEN " in name]
    return next(
        (what for what in (*_BEFORE_FRAMES, _OFFSET) if any(_speaks(n, what) for n in windows)), ""
    )


def _speaks(name: str, what: str) -> bool:
    """Each pattern is looked for once from one place: a name can be as long as a plan."""
    if what == _OFFSET:
        start = name.find("RANGE BETWEEN ")
        ends = start >= 0 and _OFFSET_TO.search(name, start)
        return bool(ends or _OFFSET_FROM.search(name))
    found = _BEFORE_FRAMES[what].search(name)
    return found is not None and _FRAME.search(name, found.end()) is not None


def _reads_whole_rows(plan: Any) -> bool:
    """Whether some table is read without a mask: DataFusion's optimizer gives one to each."""
    waiting = list(plan.relations)
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name == "ReadRel" and message.HasField("named_table"):
            if not message.HasField("projection"):
                return True
            continue
        waiting += [each for _, each in parts(message)]
    return False


def _leaves_types_out(plan: Any) -> bool:
    """Whether no call says the type of its result; LIKE has none in DataFusion 55, which says it of all others."""
    waiting, calls = list(plan.relations), False
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name == "ScalarFunction":
            if message.HasField("output_type"):
                return False
            calls = True
        waiting += [each for _, each in parts(message)]
    return calls


def _is_old_ibis(decoded: Decoded) -> bool:
    """Ibis up to 2.28 says neither version nor producer; nobody else declares extensions that have no name."""
    urns = decoded.plan.extension_urns
    return decoded.version is None and bool(urns) and not any(u.urn for u in urns)


def _says_no_version(decoded: Decoded) -> bool:
    return decoded.version is None


FACTS: dict[str, Callable[[Decoded], bool | str]] = {
    "says_its_version": lambda decoded: not _says_no_version(decoded),
    "says_no_version": _says_no_version,
    "says_no_version_or_name": lambda decoded: _says_no_version(decoded) or not decoded.producer,
    "reads_whole_rows": lambda decoded: _reads_whole_rows(decoded.plan),
    "masks_every_read": lambda decoded: not _reads_whole_rows(decoded.plan),
    "leaves_types_out": lambda decoded: _leaves_types_out(decoded.plan),
    "names_what_is_lost": lambda decoded: _named_loss(decoded.plan),
}
"""By the name that a row of the table has under `when`."""
