"""`diff` beside the pairs: texts, folders, formats, exit codes, size, git."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql.review.diff.compare import Comparison
from substrait_sql.review.diff.execution import executed
from substrait_sql.review.diff.formats import Look, as_markdown, as_text
from substrait_sql.review.diff.lines import words
from substrait_sql.review.diff.sides import Side
from substrait_sql.run.tables.sources import folder_tables
from tests.review.test_pairs import TABLES, plan
from tests.support import build, nested
from tests.support.build.physical import grouping_sets, window

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from substrait_sql.review.diff.rows import Executed

ROOT = Path(__file__).parents[2]
TWO = build.table("t", "a:i64? b:i64?")
SCHEMA = {
    "t": {"id": "BIGINT NOT NULL", "k": "BIGINT", "x": "BIGINT"},
    "u": {"k": "BIGINT", "y": "BIGINT"},
}
JOIN = "SELECT t.id, u.w FROM t JOIN u ON t.k = u.k WHERE t.x > 10 ORDER BY t.id"
LEFT = "SELECT t.id, u.w, t.name FROM t LEFT JOIN u ON t.k = u.k WHERE t.x > 20 ORDER BY t.id DESC"


def run(*arguments: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "substrait_sql", *arguments]
    given = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    return subprocess.run(command, cwd=cwd, env=given, capture_output=True, text=True, check=False)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, sql in (
        ("a/one.pb", JOIN),
        ("b/one.pb", LEFT),
        ("a/gone.pb", "SELECT id FROM t"),
        ("b/new.pb", "SELECT id FROM t"),
        ("a/same.pb", "SELECT id FROM t WHERE k = 1 AND x > 2"),
        ("b/same.pb", "SELECT id FROM t WHERE x > 2 AND k = 1"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(plan(sql))
    (tmp_path / "same.sql").write_text("select id from t -- the same\nwhere x > 2 and k = 1\n")
    (tmp_path / "other.sql").write_text("select id from t where x > 3 and k = 1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new", "category"),
    [
        ("SELECT id FROM t WHERE k NOT IN (SELECT k FROM u)",
         "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k)", "rows"),
        ("SELECT id FROM t WHERE k IN (SELECT k FROM u)",
         "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE t.k = u.k)", "same"),
        ("SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND y > 1)",
         "SELECT id FROM t LEFT SEMI JOIN u ON u.k = t.k AND y > 1", "same"),
        ("SELECT id FROM t WHERE NOT (k = 1)", "SELECT id FROM t WHERE k <> 1", "same"),
        ("SELECT id FROM t LEFT JOIN u ON t.k = u.k WHERE y IS NULL",
         "SELECT id FROM t JOIN u ON t.k = u.k WHERE y IS NULL", "rows"),
        ("SELECT id FROM t LEFT JOIN u ON t.k = u.k WHERE y > 1 OR x > 1",
         "SELECT id FROM t JOIN u ON t.k = u.k WHERE y > 1 OR x > 1", "rows"),
        ("SELECT id FROM t LEFT JOIN u ON t.k = u.k AND x > 1",
         "SELECT id FROM t LEFT JOIN u ON t.k = u.k WHERE x > 1", "rows"),
        ("SELECT id FROM t LEFT JOIN u ON t.k = u.k AND y > 1",
         "SELECT id FROM t LEFT JOIN (SELECT * FROM u WHERE y > 1) AS v ON t.k = v.k", "same"),
        ("SELECT a.id FROM t AS a JOIN t AS b ON a.k = b.x",
         "SELECT b.id FROM t AS a JOIN t AS b ON b.k = a.x", "same"),
        ("SELECT a.id FROM t AS a JOIN t AS b ON a.k = b.x",
         "SELECT b.id FROM t AS a JOIN t AS b ON a.k = b.x", "rows"),
        ("SELECT id, x - k AS d FROM t", "SELECT id, k - x AS d FROM t", "rows"),
        ("SELECT id FROM t EXCEPT SELECT k FROM u", "SELECT k AS id FROM u EXCEPT SELECT id FROM t", "rows"),
        ("SELECT k, sum(x) AS s FROM t GROUP BY k", "SELECT k, sum(DISTINCT x) AS s FROM t GROUP BY k", "rows"),
        ("SELECT id FROM (SELECT id, x FROM t LIMIT 3) AS v WHERE x > 1",
         "SELECT id FROM t WHERE x > 1 LIMIT 3", "rows"),
        ("SELECT id, sum(x) OVER (PARTITION BY k) AS s FROM t WHERE x > 1",
         "SELECT id, s FROM (SELECT id, x, sum(x) OVER (PARTITION BY k) AS s FROM t) AS v WHERE x > 1", "rows"),
        ("WITH c AS (SELECT k FROM u) SELECT id FROM t, c AS a, c AS b WHERE t.k = a.k AND t.x = b.k",
         "SELECT id FROM t, u AS a, u AS b WHERE t.k = a.k AND t.x = b.k", "same"),
    ],
)  # fmt: skip
def test_texts_by_their_meaning(old: str, new: str, category: str) -> None:
    found = substrait_sql.diff(old, new, schema=SCHEMA)
    assert found.category == category, str(found)
    assert (category == "rows") == bool(found.changes)


# Queries that read one table inside and outside: of the columns in braces, the old query has the first, the new one the
# second.
OUTER_COLUMNS = (
    "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS v WHERE v.k = {t.x|v.x})",
    "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM t AS v WHERE v.k = {t.x|v.x})",
    "SELECT id FROM t WHERE x > (SELECT max(v.x) FROM t AS v WHERE v.k = {t.id|v.id})",
    "SELECT id FROM t WHERE x IN (SELECT v.x FROM t AS v WHERE v.k = {t.id|v.id})",
    "SELECT id, (SELECT count(*) FROM t AS v WHERE v.k < {t.x|v.x}) AS n FROM t",
    "SELECT id FROM t WHERE EXISTS (SELECT v.k FROM t AS v WHERE v.k = {t.x|v.x} UNION ALL SELECT y FROM u)",
    "SELECT id FROM t WHERE k IN (SELECT w.k FROM t AS w WHERE w.id IN (SELECT v.k FROM t AS v WHERE v.k = {w.x|v.x}))",
    "SELECT t.id, v.x FROM t, LATERAL (SELECT v.x FROM t AS v WHERE v.k = {t.x|v.x}) AS v",
    "SELECT t.id, v.m FROM t, LATERAL (SELECT max(v.x) AS m FROM t AS v WHERE v.k = {t.x|v.x}) AS v",
    "SELECT t.id, v.m FROM t LEFT JOIN LATERAL (SELECT v.x + {t.x|v.x} AS m FROM t AS v) AS v ON t.k = v.m",
)


@pytest.mark.parametrize("query", OUTER_COLUMNS)
def test_a_column_of_the_query_around_is_not_one_inside(query: str) -> None:
    old, new = (re.sub(r"\{(.*?)\|(.*?)\}", rf"\{i}", query) for i in (1, 2))
    assert substrait_sql.diff(old, new, schema=SCHEMA).category == "rows"
    for each in (old, new):
        renamed = re.sub(r"\bv\b", "other", each)
        assert substrait_sql.diff(each, renamed, schema=SCHEMA).category == "same"


@pytest.mark.parametrize("kind", nested.KINDS)
def test_a_column_of_one_query_around_is_not_of_another(kind: str) -> None:
    """All of these read one table, and refer to the next query around, or to the outermost."""
    near, far = (nested.plan(kind, 4, whole) for whole in (False, True))
    assert substrait_sql.diff(near, near).category == "same"
    assert substrait_sql.diff(near, far).category == "rows"


def test_a_key_that_is_there_twice() -> None:
    """A set may have the one and not the other, which is NULL in its rows."""

    def keyed(*sets: list[int], swapped: bool = False) -> pb.Plan:
        shown = [1, 0] if swapped else [0, 1]
        rows = grouping_sets(
            TWO, lambda r: [r[0], r[0]], sets, lambda _: [build.count()], emit=[*shown, 2]
        )
        return build.plan((rows, "a b n"))

    def same(a: pb.Plan, b: pb.Plan) -> bool:
        return substrait_sql.diff(a, b).category == "same"

    assert same(keyed([0, 1], [0]), keyed([0], [0, 1]))
    assert not same(keyed([0, 1], [0]), keyed([0, 1], [0, 1]))
    assert not same(keyed([0, 1], [0]), keyed([0, 1], [0], swapped=True))
    assert not same(keyed([0], [1]), keyed([0], [0]))


def test_a_window_relation_returns_its_input_by_place() -> None:
    """What it reads may return a column twice, and then the columns behind it have other places."""
    rank = ("arithmetic", "row_number:", "i64", (), {})

    def third(*columns: int) -> pb.Plan:
        source = TWO.select(lambda r: [r[i] for i in columns])
        rows = window(
            source, lambda _: [rank], lambda _: [], lambda r: [(r[0], build.ASC)], emit=[2]
        )
        return build.plan((rows, "c"))

    assert substrait_sql.diff(third(0, 1), third(0, 1)).category == "same"
    assert substrait_sql.diff(third(0, 1), third(0, 0, 1)).category == "rows"


def test_what_is_drawn_may_differ_from_itself() -> None:
    query = plan("SELECT id FROM t WHERE random() > 0.5")
    found = substrait_sql.diff(query, query)
    assert found.same
    assert found.rows_may_differ
    limit = "SELECT id FROM t LIMIT 3"
    assert "LIMIT" in substrait_sql.diff(limit, limit, schema=SCHEMA).notes[0]


def test_a_shared_draw_is_not_two() -> None:
    once = "WITH c AS (SELECT rand() AS r) SELECT a.r FROM c AS a, c AS b WHERE a.r = b.r"
    twice = "SELECT a.r FROM (SELECT rand() AS r) AS a, (SELECT rand() AS r) AS b WHERE a.r = b.r"
    assert substrait_sql.diff(once, twice, schema=SCHEMA).category == "rows"


def test_texts_without_a_schema() -> None:
    assert substrait_sql.diff("SELECT a FROM b", "select a -- c\nfrom b").same
    found = substrait_sql.diff("SELECT a FROM b", "SELECT a FROM c")
    assert (found.category, found.rows_may_differ) == ("rows", True)
    assert substrait_sql.diff("SELECT a FROM b", "SELECT a FRM ' c").category == "rows"


def test_names_stay_text() -> None:
    """Names of plans are hostile: no escape of a terminal, no markup."""
    evil = "SELECT id AS `\x1b[31m<b>|x` FROM t"
    found = substrait_sql.diff("SELECT id AS a FROM t", evil, schema=SCHEMA)
    assert "\x1b" not in "".join(c.text for c in found.changes)
    table = as_markdown(found).split("```")[0]
    assert "<b>" not in table
    assert "\\|x" in table


def test_words_are_marked() -> None:
    assert words("  t.x > 10", "  t.x > 20") == (((8, 10),), ((8, 10),))
    found = substrait_sql.diff(plan(JOIN), plan(LEFT))
    assert "?        ^^" in as_text(found)
    assert "\x1b[7m10\x1b[27m" in as_text(found, Look(colour=True))
    assert "t.x > 10" in as_text(found, Look(side_by_side=True))


@pytest.mark.slow
def test_exit_codes_and_streams(files: Path) -> None:
    same = run("diff", "a/same.pb", "same.sql", cwd=files)
    assert (same.returncode, same.stderr) == (0, "")
    assert "same meaning" in same.stdout
    assert run("diff", "a/one.pb", "b/one.pb", cwd=files).returncode == 1
    trouble = run("diff", "a/one.pb", "nowhere.pb", cwd=files)
    assert (trouble.returncode, trouble.stdout) == (2, "")
    assert "SS1005" in trouble.stderr
    assert run("diff", "a/one.pb", cwd=files).returncode == 2
    assert run("diff", "a", "b/one.pb", cwd=files).returncode == 2
    assert run("diff", "a/one.pb", "b/one.pb", "--execute", cwd=files).returncode == 2
    assert "\x1b[7m" in run("diff", "a/one.pb", "b/one.pb", cwd=files, FORCE_COLOR="1").stdout


def test_folders(files: Path) -> None:
    found = run("diff", "a", "b", cwd=files)
    assert found.returncode == 1
    assert [line.split() for line in found.stdout.split("\n")[:4]] == [
        ["removed", "gone"], ["added", "new"], ["rows", "one"], ["same", "same"],
    ]  # fmt: skip
    read = json.loads(run("diff", "a", "b", "-f", "json", cwd=files).stdout)
    assert [f["state"] for f in read["files"]] == ["removed", "added", "rows", "same"]
    changes = read["files"][2]["difference"]["changes"]
    assert [c["kind"] for c in changes] == [
        "join_type",
        "filter_changed",
        "column_added",
        "order_changed",
    ]
    assert run("diff", "a", "a", cwd=files).returncode == 0


def test_a_plan_without_sql_is_compared() -> None:
    def made(bound: int) -> dict[str, Any]:
        found = chain(2, bound)
        found["extensions"][0]["extensionFunction"]["name"] = "frobnicate:any_any"
        return found

    found = substrait_sql.diff(made(0), made(1))
    assert [c.kind for c in found.changes] == ["filter_changed"]
    assert found.old.kind == "tree"
    assert "has no SQL" in found.notes[0]
    assert substrait_sql.diff(made(1), made(1)).same


def test_a_plan_that_has_sql_is_not_the_same_as_one_that_has_none() -> None:
    """Here a column that nobody asks for is broken: the normal form does not have it."""
    old, new = (chain(2) for _ in range(2))
    below = new["relations"][0]["root"]["input"]["project"]
    below["expressions"] = [*below["expressions"], {}]
    assert substrait_sql.check(new)
    found = substrait_sql.diff(old, new)
    assert found.category == "rows"
    assert "new has no SQL: SS2110" in found.notes[0]


def test_plans_without_roots_are_compared() -> None:
    def bare(bound: int) -> dict[str, Any]:
        found = chain(2, bound)
        entry = found["relations"][0]
        entry["rel"] = entry.pop("root")["input"]
        return found

    found = substrait_sql.diff(bare(0), bare(1))
    assert [c.kind for c in found.changes] == ["filter_changed"]
    assert found.changes[0].old.startswith("relations[0].rel.")
    assert substrait_sql.diff(bare(1), bare(1)).same


def chain(relations: int, first: int = 0) -> dict[str, Any]:
    """Filters and projections above each other."""
    required = "NULLABILITY_REQUIRED"
    struct = {"types": [{"i64": {"nullability": required}}] * 2, "nullability": required}
    rel: dict[str, Any] = {
        "read": {
            "baseSchema": {"names": ["a", "b"], "struct": struct},
            "namedTable": {"names": ["t"]},
        }
    }
    field = [
        {"selection": {"directReference": {"structField": {"field": i}}, "rootReference": {}}}
        for i in (0, 1)
    ]
    for i in range(relations // 2):
        call = {
            "functionReference": 1, "outputType": {"bool": {"nullability": required}},
            "arguments": [{"value": field[0]}, {"value": {"literal": {"i64": first + i}}}],
        }  # fmt: skip
        rel = {"filter": {"input": rel, "condition": {"scalarFunction": call}}}
        rel = {
            "project": {
                "input": rel,
                "common": {"emit": {"outputMapping": [3, 2]}},
                "expressions": field,
            }
        }
    comparison = {"extensionUrnAnchor": 1, "urn": "extension:io.substrait:functions_comparison"}
    function = {"extensionUrnReference": 1, "functionAnchor": 1, "name": "gt:any_any"}
    return {
        "version": {"minorNumber": 80}, "extensionUrns": [comparison], "extensions": [{"extensionFunction": function}],
        "relations": [{"root": {"names": ["a", "b"], "input": rel}}],
    }  # fmt: skip


@pytest.mark.slow
def test_time_grows_with_size() -> None:
    def took(relations: int) -> float:
        old, new = chain(relations), chain(relations + 4)
        start = time.perf_counter()
        assert {c.kind for c in substrait_sql.diff(old, new).changes} == {"filter_added"}
        return time.perf_counter() - start

    took(100)
    ratios = (took(2_000) / took(500) for _ in range(3))
    assert any(ratio < 8 for ratio in ratios)


# -- rows ----------------------------------------------------------------------------------------


@pytest.mark.spark
def test_rows_that_differ(spark: SparkSession, tmp_path: Path) -> None:
    """Worked by hand from the tables of the pairs."""
    for name, columns in TABLES.items():
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    tables = folder_tables(tmp_path)

    def found(old: str, new: str) -> Executed:
        sides = Comparison(Side(plan(old), "old", "spark"), Side(plan(new), "new", "spark"))
        ran = executed(sides.difference(), spark, sides.plans(), tables, ordered=sides.ordered)
        assert ran.executed is not None
        assert ran.same == (ran.category == "same" and ran.executed.same)
        return ran.executed

    bags = found("SELECT id, k FROM t WHERE x > 7", "SELECT id, k FROM t WHERE x > 10")
    assert (bags.same, bags.counts, bags.only_old, bags.only_new) == (False, (3, 2), ((1, 1),), ())
    joined = found(
        "SELECT t.id, u.w FROM t JOIN u ON t.k = u.k",
        "SELECT t.id, u.w FROM t LEFT JOIN u ON t.k = u.k",
    )
    assert set(joined.only_new) == {(2, None), (3, None)}
    assert found("SELECT id FROM t", "SELECT id FROM t ORDER BY id DESC").same
    turned = found("SELECT id FROM t ORDER BY id", "SELECT id FROM t ORDER BY id DESC")
    assert (turned.ordered, turned.same, turned.first, turned.missing) == (True, False, 1, (0, 0))


# -- git -----------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str, check: bool = True) -> str:
    where = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {
        **os.environ, "PATH": where, "PYTHONPATH": str(ROOT), "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=given, capture_output=True, text=True, check=False
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def of_page(language: str) -> list[str]:
    page = (ROOT / "docs" / "diff.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.slow
def test_git_shows_the_sql_of_plans(tmp_path: Path) -> None:
    """What the page says, as it stands there."""
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitattributes").write_text(of_page("gitattributes")[0])
    file = tmp_path / "orders.pb"
    file.write_bytes(plan(JOIN))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    file.write_bytes(plan(LEFT))
    textconv, driver = of_page("sh")
    shell = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run(["sh", "-ec", textconv], cwd=tmp_path, env=shell, check=True)
    shown = git(tmp_path, "diff")
    assert "-JOIN u" in shown
    assert "+LEFT JOIN u" in shown
    subprocess.run(["sh", "-ec", driver], cwd=tmp_path, env=shell, check=True)
    shown = git(tmp_path, "diff")
    assert "a/orders.pb -> b/orders.pb: rows may differ" in shown
    assert "the join with u turned from INNER to LEFT" in shown
    assert "+LEFT JOIN u" in git(tmp_path, "diff", "--no-ext-diff")
    (tmp_path / "more.pb").write_bytes(plan(JOIN))
    (tmp_path / "broken.pb").write_bytes(b"\x00no plan")
    git(tmp_path, "add", ".")
    shown = git(tmp_path, "diff", "--cached", "--", "more.pb", "broken.pb")
    assert "more.pb: added" in shown
    git(tmp_path, "commit", "-qm", "two")
    assert "+LEFT JOIN u" in git(tmp_path, "log", "-p", "--", "orders.pb")
    git(tmp_path, "mv", "more.pb", "moved.pb")
    (tmp_path / "orders.pb").unlink()
    assert "orders.pb: removed" in git(tmp_path, "diff", "HEAD", "-M")
