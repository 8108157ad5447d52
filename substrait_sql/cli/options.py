"""Options and arguments that several commands have."""

from __future__ import annotations

import rich_click as click

PLANS = click.argument("plans", nargs=-1, required=True, metavar="PLAN...")
DIALECT = click.option(
    "-d",
    "--dialect",
    default="spark",
    show_default=True,
    help="The SQL to write: a name, or the folder of your own, such as ./acme.",
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
