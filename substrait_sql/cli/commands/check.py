"""``check``: all that is wrong with plans, or with texts that are to become plans."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.command import Command
from substrait_sql.cli.findings import FORMATS
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import (
    DIALECT,
    JOBS,
    PARAMETERS,
    PLANS,
    SCHEMA,
    STANDARD,
    TABLES,
    ZONE,
)
from substrait_sql.cli.queries import SQL, known_schema, text_of, types_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from substrait_sql.cli.inputs import Input
    from substrait_sql.errors import Diagnostic


@click.command(cls=Command)
@PLANS
@DIALECT
@click.option(
    "--sql",
    is_flag=True,
    help="The files hold Spark SQL: say all that keeps their statements from being plans.",
)
@click.option(
    "--effects",
    is_flag=True,
    help="Say what the plans will touch: tables, files, functions, parameters.",
)
@click.option(
    "--to-table", metavar="NAME", help="With --effects: the table that rows are to go to."
)
@click.option("--to-files", metavar="PATH", help="With --effects: the folder, likewise.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", *FORMATS]),
    default="text",
    help="For a person, or for a code host: annotations, SARIF.",
)
@TABLES
@SCHEMA
@PARAMETERS
@ZONE
@STANDARD
@JOBS
def command(
    plans: tuple[str, ...],
    dialect: str,
    sql: bool,
    effects: bool,
    to_table: str | None,
    to_files: str | None,
    form: str,
    tables: str | None,
    schema: str | None,
    parameters: tuple[str, ...],
    zone: str | None,
    standard_only: bool,
    jobs: int | None,
) -> int:
    """Say everything that is wrong with plans, or with --sql of texts. Needs no Java."""
    from substrait_sql.cli.checking import check_all, listed_all

    known, kinds = known_schema(tables, schema), types_of(parameters)
    if not sql and (known or kinds or zone or standard_only):
        raise click.UsageError("--tables, --schema, --param, --zone, --standard-only go with --sql")

    if (to_table or to_files) and not effects:
        raise click.UsageError("--to-table and --to-files go with --effects")
    if effects:
        if sql or form not in ("text", "json"):
            raise click.UsageError("--effects goes with plans, and --format text or json")
        from substrait_sql.cli.effects import list_effects

        return list_effects(read_inputs(plans), dialect, form, to_table, to_files)

    how: dict[str, Any] = {"dialect": dialect}
    if sql:
        how |= {
            "schema": known,
            "parameters": kinds,
            "zone": zone,
            "standard_only": standard_only,
        }
    inputs = read_inputs(plans, SQL) if sql else read_inputs(plans)
    problems = partial(_of_text if sql else _of_plan, how)
    if form == "text":
        return check_all(inputs, problems, jobs)
    return listed_all(inputs, problems, form, jobs)


def _of_plan(how: Mapping[str, Any], item: Input) -> list[Diagnostic]:
    from substrait_sql import pipeline

    return pipeline.check(item.plan, **how)


def _of_text(how: Mapping[str, Any], item: Input) -> list[Diagnostic]:
    from substrait_sql import pipeline

    return pipeline.check_sql(text_of(item), **how)
