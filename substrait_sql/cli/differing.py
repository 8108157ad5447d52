"""The command ``diff``: two files or folders in, what changed out. Exit 0 the same, 1 different, 2 trouble."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.inputs import Input
from substrait_sql.cli.queries import SQL
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.files import SUFFIXES
from substrait_sql.outline.literals import clean
from substrait_sql.review.diff.compare import Comparison
from substrait_sql.review.diff.folders import pairs
from substrait_sql.review.diff.formats import Look, as_json, as_markdown, as_text, terminal_width
from substrait_sql.review.diff.sides import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.review.diff.difference import Difference
    from substrait_sql.review.diff.folders import Two

SAME, DIFFERENT, TROUBLE = 0, 1, 2
# What git gives to a driver: path, old file, its hash and mode, new file, its hash and mode; a new name of a file that
# was renamed, and what was.
_GIT = (7, 9)


@dataclass
class _Run:
    schema: Path | None
    tables: Path | None
    form: str
    look: Look
    dialect: str

    @cached_property
    def _spark(self) -> Any:
        from substrait_sql.run.session import local_session

        return local_session()

    def compare(self, old: Any, new: Any, labels: tuple[str, str]) -> Difference:
        """The difference of two sides, with their rows if they are to be run."""
        before, after = Side(old, labels[0], self.dialect), Side(new, labels[1], self.dialect)
        comparison = Comparison(before, after, self.schema)
        found = comparison.difference()
        if self.tables is None:
            return found
        from substrait_sql.review.diff.execution import executed
        from substrait_sql.run.tables.sources import folder_tables

        return executed(
            found,
            self._spark,
            comparison.plans(),
            folder_tables(self.tables),
            ordered=comparison.ordered,
            dialect=self.dialect,
        )

    def show(self, found: Difference) -> None:
        """Print a difference."""
        if self.form == "json":
            click.echo(as_json(found.to_dict()), nl=False)
        elif self.form == "markdown":
            click.echo(as_markdown(found), nl=False)
        else:
            click.echo(as_text(found, self.look), nl=False, color=self.look.colour)


def start(
    given: Sequence[str],
    schema: str | None,
    tables: str | None,
    execute: bool,
    form: str,
    side_by_side: bool,
    width: int | None,
    git: bool,
    dialect: str,
) -> int:
    """Compare; returns the exit code."""
    if execute and tables is None:
        raise click.UsageError("--execute needs --tables DIR")
    if side_by_side and form != "text":
        raise click.UsageError("--side-by-side goes with --format text")
    colour = _colour()
    wide = width or (terminal_width() if sys.stdout.isatty() else 0)
    known = schema or tables
    run = _Run(
        Path(known) if known else None,
        Path(tables) if execute and tables else None,
        form,
        Look(colour, side_by_side, wide),
        dialect,
    )
    if git:
        return _git(run, given)
    if len(given) != 2:
        raise click.UsageError("give two: OLD NEW")
    if list(given) == ["-", "-"]:
        raise click.UsageError("'-' (stdin) can be given only once")
    folders = [Path(g).is_dir() for g in given]
    if all(folders):
        return _folders(run, Path(given[0]), Path(given[1]))
    if any(folders):
        raise click.UsageError("give two files or two folders")
    return _two(run, _source(given[0]), _source(given[1]), (given[0], given[1]))


def _colour() -> bool:
    asked = click.get_current_context().color
    return sys.stdout.isatty() if asked is None else asked


def _source(given: str) -> Any:
    """What a comparison is given. A pipe can be read once, and is looked at more than once."""
    if given == "-":
        return sys.stdin.buffer.read()
    path = Path(given)
    return path.read_bytes() if path.is_fifo() else path


def _two(run: _Run, old: Any, new: Any, labels: tuple[str, str]) -> int:
    try:
        found = run.compare(old, new, labels)
    except SubstraitSqlError as error:
        side = _unreadable(run, zip((old, new), labels, strict=True))
        Batch((), "compared").report(error.diagnostics, side)
        return TROUBLE
    run.show(found)
    return SAME if found.same else DIFFERENT


def _unreadable(run: _Run, sides: Iterable[tuple[Any, str]]) -> Input | None:
    """The first side that cannot be read, None where both can."""
    for given, label in sides:
        try:
            side = Side(given, label, run.dialect)
            if not side.is_sql:
                side.decoded  # noqa: B018
        except SubstraitSqlError:
            return Input(label, b"", None)
    return None


def _git(run: _Run, given: Sequence[str]) -> int:
    """As git calls a driver. A driver that does not end with 0 ends git."""
    if len(given) == 1:
        click.echo(f"* Unmerged path {clean(given[0])}")
        return SAME
    if len(given) not in _GIT:
        raise click.UsageError("--git takes the seven or nine arguments of a diff driver")
    name, old, new = given[0], given[1], given[4]
    labels = f"a/{name}", f"b/{given[7] if len(given) == 9 else name}"
    for file, how in ((old, "added"), (new, "removed")):
        if file == os.devnull:
            _alone(run, name, Path(new if how == "added" else old), how)
            return SAME
    _two(run, Path(old), Path(new), labels)
    return SAME


def _alone(run: _Run, name: str, path: Path, how: str) -> int:
    """A file that one side has."""
    try:
        text = Side(path, name, run.dialect).compared.text
    except SubstraitSqlError as error:
        Batch((), "compared").report(error.diagnostics, None)
        return TROUBLE
    mark = "+" if how == "added" else "-"
    click.echo(f"{clean(name)}: {how}")
    for line in text.split("\n"):
        click.echo(mark + line)
    return DIFFERENT


# -- folders -------------------------------------------------------------------------------------


def _folders(run: _Run, old: Path, new: Path) -> int:
    """Every pair; those that one folder has alone are said."""
    found = pairs(old, new, (*SUFFIXES, *SQL))
    if not found:
        raise click.UsageError("no plans in the folders")
    entries: list[tuple[Two, str, Difference | None]] = []
    for two in found:
        entries.append((two, *_of_pair(run, two)))
    if run.form == "json":
        click.echo(as_json({"files": [_entry(*each) for each in entries]}), nl=False)
    else:
        _summary(run, entries)
    states = {state for _, state, _ in entries}
    if "failed" in states:
        return TROUBLE
    return SAME if states <= {"same"} else DIFFERENT


def _of_pair(run: _Run, two: Two) -> tuple[str, Difference | None]:
    if two.old is None or two.new is None:
        return ("added" if two.old is None else "removed"), None
    try:
        found = run.compare(two.old, two.new, (str(two.old), str(two.new)))
    except SubstraitSqlError as error:
        Batch((), "compared").report(error.diagnostics, None)
        return "failed", None
    return ("same" if found.same else found.category), found


def _entry(two: Two, state: str, found: Difference | None) -> dict[str, Any]:
    return {"name": two.name, "state": state, "difference": found.to_dict() if found else None}


def _summary(run: _Run, entries: Sequence[tuple[Two, str, Difference | None]]) -> None:
    """A line for each file, then each that changed."""
    is_markdown = run.form == "markdown"
    if is_markdown:
        click.echo("| file | |\n|---|---|")
    for two, state, found in entries:
        said = found.headline if found is not None else state
        name = clean(two.name)
        click.echo(
            f"| `{name.replace('|', '')}` | {said} |" if is_markdown else f"{state:9} {name}"
        )
    for _, _, found in entries:
        if found is not None and not (found.same and found.same_text):
            click.echo()
            run.show(found)
