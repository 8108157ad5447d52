"""``upgrade``: plans in today's wire form."""

from __future__ import annotations

import rich_click as click

from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import PLANS
from substrait_sql.cli.outputs import OUTPUT, Output


@click.command()
@PLANS
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["json", "binary", "text"]),
    help="json, or as OUT ends.",
)
@OUTPUT
def command(plans: tuple[str, ...], form: str | None, output: Output | None) -> int:
    """Rewrite plans in today's wire form. Needs no Java."""
    from substrait_sql.cli.upgrading import upgrade_all

    return upgrade_all(read_inputs(plans), form, output)
