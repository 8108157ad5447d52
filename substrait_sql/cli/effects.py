"""``check --effects``: what plans will touch, as text or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.cli.inputs import Input


def list_effects(
    inputs: Sequence[Input], dialect: str, form: str, to_table: str | None, to_files: str | None
) -> int:
    """Print the effects of each plan; returns the exit code. A plan that is refused has none, and stderr says why."""
    from substrait_sql.policy.effects import effects
    from substrait_sql.policy.listing import listing

    batch = Batch(inputs, "listed")
    found: list[dict[str, Any]] = []

    def action(item: Input) -> None:
        said = effects(item.plan, dialect=dialect, to_table=to_table, to_files=to_files)
        if form == "json":
            file = item.plan.as_posix() if isinstance(item.plan, Path) else ""
            found.append({"file": file, **said.as_dict()})
            return
        with batch.paused():
            click.echo(f"{item.label}\n{listing(said)}")

    code = batch.each(action)
    if form == "json":
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    return code
