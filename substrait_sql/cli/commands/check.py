"""``check``: all that is wrong with plans."""

from __future__ import annotations

import rich_click as click

from substrait_sql.cli.inputs import read_inputs
from substrait_sql.cli.options import DIALECT, PLANS


@click.command()
@PLANS
@DIALECT
def command(plans: tuple[str, ...], dialect: str) -> int:
    """Say everything that is wrong with plans. Needs no Java."""
    from substrait_sql.cli.checking import check_all

    return check_all(read_inputs(plans), dialect)
