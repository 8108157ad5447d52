"""The gallery: ``python -m tests.tools.gallery [--write | --plans]``.

``--write`` prints docs/gallery.md from docs/gallery/gallery.yaml and the plans beside it. ``--plans`` makes those plans
again, of the queries in that file, with the producers of today.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import yaml

import substrait_sql
from substrait_sql import SubstraitSqlError
from tests.support import tpch
from tests.support.producers import produce

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "gallery.md"
FOLDER = ROOT / "docs" / "gallery"
HEAD = """\
# A gallery of plans

Printed by `python -m tests.tools.gallery --write` from the plans in `docs/gallery`; do not edit.

Each plan with the query that its producer was given, and with what `substrait-sql render` makes of the plan. The site
that `make docs` builds has the [report](report.md) of each; here they are made with

    substrait-sql report docs/gallery -o report.html
"""


def entries() -> dict[str, Any]:
    """The file, by the names of the plans."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "gallery.yaml").read_text(encoding="utf-8"))
    return found


def page() -> str:
    """The text of docs/gallery.md."""
    return "\n".join([HEAD, *(_section(name, entry) for name, entry in entries().items())])


def _section(name: str, entry: Any) -> str:
    language = "sql" if "sql" in entry else "python"
    plan = FOLDER / f"{name}.pb"
    given = f"The {'query' if language == 'sql' else 'expression'}, given to {entry['producer']}:"
    size = f"{plan.stat().st_size:,} bytes"
    links = f"[The plan](gallery/{name}.pb), {size}; [its report](report:{name})."
    parts = [f"## {entry['title']}", "\n".join(textwrap.wrap(entry["about"], 120)), given]
    return "\n\n".join([*parts, _block(language, entry[language]), links, _made(plan)]) + "\n"


def _made(plan: Path) -> str:
    try:
        return f"The SQL of the plan:\n\n{_block('sql', substrait_sql.to_sql(plan))}"
    except SubstraitSqlError as error:
        return f"What is said of the plan:\n\n{_block('text', str(error))}"


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def make() -> None:
    """Writes the plans."""
    files = tpch.tables(0.01)
    asked = entries()
    by = {
        who: {n: e["sql"] for n, e in asked.items() if e["producer"] == who and "sql" in e}
        for who in ("DataFusion", "substrait-sql", "DuckDB")
    }
    context = tpch.datafusion_context(files)
    plans = {n: tpch.datafusion_plan(context, sql) for n, sql in by["DataFusion"].items()}
    folder = files["orders"].parent
    for name, sql in by["substrait-sql"].items():
        plans[name] = substrait_sql.to_plan(sql, schema=folder).SerializeToString(
            deterministic=True
        )
    with tempfile.TemporaryDirectory() as scratch:
        for producer, queries in {"duckdb": by["DuckDB"], "ibis": {}}.items():
            made = produce(producer, folder, queries, Path(scratch))
            plans |= {n: m.plan for n, m in made.items() if m.plan is not None and n in asked}
    plans["expression"] = _of_pyarrow()
    for name, plan in plans.items():
        (FOLDER / f"{name}.pb").write_bytes(plan)


def _of_pyarrow() -> bytes:
    import pyarrow as pa
    import pyarrow.compute as pc

    schema = pa.schema([("l_extendedprice", pa.float64()), ("l_discount", pa.float64())])
    net = pc.field("l_extendedprice") * (pc.scalar(1.0) - pc.field("l_discount"))
    asked = net > 1000.0
    return bytes(asked.to_substrait(schema))


def main() -> int:
    if "--plans" in sys.argv:
        make()
    new = page()
    if "--write" in sys.argv or "--plans" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != PAGE.read_text(encoding="utf-8"):
        print(
            "docs/gallery.md is not current: python -m tests.tools.gallery --write", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
