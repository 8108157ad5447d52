"""The official cases, and ours in `cases/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from substrait_sql.testing.cases import read
from substrait_sql.testing.cases.read import Case, Column, Enum, Function, Lambda, Literal

__all__ = ["Case", "Column", "Enum", "Function", "Lambda", "Literal", "cases", "files"]

OWN = Path(__file__).with_name("cases")


def files() -> dict[str, Path]:
    """All case files by the name they are called by: ``arithmetic/add.test``, ``own/arithmetic/round.test``."""
    return read.official() | {f"own/{p.relative_to(OWN)}": p for p in sorted(OWN.rglob("*.test"))}


@cache
def cases(name: str) -> tuple[Case, ...]:
    """The cases of a file. Raises SyntaxError where the grammar does not know what is written."""
    return read.cases(name, files()[name])
