"""The files of a new dialect's package, for ``dialect new``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from substrait_sql.dialect.dialect import load
from substrait_sql.resources import TEMPLATES
from substrait_sql.text.templates import ENDING, Templates

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "{package}/__init__.py": "init.py",
    "{package}/dialect.yaml": "dialect.yaml",
    "{package}/functions.yaml": "functions.yaml",
    "tests/test_{name}.py": "test_dialect.py",
}
"""Each file of a new dialect's package, and the template in templates/new_dialect/ that it is made of."""


def write_new(name: str, extends: str, folder: Path, statements: Iterable[str] = ()) -> list[Path]:
    """Writes the package of a new dialect. statements: kinds whose templates are copied of the one that it extends.

    Raises `click.ClickException` where one of its files is there already, `UnsupportedError` for a dialect or a
    template that does not exist.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    package = f"substrait_sql_{name}"
    made = {folder / at.format(package=package, name=name): t for at, t in _FILES.items()}
    known = Templates(load(extends))
    copied = {
        folder / package / "templates" / (kind + ENDING): known.file(kind) for kind in statements
    }
    there = next((path for path in (*made, *copied) if path.exists()), None)
    if there is not None:
        raise click.ClickException(f"{there} is there already; give another folder with -o")
    env = Environment(
        loader=FileSystemLoader(TEMPLATES / "new_dialect"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    for path, template in made.items():
        text = env.get_template(f"{template}.jinja").render(
            name=name, package=package, extends=extends
        )
        _write(path, text)
    for path, source in copied.items():
        _write(path, source.read_text("utf-8"))
    return [*made, *copied]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
