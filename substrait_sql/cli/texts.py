"""Texts that commands print: to stdout, into one file, or into a file per plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from substrait_sql.cli.outputs import Output, draft, files_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.cli.batch import Batch
    from substrait_sql.cli.inputs import Input


def writer(
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
