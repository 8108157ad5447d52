"""With the oldest packages that pyproject.toml allows, our texts are the same ones, and come back the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.tools.roundtrip import golden, outcomes, queries

ROOT = Path(__file__).parents[2]
LEAST = ROOT / "tests/support/least.txt"

# Runs where they are: the text of each golden query, and what came back of it or why nothing did.
RENDER = """
import json, sys
from tests.tools.roundtrip import golden, outcomes
json.dump({n: [[o.text, o.again or o.problem] for o in outcomes(n, p)] for n, p in golden()}, sys.stdout)
"""


@pytest.mark.slow
def test_texts_with_the_oldest_packages() -> None:
    subprocess.run(["make", "-s", ".venv-least/.ready"], cwd=ROOT, check=True)
    made = subprocess.run(
        [ROOT / ".venv-least/bin/python", "-c", RENDER],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    there = json.loads(made.stdout)
    assert there.keys() == dict(golden()).keys()
    different = {}
    for name, plan in golden():
        # That nearly all come back as they are has its own test: looking again takes a minute.
        if there[name] != [[text, text] for text in queries(plan)]:
            here = [[o.text, o.again] for o in outcomes(name, plan)]
            if there[name] != here:
                different[name] = there[name], here
    assert not different


def test_they_are_the_oldest_that_we_allow() -> None:
    allowed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    least = {name: bound for each in allowed for name, bound in [re.split(">=|,", each)[:2]]}
    pins = [x.split("==") for x in LEAST.read_text("utf-8").splitlines() if not x.startswith("#")]
    # Rendering needs no pyarrow: its oldest release has other numbers for other Pythons.
    assert {name for name, _ in pins} == least.keys() - {"pyarrow"}
    for name, pin in pins:
        assert f"{pin.removesuffix('.*')}.".startswith(f"{least[name]}."), name


def test_what_releases_name_otherwise_is_named_in_one_place() -> None:
    """A quick look for what the test with the oldest packages finds: a token that only some releases have."""
    place = ROOT / "substrait_sql/tree/releases.py"
    renamed = set(re.findall(r'"(\w+)" in _KINDS', place.read_text("utf-8")))
    renamed |= set(re.findall(r"else _KINDS\.(\w+)", place.read_text("utf-8")))
    assert renamed == {"TILDE", "TILDA"}
    pattern = re.compile(rf"\w\.({'|'.join(sorted(renamed))})\b")
    for module in sorted((ROOT / "substrait_sql").rglob("*.py")):
        if module != place:
            assert not pattern.findall(module.read_text("utf-8")), (
                f"{module}: take it from tree/releases.py"
            )
