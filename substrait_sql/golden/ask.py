"""``--golden-review``: what changed is shown on the terminal, and somebody says what becomes of it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

YES, NO, SKIP, QUIT = "yes", "no", "skip", "quit"
_ANSWERS = {"y": YES, "n": NO, "s": SKIP, "q": QUIT}
_QUESTION = "write the new SQL? [y]es, [n]o, [s]kip, [q]uit: "


def check_terminal(config: pytest.Config) -> None:
    """Raises `pytest.UsageError` where nobody can be asked."""
    if hasattr(config, "workerinput") or config.getoption("numprocesses", None):
        raise pytest.UsageError(
            "--golden-review asks about one file after the other: run it without -n (or with -n 0)"
        )
    with _free(config):
        there = sys.stdin.isatty() and sys.stdout.isatty()
    if not there:
        raise pytest.UsageError(
            "--golden-review asks on a terminal, and this is none: "
            "without one, --golden-update writes all of them"
        )


def ask(config: pytest.Config, text: str) -> str:
    """Shows a text, and returns one of the answers."""
    with _free(config):
        print(f"\n{text}")
        while True:
            try:
                said = input(_QUESTION).strip().lower()
            except EOFError:
                print()
                return QUIT
            for answer in _ANSWERS.values():
                if said and answer.startswith(said):
                    return answer


@contextmanager
def _free(config: pytest.Config) -> Iterator[None]:
    """With the terminal as it is without pytest."""
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    if capture is None:
        yield
        return
    capture.suspend(in_=True)
    try:
        yield
    finally:
        capture.resume()
