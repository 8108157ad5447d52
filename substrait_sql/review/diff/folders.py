"""Files of two folders, paired by name: a plan in another encoding, or a text in its place, is still the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


class Two(NamedTuple):
    """A file of each folder, None where one has none."""

    name: str
    old: Path | None
    new: Path | None


def pairs(old: Path, new: Path, suffixes: Collection[str]) -> list[Two]:
    """All files that end so, searched to the bottom, by name.

    Files of one folder whose names differ in their endings only are paired by those as well.
    """
    sides = _named(old, suffixes), _named(new, suffixes)
    names = sorted(sides[0].keys() | sides[1].keys())
    return [Two(name, sides[0].get(name), sides[1].get(name)) for name in names]


def _named(folder: Path, suffixes: Collection[str]) -> dict[str, Path]:
    files = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in suffixes and p.is_file()]
    found: dict[str, Path] = {}
    for path in files:
        place = path.relative_to(folder)
        stem = place.with_suffix("").as_posix()
        found[stem if stem not in found else place.as_posix()] = path
    return found
