"""``render``: the SQL of plans."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import Input, read_inputs
from substrait_sql.cli.options import DIALECT, JOBS, PLANS
from substrait_sql.cli.outputs import OUTPUT, files_beside, files_of
from substrait_sql.cli.statement_options import options_of, statement_options
from substrait_sql.cli.texts import comparer, writer
from substrait_sql.errors import DialectError, Severity
from substrait_sql.rendered import QUALIFY
from substrait_sql.style import Style
from substrait_sql.text.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from substrait_sql.cli.outputs import Output
    from substrait_sql.errors import Diagnostic

    Made = tuple[str, list[Diagnostic]]


@click.command(cls=Command)
@PLANS
@DIALECT
@click.option("--statement", type=click.Choice(KINDS), help="Wrap the query in a statement.")
@click.option("--name", help="The statement's view or table; the plan's file name by default.")
@statement_options
@click.option(
    "--templates",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="DIR/KIND.sql.jinja is the template of a kind of statement.",
)
@click.option(
    "--target-format",
    metavar="FORMAT",
    help="Of the table that the plan updates or deletes from, such as parquet or delta.",
)
@click.option(
    "--annotate", is_flag=True, help="Say in comments which node of the plan each part comes from."
)
@click.option(
    "--comments", is_flag=True, help="Keep aliases, estimates and texts of the plan as comments."
)
@click.option(
    "--header",
    is_flag=True,
    help="Begin with a comment: tables read, columns, parameters, settings relied on.",
)
@click.option(
    "--qualify",
    type=click.Choice(QUALIFY),
    help="Where a column has its table before it: in joins, in those but for l_orderkey, or where it is needed.",
)
@click.option(
    "--style",
    multiple=True,
    metavar="WORD=VALUE",
    help="How the text looks: width=80, commas=leading, functions=upper. Repeatable.",
)
@click.option(
    "--beside", is_flag=True, help="Write the SQL of each plan beside it: q3.sql for q3.pb."
)
@click.option(
    "--compare",
    is_flag=True,
    help="Write nothing: print how the files of -o or --beside differ, and exit with 1 if any does.",
)
@OUTPUT
@JOBS
def command(
    plans: tuple[str, ...],
    dialect: str,
    statement: str | None,
    name: str | None,
    templates: tuple[Path, ...],
    target_format: str | None,
    annotate: bool,
    comments: bool,
    header: bool,
    qualify: str | None,
    style: tuple[str, ...],
    beside: bool,
    compare: bool,
    output: Output | None,
    jobs: int | None,
    **about: Any,
) -> int:
    """Print the SQL of plans. Needs no Java."""
    batch = Batch(read_inputs(plans), "rendered")
    options = options_of(about)
    if options and statement is None:
        first = "--" + next(iter(options)).replace("_", "-")
        raise click.UsageError(f"options of a statement ({first}) go with --statement")
    if name is not None and (statement is None or batch.several):
        raise click.UsageError("--name goes with --statement and a single plan")
    if statement is not None and name is None and any(i.stem is None for i in batch.inputs):
        raise click.UsageError("--statement needs --name when the plan comes from stdin")

    if beside and output is not None:
        raise click.UsageError("--beside says where the SQL goes, and so does -o")
    if compare and not beside and output is None:
        raise click.UsageError("--compare goes with -o or --beside: it compares files")
    inputs = batch.inputs
    files = files_beside(inputs, ".sql") if beside else files_of(inputs, output, ".sql")
    into = comparer(batch, files) if compare else writer(batch, files, ".sql", "--")

    def use(item: Input, made: Made) -> None:
        batch.report(made[1], item)
        into(item, made[0])

    how = {
        "dialect": dialect,
        "statement": statement,
        "annotate": annotate,
        "comments": comments,
        "header": header,
        "qualify": qualify,
        "style": _style(style),
        "statement_options": options,
        "templates": templates,
        "target_format": target_format,
    }
    return batch.each_made(partial(_rendered, name, how), use, jobs)


def _style(said: tuple[str, ...]) -> dict[str, str | int]:
    found: dict[str, str | int] = {}
    for each in said:
        word, is_there, value = each.partition("=")
        if not is_there:
            raise click.UsageError(f"--style wants WORD=VALUE, such as width=80: {each}")
        found[word] = int(value) if value.isdecimal() and len(value) < 10 else value
    try:
        Style().with_other(found)
    except DialectError as error:
        raise click.UsageError(f"--style: {error}") from error
    return found


def _rendered(name: str | None, how: Mapping[str, Any], item: Input) -> Made:
    """The SQL of a plan, and what to be warned of. name: of the statement, None for that of the plan's file."""
    from substrait_sql import pipeline

    if how["statement"] is not None and name is None:
        name = item.stem.name if item.stem is not None else ""
        made = pipeline.render(item.plan, name=[name], **how)
    else:
        made = pipeline.render(item.plan, name=name, **how)
    return made.sql, [d for d in made.diagnostics if d.severity is not Severity.INFO]
