"""Texts that commands print: to stdout, into one file, or into a file per plan."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from substrait_sql.cli.outputs import Output, files_of
from substrait_sql.files import draft

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from substrait_sql.cli.batch import Batch
    from substrait_sql.cli.inputs import Input


def writer(
    batch: Batch, output: Output | dict[Input, Path] | None, suffix: str, comment: str
) -> Callable[[Input, str], None]:
    """Where the text of each plan goes: stdout, one file, a file per plan in a folder, or the files that are given."""
    files = output if isinstance(output, dict) else files_of(batch.inputs, output, suffix)
    first = True

    def write(item: Input, text: str) -> None:
        nonlocal first
        made = _whole(text)
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


def comparer(batch: Batch, files: dict[Input, Path]) -> Callable[[Input, str], None]:
    """Prints how the file of each plan differs from its text, and counts those that do as failed. Writes nothing."""

    def compare(item: Input, text: str) -> None:
        path, made = files[item], _whole(text)
        there = path.read_text(encoding="utf-8") if path.is_file() else None
        if there == made:
            return
        batch.failed += 1
        before = "/dev/null" if there is None else str(path)
        lines = unified_diff(
            (there or "").splitlines(), made.splitlines(), before, str(path), lineterm=""
        )
        with batch.paused():
            click.echo("\n".join(lines))

    return compare


def _whole(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
