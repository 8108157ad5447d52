"""``dbt``: plans as models of a dbt project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import DIALECT, PLANS

if TYPE_CHECKING:
    from substrait_sql.cli.inputs import Input


@click.command(cls=Command)
@PLANS
@DIALECT
@click.option(
    "-o", "--output", required=True, type=click.Path(file_okay=False), metavar="DIR",
    help="The project's folder; made, or added to.",
)  # fmt: skip
@click.option("--name", help="The name of a new project; that of its folder by default.")
@click.option(
    "--schema",
    default="default",
    show_default=True,
    help="Where the tables are that plans name by one word.",
)
@click.option(
    "--materialized",
    type=click.Choice(["table", "view"]),
    default="table",
    show_default=True,
    help="What the result of a plan becomes.",
)
@click.option(
    "--macros",
    is_flag=True,
    help="Write a package instead, for {{ substrait_sql.plan('FILE') }} in models of your own.",
)
def command(
    plans: tuple[str, ...],
    dialect: str,
    output: str,
    name: str | None,
    schema: str,
    materialized: str,
    macros: bool,
) -> int:
    """Write plans into a dbt project: results as models, shared relations once, tables as sources. Needs no Java."""
    from substrait_sql.export import dbt
    from substrait_sql.export.project import project_of

    if not schema:
        raise click.UsageError("--schema needs a name")
    given = click.get_current_context().get_parameter_source("materialized")
    if macros and given is not ParameterSource.DEFAULT:
        raise click.UsageError("--materialized is of models, and --macros writes none")
    inputs = read_inputs(plans)
    batch = Batch(inputs, "looked at")
    named: dict[str, Any] = {_stem(i): i.plan for i in inputs}
    if len(named) < len(inputs):
        raise click.UsageError("two of the plans have one name")

    def action(item: Input) -> None:
        project_of({_stem(item): item.plan}, dialect, schema.split("."), materialized)

    if batch.each(action):
        click.echo("nothing was written", err=True)
        return 1
    if macros:
        labelled = {i.label: i.plan for i in inputs}
        changed = dbt.write_macros(labelled, output, dialect=dialect, schema=schema)
    else:
        changed = dbt.write(
            named, output, name=name, dialect=dialect, schema=schema, materialized=materialized
        )
    for path in changed:
        click.echo(str(path))
    return 0


def _stem(item: Input) -> str:
    if item.stem is None:
        raise click.UsageError("a plan from stdin has no name: give a file")
    return "_".join(item.stem.parts)
