"""``run``: the rows of plans."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.command import Command
from substrait_sql.cli.options import DIALECT, PLANS
from substrait_sql.cli.outputs import OUTPUT_TYPE
from substrait_sql.cli.running.options import Seconds, job_options

if TYPE_CHECKING:
    from substrait_sql.cli.running.run import Run


@click.command(cls=Command)
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
    type=click.Choice(["table", "csv", "json", "arrow"]),
    default="table",
    show_default=True,
)
@click.option(
    "-o",
    "--output",
    type=OUTPUT_TYPE,
    metavar="OUT",
    help="A .parquet, .arrow, .csv or .json file (or DIR).",
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
    "--policy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A YAML file of what the plans may do; what it does not allow is refused before anything runs.",
)
@click.option(
    "--check-nulls", is_flag=True, help="Fail on a NULL in a table where the plan has none."
)
@click.option(
    "--timeout",
    type=Seconds(min=0, min_open=True),
    metavar="SECONDS",
    help="Cancel a plan that takes longer, which is then an error.",
)
@click.option(
    "--run-log",
    metavar="FILE",
    help="Append a line of JSON about each plan: what was read, how long it took, how it ended; - is stderr.",
)
@click.option(
    "-v", "--verbose", is_flag=True, help="Say on stderr what is rendered, started and finished."
)
@click.option("--show-sql", is_flag=True, help="Print the SQL on stderr first.")
@job_options
@DIALECT
def command(**options: Any) -> int:
    """Run plans on Spark and print their rows.

    Starts Spark in this process, with a Java from pip when the machine has none, or uses a server
    (--remote).
    """
    from substrait_sql.cli.running.run import Run

    job: Run = Run.of(**options)
    return job.start()
