"""The lists on the pages of producers: ``python -m tests.tools.producers --write`` puts them there.

Deviations are printed from `substrait_sql/plan/deviations/`, functions from `dialects/spark/producers`; what is
around them in docs/producers.md and docs/producers/*.md is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.plan.deviations import DEVIATIONS, Deviation, Version
from substrait_sql.resources import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "producers"
# By producer; the page for all of them has what is said of any other.
PAGES = {p.stem.replace("_", "-"): p for p in sorted(FOLDER.glob("*.md"))}
PAGES[""] = ROOT / "docs" / "producers.md"


def _version(version: Version | None) -> str:
    return "" if version is None else ".".join(map(str, version))


def _line(row: Deviation) -> str:
    when = [_version(row.since), _version(row.until), row.when.replace("_", " ")]
    return _row(f"`{row.name}`", row.meaning, *when, row.evidence)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def deviations(producer: str) -> str:
    """The table of a producer."""
    rows = [_line(row) for row in DEVIATIONS if row.producer == producer]
    head = ["deviation", "what it means", "since", "before", "only if the plan", "evidence"]
    return "\n".join([_row(*head), "|" + "---|" * len(head), *rows])


def functions(producer: str) -> str:
    """The table of the functions in its files."""
    rows = [
        _row(f"`{line['name']}`{_kind(kind)}", ", ".join(line["supported_impls"]), _sql(line))
        for kind, line in lines(producer)
    ]
    return "\n".join([_row("function", "overloads", "SQL"), "|---|---|---|", *rows])


def lines(producer: str) -> Iterator[tuple[str, Any]]:
    """The lines in its files, each with its kind."""
    for path in sorted((DIALECTS / "spark" / "producers").glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if data.get("metadata", {}).get("producer") == producer:
            for kind in ("scalar", "aggregate", "window"):
                for line in data.get(f"supported_{kind}_functions", ()):
                    yield kind, line


def _kind(kind: str) -> str:
    return "" if kind == "scalar" else f" ({kind})"


def _sql(line: Any) -> str:
    """How a line is written: its template, its function, or that a rule in Python decides."""
    about = line.get("metadata") or {}
    if "sql" in about:
        return f"`{' '.join(about['sql'].split())}`"
    if "rule" in about:
        return f"by the rule `{about['rule']}`"
    if "refused" in about:
        return f"none: {about['refused']}"
    if "casts" in about:
        return "a cast to the type that the plan declares"
    named = line.get("system_metadata") or {}
    name = named.get("name", line["name"])
    return f"`x {name} y`" if named.get("notation") == "INFIX" else f"`{name}(…)`"


def written(producer: str, page: str) -> str:
    """The page with the lists of today."""
    for name, table in (("deviations", deviations), ("functions", functions)):
        begin = f"<!-- {name}: python -m tests.tools.producers --write -->"
        end = f"<!-- {name} end -->"
        text = f"{begin}\n{table(producer)}\n{end}"
        page = re.sub(f"(?s){re.escape(begin)}.*?{re.escape(end)}", lambda _, t=text: t, page)
    return page


def main() -> int:
    stale = []
    for producer, path in PAGES.items():
        page = path.read_text(encoding="utf-8")
        new = written(producer, page)
        if "--write" in sys.argv:
            path.write_text(new, encoding="utf-8")
        elif new != page:
            stale.append(path.relative_to(ROOT).as_posix())
    for name in stale:
        print(f"{name} is not current: python -m tests.tools.producers --write", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    raise SystemExit(main())
