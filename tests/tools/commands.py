"""The options of all commands: ``python -m tests.tools.commands --write`` prints docs/commands.md from the commands."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from substrait_sql.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
HEAD = """\
# All commands and options

Printed by `python -m tests.tools.commands --write` from the commands themselves; do not edit. What they are for, where
output goes and the exit codes: [the command line](cli.md).
"""


def page() -> str:
    """The text of docs/commands.md."""
    return "\n".join([HEAD, *_sections(app, click.Context(app, info_name="substrait-sql"))])


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        inner = click.Context(found, parent=context, info_name=name)
        if isinstance(found, click.Group):
            yield from _sections(found, inner)
        else:
            yield _section(found, inner)


def _section(command: click.Command, context: click.Context) -> str:
    title = context.command_path.partition(" ")[2]
    usage = re.sub(r"\s+", " ", command.get_usage(context).partition("Usage: ")[2])
    about = _text("\n".join(line.strip() for line in (command.help or "").splitlines()))
    rows = [_row(p, context) for p in command.params if isinstance(p, click.Option)]
    table = ["| option | |", "|---|---|", *filter(None, rows)] if any(rows) else []
    return "\n".join(
        [f"## {title}\n", f"    {usage}\n", f"{about.strip()}\n", *table, *[""] * bool(table)]
    )


def _row(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    if record is None:
        return ""
    names, about = record
    return f"| {_code(names)} | {_text(about).replace('|', chr(92) + '|')} |"


def _text(said: str) -> str:
    """Options in a text as code; what the terminal sets off by two blanks behind it as another sentence."""
    return re.sub(r"(?<![\w-])(--?[a-z][a-z-]*)", r"`\1`", re.sub(r" {2,}", " ", said))


def _code(names: str) -> str:
    return "`" + re.sub(r"\s+", " ", names).replace("|", "\\|") + "`"


def main() -> int:
    new = page()
    if "--write" in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != PAGE.read_text(encoding="utf-8"):
        print(
            "docs/commands.md is not current: python -m tests.tools.commands --write",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
