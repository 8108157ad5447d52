"""The table of deviations: ``python -m tests.tools.producers --write`` puts it into docs/producers.md.

It is printed from `substrait_sql/plan/deviations.py`; what is around it on the page is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from substrait_sql.plan.deviations import DEVIATIONS, Deviation, Version

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "producers.md"
BEGIN = "<!-- deviations: python -m tests.tools.producers --write -->"
END = "<!-- deviations end -->"
NAMES = {
    "acero": "Acero (pyarrow)",
    "datafusion": "DataFusion",
    "duckdb": "DuckDB",
    "ibis": "Ibis",
    "isthmus": "isthmus",
    "substrait-sql": "substrait-sql (`to_plan`)",
    "": "any other",
}
HEAD = "| producer | deviation | since | before | only if the plan | what it means | evidence |"


def _version(version: Version | None) -> str:
    return "" if version is None else ".".join(map(str, version))


def _line(row: Deviation) -> str:
    condition = row.when.replace("_", " ")
    cells = [NAMES[row.producer], f"`{row.name}`", _version(row.since), _version(row.until)]
    cells += [condition, row.meaning, row.evidence]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def table() -> str:
    """The lines of the page."""
    return "\n".join([HEAD, "|---" * HEAD.count(" | ") + "|---|", *map(_line, DEVIATIONS)])


def written(page: str) -> str:
    """The page with the table of today."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    new = written(page)
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != page:
        print(
            "docs/producers.md is not current: python -m tests.tools.producers --write",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
