"""docs/golden_tests.md as a new user follows it: its files are written, its commands run, and say what it shows."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from tests.golden.plugin.conftest import PLUGINS
from tests.support.terminal import typed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "golden_tests.md"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
ANSWER = re.compile(r"\[q\]uit: (\w)$")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Where the page's words `python` and `pytest` are those that run this test."""
    (tmp_path / "bin").mkdir()
    for name, words in (("python", ""), ("pytest", "-m pytest")):
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return {
        **{k: v for k, v in os.environ.items() if not k.startswith("PYTEST") and k != "CI"},
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": " ".join([*PLUGINS, "--color=no"]),
    }


def on_terminal(command: str, answers: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command shows on a pseudo-terminal when these lines are typed."""
    return typed(["sh", "-c", command], answers, folder, environment)[1]


def follow(block: str, folder: Path, environment: dict[str, str]) -> None:
    """Runs the commands of a block; each shows the lines below it, in their order, among others."""
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        command, *expected = part.rstrip("\n").split("\n")
        answers = "".join(f"{found[1]}\n" for line in expected if (found := ANSWER.search(line)))
        shown = on_terminal(command, answers, folder, environment)
        at = 0
        for line in expected:
            words = ANSWER.sub("[q]uit: ", line)
            at = shown.find(words, at)
            assert at >= 0, f"$ {command}\n{shown}\n\nnot shown, or not there: {words}"
            at += len(words)


@pytest.mark.slow
def test_the_tutorial_as_it_stands(tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    done = 0
    for language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "console":
            follow(text, folder, environment)
            done += 1
        elif (name := re.match(r"# (\w+\.\w+)\n", text)) and name[1] != "conftest.py":
            (folder / name[1]).write_text(text, encoding="utf-8")
    assert done == 7
    assert (folder / "__golden__").is_dir()
