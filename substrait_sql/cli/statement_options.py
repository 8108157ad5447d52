"""The options of ``render --statement``, each named after one of `text.statement_options.Options`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from substrait_sql.cli.options import pairs_of
from substrait_sql.text.kinds import OVERWRITES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Option, name in Python, what it takes, help.
_LISTS: Final = (
    ("--partition-by", "partition_by", "COLUMN", "A column, or days(COLUMN). Repeatable."),
    ("--cluster-by", "cluster_by", "COLUMN", "A column that rows are clustered by. Repeatable."),
    ("--bucket-by", "bucket_by", "COLUMN", "A column that rows go to buckets by. Repeatable."),
    ("--not-null", "not_null", "COLUMN", "A column without NULL. Repeatable."),
    ("--key", "key", "COLUMN", "A column by which a merge finds rows. Repeatable."),
)
_PAIRS: Final = (
    ("--property", "properties", "KEY=VALUE", "A property of the table or view. Repeatable."),
    ("--option", "table_options", "KEY=VALUE", "An option of the table's format. Repeatable."),
    ("--column-comment", "column_comments", "COLUMN=TEXT", "A column's comment. Repeatable."),
    ("--default", "defaults", "COLUMN=EXPRESSION", "A column's default. Repeatable."),
    ("--check", "checks", "NAME=EXPRESSION", "A check constraint. Repeatable."),
    ("--partition", "partition", "COLUMN=VALUE", "The partition to write to. Repeatable."),
)
_TEXTS: Final = (
    ("--format", "format", "FORMAT", "The format of the new table, such as delta."),
    ("--location", "location", "PATH", "Where the new table's files are."),
    ("--comment", "comment", "TEXT", "The comment of the table or view."),
)


def statement_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a command the options of a statement."""
    switches = (
        click.option(
            "--if-not-exists", is_flag=True, default=None, help="Leave one that is there."
        ),
        click.option("--or-replace/--no-or-replace", default=None, help="Replace one; views do."),
        click.option("--temporary", is_flag=True, default=None, help="A view of the session."),
        click.option(
            "--by-name", is_flag=True, default=None, help="Insert columns by their names."
        ),
        click.option("--buckets", type=int, metavar="N", help="How many buckets."),
        click.option(
            "--partition-overwrite",
            type=click.Choice(OVERWRITES),
            help="Overwrite the whole table, or the partitions that the rows are of.",
        ),
    )
    texts = (click.option(o, n, metavar=m, help=h) for o, n, m, h in _TEXTS)
    many = (
        click.option(o, n, metavar=m, multiple=True, help=h) for o, n, m, h in (*_LISTS, *_PAIRS)
    )
    for option in reversed((*texts, *many, *switches)):
        command = option(command)
    return command


def options_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, as `pipeline.render` takes it. Raises `click.UsageError` for what is no pair."""
    pairs = {name: option for option, name, _, _ in _PAIRS}
    found = {}
    for name, value in given.items():
        if value in (None, ()):
            continue
        found[name] = pairs_of(pairs[name], value) if name in pairs else value
    return found
