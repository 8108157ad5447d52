"""``plan``: Substrait plans of Spark SQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import FORM
from substrait_sql.cli.outputs import OUTPUT, Output

if TYPE_CHECKING:
    from substrait_sql.cli.inputs import Input

_ENDINGS = (".sql",)


@click.command()
@click.argument("queries", metavar="QUERY...", nargs=-1, required=True)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="DIR/NAME.parquet or the folder DIR/NAME/ is table NAME.",
)
@click.option(
    "--schema",
    type=click.Path(exists=True),
    metavar="FILE",
    help="Columns of tables as JSON or YAML: {table: {column: TYPE}}.",
)
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=TYPE",
    help="The type of a parameter, :NAME in the text. Repeatable.",
)
@click.option("--zone", help="Where timestamps without a zone are; UTC by default.")
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
@click.option(
    "--standard-only", is_flag=True, help="Refuse what only Spark's own functions can say."
)
@FORM
@OUTPUT
def command(
    queries: tuple[str, ...],
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

    if tables is not None and schema is not None:
        raise click.UsageError("give --tables or --schema, not both")
    given = tables or schema
    known: Any = None if given is None else Path(given)
    kinds = dict(map(_parameter, parameters))

    def made(item: Input) -> Any:
        return pipeline.to_plan(
            _text(item),
            schema=known,
            parameters=kinds,
            zone=zone,
            steps_out=steps_out,
            inline=inline,
            standard_only=standard_only,
        )

    return write_plans(read_inputs(queries, _ENDINGS), "lifted", made, form, output)


def _parameter(given: str) -> tuple[str, str]:
    name, equals, kind = given.partition("=")
    if not (name and equals and kind):
        raise click.UsageError(f"--param {given!r}: write NAME=TYPE, such as first=DATE")
    return name, kind


def _text(item: Input) -> str:
    from substrait_sql.errors import SqlError

    try:
        raw = item.plan.read_bytes() if isinstance(item.plan, Path) else item.plan
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise SqlError.of("SS5011", f"cannot read {item.label}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SqlError.of("SS5011", f"{item.label} is no UTF-8 text: {error.reason}") from error
