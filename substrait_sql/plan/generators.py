"""Generators, for which Substrait has no relation: rows out of the elements of a value.

They are an `ExtensionSingleRel` whose detail is a ``google.protobuf.Struct``, which all readers of protobuf have::

    {"generator": "explode", "outer": false, "arguments": 1, "columns": ["tag"]}

The last columns of its input are the generator's arguments. It returns the others, each row as often as there are rows
generated of it, and what is generated behind them. outer: a row of which none is generated comes once, with NULLs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from substrait_sql.plan import structs

# What a plan may name; those with another number of rows for each row are Spark's own affair.
NAMES = ("explode", "posexplode", "inline", "json_tuple")
_KEYS = {"generator", "outer", "arguments", "columns"}


class Generator(NamedTuple):
    """A generator by its name in Spark. arguments: how many columns of the input those are."""

    name: str
    outer: bool
    arguments: int
    columns: tuple[str, ...]


def read(detail: Any) -> Generator | None:
    """The generator that a relation's detail says, None where it says something else."""
    found = structs.read(detail)
    if set(found) != _KEYS or found["generator"] not in NAMES:
        return None
    columns, count = found["columns"], found["arguments"]
    names = [c for c in columns if isinstance(c, str)] if isinstance(columns, list) else []
    if not names or len(names) < len(columns):
        return None
    if not isinstance(found["outer"], bool) or isinstance(count, bool):
        return None
    if count not in range(1, 1_000):
        return None
    return Generator(found["generator"], found["outer"], int(count), tuple(names))


def write(detail: Any, made: Generator) -> None:
    """Fills in a relation's detail."""
    structs.write(
        detail,
        {
            "generator": made.name,
            "outer": made.outer,
            "arguments": made.arguments,
            "columns": list(made.columns),
        },
    )
