"""``report``: one file, whatever becomes of the plans."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.cli import main
from tests.support.build import plan, table

if TYPE_CHECKING:
    from pathlib import Path

PLAN = plan((table("t", "a:i64"), "a")).SerializeToString()
REFUSED = {"relations": [{"root": {"names": ["a"], "input": {"extensionLeaf": {}}}}]}


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as stopped:
        main([str(a) for a in ("report", *arguments)])
    return stopped.value.code


def shared(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="shared">(.*)</script>', text)
    assert found
    return json.loads(found[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plans/inner").mkdir(parents=True)
    (tmp_path / "plans/one.pb").write_bytes(PLAN)
    (tmp_path / "plans/inner/two.json").write_text(json.dumps(REFUSED))
    return tmp_path / "plans"


def test_a_folder(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made/report.html"
    assert call(folder, "-o", out) == 0
    said = shared(out.read_text())["plans"]
    assert [(p["label"], p["ok"]) for p in said] == [("inner/two.json", False), ("one.pb", True)]
    assert f"{out}: 2 plans, 1 of them refused" in capsys.readouterr().err


def test_what_cannot_be_read_is_said(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "cut.pb").write_bytes(PLAN[:-3])
    for jobs in (1, 2):
        assert call(folder, "-o", tmp_path / "report.html", "--jobs", jobs) == 1
        said = capsys.readouterr().err
        assert "SS1002" in said
        assert "cut.pb" in said
        assert "reported: 2 of 3 plans, 1 failed" in said


def test_to_stdout(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(folder / "one.pb", "--title", "A <title>") == 0
    text = capsys.readouterr().out
    assert text.startswith("<!doctype html>")
    assert "<title>A &lt;title&gt;</title>" in text
    assert [p["label"] for p in shared(text)["plans"]] == ["one.pb"]


def test_what_is_no_plan_is_in_it(folder: Path, tmp_path: Path) -> None:
    (folder / "three.json").write_text("{")
    out = tmp_path / "report.html"
    assert call(folder, tmp_path / "gone.pb", "-o", out) == 1
    said = shared(out.read_text())["plans"]
    assert [p["label"] for p in said] == [
        "plans/inner/two.json",
        "plans/one.pb",
        "plans/three.json",
        "gone.pb",
    ]
    assert [p["ok"] for p in said] == [False, True, False, False]
    assert [bool(p["codes"]) for p in said] == [True, False, True, True]


def test_it_is_one_file(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(folder, "-o", f"{tmp_path}/made/") == 2
    assert "the report is one file" in " ".join(capsys.readouterr().err.split())
