"""``dialect``: makes a dialect of your own, and says what it has otherwise than the one that it extends."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from substrait_sql.cli.command import Group


@click.group(cls=Group)
def command() -> None:
    """Make, check and test a dialect of your own: docs/making_a_dialect.md."""


@command.command()
@click.argument("name")
@click.option("--extends", required=True, help="The dialect that it is like, by its name.")
@click.option(
    "--template",
    "statements",
    metavar="KIND",
    multiple=True,
    help="Copy the template of this statement, such as view, to be changed. Repeatable.",
)
@click.option("-o", "--output", metavar="DIR", help="Where to write it; ./NAME if not given.")
def new(name: str, extends: str, statements: tuple[str, ...], output: str | None) -> int:
    """Write the package of a new dialect: its folder, a test, what installs it."""
    from substrait_sql.cli.adapters import write_new
    from substrait_sql.dialect.load import available, installed

    if name in (*available(), *installed()):
        raise click.UsageError(f"there is a dialect {name!r} already")
    if not name.isidentifier() or not name.islower():
        raise click.UsageError(f"{name!r} is no name of small letters, digits and underscores")
    for path in write_new(name, extends, Path(output or name), statements):
        click.echo(path)
    return 0


@command.command()
@click.argument("dialect", metavar="DIR|NAME")
@click.option("--json", "as_json", is_flag=True, help="Write a JSON list.")
def check(dialect: str, as_json: bool) -> int:
    """Read all of a dialect, its templates too, and list the overloads and types that are lost, changed or added."""
    from substrait_sql.dialect.custom.compared import LOST, differences, with_parent
    from substrait_sql.text.templates import Templates

    own, parent = with_parent(dialect)
    Templates(own).check()
    found = differences(own, parent) if parent is not None else []
    if as_json:
        click.echo(json.dumps([asdict(d) for d in found], indent=1, ensure_ascii=False))
        return 0
    places = [d.extension.rpartition(":")[2] for d in found]
    width = max(map(len, places), default=0) + 2
    for d, place in zip(found, places, strict=True):
        what = f"{d.name}:{d.overload}" if d.kind not in ("type", "function") else d.name
        why = f"  {d.why}" if d.what == LOST else ""
        click.echo(f"{d.what:8}{d.kind:10}{place:{width}}{what}{why}".rstrip())
    counts = Counter(d.what for d in found)
    said = ", ".join(f"{n} {what}" for what, n in sorted(counts.items())) or "nothing changed"
    click.echo(f"{dialect} extends {parent.name if parent is not None else 'nothing'}: {said}")
    return 0


@command.command()
@click.argument("dialect", metavar="DIR|NAME")
def test(dialect: str) -> int:
    """Run the conformance classes of substrait_sql.testing with pytest."""
    from substrait_sql.testing.run import run

    return run(dialect)
