"""The laws of the text: it does not depend on luck, a change stays where it is made, lines lead back to the plan."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sqlglot

import substrait_sql
from substrait_sql import demo
from tests.support.build import R, add, eq, gt, lit, plan, set_, table

PLANS = Path(__file__).parents[1] / "plans"

RENDER_ALL = """
import hashlib, pathlib, sys
import substrait_sql
digest = hashlib.sha256()
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.json")):
    if path.name.endswith(".rows.json") or path.parent.name == "tables":
        continue
    try:
        text = substrait_sql.to_sql(path)
    except substrait_sql.SubstraitSqlError as error:
        text = str(error)
    digest.update(text.encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_two_hash_seeds_give_the_same_bytes() -> None:
    seen = set()
    for seed in ("1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", RENDER_ALL, str(PLANS)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def branch(name: str, above: int) -> R:
    """A query that needs a derived table: a limit, and a filter above it."""
    top = table(name, "a:i64? b:i64?").sort(lambda r: [(r[0], 1)]).fetch(10)
    return top.filter(lambda r: gt(r[1], lit(above, "i64"))).select(lambda r: [r[0]])


def test_a_change_in_one_branch_leaves_the_others_alone() -> None:
    names = ("orders", "lines", "orders")

    def text(above: int) -> list[str]:
        branches = [branch(n, above if i == 1 else 5) for i, n in enumerate(names)]
        return substrait_sql.to_sql(plan((set_("UNION_ALL", *branches), "a"))).split("\n")

    changed = [
        line
        for line in difflib.unified_diff(text(7), text(1234), n=0, lineterm="")
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert [line[1:].strip() for line in changed] == ["b > 7", "b > 1234"]


def test_another_table_in_one_branch_does_not_rename_the_others() -> None:
    def text(second: str) -> str:
        joined = table("a", "k:i64?").join(
            table(second, "k:i64?"), "INNER", lambda r: eq(r[0], r[1])
        )
        third = joined.join(table("c", "k:i64?"), "INNER", lambda r: eq(r[0], r[2]))
        return substrait_sql.to_sql(plan((third, "x y z")))

    assert text("b").replace("b", "other") == text("other").replace("b", "other")


def test_the_source_map_leads_from_lines_to_relations() -> None:
    rendered = substrait_sql.render(plan((branch("orders", 5), "a")))
    lines = rendered.sql.split("\n")
    found = {path: lines[n - 1].strip() for n, path in rendered.source_map}
    assert found["relations[0].root.input.project"] == "SELECT"
    assert found["relations[0].root.input.project.input.filter.input.fetch"] == "SELECT"
    assert found["relations[0].root.input.project.input.filter"] == "SELECT"
    reads = [text for path, text in found.items() if path.endswith(".read")]
    assert reads == ["FROM orders"]


def test_annotated_text_says_the_same_with_comments() -> None:
    plain = substrait_sql.render(demo.PLAN)
    annotated = substrait_sql.render(demo.PLAN, annotate=True)
    kept = [line for line in annotated.sql.split("\n") if not line.strip().startswith("/*")]
    assert "\n".join(kept) == plain.sql
    assert len(kept) < len(annotated.sql.split("\n"))
    lines = annotated.sql.split("\n")
    assert [(lines[n - 1], path) for n, path in annotated.source_map] == [
        (kept[n - 1], path) for n, path in plain.source_map
    ]


@pytest.mark.slow
@pytest.mark.parametrize("relations", [50, 500, 2000])
def test_deep_plans_render(relations: int) -> None:
    out = table("t", "a:i64? b:i64?")
    for i in range(relations):
        out = out.filter(lambda r, i=i: gt(r[0], lit(i, "i64")))  # type: ignore[misc]
    text = substrait_sql.to_sql(plan((out, "a b")).SerializeToString())
    assert text.count(">") == relations
    assert text.count("SELECT") == 1


def test_a_column_computed_twice_over_is_written_once() -> None:
    """Doubling at every step would be a text of 2^40 nodes if expressions were always repeated."""
    out = table("t", "a:i64?")
    for _ in range(40):
        out = out.select(lambda r: [add(r[0], r[0])])
    text = substrait_sql.to_sql(plan((out, "a")))
    assert len(text) < 20_000
    assert sqlglot.parse_one(text, read="spark").find(sqlglot.exp.Add) is not None
