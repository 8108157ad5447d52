"""Damages real plans and looks at what comes of them: our error, or SQL that parses. Nothing else.

    python -m tests.tools.fuzz --minutes 10 [--seed 1] [--plans DIR...]

What it finds is written to ``.cache/fuzz/`` and can be given to ``substrait-sql render``.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import re
import sys
import time
import traceback
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlglot

import substrait_sql
from substrait_sql import SubstraitSqlError, wire
from tests.support.parsed import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Of every kind of relation and function, and of the producers whose plans are read as they mean them.
PLANS = [Path(__file__).parents[1] / name for name in ("plans", "producers")]
FOUND = Path(__file__).parents[2] / ".cache" / "fuzz"
SLOW = 30.0
# Spark reads `WITH (wholetext = 'true')` behind a file before its alias, sqlglot does not.
_FILE_OPTIONS = re.compile(r" WITH \((?:\w+ = '(?:[^'\\]|\\.)*'(?:, )?)+\)")
NUMBERS = (0, 1, -1, 2, 127, 2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63), 2**64, 1.5, 1e308)
TEXTS = (
    "",
    "'",
    "`",
    "\\",
    "${env:HOME}",
    "*/",
    "--",
    "a.b",
    "{{ 1 }}",
    ":p0",
    "\0",
    "\n",
    "😀",
    "x" * 300,
    "SELECT",
)


@cache
def documents(*folders: Path) -> list[Any]:
    """The plans in folders as JSON documents in today's form, those that can be read."""
    found = []
    for path in (p for each in folders or PLANS for p in sorted(each.rglob("*"))):
        if path.suffix not in (
            ".json",
            ".pb",
            ".bin",
            ".txtpb",
            ".textproto",
        ) or path.name.endswith(".rows.json"):
            continue
        try:
            found.append(json.loads(wire.to_json(wire.read(path).plan)))
        except SubstraitSqlError:
            continue
    return found


def mutated(document: Any, seed: int, others: list[Any]) -> Any:
    """The document with one change somewhere."""
    luck = random.Random(seed)
    document = copy.deepcopy(document)
    places = list(_places(document))
    if not places:
        return document
    holder, key = luck.choice(places)
    luck.choice(_CHANGES)(holder, key, luck, others)
    return document


def damaged(data: bytes, seed: int) -> bytes:
    """The bytes with one change somewhere."""
    luck = random.Random(seed)
    at, end = sorted((luck.randrange(len(data) + 1), luck.randrange(len(data) + 1)))
    match luck.randrange(5):
        case 0:
            return data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:end] + data[at:]
        case 3:
            return data[:at] + luck.randbytes(luck.randrange(1, 9)) + data[at:]
    return data[:at]


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every part of a document, as what holds it and under which key."""
    stack = [node]
    while stack:
        holder = stack.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            yield holder, key
            if isinstance(holder[key], (dict, list)):
                stack.append(holder[key])


def _drop(holder: Any, key: Any, luck: random.Random, others: list[Any]) -> None:
    del holder[key]


def _replace(holder: Any, key: Any, luck: random.Random, others: list[Any]) -> None:
    """Another part of some plan in its place, one under the same key if there is one."""
    found = list(_places(luck.choice(others)))
    alike = [(h, k) for h, k in found if k == key] or found
    if alike:
        source, name = luck.choice(alike)
        holder[key] = copy.deepcopy(source[name])


def _swap(holder: Any, key: Any, luck: random.Random, others: list[Any]) -> None:
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    other = luck.choice(keys)
    holder[key], holder[other] = holder[other], holder[key]


def _value(holder: Any, key: Any, luck: random.Random, others: list[Any]) -> None:
    holder[key] = luck.choice((luck.choice(NUMBERS), luck.choice(TEXTS), None, True, [], {}))


def _nudge(holder: Any, key: Any, luck: random.Random, others: list[Any]) -> None:
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = value + luck.choice((-1, 1, 7))
    elif isinstance(value, str):
        holder[key] = luck.choice((value + luck.choice(TEXTS), value[:-1], value.upper()))
    elif isinstance(value, list) and value:
        value.append(copy.deepcopy(luck.choice(value)))


_CHANGES: list[Callable[[Any, Any, random.Random, list[Any]], None]] = [
    _drop,
    _replace,
    _swap,
    _value,
    _nudge,
]


class Defect(Exception):
    """What may not come of a plan."""


def look_at(source: Any) -> str:
    """Render, check and explain a plan. Returns ``refused`` or ``rendered``; raises `Defect` for anything else."""
    start = time.monotonic()
    try:
        outcome = _outcome(source)
    except SubstraitSqlError as error:
        if not error.code.startswith("SS") or len(str(error)) > 20_000:
            raise Defect(f"an error without a code, or without end: {str(error)[:200]}") from error
        outcome = "refused"
    except RecursionError:
        raise
    except Exception as error:
        raise Defect(f"{type(error).__name__}: {error}") from error
    if time.monotonic() - start > SLOW:
        raise Defect(f"{time.monotonic() - start:.0f} s")
    return outcome


def _outcome(source: Any) -> str:
    substrait_sql.check(source)
    substrait_sql.explain(source)
    for statement in substrait_sql.render(source).statements:
        try:
            found = parsed(_FILE_OPTIONS.sub("", statement.sql))
        except sqlglot.ParseError as error:
            raise Defect(f"SQL that does not parse: {error}\n{statement.sql}") from error
        if len(found) != 1:
            raise Defect(f"{len(found)} statements for one:\n{statement.sql}")
    return "rendered"


def main() -> int:
    """Run for some minutes; the exit code says whether anything was found."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=1)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--plans", type=Path, nargs="*", default=PLANS)
    given = options.parse_args()
    plans = documents(*given.plans)
    luck, end = random.Random(given.seed), time.monotonic() + 60 * given.minutes
    counts: dict[str, int] = {}
    while time.monotonic() < end:
        source: Any = luck.choice(plans)
        binary = luck.random() < 0.3
        if binary:
            source = wire.to_bytes(wire.read(source).plan)
        for _ in range(luck.choice((1, 1, 2, 4))):
            seed = luck.randrange(2**32)
            source = damaged(source, seed) if binary else mutated(source, seed, plans)
        try:
            outcome = look_at(source)
        except Exception as error:
            outcome = "defects"
            _keep(source, error)
        counts[outcome] = counts.get(outcome, 0) + 1
    print(", ".join(f"{v} {k}" for k, v in sorted(counts.items())))
    return 1 if counts.get("defects") else 0


def _keep(source: Any, error: Exception) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    data = source if isinstance(source, bytes) else json.dumps(source, indent=1).encode()
    name = f"{zlib.crc32(data):08x}"
    (FOUND / (name + (".pb" if isinstance(source, bytes) else ".json"))).write_bytes(data)
    (FOUND / (name + ".txt")).write_text("".join(traceback.format_exception(error)))
    print(f"{name}: {str(error)[:300]}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
