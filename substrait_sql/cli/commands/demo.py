"""``demo``: all of it, on a plan that ships with the package."""

from __future__ import annotations

import click

from substrait_sql.cli.command import Command


@click.command(cls=Command)
def command() -> int:
    """Show it all on a plan that ships with this package: the plan, its SQL, its rows."""
    from substrait_sql.cli.demonstration import show

    return show()
