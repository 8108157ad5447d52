"""The site of the pages: everything is in it, what is printed is current, and Sphinx makes it without a warning."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import substrait_sql
from substrait_sql import extensions, testing
from tests.tools import commands, gallery

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def navigation() -> list[str]:
    """The entries of the lists of pages, as Sphinx reads them."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    lists = re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for each in lists for line in each.splitlines()]
    return [line for line in lines if line and not line.startswith(":")]


def test_every_page_is_in_the_navigation_once() -> None:
    entries = navigation()
    pages = [
        p.relative_to(DOCS).with_suffix("").as_posix()
        for p in DOCS.rglob("*.md")
        if p.name != "index.md" and "examples" not in p.parts
    ]
    found = {page: [e for e in entries if fnmatchcase(page, e)] for page in pages}
    assert {page: hits for page, hits in found.items() if len(hits) != 1} == {}


def test_everything_public_is_on_the_page_of_the_interface() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\.\. auto\w+:: (?:substrait_sql\.)?([\w.]+)", text, re.MULTILINE))
    assert {n for n in substrait_sql.__all__ if n != "__version__"} <= named
    assert set(testing.__all__) <= named
    registering = {n for n in vars(extensions) if n.startswith(("register", "unregister"))}
    assert registering <= named


def test_the_list_of_commands_is_current() -> None:
    found = commands.PAGE.read_text(encoding="utf-8")
    assert found == commands.page(), "run: python -m tests.tools.commands --write"


def test_the_gallery_is_current() -> None:
    found = gallery.PAGE.read_text(encoding="utf-8")
    assert found == gallery.page(), "run: python -m tests.tools.gallery --write"
    assert set(gallery.entries()) == {p.stem for p in gallery.FOLDER.glob("*.pb")}


@pytest.mark.slow
def test_the_site_is_made_without_a_warning() -> None:
    """Links into pages and into the Python lead somewhere; each plan of the gallery has its report."""
    done = subprocess.run(
        ["make", "docs"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    site = ROOT / "build" / "docs"
    page = (site / "gallery.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="(reports/\w+\.html)"', page))
    assert linked == {f"reports/{name}.html" for name in gallery.entries()}
    assert all((site / name).is_file() for name in linked)
