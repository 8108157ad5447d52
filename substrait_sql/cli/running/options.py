"""Options of ``run`` about where rows go, where values come from and what to do when Spark is lost."""

from __future__ import annotations

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.run.targets.formats import formats
from substrait_sql.run.targets.model import MODES, TABLE_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable


# It takes a type argument since click 8.4 only.
class _FormatType(click.ParamType):  # type: ignore[type-arg]
    """One of the formats. They are read when somebody names one, or asks which there are."""

    name = "format"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return self._choice.convert(value, param, ctx)

    def get_metavar(self, param: Any, ctx: Any) -> str | None:
        return self._choice.get_metavar(param, ctx)

    @cached_property
    def _choice(self) -> click.Choice[str]:
        return click.Choice(tuple(dict.fromkeys((*formats(), *TABLE_FORMATS))))


class Seconds(click.FloatRange):
    """A time that a thread can wait for: neither nan nor longer than it takes."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """As of click."""
        found = super().convert(value, param, ctx)
        if not found <= threading.TIMEOUT_MAX:
            self.fail(f"{value} is no time that can be waited for", param, ctx)
        return found


_TARGETS = (
    click.option(
        "--to-table", metavar="NAME", help="Write the rows to a table, as a whole or not at all."
    ),
    click.option(
        "--to-files", metavar="PATH", help="Write the rows to a folder of files, likewise."
    ),
    click.option(
        "--to-format",
        type=_FormatType(),
        help="Of the files, if PATH does not end in it; of a new table, Parquet if nothing is said.",
    ),
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default=MODES[0],
        show_default=True,
        help="What to do where the table or folder is there.",
    ),
    click.option(
        "--partition-by",
        multiple=True,
        metavar="COLUMN",
        help="Keep rows apart by its values. Repeatable.",
    ),
    click.option(
        "--max-rows",
        type=click.IntRange(min=0),
        metavar="N",
        help="Fail if there are more rows, before any is written.",
    ),
)
_VALUES = (
    click.option(
        "--params",
        "params_file",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Values of parameters as YAML or JSON, by their anchors.",
    ),
    click.option(
        "--params-env",
        metavar="PREFIX",
        help="Take the value of anchor 3 from the environment variable PREFIX3, if it is set.",
    ),
)
_AGAIN = (
    click.option(
        "--retries",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Run a query again if Spark was lost, at most so often. Never statements that change something.",
    ),
    click.option(
        "--retry-wait",
        type=Seconds(min=0),
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait before that; each time twice as long.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Do all that comes before rows are made, and say what would run. Changes nothing.",
    ),
)


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """All of them, in this order."""
    for option in reversed((*_TARGETS, *_VALUES, *_AGAIN)):
        command = option(command)
    return command
