"""Statements with a few words taken out, doubled, exchanged or brought in from others: ``python -m tests.lift.damage``.

What comes of one is a plan and its text, or `SubstraitSqlError`. Anything else is printed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import substrait_sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FOLDER = Path(__file__).parent / "statements"
SCHEMA = {
    "people": {
        "id": "INT", "name": "STRING", "age": "INT", "city": "STRING", "wage": "DECIMAL(4,2)", "born": "DATE",
    },
    "orders": {"person": "INT", "item": "STRING", "price": "DOUBLE"},
    "nested": {"s": "STRUCT<a: INT, b: STRING>", "arr": "ARRAY<INT>", "m": "MAP<STRING, STRING>"},
}  # fmt: skip
_WORD = re.compile(r"'(?:[^'\\]|\\.)*'|`[^`]*`|\w+|\s+|[<>=!|&]+|.", re.DOTALL)
_MOST_CHANGES = 3


def statements() -> list[str]:
    """The statements of the folder, without what is said of them."""
    found = []
    for path in sorted(FOLDER.glob("*.sql")):
        for text in path.read_text(encoding="utf-8").split("\n\n"):
            found.append("\n".join(x for x in text.splitlines() if not x.startswith("-- ")).strip())
    return [each for each in found if each]


def damaged(texts: Sequence[str], seed: int) -> Iterator[str]:
    """Damaged statements without end, the same for a seed."""
    draw = random.Random(seed)
    words = [_WORD.findall(text) for text in texts]
    known = sorted({word for each in words for word in each if not word.isspace()})
    while True:
        text = list(draw.choice(words))
        for _ in range(draw.randint(1, _MOST_CHANGES)):
            _change(text, known, words, draw)
        yield "".join(text)


def _change(
    text: list[str], known: Sequence[str], words: Sequence[Sequence[str]], draw: random.Random
) -> None:
    at = draw.randrange(len(text) or 1)
    match draw.randrange(5):
        case 0:
            del text[at : at + 1]
        case 1:
            text.insert(at, f" {draw.choice(known)} ")
        case 2:
            text[at : at + 1] = [draw.choice(known)]
        case 3:
            text[at:at] = text[at : at + draw.randrange(1, 6)]
        case 4:
            other = draw.choice(words)
            begin = draw.randrange(len(other))
            part = other[begin : begin + draw.randrange(1, 12)]
            text[at : at + draw.randrange(4)] = [" ", *part, " "]


def outcome(sql: str) -> str:
    """What comes of a statement: ``text``, the code of its error, or anything else that is raised."""
    try:
        substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=SCHEMA))
    except substrait_sql.SubstraitSqlError as error:
        return error.code
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "text"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lift.damage", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end, count, found = time.monotonic() + asked.seconds, 0, 0
    for sql in damaged(statements(), asked.seed):
        made = outcome(sql)
        count += 1
        if made != "text" and not made.startswith("SS"):
            found += 1
            print(f"{made}\n{sql}\n", flush=True)
        if time.monotonic() > end:
            break
    print(f"{count:,} statements, {found} that raise something else", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
