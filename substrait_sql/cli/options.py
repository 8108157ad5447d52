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
