"""How near our texts are to those that people wrote: ``python -m tests.tools.readability SUITE...``.

SUITE is ``NAME=PLANS:FOLDER_OF_SQL``. PLANS is a pattern of files, ``plans/tpch__*.bin``. A plan belongs to the text
whose name, without its ending, is a word of the plan's: ``tpch__q07__opt.bin`` to ``q07.sql``. Printed of each suite:

    tokens     ours by those of the original: the median, the ninetieth percentile, the worst
    names      the same with a name in parts as one token: ours say of which table a column is, where there are several
    casts      in ours and in the originals, and in how many texts there are more of them
    tables     derived tables in ours and in the originals, and in how many texts there are more of them
    lines      the longest of ours, and how many texts have one over 120 wide

    --qualify WHERE  as in `to_sql`, ``needed`` say
    --each         the same of every text, the longest by its original last
    --write DIR    our texts, each in a file of the original's name
"""

from __future__ import annotations

import argparse
import glob
import math
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.spark import Spark
from sqlglot.tokens import TokenType

import substrait_sql
from substrait_sql.rendered import QUALIFY, UNPREFIXED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDE = 120


@dataclass(frozen=True)
class Size:
    """What a text is made of."""

    tokens: int
    names: int
    casts: int
    tables: int

    @classmethod
    def of(cls, text: str, grammar: Spark | DuckDB) -> Size:
        """Of a query. The tokens of a type count one by one, comments not at all."""
        tokens = grammar.tokenize(text)
        # Of `1.5D` sqlglot makes three tokens, as of `1.5 :: DOUBLE`.
        written = [t for i, t in enumerate(tokens) if not i or t.start != tokens[i - 1].start]
        count = sum(t.token_type is not TokenType.SEMICOLON for t in written)
        dots = sum(t.token_type is TokenType.DOT for t in written)
        casts = sum(t.token_type is TokenType.DCOLON for t in written)
        casts += sum(t.text.upper() in ("CAST", "TRY_CAST") for t in written)
        trees = [tree for tree in grammar.parser().parse(tokens, text) if tree is not None]
        tables = sum(
            isinstance(query.parent, (exp.From, exp.Join))
            for tree in trees
            for query in tree.find_all(exp.Subquery)
        )
        return cls(count, count - 2 * dots, casts, tables)


@dataclass(frozen=True)
class Pair:
    """Our text of a plan beside the original."""

    name: str
    text: str
    ours: Size
    original: Size

    @property
    def ratio(self) -> float:
        """Our tokens by the original's."""
        return self.ours.tokens / self.original.tokens

    @property
    def names(self) -> float:
        """The same with a name in parts as one token."""
        return self.ours.names / self.original.names

    @property
    def longest(self) -> int:
        """How wide our widest line is."""
        return max(map(len, self.text.splitlines()))


def pairs(pattern: str, originals: Path, qualify: str) -> list[Pair]:
    """The plans of a pattern beside the texts of a folder. Raises `SystemExit` where a plan is of no text."""
    texts = {path.stem: path for path in originals.glob("*.sql")}
    found = []
    for plan in sorted(map(Path, glob.glob(pattern))):
        names = [word for word in re.split(r"__|\.", plan.name) if word in texts]
        if len(names) != 1:
            raise SystemExit(f"{plan}: of which text in {originals} is this the plan?")
        ours = substrait_sql.to_sql(plan, qualify=qualify)
        sizes = Size.of(ours, Spark()), Size.of(texts[names[0]].read_text(), DuckDB())
        found.append(Pair(names[0], ours, *sizes))
    return found


def percentile(values: Iterable[float], share: float) -> float:
    """The least value that no smaller share of the values is above.

    >>> percentile([3, 1, 2, 4, 5, 6, 7, 8, 9, 10], 0.9)
    9
    """
    ranked = sorted(values)
    return ranked[math.ceil(share * len(ranked)) - 1]


def summary(found: Sequence[Pair]) -> list[str]:
    """What is printed of a suite."""
    lines = []
    for name, ratios in (("tokens", [p.ratio for p in found]), ("names", [p.names for p in found])):
        ninetieth = percentile(ratios, 0.9)
        median = statistics.median(ratios)
        lines.append(
            f"{name:6}  median {median:.2f}, ninetieth percentile {ninetieth:.2f}, worst {max(ratios):.2f}"
        )
    for name in ("casts", "tables"):
        ours = [getattr(pair.ours, name) for pair in found]
        theirs = [getattr(pair.original, name) for pair in found]
        more = sum(a > b for a, b in zip(ours, theirs, strict=True))
        lines.append(f"{name:6}  {sum(ours)} for {sum(theirs)}, more of them in {more} texts")
    wide = sum(pair.longest > WIDE for pair in found)
    longest = max(pair.longest for pair in found)
    lines.append(f"lines   the longest {longest} wide, texts with one over {WIDE}: {wide}")
    return lines


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.readability")
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    parser.add_argument("--qualify", choices=QUALIFY, default=UNPREFIXED)
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args(arguments)
    for suite in given.suites:
        name, _, rest = suite.partition("=")
        pattern, _, originals = rest.rpartition(":")
        found = pairs(pattern, Path(originals), given.qualify)
        if not found:
            raise SystemExit(f"{name}: no file is {pattern}")
        print(f"{name}: {len(found)} texts, qualify={given.qualify}", *summary(found), sep="\n  ")
        for pair in sorted(found, key=lambda p: p.ratio) if given.each else ():
            a, b = pair.ours, pair.original
            print(
                f"  {pair.name:10} tokens {a.tokens:5} for {b.tokens:5}  {pair.ratio:4.2f}  casts {a.casts:3} for "
                f"{b.casts:3}  tables {a.tables:2} for {b.tables:2}  width {pair.longest:4}"
            )
        if given.write:
            (given.write / name).mkdir(parents=True, exist_ok=True)
            for pair in found:
                (given.write / name / f"{pair.name}.sql").write_text(pair.text + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
