"""The longest texts beside their originals: ``python -m tests.tools.worst_texts [--write | --plans | --beside]``.

``--write`` prints docs/worst_texts.md from docs/worst_texts/worst_texts.yaml and the plans beside it: the ten texts of
TPC-H and TPC-DS that are longest by their originals, as `tests.tools.readability` counts. ``--plans`` makes those plans
again, with the DataFusion of today. ``--beside`` prints to the terminal each text with its original, which DuckDB's
extensions have: they are the TPC's, and on no page of ours.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import yaml
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.spark import Spark

import substrait_sql
from tests.support import tpch
from tests.tools.readability import Size

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "worst_texts.md"
FOLDER = ROOT / "docs" / "worst_texts"
BENCHMARKS = {"tpch": "TPC-H", "tpcds": "TPC-DS"}
HEAD = """\
# The longest texts

Printed by `python -m tests.tools.worst_texts --write` from the plans in `docs/worst_texts`; do not edit.

Of the 121 queries of TPC-H and TPC-DS, as DataFusion plans them, these ten have the longest texts by those that a
person wrote, in tokens ([benchmarks](benchmarks.md) says how long the others are). Each stands here in full, with what
makes it longer. The originals are the TPC's and not repeated: `python -m tests.tools.worst_texts --beside` prints them
beside ours, out of DuckDB's extensions.
"""


def entries() -> dict[str, Any]:
    """The file, by the names of the plans: ``tpcds_24``."""
    found: dict[str, Any] = yaml.safe_load(
        (FOLDER / "worst_texts.yaml").read_text(encoding="utf-8")
    )
    return found


def page() -> str:
    """The text of docs/worst_texts.md."""
    return "\n".join([HEAD, *(_section(name, entry) for name, entry in entries().items())])


def text_of(name: str) -> str:
    """What we make of a plan."""
    return substrait_sql.to_sql(FOLDER / f"{name}.pb")


def original(name: str) -> str:
    """The query that a plan was made of."""
    benchmark, _, number = name.partition("_")
    return tpch.benchmark(benchmark)[int(number)]


def _title(name: str) -> str:
    benchmark, _, number = name.partition("_")
    return f"{BENCHMARKS[benchmark]} {number}"


def _section(name: str, entry: Any) -> str:
    text, original_tokens = text_of(name), entry["tokens"]
    tokens = Size.of(text, Spark()).tokens
    size = f"{tokens} tokens for {original_tokens}, {tokens / original_tokens:.2f}."
    about = "\n".join(textwrap.wrap(f"{size} {entry['why']}", 120))
    return f"## {_title(name)}\n\n{about}\n\n```sql\n{text}\n```\n"


def make() -> None:
    """Writes the plans. Raises `SystemExit` where the file has another length of an original."""
    contexts = {b: tpch.datafusion_context(tpch.generated(b, 0)) for b in BENCHMARKS}
    for name, entry in entries().items():
        sql = original(name)
        context = contexts[name.partition("_")[0]]
        (FOLDER / f"{name}.pb").write_bytes(tpch.datafusion_plan(context, sql))
        tokens = Size.of(sql, DuckDB()).tokens
        if tokens != entry["tokens"]:
            raise SystemExit(f"{name}: the original has {tokens} tokens")


def main() -> int:
    if "--plans" in sys.argv:
        make()
    if "--beside" in sys.argv:
        for name in entries():
            print(
                f"-- {_title(name)}, ours\n{text_of(name)}\n\n-- the original\n{original(name)}\n"
            )
        return 0
    new = page()
    if "--write" in sys.argv or "--plans" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != PAGE.read_text(encoding="utf-8"):
        print(
            f"{PAGE.name} is not current: python -m tests.tools.worst_texts --write",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
