"""The command ``check``: a line per plan, and for several plans a table of what is wrong with them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.findings import FORMATS, findings
from substrait_sql.errors import Severity, SubstraitSqlError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.cli.findings import Finding
    from substrait_sql.cli.inputs import Input
    from substrait_sql.errors import Diagnostic

# Up to so many plans the findings follow in full; beyond, they would bury the table.
FULL = 10
_WIDTH = 100


def listed_all(
    inputs: Sequence[Input],
    problems: Callable[[Input], list[Diagnostic]],
    form: str,
    jobs: int | None,
) -> int:
    """Check each plan or text and print what was found as `FORMATS` has it; returns the exit code.

    problems, jobs: as in `check_all`.
    """
    batch = Batch(inputs, "checked")
    found: list[Finding] = []

    def use(item: Input, said: list[Diagnostic]) -> None:
        found.extend(findings(item, said))
        batch.failed += any(d.severity is Severity.ERROR for d in said)

    code = batch.each_made(partial(_problems, problems), use, jobs)
    text = FORMATS[form](found)
    if text:
        click.echo(text)
    return code


def _problems(problems: Callable[[Input], list[Diagnostic]], item: Input) -> list[Diagnostic]:
    try:
        return problems(item)
    except SubstraitSqlError as error:
        return list(error.diagnostics)


def check_all(
    inputs: Sequence[Input], problems: Callable[[Input], list[Diagnostic]], jobs: int | None
) -> int:
    """Check each plan or text; returns the exit code. problems: those of one. jobs: as in `Batch.each_made`."""
    batch = Batch(inputs, "checked")
    table = Table()

    def use(item: Input, found: list[Diagnostic]) -> None:
        errors = [d for d in found if d.severity is Severity.ERROR]
        with batch.paused():
            verdict = "refused" if errors else "ok"
            codes = ", ".join(dict.fromkeys(d.code for d in errors or found))
            click.echo(f"{verdict:8}{item.label}" + (f": {codes}" if codes else ""))
        if len(inputs) <= FULL:
            batch.report(found, item)
        table.add(item.label, errors)
        batch.failed += bool(errors)

    code = batch.each_made(problems, use, jobs)
    if len(inputs) > FULL:
        table.show()
    return code


class Table:
    """How many plans each problem stops, the most frequent first, with one of them to look at."""

    def __init__(self) -> None:
        self._plans: dict[tuple[str, str], list[str]] = {}

    def add(self, label: str, errors: Sequence[Diagnostic]) -> None:
        """Note the problems of a plan."""
        for error in errors:
            plans = self._plans.setdefault((error.code, error.message), [])
            if label not in plans:
                plans.append(label)

    def show(self) -> None:
        """Print the table, one row for each problem."""
        rows = sorted(self._plans.items(), key=lambda r: (-len(r[1]), r[0]))
        if not rows:
            return
        click.echo("\nplans  code    what, and in which plan for example")
        for (code, message), plans in rows:
            text = " ".join(message.split())
            click.echo(f"{len(plans):5}  {code}  {_short(text)}\n{'':15}{plans[0]}")
        click.echo(
            "\nsubstrait-sql check PLAN says where in a plan, and what to do about it", err=True
        )


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 2] + " …"
