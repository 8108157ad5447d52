"""The commands and their options.

Each is a few lines over the library; none imports pyspark unless it runs a plan.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.exceptions import Exit

from substrait_sql import __version__
from substrait_sql.cli.batch import Batch
from substrait_sql.cli.inputs import Input, read_inputs
from substrait_sql.cli.outputs import OUTPUT, OUTPUT_TYPE, Output, draft, files_of
from substrait_sql.errors import Severity
from substrait_sql.text.statement import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.cli.running import Run

PLANS = click.argument("plans", nargs=-1, required=True, metavar="PLAN...")
DIALECT = click.option(
    "-d",
    "--dialect",
    default="spark",
    show_default=True,
    help="The SQL to write: a name, or the folder of your own, such as ./acme.",
)


def run_app(arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        result = app.main(
            args=arguments, prog_name="substrait-sql", standalone_mode=False, color=_colour()
        )
    except Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as error:
        raise KeyboardInterrupt from error
    return result if isinstance(result, int) else 0


def _colour() -> bool | None:
    """Whether to write in colour, None for: where a terminal shows it (no-color.org, force-color.org, CLICOLOR)."""
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    if said("FORCE_COLOR") or said("CLICOLOR_FORCE", "0") != "0":
        return True
    return False if said("CLICOLOR") == "0" or said("TERM") == "dumb" else None


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="substrait-sql")
def app() -> None:
    """Substrait plans as Spark SQL, and as rows.

    A PLAN is a file in binary, JSON or text form, a folder of such files, a pattern, or - for
    stdin.
    """


@app.command()
@PLANS
@DIALECT
@click.option("--statement", type=click.Choice(list(KINDS)), help="Wrap the query in a statement.")
@click.option("--name", help="The statement's view or table; the plan's file name by default.")
@click.option(
    "--annotate", is_flag=True, help="Say in comments which node of the plan each part comes from."
)
@OUTPUT
def render(
    plans: tuple[str, ...],
    dialect: str,
    statement: str | None,
    name: str | None,
    annotate: bool,
    output: Output | None,
) -> int:
    """Print the SQL of plans. Needs no Java."""
    from substrait_sql import pipeline

    batch = Batch(read_inputs(plans), "rendered")
    if name is not None and (statement is None or batch.several):
        raise click.UsageError("--name goes with --statement and a single plan")
    if statement is not None and name is None and any(i.stem is None for i in batch.inputs):
        raise click.UsageError("--statement needs --name when the plan comes from stdin")

    def text(item: Input) -> str:
        target = None if statement is None else name or _quoted(item)
        made = pipeline.render(
            item.plan, dialect=dialect, statement=statement, name=target, annotate=annotate
        )
        batch.report([d for d in made.diagnostics if d.severity is not Severity.INFO], item)
        return made.sql

    return batch.each(_writer(batch, text, output, ".sql", "--"))


def _quoted(item: Input) -> str:
    stem = "" if item.stem is None else item.stem.name
    return "`" + stem.replace("`", "``") + "`"


def _writer(
    batch: Batch, text: Callable[[Input], str], output: Output | None, suffix: str, comment: str
) -> Callable[[Input], None]:
    """Where the text of each plan goes: stdout, one file, or a file per plan in a folder."""
    files = files_of(batch.inputs, output, suffix)
    first = True

    def write(item: Input) -> None:
        nonlocal first
        made = text(item)
        made = made if made.endswith("\n") else made + "\n"
        if item in files:
            with draft(files[item]) as path:
                path.write_text(made, encoding="utf-8", newline="\n")
            return
        with batch.paused():
            if batch.several:
                # A line break in a file name must not end the comment.
                heading = f"{comment} {item.label}".encode("unicode_escape").decode("ascii")
                click.echo(("" if first else "\n") + heading)
                made = made.rstrip("\n") + (";\n" if suffix == ".sql" else "\n")
            click.echo(made, nl=False)
            first = False

    return write


@app.command()
@PLANS
@click.option(
    "--tables",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="DIR/NAME.parquet or DIR/NAME/ is table NAME.",
)
@click.option(
    "--table", "named", multiple=True, metavar="NAME=PATH", help="One table, by name. Repeatable."
)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="ANCHOR=VALUE",
    help="A dynamic parameter's value. Repeatable.",
)
@click.option("--root", type=int, help="Run one root of the plan, by its index.")
@click.option(
    "--limit",
    type=click.IntRange(min=0, max=2**31 - 1),
    help="Show at most so many rows; all by default.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
)
@click.option(
    "-o",
    "--output",
    type=OUTPUT_TYPE,
    metavar="OUT",
    help="A .parquet, .csv or .json file (or DIR).",
)
@click.option("--master", help="Where Spark runs; local[*] by default.")
@click.option("--remote", metavar="sc://HOST:PORT", help="A Spark Connect server instead.")
@click.option(
    "--conf", multiple=True, metavar="KEY=VALUE", help="A setting of the session. Repeatable."
)
@click.option(
    "--init",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="SQL statements to run on the session first, such as CREATE TEMPORARY FUNCTION.",
)
@click.option("--allow-writes", is_flag=True, help="Run statements that change something.")
@click.option(
    "--check-nulls", is_flag=True, help="Fail on a NULL in a table where the plan has none."
)
@click.option("--show-sql", is_flag=True, help="Print the SQL on stderr first.")
@DIALECT
def run(**options: Any) -> int:
    """Run plans on Spark and print their rows.

    Starts Spark in this process, with a Java from pip when the machine has none, or uses a server
    (--remote).
    """
    from substrait_sql.cli.running import Run

    job: Run = Run.of(**options)
    return job.start()


@app.command()
@PLANS
@DIALECT
def check(plans: tuple[str, ...], dialect: str) -> int:
    """Say everything that is wrong with plans. Needs no Java."""
    from substrait_sql.cli.checking import check_all

    return check_all(read_inputs(plans), dialect)


@app.command()
@PLANS
@DIALECT
@OUTPUT
def explain(plans: tuple[str, ...], dialect: str, output: Output | None) -> int:
    """Print plans as trees of relations, with names and types. Needs no Java."""
    from substrait_sql import pipeline

    batch = Batch(read_inputs(plans), "explained")

    def text(item: Input) -> str:
        return pipeline.explain(item.plan, dialect=dialect)

    return batch.each(_writer(batch, text, output, ".txt", "#"))


@app.command()
@PLANS
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["json", "binary", "text"]),
    help="json, or as OUT ends.",
)
@OUTPUT
def upgrade(plans: tuple[str, ...], form: str | None, output: Output | None) -> int:
    """Rewrite plans in today's wire form. Needs no Java."""
    from substrait_sql.cli.upgrading import upgrade_all

    return upgrade_all(read_inputs(plans), form, output)


@app.command()
def demo() -> int:
    """Show it all on a plan that ships with this package: the plan, its SQL, its rows."""
    from substrait_sql.cli.demonstration import show

    return show()
