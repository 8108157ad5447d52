"""Commands as click has them, whose help is drawn by rich_click on a terminal. That is imported for nothing else."""

from __future__ import annotations

import sys

import click


class Command(click.Command):
    """A command."""

    def get_help(self, ctx: click.Context) -> str:
        """Its help."""
        if _is_plain(ctx):
            return super().get_help(ctx)
        from rich_click import RichCommand

        return _drawn(RichCommand(name=self.name, params=self.params, help=self.help), ctx)


class Group(click.Group):
    """A command of several."""

    command_class = Command

    def get_help(self, ctx: click.Context) -> str:
        """Its help, with a line for each of its commands."""
        if _is_plain(ctx):
            return super().get_help(ctx)
        from rich_click import RichGroup

        found = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        commands = {name: each for name, each in found.items() if each is not None}
        shown = RichGroup(name=self.name, commands=commands, params=self.params, help=self.help)
        return _drawn(shown, ctx)


def _is_plain(ctx: click.Context) -> bool:
    """Whether nobody looks at it, as in a pipe, and nobody has asked for colours."""
    return not (ctx.color or sys.stdout.isatty())


def _drawn(shown: click.Command, ctx: click.Context) -> str:
    from rich_click import RichContext

    within = RichContext(
        shown,
        parent=ctx.parent,
        info_name=ctx.info_name,
        color=ctx.color,
        terminal_width=ctx.terminal_width,
        max_content_width=ctx.max_content_width,
        help_option_names=ctx.help_option_names,
    )
    return shown.get_help(within)
