"""The functions of a dialect's file, each of which is read as YAML when it is asked for.

A plan calls few of the functions that a file has, and to read all of them takes longer than to render the plan. What a
shipped file has to look like for that: each list of functions begins at ``supported_KIND_functions:``, each entry at a
dash in the first column. `tests/dialect/test_shipped.py` reads every file both ways.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Rows = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KINDS = ("scalar", "aggregate", "window")
_LIST = re.compile(rf"^supported_({'|'.join(KINDS)})_functions:\n", re.MULTILINE)
_ENTRY = re.compile(r"^- ", re.MULTILINE)
_ANCHOR = re.compile(r"&(\w+)")
_ALIAS = re.compile(r"\*(\w+)")


class Entries:
    """The text of a file, in which entries are found by the name of their function."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def head(self) -> Mapping[str, Any]:
        """What stands before the functions."""
        found: Mapping[str, Any] = yaml.load(self._text.partition("\nsupported_")[0], _LOADER) or {}
        return found

    def may_have(self, name: str) -> bool:
        """Whether there can be functions of this name, which stands there as it is or in quotes."""
        return _says(self._text, name)

    def of(self, name: str) -> Rows:
        """The entries of the functions of this name, by kind and name."""
        wanted = {i for i, (_, text) in enumerate(self._texts) if _says(text, name)}
        return {key: rows for key, rows in self._read(wanted).items() if key[1] == name}

    @cached_property
    def all(self) -> Rows:
        """All entries, by kind and name."""
        return self._read(set(range(len(self._texts))))

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        """Each entry with the kind of its function."""
        _, *parts = _LIST.split(self._text)
        lists = zip(parts[::2], parts[1::2], strict=True)
        return [(kind, text) for kind, part in lists for text in _ENTRY.split(part)[1:]]

    def _read(self, wanted: set[int]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
        texts = [self._texts[i] for i in sorted(self._with_anchors(wanted))]
        read = yaml.load("".join(f"- {text}\n" for _, text in texts), _LOADER) or ()
        found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for (kind, _), row in zip(texts, read, strict=True):
            found.setdefault((kind, row["name"]), []).append(row)
        return found

    def _with_anchors(self, wanted: set[int]) -> set[int]:
        """These entries, and those before them that have what they repeat by an alias."""
        found = set(wanted)
        missing: set[str] = set()
        for i in range(max(wanted, default=-1), -1, -1):
            text = self._texts[i][1]
            if i in found or not missing.isdisjoint(_ANCHOR.findall(text)):
                found.add(i)
                missing.update(_ALIAS.findall(text))
        return found


def _says(text: str, name: str) -> bool:
    return f"name: {name}" in text or f'name: "{name}"' in text
