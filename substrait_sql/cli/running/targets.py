"""Tables and folders that ``run`` writes to: what is wrong with them, before Spark starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.running.before import Failed
from substrait_sql.errors import ExecutionError
from substrait_sql.run.targets.model import MODES, target_of, wrong

if TYPE_CHECKING:
    from substrait_sql.rendered import Rendered
    from substrait_sql.run.targets.model import Target


def target_asked(options: dict[str, Any], *, several: bool) -> Target | None:
    """The target that the options name, None if rows go elsewhere. several: whether there are several plans.

    Raises `click.UsageError` for options that do not go together, `Failed` for a target that makes no sense.
    """
    names = ("to_table", "to_files", "to_format", "mode", "partition_by")
    table, files, form, mode, columns = (options.pop(name) for name in names)
    if table is None and files is None:
        if form or columns or mode != MODES[0]:
            raise click.UsageError(
                "--to-format, --mode and --partition-by need --to-table or --to-files"
            )
        return None
    if table is not None and files is not None:
        raise click.UsageError("--to-table and --to-files exclude each other")
    if options.get("output") is not None:
        raise click.UsageError("-o excludes --to-table and --to-files")
    if several:
        raise click.UsageError("several plans have several results, and one target takes one")
    try:
        return target_of(table, files, form, mode, columns)
    except ExecutionError as error:
        raise Failed(error) from error


def check_results(rendered: Rendered, root: int | None) -> None:
    """Raises `ExecutionError` SS4073 for a plan that has not one result, which is a query."""
    chosen = [
        s for s in rendered.statements if root in (None, s.root) and s.kind != "temporary_view"
    ]
    writing = [s.kind for s in chosen if s.kind != "query"]
    if writing:
        message = f"the plan writes by itself ({writing[0]}), and has no rows to write elsewhere"
        raise wrong(message, "leave out --to-table and --to-files")
    if len(chosen) > 1:
        message = f"the plan has {len(chosen)} results, and one target takes one"
        raise wrong(message, "choose one: --root N, or root=N")


def is_repeatable(rendered: Rendered, root: int | None, target: Target | None) -> bool:
    """Whether a plan may be run twice: it has no effects, and rows go to a target that has all of them or none."""
    if target is not None and target.mode == "append":
        return False
    return all(
        s.kind in ("query", "temporary_view") for s in rendered.statements if root in (None, s.root)
    )
