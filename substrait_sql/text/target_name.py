"""The name of a table or view that a statement is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from substrait_sql.errors import InvalidPlanError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.identifiers import Names


@dataclass(frozen=True, slots=True)
class Relation:
    """The name of a table or view, in parts. Its text is quoted where it must be. names: how the dialect writes those.

    >>> from substrait_sql.dialect.identifiers import Names
    >>> print(Relation(("sales", "order lines"), Names("`", frozenset())))
    sales.`order lines`
    """

    parts: tuple[str, ...]
    names: Names

    def __str__(self) -> str:
        return ".".join(map(self.names.quote, self.parts))

    @property
    def name(self) -> str:
        """The last part, unquoted."""
        return self.parts[-1]


def parse_name(text: str, names: Names) -> Relation:
    """A name as it is written in SQL: parts between dots, a part in the dialect's quotes taken as it is.

    >>> from substrait_sql.dialect.identifiers import Names
    >>> parse_name("db.`a.b`", Names("`", frozenset())).parts
    ('db', 'a.b')

    Raises `InvalidPlanError` SS3201 for text that is not a name, and `UnsupportedError` SS3202 for
    a name that Spark would replace part of.
    """
    parts: list[str] = []
    at = 0
    opening, closing = map(re.escape, names.quotes)
    part = re.compile(
        rf"{opening}((?:[^{closing}]|{closing}{closing})+){closing}|([^{opening}{closing}.]+)"
    )
    hint = f"write db.table, or db.{names.in_quotes('odd table')}"
    while True:
        found = part.match(text, at)
        if found is None:
            raise InvalidPlanError.of("SS3201", f"not a name: {text!r}", hint=hint)
        inside = found.group(1)
        end = names.quotes[1]
        parts.append(inside.replace(end * 2, end) if inside else found.group(2).strip())
        at = found.end()
        if at == len(text):
            break
        if text[at] != "." or not parts[-1]:
            raise InvalidPlanError.of("SS3201", f"not a name: {text!r}", hint=hint)
        at += 1
    return relation(parts, names)


def relation(parts: Sequence[str], names: Names) -> Relation:
    """A `Relation` of these parts, checked. Raises as `parse_name` does."""
    if not parts or not all(parts):
        raise InvalidPlanError.of(
            "SS3201", f"not a name: {'.'.join(parts)!r}", hint="no part may be empty"
        )
    if any("${" in part for part in parts):
        # Spark replaces ${...} in the text before it parses it, inside backticks too.
        raise UnsupportedError.of(
            "SS3202",
            f"the name {'.'.join(parts)!r} holds '${{', where Spark would put a variable's value",
            hint="choose another name",
        )
    return Relation(tuple(parts), names)
