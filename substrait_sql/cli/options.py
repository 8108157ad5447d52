"""Options and arguments that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from substrait_sql.errors import SubstraitSqlError

DEFAULT = "spark"

if TYPE_CHECKING:
    from collections.abc import Sequence


# It takes a type argument since click 8.4 only.
class _DialectType(click.ParamType):  # type: ignore[type-arg]
    """The name or the folder of a dialect, which is read at once: one that cannot be is about no plan."""

    name = "dialect"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        from substrait_sql.dialect.dialect import load

        try:
            load(value)
        except SubstraitSqlError as error:
            self.fail(str(error), param, ctx)
        return value

    def get_metavar(self, param: Any, ctx: Any) -> str | None:
        return "TEXT"


PLANS = click.argument("plans", nargs=-1, required=True, metavar="PLAN...")
JOBS = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Work on so many plans at a time; with all cores on many plans if not given.",
)
DIALECT = click.option(
    "-d",
    "--dialect",
    type=_DialectType(),
    default=DEFAULT,
    show_default=True,
    help="The SQL to write: a name, or the folder of your own, such as ./acme.",
)
SAID_IN = click.option(
    "-d",
    "--dialect",
    type=_DialectType(),
    default=DEFAULT,
    show_default=True,
    help="The SQL that the texts are written in: what its engine has not is refused.",
)
FORM = click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["json", "binary", "text"]),
    help="json, or as OUT ends.",
)
TABLES = click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="DIR/NAME.parquet or the folder DIR/NAME/ is table NAME.",
)
SCHEMA = click.option(
    "--schema",
    type=click.Path(exists=True),
    metavar="FILE",
    help="Columns of tables as JSON or YAML: {table: {column: TYPE}}.",
)
PARAMETERS = click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=TYPE",
    help="The type of a parameter, :NAME in the text. Repeatable.",
)
ZONE = click.option("--zone", help="Where timestamps without a zone are; UTC by default.")
STANDARD = click.option(
    "--standard-only", is_flag=True, help="Refuse what only Spark's own functions can say."
)


def pairs_of(option: str, given: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` texts by name. Raises `click.UsageError` for another text, and for a name given twice."""
    pairs: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise click.UsageError(f"{option} takes NAME=VALUE, not {text!r}")
        if key in pairs:
            raise click.UsageError(f"{option} {key} was given twice")
        pairs[key] = value
    return pairs
