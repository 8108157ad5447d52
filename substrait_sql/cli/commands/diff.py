"""``diff``: what changed between two plans, texts, or folders of them."""

from __future__ import annotations

from typing import Any

import click

from substrait_sql.cli.command import Command
from substrait_sql.cli.options import DIALECT, SCHEMA, TABLES


@click.command(cls=Command)
@click.argument("given", nargs=-1, required=True, metavar="OLD NEW")
@SCHEMA
@TABLES
@click.option("--execute", is_flag=True, help="Run both on the tables and show which rows differ.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
)
@click.option("-y", "--side-by-side", is_flag=True, help="The SQL in two columns, as text.")
@click.option("-W", "--width", type=click.IntRange(min=20), help="How wide two columns are.")
@click.option(
    "--git", is_flag=True, help="The arguments are those that git gives to a diff driver."
)
@DIALECT
def command(**options: Any) -> int:
    """Say what changed in the SQL and in the meaning.

    OLD and NEW are plans, files of Spark SQL (.sql), or folders of both, whose files are paired by
    name. Exit 0: they mean the same; 1: they differ; 2: trouble. Needs no Java but with --execute.
    """
    from substrait_sql.cli.differing import start

    return start(**options)
