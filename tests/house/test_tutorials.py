"""The tutorials, done as they stand: every command and every line of Python, and what they print."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import page

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder beside the checkout."""
    (tmp_path / "substrait-sql").symlink_to(ROOT)
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return made


def do(path: Path, folder: Path) -> int:
    """Does all of a page; how many steps there were."""
    names: dict[str, Any] = {}
    count = 0
    for step in page.steps(path.read_text(encoding="utf-8")):
        printed = page.do(step, folder, names)
        count += 1
        if step.printed is not None:
            assert page.agree(printed, step.printed), f"{step.text}\nprints\n{printed}"
    return count


def test_the_start_page(folder: Path) -> None:
    (folder / "having.pb").symlink_to(DOCS / "gallery" / "having.pb")
    assert do(DOCS / "index.md", folder) == 2


def test_for_reviewers(folder: Path) -> None:
    assert do(DOCS / "tutorials" / "reviewer.md", folder) > 10


def test_for_authors_of_jobs(folder: Path, spark: SparkSession) -> None:
    assert do(DOCS / "tutorials" / "job_author.md", folder) >= 9


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        ("a \nb\n", "a\nb\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a 12 s\nb", "a …\nb", True),
        ("a\nb\nc\nd", "a\n…\nd", True),
        ("a\nb\nc\nd", "a\n…\ne", False),
        ("", "", True),
        ("a", "", False),
    ],
)
def test_what_a_page_says_is_what_is_printed(printed: str, expected: str, same: bool) -> None:
    assert page.agree(printed, expected) is same
