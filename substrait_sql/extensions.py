"""Relations and tables that a plan takes from elsewhere: what their ``type_url`` means in SQL is registered here.

    from substrait_sql import extensions

    @extensions.relation("type.googleapis.com/acme.Sample")
    def sample(detail, inputs):
        (rows,) = inputs
        return extensions.Sql(f"SELECT * FROM {rows.name} TABLESAMPLE (10 PERCENT)", rows.columns)

See docs/extensions.md. Whoever registers something answers for it: its text goes into the query as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an extension.

    name: what the query calls it.
    type: its Substrait type as text (``i64?``, ``decimal<15,2>``) or as a ``substrait.proto.Type``.
    """

    name: str
    type: Any


@dataclass(frozen=True, slots=True)
class Input:
    """A relation that the extension reads.

    name: what to write in FROM.
    columns: in order; each returns exactly its declared type, and no two have the same name, in any case.
    """

    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Sql:
    """What a relation or table of an extension is in SQL.

    query: one query, without a semicolon.
    columns: those it returns, in order; for a table None stands for the plan's base schema.
    """

    query: str
    columns: Sequence[Column] | None = None


Relation = Callable[[bytes, Sequence[Input]], Sql]
Table = Callable[[bytes, Sequence[Column]], Sql]

_RELATIONS: dict[str, Relation] = {}
_TABLES: dict[str, Table] = {}
_FORMATS: dict[str, str] = {}


def register_relation(type_url: str, lowering: Relation) -> None:
    """Says what extension relations with details of this type are; a leaf has no inputs, a single one, a multi any.

    type_url: of the detail, such as ``type.googleapis.com/acme.Fill``.
    lowering: gets the bytes of the detail and the inputs. It must return the same text for the same arguments.
    """
    _RELATIONS[type_url] = lowering


def register_table(type_url: str, lowering: Table) -> None:
    """Says what a ``ReadRel.extension_table`` with a detail of this type is.

    type_url: of the detail.
    lowering: gets the bytes of the detail and the columns of the base schema.
    """
    _TABLES[type_url] = lowering


def register_format(type_url: str, name: str) -> None:
    """Says what files with an ``extension`` of this type as their format are.

    type_url: of the format.
    name: what Spark calls the format where files stand in FROM, such as ``json``; it is read without options.
    """
    _FORMATS[type_url] = name


def relation(type_url: str) -> Callable[[Relation], Relation]:
    """`register_relation` as a decorator. type_url: of the detail."""

    def register(lowering: Relation) -> Relation:
        register_relation(type_url, lowering)
        return lowering

    return register


def table(type_url: str) -> Callable[[Table], Table]:
    """`register_table` as a decorator. type_url: of the detail."""

    def register(lowering: Table) -> Table:
        register_table(type_url, lowering)
        return lowering

    return register


def unregister(type_url: str) -> None:
    """Forgets what was registered for a type; nothing happens if nothing was. type_url: of the detail or the format."""
    _RELATIONS.pop(type_url, None)
    _TABLES.pop(type_url, None)
    _FORMATS.pop(type_url, None)


def find_relation(type_url: str) -> Relation | None:
    """What is registered, None if nothing is."""
    return _RELATIONS.get(type_url)


def find_table(type_url: str) -> Table | None:
    """What is registered, None if nothing is."""
    return _TABLES.get(type_url)


def find_format(type_url: str) -> str | None:
    """What is registered, None if nothing is."""
    return _FORMATS.get(type_url)
