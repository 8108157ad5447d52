"""Names that dbt takes: of models, files, sources and their tables."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from substrait_sql.select.output_names import unique

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.dialect.identifiers import Names
    from substrait_sql.rendered import Column, Source

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LONGEST = 60
FILES = "files"
"""What stands behind the form of files in the name of the source that they are tables of."""


def word(text: str) -> str:
    """A text as a name: its letters and digits.

    >>> word("Q3 (new).v2"), word("2024"), word("%")
    ('q3_new_v2', 'p2024', 'plan')
    """
    found = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:_LONGEST] or "plan"
    return f"p{found}" if found[0].isdigit() else found


def kept(text: str) -> str:
    """A name as it is, or with a part of its digest where dbt would not take it.

    >>> kept("lineitem"), kept("order lines")
    ('lineitem', 'order_lines_b1c0f4')
    """
    if _PLAIN.match(text):
        return text
    return f"{word(text)}_{hashlib.sha256(text.encode()).hexdigest()[:6]}"


@dataclass
class Table:
    """A table of a source. text: its name in SQL."""

    name: str
    text: str
    reads: list[Source]

    def columns(self) -> list[Column]:
        """Its columns, those first that the first read declares."""
        found: dict[str, Column] = {}
        for read in self.reads:
            for column in read.columns:
                found.setdefault(column.name.casefold(), column)
        return list(found.values())


@dataclass
class Group:
    """A source: the tables of a schema. schema: its name in SQL."""

    name: str
    schema: str
    known: dict[str, Table] = field(default_factory=dict)

    def tables(self) -> list[Table]:
        """Those that are read, by name."""
        return sorted(self.known.values(), key=lambda t: t.name)


class Sources:
    """The tables that models read, as dbt's sources. schema: where tables of a name without parts are."""

    def __init__(self, names: Names, schema: Sequence[str]) -> None:
        self._names = names
        self._schema = tuple(schema)
        self._groups: dict[str, Group] = {}

    def __iter__(self) -> Iterator[Group]:
        return iter(sorted(self._groups.values(), key=lambda g: g.name))

    def add(self, source: Source) -> tuple[str, str]:
        """The names of the source and of its table for dbt."""
        quote = self._names.quote
        if source.reader:
            schema, _, text = source.reader.partition(".")
            wanted, key = f"{schema}_{FILES}", text
            stem = word(source.names[-1].rstrip("/").rpartition("/")[2])
        else:
            parts = source.names[:-1] or self._schema
            schema, text = ".".join(map(quote, parts)), quote(source.names[-1])
            wanted, key, stem = "_".join(parts), text.casefold(), kept(source.names[-1])
        group = self._groups.get(schema.casefold())
        if group is None:
            taken = {g.name for g in self._groups.values()}
            group = Group(unique(kept(wanted), taken), schema)
            self._groups[schema.casefold()] = group
        if key not in group.known:
            taken = {t.name.casefold() for t in group.known.values()}
            group.known[key] = Table(unique(stem, taken), text, [])
        group.known[key].reads.append(source)
        return group.name, group.known[key].name
