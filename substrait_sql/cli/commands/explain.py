"""``explain``: plans as trees of relations."""

from __future__ import annotations

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import DIALECT, PLANS
from substrait_sql.cli.outputs import OUTPUT, Output
from substrait_sql.cli.texts import writer


@click.command(cls=Command)
@PLANS
@DIALECT
@OUTPUT
def command(plans: tuple[str, ...], dialect: str, output: Output | None) -> int:
    """Print plans as trees of relations, with names and types. Needs no Java."""
    from substrait_sql import pipeline

    batch = Batch(read_inputs(plans), "explained")

    write = writer(batch, output, ".txt", "#")
    return batch.each(lambda item: write(item, pipeline.explain(item.plan, dialect=dialect)))
