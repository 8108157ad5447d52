"""Plans as a dbt project, without dbt: the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from jinja2 import Environment

import substrait_sql
from substrait_sql import ExecutionError, SqlError, UnsupportedError, to_plan
from substrait_sql.export import dbt
from substrait_sql.export.jinja import escaped
from tests.export import plans

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "golden"
REFERENCES = Path(__file__).parents[1] / "plans" / "reference"


def _files(folder: Path) -> dict[str, str]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in found}


def _plan(name: str) -> bytes:
    return (REFERENCES / f"{name}.json").read_bytes()


def _models(folder: Path) -> dict[str, dict[str, Any]]:
    files = sorted((folder / "models" / "substrait").glob("*.yml"))
    found = [yaml.safe_load(f.read_text()).get("models", []) for f in files]
    return {m["name"]: m for each in found for m in each}


def test_golden_project(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    given = {"best": plans.best(), "above": plans.above(), "odd_ones": plans.odd()}
    dbt.write(given, tmp_path, name="golden")
    made = _files(tmp_path)
    if request.config.getoption("--golden-update"):
        dbt.write(given, GOLDEN, name="golden")
    assert made == _files(GOLDEN)
    assert dbt.write(given, tmp_path, name="golden") == []
    assert _files(tmp_path) == made


def test_what_several_plans_share_is_one_model(tmp_path: Path) -> None:
    dbt.write({"best": plans.best(), "above": plans.above()}, tmp_path)
    models = _models(tmp_path)
    assert sorted(models) == ["above", "best", "best__totals"]
    assert models["best__totals"]["config"]["materialized"] == "ephemeral"


def test_what_varies_is_a_table_of_each_plan(tmp_path: Path) -> None:
    dbt.write({"one": _plan("random"), "two": _plan("random")}, tmp_path)
    models = _models(tmp_path)
    assert sorted(models) == ["one", "one__emp_rows", "two", "two__emp_rows"]
    assert {m["config"]["materialized"] for m in models.values()} == {"table"}


def test_a_result_that_another_reads(tmp_path: Path) -> None:
    dbt.write({"p": _plan("root_is_shared")}, tmp_path)
    assert sorted(_models(tmp_path)) == ["p_1", "p_2"]
    assert "{{ ref('p_1') }}" in (tmp_path / "models/substrait/p_2.sql").read_text()


def test_an_order_that_matters_stays_in_the_query(tmp_path: Path) -> None:
    dbt.write({"p": _plan("limited")}, tmp_path)
    assert sorted(_models(tmp_path)) == ["p"]
    assert "WITH" in (tmp_path / "models/substrait/p.sql").read_text()


def test_a_second_export_adds(tmp_path: Path) -> None:
    dbt.write({"best": plans.best()}, tmp_path)
    project = (tmp_path / "dbt_project.yml").read_text()
    dbt.write({"odd_ones": plans.odd()}, tmp_path, name="other")
    assert (tmp_path / "dbt_project.yml").read_text() == project
    sources = yaml.safe_load((tmp_path / dbt.SOURCES).read_text())["sources"]
    assert [t["name"] for t in sources[0]["tables"]] == ["customers", "odd", "orders"]


def test_files_of_others_stay(tmp_path: Path) -> None:
    mine = tmp_path / "models" / "substrait" / "best.sql"
    mine.parent.mkdir(parents=True)
    mine.write_text("SELECT 1")
    (tmp_path / "dbt_project.yml").write_text("name: mine\n")
    with pytest.raises(ExecutionError) as error:
        dbt.write({"best": plans.best()}, tmp_path)
    assert error.value.code == "SS6106"
    assert _files(tmp_path) == {
        "dbt_project.yml": "name: mine\n",
        "models/substrait/best.sql": "SELECT 1",
    }


def test_a_project_that_is_there_is_not_given_a_profile(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: mine\n")
    dbt.write({"best": plans.best()}, tmp_path)
    assert not (tmp_path / "profiles.yml").exists()


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("INSERT INTO default.orders SELECT id, id, 1.00BD FROM default.customers", "SS6101"),
        ("SELECT :p AS p FROM default.orders", "SS6102"),
    ],
)
def test_refused(sql: str, code: str, tmp_path: Path) -> None:
    plan = to_plan(sql, schema=plans.SHOP, parameters={"p": "ARRAY<INT>"})
    with pytest.raises(UnsupportedError) as error:
        dbt.write({"p": plan}, tmp_path)
    assert error.value.code == code
    assert not _files(tmp_path)


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    plan = to_plan("SELECT id AS a, customer AS b FROM default.orders", schema=plans.SHOP)
    plan.relations[0].root.names[:] = ["a", "A"]
    with pytest.raises(UnsupportedError) as error:
        dbt.write({"p": plan}, tmp_path)
    assert error.value.code == "SS6104"


def test_a_model_does_not_replace_a_table_that_is_read(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as error:
        dbt.write({"Orders": plans.best()}, tmp_path)
    assert error.value.code == "SS6108"


def test_two_plans_of_one_name(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as error:
        dbt.write({"a b": plans.best(), "a_b": plans.best()}, tmp_path)
    assert error.value.code == "SS6105"


def test_what_is_shared_by_results_and_varies_is_refused(tmp_path: Path) -> None:
    plan = json.loads(_plan("limited"))
    plan["relations"].append(plan["relations"][-1])
    with pytest.raises(UnsupportedError) as error:
        dbt.write({"p": json.dumps(plan)}, tmp_path)
    assert error.value.code == "SS6103"


@pytest.mark.parametrize(
    "text",
    ["{{ x }}", "{{{{", "{%- y -%}", "{# z #}", "a\rb\r\nc", "}}{", "{{ '{{' }}", "{{%{#", "\\{{"],
)
def test_jinja_gives_back_what_was_escaped(text: str) -> None:
    assert Environment().from_string(escaped(text) + "{{ '.' }}").render() == text + "."


def test_text_of_a_model_is_the_text_of_the_plan(tmp_path: Path) -> None:
    """What Jinja prints, with names in place of calls, is what `to_sql` gives, but for aliases."""
    dbt.write({"odd_ones": plans.odd()}, tmp_path)
    text = (tmp_path / "models/substrait/odd_ones.sql").read_text()
    made = Environment().from_string(text).render(source=lambda schema, name: f"{schema}.{name}")
    assert made.strip().replace(" AS odd", "") == substrait_sql.to_sql(plans.odd())


def test_command(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    (tmp_path / "best.json").write_bytes(REFERENCES.joinpath("two_roots.json").read_bytes())
    code, out, err = call("dbt", tmp_path / "best.json", "-o", tmp_path / "shop", "--name", "shop")
    assert (code, err) == (0, "")
    assert "best_2.sql" in out
    assert call("dbt", tmp_path / "best.json", "-o", tmp_path / "shop")[:2] == (0, "")
    assert call("dbt", "/nowhere.json", "-o", tmp_path / "shop")[0] == 1


def _manifest(folder: Path, **changes: Any) -> Path:
    """The manifest of a project of one model, as `dbt compile` leaves it."""
    model = {
        "resource_type": "model",
        "package_name": "shop",
        "name": "spent",
        "config": {"materialized": "table"},
        "compiled_code": "SELECT customer, sum(amount) AS spent FROM default.orders GROUP BY customer",
        "relation_name": "default.spent",
        "columns": {},
        **changes,
    }
    columns = {
        "customer": {"name": "customer", "data_type": "bigint"},
        "amount": {"name": "amount", "data_type": "decimal(10,2)"},
    }
    source = {"relation_name": "default.`orders`", "columns": columns}
    path = folder / "manifest.json"
    path.write_text(
        json.dumps({"nodes": {"model.shop.spent": model}, "sources": {"source.shop.o": source}})
    )
    return path


def test_compiled_models_are_plans(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    manifest = _manifest(tmp_path)
    plans_made = dbt.to_plans(manifest)
    text = substrait_sql.to_sql(plans_made["spent"])
    assert "sum(amount) AS spent\nFROM default.orders" in text
    assert call("plan", "--dbt", manifest, "-o", f"{tmp_path}/out/")[0] == 0
    assert substrait_sql.to_sql(tmp_path / "out" / "spent.json") == text
    assert call("plan")[0] == 2


def test_types_of_the_catalog_win(tmp_path: Path) -> None:
    manifest = _manifest(tmp_path)
    columns = {
        "AMOUNT": {"name": "amount", "type": "long", "index": 1},
        "customer": {"name": "customer", "type": "integer", "index": 0},
    }
    (tmp_path / "catalog.json").write_text(
        json.dumps({"nodes": {}, "sources": {"source.shop.o": {"columns": columns}}})
    )
    (source,) = substrait_sql.render(dbt.to_plans(manifest)["spent"]).sources
    assert [(c.name, c.type) for c in source.columns] == [("customer", "i32?"), ("amount", "i64?")]


def test_ephemeral_models_are_no_plans_and_those_not_compiled_are_refused(tmp_path: Path) -> None:
    assert dbt.to_plans(_manifest(tmp_path, config={"materialized": "ephemeral"})) == {}
    with pytest.raises(SqlError) as error:
        dbt.to_plans(_manifest(tmp_path, compiled_code=None))
    assert error.value.code == "SS6107"


def test_a_damaged_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"nodes": {"model.a.b": {"resource_type": "model"}}}')
    with pytest.raises(SqlError, match="SS6107.*damaged"):
        dbt.to_plans(tmp_path / "manifest.json")


def test_an_expression_is_a_model_over_its_input(tmp_path: Path) -> None:
    dbt.write({"late": Path(__file__).parents[2] / "docs/gallery/expression.pb"}, tmp_path)
    text = (tmp_path / "models/substrait/late.sql").read_text()
    assert text.rstrip().endswith("FROM {{ source('default', 'input') }} AS input")


def test_macros(tmp_path: Path) -> None:
    given = {"plans/best.json": plans.best(), "plans/above.json": plans.above()}
    assert dbt.write_macros(given, tmp_path)
    assert dbt.write_macros(given, tmp_path) == []
    text = (tmp_path / "macros/plans/above.sql").read_text()
    assert "WITH totals AS (" in text
    assert "{{ substrait_sql.substrait_sql_parameter('above_p1') }}" in text
    assert "['best', 'plans/best.json']" in (tmp_path / "macros/plan.sql").read_text()


def test_a_plan_of_several_results_is_several_macros(tmp_path: Path) -> None:
    dbt.write_macros({"p.json": _plan("two_roots")}, tmp_path)
    names = sorted(p.name for p in (tmp_path / "macros/plans").iterdir())
    assert names == ["p_1.sql", "p_2.sql"]
