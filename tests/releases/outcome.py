"""What became of one plan or case."""

from __future__ import annotations

from dataclasses import dataclass

PASSED, REFUSED, WRONG = "passed", "refused", "wrong"


@dataclass(frozen=True)
class Outcome:
    """suite and name say which one. what: passed, refused or wrong; why: the reason."""

    suite: str
    name: str
    what: str
    why: str = ""


def brief(error: Exception) -> str:
    """The first lines of an error, on one."""
    return f"{type(error).__name__}: {str(error)[:300]}".replace("\n", " ")
