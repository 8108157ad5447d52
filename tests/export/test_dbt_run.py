"""dbt runs exported projects: the models' rows are those of the plans."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import substrait_sql
from substrait_sql.export import dbt
from tests.export import plans
from tests.support import tpch

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


def run(folder: Path, **job: Any) -> dict[str, Any]:
    """Runs dbt over embedded Spark, see `tests/support/dbt_run.py`."""
    if not PYTHON.exists():
        pytest.fail("make .venv-dbt/.ready makes the environment of dbt")
    task, result = folder / "job.json", folder / "result.json"
    task.write_text(json.dumps({**job, "result": str(result)}))
    script = ROOT / "tests" / "support" / "dbt_run.py"
    done = subprocess.run(
        [PYTHON, script, task], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    found: dict[str, Any] = json.loads(result.read_text())
    return found


def _shop(make: Any) -> Any:
    """A plan over the shop's tables by other names than those of TPC-H."""
    plan = make()
    text = substrait_sql.wire.to_json(substrait_sql.wire.read(plan).plan)
    return text.replace('"orders"', '"shop_orders"').replace('"customers"', '"shop_customers"')


def test_projects_build(tmp_path: Path) -> None:
    files = tpch.tables(0.001)
    context = tpch.datafusion_context(files)
    queries = {f"q{n}": tpch.datafusion_plan(context, sql) for n, sql in tpch.queries().items()}
    given: dict[str, Any] = {
        **queries,
        "best": _shop(plans.best),
        "above": _shop(plans.above),
        "odd": plans.odd(),
    }
    project = tmp_path / "tpch"
    dbt.write(given, project)
    wanted = {n: f"SELECT * FROM default.{n}" for n in given}
    found = run(
        tmp_path,
        project=str(project),
        tables={name: str(path.resolve()) for name, path in files.items()},
        before=BEFORE,
        commands=[
            ["build", "--vars", "{above_p1: 8, above_p2: 20}"],
            ["docs", "generate", "--vars", "{above_p1: 8, above_p2: 20}"],
        ],
        queries={**wanted, **{f"{n} plan": substrait_sql.to_sql(p) for n, p in queries.items()}},
    )
    assert found["runs"] == [True, True], found["failed"]
    rows = {name: sorted(each) for name, each in found["rows"].items()}
    for name in queries:
        assert rows[name] == rows[f"{name} plan"], name
    assert rows["best"] == [["bob", "40.00"]]
    assert rows["above"] == [["1", "15.00"]]
    assert rows["odd"] == [["2", "y", "{{ x }} {% y %} {# z #} it's \\ ; \n"]]
    _check_lineage(project)
    assert dbt.write(given, project) == []


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
