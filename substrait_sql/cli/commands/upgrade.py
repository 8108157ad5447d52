"""``upgrade``: plans in today's wire form."""

from __future__ import annotations

import click

from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import FORM, PLANS
from substrait_sql.cli.outputs import OUTPUT, Output


@click.command(cls=Command)
@PLANS
@FORM
@OUTPUT
def command(plans: tuple[str, ...], form: str | None, output: Output | None) -> int:
    """Rewrite plans in today's wire form. Needs no Java."""
    from substrait_sql import pipeline
    from substrait_sql.cli.plans import write_plans

    inputs = read_inputs(plans)
    return write_plans(inputs, "upgraded", lambda i: pipeline.upgrade(i.plan), form, output)
