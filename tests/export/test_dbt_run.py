"""dbt runs exported projects: the models' rows are those of the plans."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.export import dbt
from tests.export import plans
from tests.support import tpch
from tests.support.build import files, gt, lit, plan

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
PAGE = (ROOT / "docs" / "dbt.md").read_text(encoding="utf-8")
PROJECT = "name: your_project\nversion: '1.0.0'\nprofile: bikes\n"
ABOVE = "{{ config(meta={'substrait_sql': true}) }}\n{{ substrait_sql.plan('above') }}"
VARS = ["--vars", "{above_p1: 8, above_p2: 20}"]


def of_the_page(begin: str) -> str:
    """The example of the page that begins so, as it stands there."""
    blocks = re.findall(r"(?m)(?:^    .+\n)+", PAGE)
    (found,) = (b for b in map(textwrap.dedent, blocks) if b.startswith(begin))
    return str(found)


def ours(command: str, folder: Path) -> str:
    """A command of ours in a folder, and what it prints."""
    _, *arguments = shlex.split(command)
    done = subprocess.run(
        [sys.executable, "-m", "substrait_sql", *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def theirs(command: str) -> list[str]:
    """The arguments of a command of dbt's."""
    word, *arguments = shlex.split(command)
    assert word == "dbt"
    return arguments


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
    data = tpch.tables(0.001)
    context = tpch.datafusion_context(data)
    queries = {f"q{n}": tpch.datafusion_plan(context, sql) for n, sql in tpch.queries().items()}
    queries["of_files"] = _of_files(data["nation"])
    given = {**queries, "best": _shop(plans.best), "odd_ones": plans.odd()}
    (folder / "plans").mkdir()
    for name, made in given.items():
        text = substrait_sql.wire.to_json(substrait_sql.wire.read(made).plan)
        (folder / "plans" / f"{name}.json").write_text(text)
    export, build = of_the_page("substrait-sql dbt plans/ -o shop").splitlines()
    ours(export, folder)
    entered, _, build = build.partition(" && ")
    assert entered == "cd shop"
    commands: list[tuple[str, list[str]]] = [("shop", theirs(build))]
    dbt.write({"above": _shop(plans.above)}, folder / "with_variables")
    commands += [("shop", ["docs", "generate"]), ("with_variables", ["build", *VARS])]
    shutil.copytree(ROOT / "tests" / "export" / "bikes", folder / "bikes")
    docs, _ = of_the_page("dbt docs generate").splitlines()
    commands += [("bikes", ["build"]), ("bikes", theirs(docs))]
    _with_macros(folder)
    commands += [("your_project", ["deps"]), ("your_project", ["build", *VARS])]
    models = [*given, "above", *BIKES, "twice", "above_some"]
    wanted = {n: f"SELECT * FROM default.{n}" for n in models}
    wanted |= {f"{n} plan": substrait_sql.to_sql(p) for n, p in queries.items()}
    job = {
        "tables": {name: str(path.resolve()) for name, path in data.items()},
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
    assert found["runs"] == [True] * len(commands), found["failed"]
    return Ran(folder, queries, given, found)


def _with_macros(folder: Path) -> None:
    """The page's way to a plan inside of a model: a package of macros, and a project that names it."""
    (folder / "plans" / "above.json").write_text(_shop(plans.above))
    ours(of_the_page("substrait-sql dbt plans/ --macros"), folder)
    project = folder / "your_project"
    (project / "models").mkdir(parents=True)
    (project / "dbt_project.yml").write_text(PROJECT + of_the_page("dispatch:"))
    (package,) = re.findall(r"`(- local: .*)` in `packages.yml`", PAGE)
    (project / "packages.yml").write_text(f"packages:\n  {package}\n")
    shutil.copy(folder / "bikes" / "profiles.yml", project)
    (project / "models" / "twice.sql").write_text(of_the_page("{{ config("))
    (project / "models" / "above_some.sql").write_text(ABOVE)


def _of_files(path: Path) -> Any:
    """A plan that names a Parquet file."""
    rows = files(
        "n_nationkey:i32 n_name:str?", {"uri_file": path.resolve().as_uri(), "parquet": {}}
    )
    return plan((rows.filter(lambda r: gt(lit(3, "i32"), r[0])), "id name"))


def _shop(make: Any) -> Any:
    """A plan over the shop's tables by other names than those of TPC-H."""
    text = substrait_sql.wire.to_json(substrait_sql.wire.read(make()).plan)
    return text.replace('"orders"', '"shop_orders"').replace('"customers"', '"shop_customers"')


def _models_have_the_rows_of_plans(ran: Ran) -> None:
    for name in ran.queries:
        assert ran.rows(name) == ran.rows(f"{name} plan"), name
    assert ran.rows("best") == [["bob", "40.00"]]
    assert ran.rows("above") == [["1", "15.00"]]
    assert ran.rows("odd_ones") == [["2", "y", "{{ x }} {% y %} {# z #} it's \\ ; \n"]]


def _a_second_export_changes_nothing(ran: Ran) -> None:
    export, _ = of_the_page("substrait-sql dbt plans/ -o shop").splitlines()
    (ran.folder / "plans" / "above.json").unlink(missing_ok=True)
    assert ours(export, ran.folder) == ""


def _a_plan_inside_a_model(ran: Ran) -> None:
    """The macro's rows, with what the model makes of them, and the package's sources as its parents."""
    assert ran.rows("twice") == [["bob", "80.00"]]
    assert ran.rows("above_some") == ran.rows("above")
    manifest = json.loads((ran.folder / "your_project" / "target" / "manifest.json").read_text())
    assert sorted(manifest["parent_map"]["model.your_project.twice"]) == [
        "source.substrait_sql.default.shop_customers",
        "source.substrait_sql.default.shop_orders",
    ]


def _lineage_and_contracts(ran: Ran) -> None:
    _check_lineage(ran.folder / "shop")


def _a_project_as_plans(ran: Ran, spark: SparkSession) -> None:
    """The models' texts as plans, rendered and run over the tables that dbt made: the same rows."""
    _, command = of_the_page("dbt docs generate").splitlines()
    ours(command, ran.folder / "bikes")
    made = {p.stem: p for p in (ran.folder / "bikes" / "plans").iterdir()}
    assert sorted(made) == BIKES
    folders = [p for p in (ran.folder / "warehouse").iterdir() if p.is_dir()]
    tables = {f"default.{p.name}": str(p) for p in folders}
    for name, path in made.items():
        reads = {".".join(s.names) for s in substrait_sql.render(path).sources}
        found = substrait_sql.execute(spark, path, tables={n: tables[n] for n in reads})
        rows = sorted([list(map(str, row)) for row in found.collect()])
        assert rows == ran.rows(name), name


def _check_lineage(project: Path) -> None:
    manifest = json.loads((project / "target" / "manifest.json").read_text())
    parents = manifest["parent_map"]
    assert parents["model.shop.of_files"] == ["source.shop.parquet_files.nation_parquet"]
    assert parents["model.shop.q6"] == ["source.shop.default.lineitem"]
    assert sorted(parents["model.shop.best"]) == [
        "model.shop.best__totals",
        "source.shop.default.shop_customers",
    ]
    assert parents["model.shop.best__totals"] == ["source.shop.default.shop_orders"]
    contracts = [
        n["config"]["contract"]["enforced"]
        for n in manifest["nodes"].values()
        if n["resource_type"] == "model" and n["config"]["materialized"] != "ephemeral"
    ]
    assert contracts == [True] * 25


def test_a_project_of_dbt(ran: Ran, spark: SparkSession, subtests: pytest.Subtests) -> None:
    """One test for all that the project is asked: of several, each process would make it for its own."""
    for check in (
        _models_have_the_rows_of_plans,
        _a_second_export_changes_nothing,
        _a_plan_inside_a_model,
        _lineage_and_contracts,
    ):
        with subtests.test(check.__name__):
            check(ran)
    with subtests.test("_a_project_as_plans"):
        _a_project_as_plans(ran, spark)
