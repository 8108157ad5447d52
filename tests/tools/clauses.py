"""The support table of Spark SQL's clauses in docs/round_trip.md: ``python -m tests.tools.clauses [--write]``.

It is printed from dialects/spark/support/statements.yaml; without --write, exit 1 if it is not current.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from substrait_sql.resources import DIALECTS

DATA = DIALECTS / "spark" / "support" / "statements.yaml"
PAGE = Path(__file__).parents[2] / "docs" / "round_trip.md"
START = "<!-- clauses: python -m tests.tools.clauses --write -->\n"
END = "<!-- end -->\n"


def clauses() -> list[dict[str, Any]]:
    """The clauses of the data file."""
    found: list[dict[str, Any]] = yaml.safe_load(DATA.read_text(encoding="utf-8"))["clauses"]
    return found


def table() -> str:
    """The table as Markdown."""
    lines = ["| clause | |", "|---|---|"]
    for each in clauses():
        verdict = f"{each['code']}: {each['reason']}" if "code" in each else each.get("note", "yes")
        lines.append(f"| {each['clause']} | {verdict} |")
    return "\n".join(lines).replace("||", "\\|\\|") + "\n"


def page(text: str) -> str:
    """The page with the table as it is now."""
    start = text.index(START) + len(START)
    return text[:start] + table() + text[text.index(END, start) :]


def main() -> int:
    """Prints the table into the page, or says that it is not current."""
    before = PAGE.read_text(encoding="utf-8")
    now = page(before)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(now, encoding="utf-8")
        return 0
    return int(now != before)


if __name__ == "__main__":
    sys.exit(main())
