"""The command ``demo``: a real plan, the SQL it becomes, its rows, and what to try next."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from substrait_sql import demo
from substrait_sql.cli.batch import Batch
from substrait_sql.cli.inputs import Input
from substrait_sql.cli.options import DEFAULT
from substrait_sql.cli.running.rows import collect, write_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def show() -> int:
    """Print it; returns the exit code."""
    batch = Batch([Input("demo", demo.PLAN, Path("demo"))], "shown")
    return batch.each(_show)


def _show(item: Input) -> None:
    from substrait_sql import pipeline
    from substrait_sql.run.execute import execute
    from substrait_sql.run.release import fitting
    from substrait_sql.run.session import local_session
    from substrait_sql.run.tables.sources import folder_tables

    plan = pipeline.upgrade(item.plan)
    producer = (
        f"{plan.version.producer or 'an unnamed producer'}, Substrait {_version(plan.version)}"
    )
    _heading(f"The plan: {_near(demo.PLAN)} ({demo.PLAN.stat().st_size} bytes, by {producer})")
    click.echo(pipeline.explain(item.plan).rstrip())
    _heading("Its SQL")
    click.echo(pipeline.render(item.plan).sql)
    _heading(f"Its rows, on Spark, from {_near(demo.TABLES)}/")
    click.echo("starting Spark …", err=True)
    spark = local_session("local[2]")
    dialect = fitting(spark, DEFAULT)
    frame = execute(spark, item.plan, tables=folder_tables(demo.TABLES), dialect=dialect)
    _rows(frame)
    _heading("Try next")
    for command, what in _next():
        click.echo(f"  {command}\n      {what}")


def _version(version: object) -> str:
    numbers = (getattr(version, f"{part}_number", 0) for part in ("major", "minor", "patch"))
    return ".".join(str(n) for n in numbers)


def _rows(frame: DataFrame | list[DataFrame]) -> None:
    for one in frame if isinstance(frame, list) else [frame]:
        names, rows, types = collect(one, None)
        write_text("table", names, rows, types, sys.stdout)


def _next() -> list[tuple[str, str]]:
    plan, tables, command = _near(demo.PLAN), _near(demo.TABLES), _command()
    return [
        (
            f"{command} render --annotate {plan}",
            "the SQL, with the node of the plan that each part comes from",
        ),
        (
            f"{command} render --statement view --name top_orders {plan}",
            "the same query as a view",
        ),
        (f"{command} run --tables {tables} -o rows.csv {plan}", "its rows in a file"),
        (f"{command} check YOUR_PLAN", "what is wrong with a plan of your own, if anything"),
    ]


def _near(path: Path) -> str:
    """A path as one would type it here."""
    near = os.path.relpath(path)
    return str(path) if near.startswith("..") else near


def _command() -> str:
    """How this command is called here: by name where the PATH has it."""
    called = Path(sys.argv[0])
    if shutil.which("substrait-sql") or called.name != "substrait-sql":
        return "substrait-sql"
    return _near(called.absolute())


def _heading(text: str) -> None:
    click.echo("\n" + click.style(text, bold=True) + "\n")
