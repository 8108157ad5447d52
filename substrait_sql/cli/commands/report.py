"""``report``: plans on one page, for people who review them."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import DIALECT, JOBS, PLANS
from substrait_sql.cli.outputs import OUTPUT
from substrait_sql.files import draft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.cli.inputs import Input
    from substrait_sql.cli.outputs import Output
    from substrait_sql.reporting.facts import Facts
    from substrait_sql.reporting.page import Page


@click.command(cls=Command)
@PLANS
@DIALECT
@click.option("--title", help="The page's heading; the plan's name, or how many there are.")
@OUTPUT
@JOBS
def command(
    plans: tuple[str, ...],
    dialect: str,
    title: str | None,
    output: Output | None,
    jobs: int | None,
) -> int:
    """Write one HTML page about plans: SQL beside the tree, where columns come from. Needs no Java."""
    from substrait_sql.reporting.facts import problem
    from substrait_sql.reporting.page import gathering

    inputs = read_inputs(plans)
    if output is not None and output.folder:
        raise click.UsageError("the report is one file: -o report.html")
    batch = Batch(inputs, "reported")
    labels = _labels(inputs)
    with gathering() as page:

        def use(item: Input, said: Facts) -> None:
            page.add(said)
            if said.get("unread"):
                batch.fail([problem(d) for d in said["diagnostics"]], item)

        code = batch.each_made(partial(_facts, dialect, labels), use, jobs)
        if len(page):
            heading = f"{len(page)} plans" if batch.several else labels[inputs[0]]
            _write(page, title or heading, output)
    return code


def _write(page: Page, title: str, output: Output | None) -> None:
    html = page.html(title)
    if output is None:
        for part in html:
            click.echo(part, nl=False)
        return
    with draft(output.path) as path, path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(html)
    click.echo(f"{output.path}: {len(page)} plans, {page.refused} of them refused", err=True)


def _facts(dialect: str, labels: Mapping[Input, str], item: Input) -> Facts:
    from substrait_sql.reporting.facts import facts

    return facts(labels[item], item.plan, dialect)


def _labels(inputs: Sequence[Input]) -> dict[Input, str]:
    """What the page calls each plan: its path below the folder that all of them are in."""
    paths = [item.plan for item in inputs if isinstance(item.plan, Path)]
    folder = os.path.commonpath([os.path.abspath(path.parent) for path in paths]) if paths else ""
    return {
        item: os.path.relpath(item.plan, folder) if isinstance(item.plan, Path) else item.label
        for item in inputs
    }
