"""Statements become the same plans with sqlglot's compiled build, whose classes take no subclasses of ours."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.lift.damage import statements
from tests.lift.plans import outcome

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_plans_of_the_compiled_build() -> None:
    subprocess.run(["make", "-s", ".venv-compiled/.ready"], cwd=ROOT, check=True)
    made = subprocess.run(
        [ROOT / ".venv-compiled/bin/python", "-m", "tests.lift.plans"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    there = json.loads(made.stdout)
    assert there["compiled"]
    found = zip(statements(), there["outcomes"], strict=True)
    assert [sql for sql, other in found if outcome(sql) != other] == []
