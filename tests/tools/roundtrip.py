"""What of our own texts comes back the same: `python -m tests.tools.roundtrip`.

Each plan is rendered, its text lifted over the tables that the plan declares, and what comes of that rendered again:
`to_sql(to_plan(to_sql(p))) == to_sql(p)`. Nothing runs. Printed are how many texts lift and how many come back equal,
then what keeps the others from it, grouped by message, the biggest groups first.

    python -m tests.tools.roundtrip                  the golden plans of tests/plans
    python -m tests.tools.roundtrip --corpus DIR     the plans of a folder with an index.jsonl, tier A and B
    python -m tests.tools.roundtrip --show NAME      one case in full: the text, and what came back
    python -m tests.tools.roundtrip --names          with the names of all cases of a group, not three of them
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import substrait_sql
from substrait_sql import SubstraitSqlError
from tests.support.cases import PLANS
from tests.support.declared import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.rendered import Rendered


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a text. problem: of the way back, empty if there was none. again: the text that came back."""

    name: str
    text: str
    again: str = ""
    problem: str = ""

    @property
    def lifted(self) -> bool:
        """Whether the text became a plan that has a text."""
        return not self.problem

    @property
    def equal(self) -> bool:
        """Whether the same text came back."""
        return self.again == self.text


def golden() -> Iterator[tuple[str, Path | bytes | str]]:
    """The plans of tests/plans by name."""
    for suffix in ("*.json", "*.pb", "*.txtpb"):
        for path in sorted(PLANS.rglob(suffix)):
            if path.parent.name != "tables" and not path.name.endswith(".rows.json"):
                yield str(path.relative_to(PLANS).with_suffix("")), path


def corpus(folder: Path, tiers: str) -> Iterator[tuple[str, Path | bytes | str]]:
    """The plans that an index lists, those of some tiers: a letter each."""
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["tier"] in tiers:
            data = (folder / entry["plan"]).read_bytes()
            yield (
                f"{entry['tier']}:{entry['plan']}",
                data if entry["encoding"] == "binary" else data.decode(),
            )


def outcomes(name: str, plan: Path | bytes | str) -> Iterator[Outcome]:
    """One outcome for each query of a plan; none for a plan that is refused."""
    rendered = _rendered(plan)
    if rendered is None:
        return
    texts = _queries(rendered)
    for place, sql in enumerate(texts):
        yield _outcome(name if len(texts) == 1 else f"{name}#{place}", sql, rendered)


def queries(plan: Path | bytes | str) -> list[str]:
    """The text of each query of a plan; none for a plan that is refused."""
    rendered = _rendered(plan)
    return [] if rendered is None else _queries(rendered)


def _rendered(plan: Path | bytes | str) -> Rendered | None:
    try:
        return substrait_sql.render(plan)
    except SubstraitSqlError:
        return None


def _queries(rendered: Rendered) -> list[str]:
    return [s.sql for s in rendered.statements if s.kind == "query"]


def _outcome(name: str, sql: str, rendered: Rendered) -> Outcome:
    kinds = {str(k): getattr(v, "spark_type", v) for k, v in rendered.parameters.items()}
    try:
        plan = substrait_sql.to_plan(sql, schema=schema_of(rendered), parameters=kinds)
    except SubstraitSqlError as error:
        return Outcome(name, sql, problem=f"refused: {_message(error)}")
    except Exception as error:
        return Outcome(name, sql, problem=f"crashed: {type(error).__name__}: {error}")
    try:
        return Outcome(name, sql, again=substrait_sql.to_sql(plan))
    except SubstraitSqlError as error:
        return Outcome(name, sql, problem=f"lifted, not lowered: {_message(error)}")


def _message(error: SubstraitSqlError) -> str:
    lines = [x for x in str(error).splitlines() if x.strip()]
    return " ".join(lines[:2])[:150]


def group(found: Outcome) -> str:
    """What cases of one cause have in common: the message without its names, or the words that differ."""
    if not found.lifted:
        return re.sub(
            r"line \d+, column \d+", "line …", re.sub(r"`[^`]*`|'[^']*'", "…", found.problem)
        )
    before, after = (re.findall(r"\w+|\S", x) for x in (found.text, found.again))
    for tag, a, b, c, d in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            return f"differs: {' '.join(before[a:b])[:60]}  =>  {' '.join(after[c:d])[:60]}"
    return "differs in white space"


def main(arguments: list[str]) -> int:
    """Prints the figures; returns 1 where a named case is not there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a folder of plans with an index.jsonl")
    parser.add_argument("--tiers", default="AB", help="tiers of that index")
    parser.add_argument("--show", help="one case in full")
    parser.add_argument("--names", action="store_true", help="all names of each group")
    given = parser.parse_args(arguments)
    plans = corpus(given.corpus, given.tiers) if given.corpus else golden()
    if given.show:
        found = [o for n, p in plans if n == given.show.partition("#")[0] for o in outcomes(n, p)]
        for each in found:
            print(f"{each.text}\n\n--- {each.problem or 'comes back as'}\n\n{each.again}\n")
        return 0 if found else 1
    every = [o for name, plan in plans for o in outcomes(name, plan)]
    lines = {"all": every}
    if given.corpus:
        lines = {t: [o for o in every if o.name.startswith(t)] for t in given.tiers}
    for title, some in lines.items():
        lifted, equal = sum(o.lifted for o in some), sum(o.equal for o in some)
        print(f"{title}: lifted {lifted} of {len(some)}, equal {equal} of {len(some)}")
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for each in every:
        if not each.equal:
            groups[group(each)].append(each.name)
    for message, names in sorted(groups.items(), key=lambda g: -len(g[1])):
        shown = names if given.names else names[:3]
        print(f"{len(names):5}  {message}\n       {' '.join(shown)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
