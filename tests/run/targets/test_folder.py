"""Folders that get other files at once, whatever line the process is killed at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from substrait_sql import ExecutionError
from substrait_sql.run.targets import folder
from tests.run.targets.killing import NEW, OLD, change, fill, found

if TYPE_CHECKING:
    from pathlib import Path

AFTER = {"fail": NEW, "overwrite": NEW, "append": [*OLD, *NEW]}


@pytest.mark.slow
@pytest.mark.parametrize("mode", AFTER)
@pytest.mark.parametrize("plain", ["", "plain"])
def test_killed_at_each_line(mode: str, plain: str, tmp_path: Path) -> None:
    """A reader finds all old rows or all new ones; the next run clears up. A plain file system has a moment without."""
    command = [sys.executable, "-m", "tests.run.targets.killing", str(tmp_path), mode, plain]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    before, after = (None if mode == "fail" else sorted(OLD)), sorted(AFTER[mode])
    assert len(seen) > 30
    assert seen[0][0] == before
    assert seen[-1][0] == after
    for at_once, settled, beside in seen:
        assert settled in (before, after)
        assert beside == []
        assert at_once == settled or (plain and at_once is None)
    assert sum(at_once is None for at_once, _, _ in seen) <= (2 if mode != "fail" else len(seen))


def test_what_others_do_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer at work is not disturbed, and what one adds in between is kept."""
    target = tmp_path / "rows"
    fill(target, OLD)
    (target / "_temporary").mkdir()
    with pytest.raises(ExecutionError, match="SS4030 another writer is at work"):
        change(target, "append")
    (target / "_temporary").rmdir()
    original = folder._exchange

    def late(made: Path, there: Path) -> None:
        fill(there, ["late.parquet"])
        original(made, there)

    monkeypatch.setattr(folder, "_exchange", late)
    change(target, "append")
    assert found(target) == sorted([*OLD, *NEW, "late.parquet"])


def test_a_target_that_appears_meanwhile(tmp_path: Path) -> None:
    target = tmp_path / "rows"
    with folder.draft(target) as made:
        fill(made, NEW)
        fill(target, OLD)
        with pytest.raises(OSError, match="not empty"):
            folder.put(made, target, replace=False)
    assert found(target) == sorted(OLD)
    assert os.listdir(tmp_path) == ["rows"]


def test_what_is_beside_belongs_to_runs_that_are_gone(tmp_path: Path) -> None:
    """A process that lives keeps its folder, as does one of another machine for a week."""
    target = tmp_path / "rows"
    fill(target, OLD)
    mine = folder.beside(target, folder.NEW)
    elsewhere = mine.with_name(mine.name.replace(folder._machine(), "0123abcd"))
    somebodys = tmp_path / ".rows.substrait_sql-new"
    for path in (mine, elsewhere, somebodys):
        fill(path, NEW)
    folder.settle(target)
    assert mine.exists()
    assert elsewhere.exists()
    os.utime(elsewhere, (0, 0))
    folder.settle(target)
    assert not elsewhere.exists()
    assert somebodys.exists()


@pytest.mark.parametrize(
    ("names", "strange"),
    [
        (
            ["part-0-x.c000.snappy.parquet", "_SUCCESS", "._SUCCESS.crc", "a.csv.gz", "d=1/x.orc"],
            [],
        ),
        (["notes.txt", "a.parquet", "photos/1.jpg"], ["notes.txt", "photos"]),
    ],
)
def test_only_folders_of_data_are_replaced(
    names: list[str], strange: list[str], tmp_path: Path
) -> None:
    fill(tmp_path / "rows", names)
    assert folder.foreign(tmp_path / "rows") == strange


def test_runs_that_append_at_the_same_time(tmp_path: Path) -> None:
    """Each has its rows there in the end."""
    target = tmp_path / "rows"
    fill(target, OLD)

    def append(i: int) -> None:
        with folder.draft(target) as made:
            fill(made, [f"{i}.parquet"])
            folder.add(made, target)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(40)))
    assert found(target) == sorted([*OLD, *(f"{i}.parquet" for i in range(40))])
    assert os.listdir(tmp_path) == ["rows"]
