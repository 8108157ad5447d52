"""The command: finds its subcommands among the files of `cli.commands`, and imports the one that is asked for.

None imports pyspark unless it runs a plan.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from substrait_sql import __version__
from substrait_sql.cli import commands
from substrait_sql.cli.command import Group
from substrait_sql.errors import SubstraitSqlError

if TYPE_CHECKING:
    from collections.abc import Sequence


class Commands(Group):
    """The files of a folder as subcommands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the files."""
        return sorted(found.name for found in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The `command` of the file, None if there is no such file."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{commands.__name__}.{cmd_name}")
        found: click.Command = module.command
        found.name = cmd_name
        return found


def run_app(arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if hasattr(sys.stdout, "reconfigure") and not sys.stdout.isatty():
        # Texts and rows are the same whatever the locale is of the machine that makes a file of them.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        result = app.main(
            args=arguments, prog_name="substrait-sql", standalone_mode=False, color=_colour()
        )
    except Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SubstraitSqlError as error:
        click.echo(str(error), err=True)
        return 1
    except click.Abort as error:
        # What click made it of says which signal it was.
        came = error.__context__
        raise (came if isinstance(came, KeyboardInterrupt) else KeyboardInterrupt) from error
    return result if isinstance(result, int) else 0


def _colour() -> bool | None:
    """Whether to write in colour, None for: where a terminal shows it (no-color.org, force-color.org, CLICOLOR)."""
    said = os.environ.get
    if said("NO_COLOR"):
        return False
    if said("FORCE_COLOR") or said("CLICOLOR_FORCE", "0") != "0":
        return True
    return False if said("CLICOLOR") == "0" or said("TERM") == "dumb" else None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="substrait-sql")
def app() -> None:
    """Substrait plans as Spark SQL, and as rows.

    A PLAN is a file in binary, JSON or text form, a folder of such files, a pattern, or - for
    stdin.
    """
