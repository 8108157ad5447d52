"""``plan``: Substrait plans of Spark SQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import FORM, PARAMETERS, SAID_IN, SCHEMA, STANDARD, TABLES, ZONE
from substrait_sql.cli.outputs import OUTPUT, Output
from substrait_sql.cli.queries import SQL, known_schema, text_of, types_of

if TYPE_CHECKING:
    from substrait_sql.cli.inputs import Input


@click.command(cls=Command)
@click.argument("queries", metavar="QUERY...", nargs=-1)
@click.option(
    "--dbt",
    "manifest",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A dbt project's target/manifest.json instead of queries: a plan of each model.",
)
@SAID_IN
@TABLES
@SCHEMA
@PARAMETERS
@ZONE
@click.option(
    "--steps-out",
    is_flag=True,
    help="Outer references as a number of subqueries, for older consumers.",
)
@click.option(
    "--inline",
    is_flag=True,
    help="Common table expressions where they are used, for consumers of one tree.",
)
@STANDARD
@FORM
@OUTPUT
def command(
    queries: tuple[str, ...],
    manifest: str | None,
    dialect: str,
    tables: str | None,
    schema: str | None,
    parameters: tuple[str, ...],
    zone: str | None,
    steps_out: bool,
    inline: bool,
    standard_only: bool,
    form: str | None,
    output: Output | None,
) -> int:
    """Make plans of Spark SQL: a file, a folder of .sql files, or - for stdin. Needs no Java."""
    from substrait_sql import pipeline
    from substrait_sql.cli.plans import write_plans

    if bool(queries) == (manifest is not None):
        raise click.UsageError("give queries, or --dbt")
    known: Any = known_schema(tables, schema)
    kinds = types_of(parameters)
    inputs = read_inputs(queries, SQL)
    if manifest is not None:
        inputs, known = _compiled(manifest, known)

    def made(item: Input) -> Any:
        return pipeline.to_plan(
            text_of(item),
            schema=known,
            dialect=dialect,
            parameters=kinds,
            zone=zone,
            steps_out=steps_out,
            inline=inline,
            standard_only=standard_only,
        )

    return write_plans(inputs, "lifted", made, form, output)


def _compiled(manifest: str, known: Any) -> tuple[list[Input], Any]:
    """The models of a dbt project as queries, and the columns of its tables if no others are given."""
    from substrait_sql.cli.inputs import Input
    from substrait_sql.errors import SqlError
    from substrait_sql.export.manifest import read

    found = read(manifest)
    if not found.models:
        raise SqlError.of("SS6107", f"the project of {manifest} has no models in SQL")
    inputs = [Input(n, sql.encode(), Path(n)) for n, sql in found.models.items()]
    return inputs, known if known is not None else found.schema
