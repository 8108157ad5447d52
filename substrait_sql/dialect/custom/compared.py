"""What a dialect has otherwise than the one that it extends: overloads and types that are lost, changed or added."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from substrait_sql.dialect.custom import folder
from substrait_sql.dialect.dialect import Dialect, load
from substrait_sql.dialect.files.extension_file import KINDS
from substrait_sql.dialect.load import available, installed, is_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    from substrait_sql.dialect.line import Line

LOST, CHANGED, ADDED = "lost", "changed", "added"
_CALL: Final = re.compile(r"([A-Za-z_]\w*)\(")

Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class Difference:
    """One overload. what: lost, changed or added. kind: scalar, aggregate, window, or type; why: of what is lost."""

    what: str
    kind: str
    extension: str
    name: str
    overload: str
    why: str = ""


def differences(dialect: Dialect, parent: Dialect) -> list[Difference]:
    """All of them, by extension and name."""
    found = [*_functions(dialect, parent), *_types(dialect, parent)]
    return sorted(found, key=lambda d: (d.kind, d.extension, d.name, d.overload))


def _functions(dialect: Dialect, parent: Dialect) -> Iterator[Difference]:
    own, below = _nearest(dialect), _nearest(parent)
    for key, line in own.items():
        kind, urn, name, impl = key
        why = _refusal(line, dialect)
        before = below.get(key)
        known = before is not None and not _refusal(before, parent)
        if why and not known:
            continue
        if before is None:
            yield Difference(ADDED, kind, urn, name, impl)
        elif why:
            yield Difference(LOST, kind, urn, name, impl, why)
        elif line is not before and line.row != before.row:
            yield Difference(CHANGED, kind, urn, name, impl)
    for name in sorted(dialect.builtins.absent - parent.builtins.absent):
        yield Difference(
            LOST, "function", "the engine's own", name, "", "the engine has not got it"
        )


def _types(dialect: Dialect, parent: Dialect) -> Iterator[Difference]:
    own, below = dialect.types.rows, parent.types.rows
    for name in sorted(own.keys() | below.keys()):
        if name not in own:
            yield Difference(LOST, "type", "", name, "", "it is not among the supported types")
        elif name not in below:
            yield Difference(ADDED, "type", "", name, "")
        elif own[name] != below[name]:
            yield Difference(CHANGED, "type", "", name, "")


def _nearest(dialect: Dialect) -> Mapping[Key, Line]:
    """The line for each overload: that of the nearest folder."""
    found: dict[Key, Line] = {}
    for each in dialect.all_folders:
        for kind in KINDS:
            for name, lines in each.names((kind,)).items():
                for line in lines:
                    for impl in line.impls:
                        found.setdefault((kind, line.urn, name, impl), line)
    return found


def _refusal(line: Line, dialect: Dialect) -> str:
    """Why a line has no SQL: it says so, or its text calls what the engine has not got."""
    if line.refused:
        return line.refused
    system = line.row.get("system_metadata") or {}
    text = line.text if line.text is not None else f"{system.get('name', line.name)}("
    if line.text is None and line.rule is not None:
        return ""
    called = {name.lower() for name in _CALL.findall(text)} & dialect.builtins.absent
    return f"the engine has no {', '.join(sorted(called))}" if called else ""


def with_parent(dialect: str | PathLike[str]) -> tuple[Dialect, Dialect | None]:
    """A dialect and the one that it extends, None for what extends no other. Raises what `load` raises."""
    found = load(dialect)
    named = isinstance(dialect, str) and not is_path(dialect)
    if named and dialect in available():
        return found, load(found.chain[1]) if len(found.chain) > 1 else None
    chain = folder.read(installed()[str(dialect)] if named else Path(dialect))
    return found, load(chain.folders[1].path if len(chain.folders) > 1 else chain.base)
