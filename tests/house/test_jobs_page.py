"""The page for jobs: its script is run as it stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.house.test_tutorials import DOCS, do, folder

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["folder"]


@pytest.mark.spark
@pytest.mark.slow
def test_a_scheduler_without_airflow(folder: Path) -> None:
    text = (DOCS / "jobs.md").read_text(encoding="utf-8")
    (folder / "nightly.sh").write_text(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0])
    assert do(DOCS / "jobs.md", folder) == 6
