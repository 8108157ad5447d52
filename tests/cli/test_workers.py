"""Many plans at a time: what is written is what one process writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from substrait_sql import demo
from substrait_sql.cli import batch
from substrait_sql.cli.batch import Batch
from substrait_sql.cli.inputs import Input

COMMAND = [sys.executable, "-m", "substrait_sql"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Plans, some of which are none: more than are given to one process at a time."""
    made = tmp_path / "plans"
    made.mkdir()
    for i in range(20):
        data = demo.PLAN.read_bytes()
        (made / f"{i:02}.pb").write_bytes(data[: len(data) // 2] if i in (7, 13) else data)
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["render"], ["check"], ["check", "--format", "json"], ["report"], ["render", "--statement", "view"]],
    ids=" ".join,
)  # fmt: skip
def test_the_same_is_written(arguments: list[str], folder: Path, call: Any) -> None:
    one = call(*arguments, folder, "--jobs", 1)
    assert one[0] == 1
    assert call(*arguments, folder, "--jobs", 3) == one


def test_files_of_several_processes(folder: Path, tmp_path: Path, call: Any) -> None:
    assert call("render", folder, "-j", 2, "-o", tmp_path / "out")[0] == 1
    assert len(list((tmp_path / "out").iterdir())) == 18
    assert call("render", folder, "-j", 2, "-o", tmp_path / "out", "--compare")[1] == ""


def test_a_dialect_that_is_not_right_ends_all(folder: Path, call: Any) -> None:
    one = call("render", folder, "-d", "./nowhere", "-j", 1)
    assert one[2].count("SS2403") == 1
    assert call("render", folder, "-d", "./nowhere", "-j", 2) == one


def length(item: Input) -> int:
    return len(item.label)


def end(item: Input) -> int:
    os._exit(len(item.label))


def test_a_process_that_is_gone(capfd: pytest.CaptureFixture[str]) -> None:
    plans = [Input(f"{i}", b"", None) for i in range(20)]
    assert Batch(plans, "ended").each_made(end, lambda _, __: None, 2) == 1
    assert capfd.readouterr().err.count("SS4034") == 1


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_cores", lambda: 4)
    assert [batch._right(n) for n in (1, 99, 100, 1000)] == [0, 1, 2, 4]
    seen: list[tuple[str, int]] = []
    few = [Input("a", b"", None), Input("bb", b"", None)]
    assert Batch(few, "seen").each_made(length, lambda i, n: seen.append((i.label, n)), None) == 0
    assert seen == [("a", 1), ("bb", 2)]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_who_ends_ends_the_processes(how: signal.Signals, folder: Path) -> None:
    plans = [str(folder)] * 50
    with subprocess.Popen(
        [*COMMAND, "render", "-j", "2", *plans],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(how)
        process.stdout.close()
        assert process.wait(20) == (-how if how is signal.SIGKILL else 128 + how)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("a process is left")
