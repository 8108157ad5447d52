"""``report``: plans on one page, for people who review them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.command import Command
from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import DIALECT, PLANS
from substrait_sql.cli.outputs import OUTPUT
from substrait_sql.files import draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.cli.inputs import Input
    from substrait_sql.cli.outputs import Output
    from substrait_sql.reporting.facts import Facts


@click.command(cls=Command)
@PLANS
@DIALECT
@click.option("--title", help="The page's heading; the plan's name, or how many there are.")
@OUTPUT
def command(plans: tuple[str, ...], dialect: str, title: str | None, output: Output | None) -> int:
    """Write one HTML page about plans: SQL beside the tree, where columns come from. Needs no Java."""
    from substrait_sql.reporting.facts import facts
    from substrait_sql.reporting.page import page

    inputs = read_inputs(plans)
    if output is not None and output.folder:
        raise click.UsageError("the report is one file: -o report.html")
    batch = Batch(inputs, "reported")
    labels = _labels(inputs)
    found: list[Facts] = []

    def action(item: Input) -> None:
        said = facts(labels[item], item.plan, dialect)
        found.append(said)
        batch.failed += bool(said.get("unread"))

    code = batch.each(action)
    if not found:
        return code
    heading = title or (f"{len(found)} plans" if batch.several else labels[inputs[0]])
    text = page(found, heading)
    if output is None:
        click.echo(text, nl=False)
        return code
    with draft(output.path) as path:
        path.write_text(text, encoding="utf-8", newline="\n")
    refused = sum(not said["ok"] for said in found)
    click.echo(f"{output.path}: {len(found)} plans, {refused} of them refused", err=True)
    return code


def _labels(inputs: Sequence[Input]) -> dict[Input, str]:
    """What the page calls each plan: its path below the folder that all of them are in."""
    paths = [item.plan for item in inputs if isinstance(item.plan, Path)]
    folder = os.path.commonpath([os.path.abspath(path.parent) for path in paths]) if paths else ""
    return {
        item: os.path.relpath(item.plan, folder) if isinstance(item.plan, Path) else item.label
        for item in inputs
    }
