"""dbt runs exported projects: the models' rows are those of the plans."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.export import dbt
from tests.export import plans
from tests.support import tpch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-dbt" / "bin" / "python"
BEFORE = [
    "CREATE TABLE odd (`a {{ b }}` BIGINT, `c``d` STRING) USING parquet",
    "INSERT INTO odd VALUES (1, 'x'), (2, 'y')",
    "CREATE TABLE shop_orders (id BIGINT, customer BIGINT, amount DECIMAL(10,2)) USING parquet",
    "INSERT INTO shop_orders VALUES (1, 1, 10), (2, 1, 5), (3, 2, 40), (4, 3, 7)",
    "CREATE TABLE shop_customers (id BIGINT, name STRING) USING parquet",
    "INSERT INTO shop_customers VALUES (1, 'ann'), (2, 'bob'), (3, 'cy')",
]


RAW = [
    "CREATE TABLE raw_riders USING parquet AS SELECT * FROM VALUES "
    "(1L, 'ann', 'east'), (2L, 'bob', 'west'), (3L, 'cy', NULL), (4L, 'di', 'east') AS r(id, name, zone)",
    "CREATE TABLE raw_bikes USING parquet AS SELECT * FROM VALUES (1L, 'city', DATE '2024-03-01'), "
    "(2L, 'cargo', DATE '2025-05-09'), (3L, 'scrap', NULL), (4L, 'city', NULL) AS b(id, kind, bought)",
    "CREATE TABLE raw_trips USING parquet AS SELECT * FROM VALUES (1L, 1L, 1L, DATE '2026-01-03', 12), "
    "(2L, 1L, 2L, DATE '2026-01-04', 45), (3L, 2L, 1L, DATE '2026-02-01', 8), (4L, 3L, 2L, DATE '2026-02-02', 30), "
    "(5L, 4L, 3L, DATE '2026-02-03', 90), (6L, 1L, 1L, DATE '2026-02-03', 61) AS t(id, rider, bike, day, minutes)",
    "CREATE TABLE raw_repairs USING parquet AS SELECT * FROM VALUES (1L, 30.00BD, DATE '2026-01-05'), "
    "(1L, 12.50BD, DATE '2026-01-09'), (3L, 1.00BD, NULL) AS r(bike, cost, day)",
]
BIKES = sorted(
    p.stem for p in (ROOT / "tests/export/bikes/models").glob("*.sql") if p.stem != "long_trips"
)
USES = {
    "twice": "{{ config(meta={'substrait_sql': true}) }}\n"
    "WITH best AS (\n  {{ substrait_sql.plan('plans/best.json') }}\n)\n"
    "SELECT name, total * 2 AS twice FROM best",
    "above_some": "{{ config(meta={'substrait_sql': true}) }}\n{{ substrait_sql.plan('above') }}",
}
PROJECT = """\
name: uses
version: '1.0.0'
profile: bikes
flags: {send_anonymous_usage_stats: false}
dispatch:
  - macro_namespace: dbt
    search_order: [uses, substrait_sql, dbt]
"""
VARS = ["--vars", "{above_p1: 8, above_p2: 20}"]


@dataclass
class Ran:
    """What dbt did. folder: with the projects and the warehouse."""

    folder: Path
    queries: dict[str, Any]
    given: dict[str, Any]
    found: dict[str, Any]

    def rows(self, name: str) -> list[list[str]]:
        return sorted(self.found["rows"][name])


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One session for all: the plans as a project, and a project that is to become plans."""
    if not PYTHON.exists():
        pytest.fail("make .venv-dbt/.ready makes the environment of dbt")
    folder = tmp_path_factory.mktemp("dbt")
    files = tpch.tables(0.001)
    context = tpch.datafusion_context(files)
    queries = {f"q{n}": tpch.datafusion_plan(context, sql) for n, sql in tpch.queries().items()}
    given = {
        **queries,
        "best": _shop(plans.best),
        "above": _shop(plans.above),
        "odd_ones": plans.odd(),
    }
    dbt.write(given, folder / "tpch")
    shutil.copytree(ROOT / "tests" / "export" / "bikes", folder / "bikes")
    _with_macros(folder)
    project, bikes, uses = (str(folder / name) for name in ("tpch", "bikes", "uses"))
    commands = [(project, ["build", *VARS]), (project, ["docs", "generate", *VARS])]
    commands += [(bikes, ["build"]), (bikes, ["docs", "generate"])]
    commands += [(uses, ["deps"]), (uses, ["build", *VARS])]
    wanted = {n: f"SELECT * FROM default.{n}" for n in [*given, *BIKES, *USES]}
    wanted |= {f"{n} plan": substrait_sql.to_sql(p) for n, p in queries.items()}
    job = {
        "tables": {name: str(path.resolve()) for name, path in files.items()},
        "before": [*BEFORE, *RAW],
        "commands": commands,
        "queries": wanted,
        "warehouse": str(folder / "warehouse"),
        "result": str(folder / "result.json"),
    }
    (folder / "job.json").write_text(json.dumps(job))
    script = ROOT / "tests" / "support" / "dbt_run.py"
    done = subprocess.run(
        [PYTHON, script, folder / "job.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "result.json").exists(), done.stdout[-2000:] + done.stderr[-2000:]
    found = json.loads((folder / "result.json").read_text())
    assert found["runs"] == [True] * 6, found["failed"]
    return Ran(folder, queries, given, found)


def _with_macros(folder: Path) -> None:
    """The page's way to a plan inside of a model: a package of macros, and a project that names it."""
    given = {"plans/best.json": _shop(plans.best), "plans/above.json": _shop(plans.above)}
    dbt.write_macros(given, folder / "substrait_plans")
    uses = folder / "uses"
    (uses / "models").mkdir(parents=True)
    (uses / "dbt_project.yml").write_text(PROJECT)
    (uses / "packages.yml").write_text("packages:\n  - local: ../substrait_plans\n")
    shutil.copy(folder / "bikes" / "profiles.yml", uses)
    for name, text in USES.items():
        (uses / "models" / f"{name}.sql").write_text(text)


def _shop(make: Any) -> Any:
    """A plan over the shop's tables by other names than those of TPC-H."""
    text = substrait_sql.wire.to_json(substrait_sql.wire.read(make()).plan)
    return text.replace('"orders"', '"shop_orders"').replace('"customers"', '"shop_customers"')


def test_models_have_the_rows_of_plans(ran: Ran) -> None:
    for name in ran.queries:
        assert ran.rows(name) == ran.rows(f"{name} plan"), name
    assert ran.rows("best") == [["bob", "40.00"]]
    assert ran.rows("above") == [["1", "15.00"]]
    assert ran.rows("odd_ones") == [["2", "y", "{{ x }} {% y %} {# z #} it's \\ ; \n"]]


def test_a_second_export_changes_nothing(ran: Ran) -> None:
    assert dbt.write(ran.given, ran.folder / "tpch") == []


def test_a_plan_inside_a_model(ran: Ran) -> None:
    """The macro's rows, with what the model makes of them, and the package's sources as its parents."""
    assert ran.rows("twice") == [["bob", "80.00"]]
    assert ran.rows("above_some") == ran.rows("above")
    manifest = json.loads((ran.folder / "uses" / "target" / "manifest.json").read_text())
    assert sorted(manifest["parent_map"]["model.uses.twice"]) == [
        "source.substrait_sql.default.shop_customers",
        "source.substrait_sql.default.shop_orders",
    ]


def test_lineage_and_contracts(ran: Ran) -> None:
    _check_lineage(ran.folder / "tpch")


def test_a_project_as_plans(ran: Ran, spark: SparkSession) -> None:
    """The models' texts as plans, rendered and run over the tables that dbt made: the same rows."""
    made = dbt.to_plans(ran.folder / "bikes" / "target" / "manifest.json")
    assert sorted(made) == BIKES
    folders = [p for p in (ran.folder / "warehouse").iterdir() if p.is_dir()]
    tables = {f"default.{p.name}": str(p) for p in folders}
    for name, plan in made.items():
        reads = {".".join(s.names) for s in substrait_sql.render(plan).sources}
        found = substrait_sql.execute(spark, plan, tables={n: tables[n] for n in reads})
        rows = sorted([list(map(str, row)) for row in found.collect()])
        assert rows == ran.rows(name), name


def _check_lineage(project: Path) -> None:
    manifest = json.loads((project / "target" / "manifest.json").read_text())
    parents = manifest["parent_map"]
    assert parents["model.tpch.q6"] == ["source.tpch.default.lineitem"]
    assert sorted(parents["model.tpch.best"]) == [
        "model.tpch.best__totals",
        "source.tpch.default.shop_customers",
    ]
    assert parents["model.tpch.best__totals"] == ["source.tpch.default.shop_orders"]
    contracts = [
        n["config"]["contract"]["enforced"]
        for n in manifest["nodes"].values()
        if n["resource_type"] == "model" and n["config"]["materialized"] != "ephemeral"
    ]
    assert contracts == [True] * 25
