"""How Spark spells a call in the names that it makes up, where that is not the call as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import yaml

from substrait_sql.resources import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FILE = DIALECTS / "spark" / "lift" / "names.yaml"


@dataclass(frozen=True)
class Spellings:
    """What names.yaml says, by the function's name."""

    capitals: frozenset[str]
    alone: frozenset[str]
    instead: Mapping[str, str]
    all: Mapping[str, Sequence[str | None]]
    most: Mapping[str, int]


def call(name: str, arguments: Sequence[str], *, distinct: bool = False) -> str:
    """A call as Spark prints it: ``round(x, 0)`` for ``round(x)``. arguments: as they are printed."""
    known = _spellings()
    capitals = name in known.capitals or (name in known.alone and len(arguments) == 1)
    shown = known.instead.get(name, name.upper() if capitals else name)
    given = [*arguments][: known.most.get(name)]
    given += [text for text in known.all.get(name, ())[len(given) :] if text is not None]
    return f"{shown}({'DISTINCT ' if distinct else ''}{', '.join(given)})"


@cache
def _spellings() -> Spellings:
    said = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    capitals, alone = (frozenset(said[key].split()) for key in ("capitals", "capitals_alone"))
    return Spellings(capitals, alone, said["instead"], said["all"], said["most"])
