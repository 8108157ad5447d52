"""Does one thing to many plans: one that fails does not stop the others."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from substrait_sql.cli.several.failures import Stop, unforeseen
from substrait_sql.errors import Diagnostic, DialectError, Severity, SubstraitSqlError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.progress import Progress

    from substrait_sql.cli.inputs import Input

    Show = Callable[[str, int, int], None]

T = TypeVar("T")

MOST = 10
"""How many diagnostics of one failure are printed: one screen."""

_EACH = 50
"""How many plans there are at least for each process."""

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


class Batch:
    """A run over several plans."""

    def __init__(self, inputs: Sequence[Input], doing: str) -> None:
        self.inputs = inputs
        self.doing = doing
        self.failed = 0
        self._progress: Progress | None = None

    @property
    def several(self) -> bool:
        """Whether output must say which plan it belongs to."""
        return len(self.inputs) > 1

    def each(self, action: Callable[[Input], None]) -> int:
        """Call `action` for each plan, print what fails, and return the exit code."""
        with self._bar() as advance:
            for item in self.inputs:
                try:
                    action(item)
                except Stop as stop:
                    self.report(stop.error.diagnostics, None)
                    self.failed += 1
                    break
                except DialectError as error:
                    self.report(error.diagnostics, None)
                    self.failed += 1
                    break
                except SubstraitSqlError as error:
                    self.fail(error.diagnostics, item)
                except (KeyboardInterrupt, BrokenPipeError, click.ClickException):
                    raise
                except Exception as error:
                    if _is_of_stdout(error):
                        raise
                    self.fail([unforeseen(error)], item)
                advance()
        if self.several:
            done = len(self.inputs) - self.failed
            click.echo(
                f"{self.doing}: {done} of {len(self.inputs)} plans, {self.failed} failed", err=True
            )
        return 1 if self.failed else 0

    def each_made(
        self, make: Callable[[Input], T], use: Callable[[Input, T], None], jobs: int | None
    ) -> int:
        """The same of what is made of each plan, by several processes: `use` is called in this one, in order.

        make: can be pickled. jobs: how many processes, None for what is right for so many plans.
        """
        jobs = _right(len(self.inputs)) if jobs is None else min(jobs, len(self.inputs))
        if jobs <= 1:
            return self.each(lambda item: use(item, make(item)))
        from substrait_sql.cli.several.workers import outcomes

        with outcomes(make, self.inputs, jobs) as made:
            return self.each(lambda item: use(item, next(made).get()))

    def fail(self, diagnostics: Sequence[Diagnostic], item: Input) -> None:
        """Count a plan as failed, and say why."""
        self.failed += 1
        self.report(diagnostics[:MOST], item)
        if len(diagnostics) > MOST:
            click.echo(
                f"  … and {len(diagnostics) - MOST} more: substrait-sql check {item.label}",
                err=True,
            )

    def report(self, diagnostics: Sequence[Diagnostic], item: Input | None) -> None:
        """Print diagnostics on stderr."""
        with self.paused():
            for found in diagnostics:
                code, _, text = str(found).partition(" ")
                lines = text.split("\n")
                width = found.message.count("\n") + 1
                coloured = click.style(code, fg=COLOURS[found.severity], bold=True)
                click.echo("\n".join([f"{coloured} {lines[0]}", *lines[1:width]]), err=True)
                if item is not None:
                    click.echo(f"  in    {item.label}", err=True)
                for line in lines[width:]:
                    click.echo(line, err=True)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Takes the bar off the screen while something else is written there."""
        if self._progress is None:
            yield
            return
        self._progress.stop()
        try:
            yield
            sys.stdout.flush()
        finally:
            self._progress.start()

    @contextmanager
    def line(self, text: str) -> Iterator[Show | None]:
        """A line of the bar on the terminal, to be told what is done; None if there is no terminal."""
        if not sys.stderr.isatty():
            yield None
            return
        with self._drawn() as bar:
            task = bar.add_task(text, total=None)

            def show(text: str, done: int, of: int) -> None:
                bar.update(task, description=text, completed=done, total=of or None)

            try:
                yield show
            finally:
                bar.remove_task(task)

    @contextmanager
    def _bar(self) -> Iterator[Callable[[], None]]:
        if not self.several or not sys.stderr.isatty():
            yield lambda: None
            return
        with self._drawn() as bar:
            task = bar.add_task(self.doing, total=len(self.inputs))
            yield lambda: bar.advance(task)

    @contextmanager
    def _drawn(self) -> Iterator[Progress]:
        """The bar on the terminal, which is there once."""
        if self._progress is not None:
            yield self._progress
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        console = Console(stderr=True)
        with Progress(
            *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
        ) as bar:
            self._progress = bar
            try:
                yield bar
            finally:
                self._progress = None


def _right(plans: int) -> int:
    """How many processes are worth their start, which takes as long as some dozens of plans."""
    return min(_cores(), plans // _EACH)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_of_stdout(error: Exception) -> bool:
    """Whether nothing more can be written there: errors of files name them."""
    return (
        isinstance(error, OSError)
        and not isinstance(error, ConnectionError)
        and error.filename is None
    )
