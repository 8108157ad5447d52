"""What hooks and workflows call: SQL beside plans, its comparison, findings for code hosts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from substrait_sql import demo, resources

QUERY = "SELECT id FROM t;\nSELECT nope FROM t\n"


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    for name in ("a.pb", "deep/b.plan.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / "a.pb").write_bytes(demo.PLAN.read_bytes())
    (tmp_path / "deep" / "b.pb").write_bytes(demo.PLAN.read_bytes())
    return tmp_path


@pytest.fixture
def query(tmp_path: Path) -> Path:
    (tmp_path / "schema.json").write_text('{"t": "id INT"}', encoding="utf-8")
    (tmp_path / "a,b: c%.sql").write_text(QUERY, encoding="utf-8")
    return tmp_path / "a,b: c%.sql"


def test_sql_beside_plans(call: Any, plans: Path) -> None:
    assert call("render", "--beside", plans)[:2] == (0, "")
    for name in ("a.sql", "deep/b.sql"):
        assert (plans / name).read_text("utf-8").startswith("SELECT\n")
    assert call("render", "--beside", "--compare", plans)[:2] == (0, "")


def test_what_is_not_up_to_date(call: Any, plans: Path) -> None:
    call("render", "--beside", plans)
    changed = (plans / "a.sql").read_text("utf-8").replace("LIMIT 10", "LIMIT 11")
    (plans / "a.sql").write_text(changed, encoding="utf-8")
    (plans / "deep" / "b.sql").unlink()
    code, out, _ = call("render", "--beside", "--compare", plans)
    assert code == 1
    assert "\n-LIMIT 11\n+LIMIT 10\n" in out
    assert "--- /dev/null\n" in out
    assert (plans / "a.sql").read_text("utf-8") == changed
    assert not (plans / "deep" / "b.sql").exists()


def test_comparing_a_folder_of_texts(call: Any, plans: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("render", plans / "a.pb", "-o", f"{out}/")[0] == 0
    assert call("render", "--compare", plans / "a.pb", "-o", out)[:2] == (0, "")


@pytest.mark.parametrize(
    "arguments", [("--compare",), ("--beside", "-o", "x.sql")], ids=["nothing", "both"]
)
def test_places_that_do_not_go_together(call: Any, plans: Path, arguments: Any) -> None:
    assert call("render", *arguments, plans / "a.pb")[0] == 2


def test_two_plans_of_one_name(call: Any, plans: Path) -> None:
    (plans / "a.bin").write_bytes(demo.PLAN.read_bytes())
    code, _, err = call("render", "--beside", plans)
    assert code == 2
    assert "two plans would be written" in " ".join(err.split())


def test_findings_as_json(call: Any, query: Path) -> None:
    code, out, _ = call(
        "check", "--sql", query, "--schema", query.with_name("schema.json"), "--format", "json"
    )
    (found,) = json.loads(out)
    assert code == 1
    assert (found["file"], found["code"], found["line"], found["column"]) == (
        query.as_posix(),
        "SS5004",
        2,
        8,
    )
    assert found["hint"] == "columns here: id"


def test_findings_as_annotations(call: Any, query: Path) -> None:
    """No name and no message ends the command, or begins another one."""
    schema = query.with_name("schema.json")
    code, out, _ = call("check", "--sql", query, "--schema", schema, "--format", "github")
    assert code == 1
    name = re.escape(query.parent.as_posix())
    line = rf"::error file={name}/a%2Cb%3A c%25\.sql,line=2,col=8,title=SS5004::there is no column nope%0A.*\n"
    assert re.fullmatch(line, out)


def test_findings_as_sarif(call: Any, tmp_path: Path) -> None:
    broken = tmp_path / "no plan.pb"
    broken.write_text("garbage", encoding="utf-8")
    code, out, _ = call("check", demo.PLAN, broken, "--format", "sarif")
    (run,) = json.loads(out)["runs"]
    (result,) = run["results"]
    assert code == 1
    assert json.loads(out)["version"] == "2.1.0"
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert result["level"] == "error"
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/no%20plan.pb")


def test_nothing_found(call: Any) -> None:
    assert call("check", demo.PLAN, "--format", "github")[:2] == (0, "")
    code, out, _ = call("check", demo.PLAN, "--format", "json")
    assert (code, json.loads(out)) == (0, [])


def test_the_hooks_call_what_there_is(call: Any, plans: Path) -> None:
    """Each as pre-commit does: with the names of the files behind it."""
    hooks = yaml.safe_load((resources.ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert len(hooks) == 3
    for hook in hooks:
        assert re.search(hook["files"], "plans/q3.pb")
        assert re.search(hook["files"], "plans/q3.plan.json")
        assert not re.search(hook["files"], "package.json")
        _, *arguments = hook["entry"].split()
        assert call(*arguments, plans / "a.pb")[0] == 0
