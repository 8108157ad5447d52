"""Rows of a dialect file that are written once for several widths of integers."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def spread(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A row for each overload, where ``metadata.each`` says what is another for each; else the row as it is.

    ``each`` has an entry for the first type of every overload. ``$lowest`` in the row stands for what the entry says of
    ``lowest``, and ``$name`` for the type's own name.

    >>> each = {"i8": {"highest": "127"}, "u!u8": {"highest": "255"}}
    >>> row = {"supported_impls": ["i8_i8", "u!u8"], "metadata": {"each": each, "sql": "$highest of $name"}}
    >>> [(r["supported_impls"], r["metadata"]) for r in spread(row)]
    [(['i8_i8'], {'sql': '127 of i8'}), (['u!u8'], {'sql': '255 of u8'})]
    """
    metadata = row.get("metadata") or {}
    if "each" not in metadata:
        yield row
        return
    rest = {key: value for key, value in metadata.items() if key != "each"}
    for impl in row["supported_impls"]:
        width = impl.split("_")[0]
        said = {"name": width.rpartition("!")[2], **metadata["each"][width]}
        yield {**row, "supported_impls": [impl], "metadata": _filled(rest, said)}


def _filled(value: Any, said: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return Template(value).substitute(said)
    if isinstance(value, list):
        return [_filled(each, said) for each in value]
    if isinstance(value, dict):
        return {key: _filled(each, said) for key, each in value.items()}
    return value
