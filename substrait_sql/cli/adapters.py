"""The files of a new dialect's package, for ``dialect new``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from substrait_sql.resources import TEMPLATES

if TYPE_CHECKING:
    from pathlib import Path

_FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "{package}/dialect.yaml": "dialect.yaml",
    "{package}/functions.yaml": "functions.yaml",
    "tests/test_{name}.py": "test_dialect.py",
}
"""Each file of a new dialect's package, and the template in templates/new_dialect/ that it is made of."""


def write_new(name: str, extends: str, folder: Path) -> list[Path]:
    """Writes the package of a new dialect. Raises `click.ClickException` where one of its files is there already."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    package = f"substrait_sql_{name}"
    made = {folder / at.format(package=package, name=name): t for at, t in _FILES.items()}
    there = next((path for path in made if path.exists()), None)
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
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(made)
