"""Where the command writes: files and folders, full disks, and colour."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql import demo
from substrait_sql.cli.app import _colour, run_app
from tests.cli.test_cli import COMMAND, on_a_terminal
from tests.support.build import plan, virtual

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

COLOURS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM")


@pytest.mark.parametrize(
    ("command", "suffix"), [("render", ".sql"), ("explain", ".txt"), ("upgrade", ".json")]
)
def test_a_folder_takes_a_file_per_plan(
    call: Any, tmp_path: Path, command: str, suffix: str
) -> None:
    """A slash at the end is a folder, there or not; so is a folder that is there; else it is a file."""
    (tmp_path / "there").mkdir()
    for output in (f"{tmp_path}/new/", tmp_path / "there", f"{tmp_path}/deep/er/"):
        assert call(command, demo.PLAN, "-o", output) == (0, "", "")
    assert call(command, demo.PLAN, "-o", tmp_path / "file") == (0, "", "")
    made = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file())
    assert made == [f"deep/er/plan{suffix}", "file", f"new/plan{suffix}", f"there/plan{suffix}"]
    assert len({(tmp_path / name).read_bytes() for name in made}) == 1


def test_a_file_is_whole_or_as_it_was(call: Any, tmp_path: Path) -> None:
    (tmp_path / "folder.sql").mkdir()
    (tmp_path / "file").write_text("before")
    code, out, err = call("render", demo.PLAN, "-o", tmp_path / "file" / "x.sql")
    assert (code, out) == (1, "")
    assert err.startswith(f"SS4013 cannot write '{tmp_path}/file/x.sql': ")
    target = tmp_path / "target.sql"
    target.write_text("before")
    (tmp_path / "link.sql").symlink_to(target)
    assert call("render", demo.PLAN, "-o", tmp_path / "link.sql")[0] == 0
    assert (tmp_path / "link.sql").is_symlink()
    assert target.read_text().startswith("SELECT")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "file", "folder.sql", "link.sql", "target.sql",
    ]  # fmt: skip


@pytest.mark.parametrize("command", ["render", "check", "explain", "upgrade", "--help"])
def test_a_full_disk_is_no_defect_of_ours(command: str) -> None:
    arguments = [command] if command == "--help" else [command, demo.PLAN, demo.PLAN]
    arguments = arguments[:2] if command == "upgrade" else arguments
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "SS4013 cannot write the output: No space left on device"
    assert "Traceback" not in done.stderr


def test_a_full_disk_behind_a_file(call: Any) -> None:
    code, out, err = call("render", demo.PLAN, "-o", "/dev/full")
    assert (code, out) == (1, "")
    assert err.startswith("SS4013 cannot write '/dev/full': No space left on device\n")


@pytest.mark.parametrize(
    ("environment", "colour"),
    [
        ({}, None),
        ({"NO_COLOR": ""}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"CLICOLOR": "0"}, False),
        ({"CLICOLOR": "1"}, None),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, None),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colour(
    environment: dict[str, str], colour: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in COLOURS:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert _colour() is colour


def test_no_colour_on_a_terminal(tmp_path: Path) -> None:
    missing = tmp_path / "nothing.pb"
    assert b"\x1b[31m" in on_a_terminal("render", missing)[1]
    assert b"\x1b" not in on_a_terminal("render", missing, NO_COLOR="1")[1]
    forced = {k: v for k, v in os.environ.items() if k not in COLOURS} | {"FORCE_COLOR": "1"}
    done = subprocess.run(
        [*COMMAND, "render", missing], capture_output=True, check=False, env=forced
    )
    assert b"\x1b[31m" in done.stderr


def test_a_reader_that_closes_at_once() -> None:
    """``substrait-sql render … | head -0``."""
    for command in ("render", "explain", "check"):
        with subprocess.Popen(
            [sys.executable, "-m", "substrait_sql", command, str(demo.PLAN)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            err = process.stderr.read()
        assert (process.returncode, err) == (1, b"")


@pytest.mark.parametrize("locale", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_whatever_the_locale_is_a_file_is_in_utf_8(tmp_path: Path, locale: str) -> None:
    """It was escaped as Python does, which neither SQL nor JSON reads back."""
    made = plan((virtual("a:str", ("é",)), "\u00fc\U0001f600"))
    (tmp_path / "p.pb").write_bytes(made.SerializeToString())
    done = subprocess.run(
        [*COMMAND, "render", tmp_path / "p.pb"],
        capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": locale},
    )  # fmt: skip
    text = done.stdout.decode("utf-8")
    assert "'é'" in text
    assert "`\u00fc\U0001f600`" in text


@pytest.mark.spark
@pytest.mark.parametrize("form", ["csv", "json"])
def test_so_are_rows(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    (tmp_path / "p.pb").write_bytes(
        plan((virtual("a:str", ("é\U0001f600",)), "a")).SerializeToString()
    )
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii"))
    assert run_app(["run", str(tmp_path / "p.pb"), "--format", form]) == 0
    sys.stdout.flush()
    shown = {"csv": "a\né\U0001f600\n", "json": '{"a": "é\U0001f600"}\n'}[form]
    assert held.getvalue().decode("utf-8") == shown
