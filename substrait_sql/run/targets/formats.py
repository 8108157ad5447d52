"""What ``formats.yaml`` says: the formats of files, and what each has no place for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql.resources import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_FILE = PACKAGE / "run" / "targets" / "formats.yaml"

# What can be told again from the name of a folder.
_IN_FOLDERS = ("boolean", "byte", "short", "integer", "long", "string", "date", "decimal")


@dataclass(frozen=True, slots=True)
class Format:
    """One format. text_keys: the keys of its maps are texts."""

    name: str
    endings: Sequence[str]
    lacks: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)
    text_keys: bool = False


@cache
def formats() -> Mapping[str, Format]:
    """All of them, by name."""
    # Commands know of this module that run nothing.
    import yaml

    said: dict[str, Any] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: Format(name, **each) for name, each in said.items()}


def by_ending(path: str) -> Format | None:
    """The format that the ending of a path says, None if it says none."""
    suffix = Path(path.rstrip("/")).suffix.lower()
    return next((f for f in formats().values() if suffix in f.endings), None)


def problems(schema: Any, format: Format, partition_by: Sequence[str]) -> Iterator[str]:
    """Why rows of a schema cannot be held by files of a format, in folders by the values of columns."""
    names = [f.name.lower() for f in schema.fields]
    for name in sorted({n for n in names if names.count(n) > 1}):
        yield f"two columns are called {name}"
    yield from partition_problems(schema, partition_by)
    for each in schema.fields:
        for part, kind in _parts(each.dataType, each.name, format):
            yield f"{part} is {kind}, which {format.name} has no place for"


def partition_problems(schema: Any, partition_by: Sequence[str]) -> Iterator[str]:
    """Why rows cannot be kept apart by the values of these columns."""
    there = {f.name.lower(): f for f in schema.fields}
    asked = [name.lower() for name in partition_by]
    for name in partition_by:
        if name.lower() not in there:
            listed = ", ".join(f.name for f in schema.fields)
            yield f"there is no column {name} to partition by; columns: {listed}"
        elif asked.count(name.lower()) > 1:
            yield f"the column {name} is given twice to partition by"
        elif there[name.lower()].dataType.typeName() not in _IN_FOLDERS:
            found = there[name.lower()].dataType.simpleString()
            yield f"the column {name} is {found}, and no name of a folder says such a value"
    if there and not there.keys() - set(asked):
        yield "all columns are given to partition by, and none is left for the rows"


def _parts(type: Any, name: str, format: Format) -> Iterator[tuple[str, str]]:
    """The parts of a column that have no place, with their types."""
    kind = _kind(type)
    if kind in format.lacks:
        yield name, type.simpleString()
    elif kind == "array":
        yield from _parts(type.elementType, f"{name}.element", format)
    elif kind == "map":
        if format.text_keys and _kind(type.keyType) != "string":
            yield f"{name}.key", type.keyType.simpleString()
        yield from _parts(type.keyType, f"{name}.key", format)
        yield from _parts(type.valueType, f"{name}.value", format)
    elif kind == "struct":
        for each in type.fields:
            yield from _parts(each.dataType, f"{name}.{each.name}", format)


def _kind(type: Any) -> str:
    """The name of a type; intervals of months and of days are no ``interval``, which has both."""
    return "interval" if type.simpleString() == "interval" else str(type.typeName().split("(")[0])
