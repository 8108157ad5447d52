"""What stands above a statement for its reader: the tables it reads, its columns, what it has to be given and told."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

from substrait_sql.style import Style
from substrait_sql.text.source_map import harmless

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.rendered import Source, Statement

_INDENT = 14


def with_header(
    statements: Sequence[Statement],
    sources: Sequence[Source],
    parameters: Mapping[str, object],
    settings: Mapping[str, str],
) -> list[Statement]:
    """The statements, the first of them below its header; of several each has its columns."""
    first, *others = statements
    found = [_under(first, header(first, sources, parameters, settings))]
    return found + [_under(each, header(each, (), {}, {})) for each in others]


def _under(statement: Statement, text: str) -> Statement:
    return replace(statement, sql=text + statement.sql)


def header(
    statement: Statement,
    sources: Sequence[Source],
    parameters: Mapping[str, object],
    settings: Mapping[str, str],
) -> str:
    """A comment of a line or more for each of the four that there is, with a line break at its end."""
    said = {
        "reads": [".".join(source.names) for source in sources],
        "returns": [f"{column.name} {column.spark_type}" for column in statement.columns],
        "parameters": [f"{name} {type}" for name, type in parameters.items()],
        "settings": [f"{name} = {value}" for name, value in settings.items()],
    }
    lines = [_listed(about, found) for about, found in said.items() if found]
    return "\n".join(lines).replace("   ", "/* ", 1) + " */\n" if lines else ""


def _listed(about: str, found: Sequence[str]) -> str:
    """Several to a line; one that is longer than a line has one of its own."""
    wrapper = textwrap.TextWrapper(
        Style().width,
        initial_indent=f"   {about}".ljust(_INDENT),
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
    # What is one of the list stays on one line; `harmless` leaves no such space.
    joined = ", ".join(harmless(each).replace(" ", "\N{NO-BREAK SPACE}") for each in found)
    return wrapper.fill(joined).replace("\N{NO-BREAK SPACE}", " ")
