"""What the commands that read Spark SQL are given: texts, the columns of tables, the types of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.cli.inputs import Input

SQL = (".sql",)


def known_schema(tables: str | None, schema: str | None) -> Path | None:
    """Where the columns of the tables are known from: a folder or a file."""
    if tables is not None and schema is not None:
        raise click.UsageError("give --tables or --schema, not both")
    given = tables or schema
    return None if given is None else Path(given)


def types_of(parameters: Sequence[str]) -> dict[str, str]:
    """The types of parameters by their names."""
    found = list(map(_parameter, parameters))
    names = [name.casefold() for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"--param {name}: give one type")
    return dict(found)


def _parameter(given: str) -> tuple[str, str]:
    name, equals, kind = given.partition("=")
    if not (name and equals and kind):
        raise click.UsageError(f"--param {given!r}: write NAME=TYPE, such as first=DATE")
    return name, kind


def text_of(item: Input) -> str:
    """The text of a file or of stdin. Raises `SqlError` SS5011."""
    from substrait_sql.errors import SqlError

    try:
        raw = item.plan.read_bytes() if isinstance(item.plan, Path) else item.plan
        return raw.decode("utf-8-sig")
    except OSError as error:
        hint = "give a file; a text goes in through stdin: echo 'SELECT 1' | substrait-sql plan -"
        raise SqlError.of(
            "SS5011", f"cannot read {item.label}: {error.strerror}", "", hint
        ) from error
    except UnicodeDecodeError as error:
        raise SqlError.of("SS5011", f"{item.label} is no UTF-8 text: {error.reason}") from error
