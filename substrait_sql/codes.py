"""The names of codes: ``codes.yaml`` has each code once, with its name and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from substrait_sql.resources import PACKAGE

FILE = PACKAGE / "codes.yaml"


@dataclass(frozen=True, slots=True)
class Code:
    """One code.

    name: such as ``no_such_field``. means: what is wrong. do: the remedy, where messages do not have it.
    texts: how many texts its findings have, ``any`` where they are not counted. kinds: the kinds of error, where they
    are several.
    """

    name: str
    means: str
    do: str = ""
    texts: int | str = 1
    kinds: tuple[str, ...] = ()


@cache
def register() -> dict[str, Code]:
    """Every code, by itself."""
    # Every session of pytest imports this module with the plugin (docs/golden_tests.md); names are asked for later.
    import yaml

    read = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    found = {}
    for key, entry in read.items():
        code, name = key.split()
        said = {"means": entry} if isinstance(entry, str) else entry
        found[code] = Code(name, **{**said, "kinds": tuple(said.get("kinds", ()))})
    return found


def name_of(code: str) -> str:
    """What a code is called. One that somebody else has given, in an extension of theirs, has no name."""
    known = register().get(code)
    return known.name if known else ""
