"""The site of the pages: all is in it, what is printed is current, Sphinx makes it without a warning, screens fit."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql import extensions, testing
from tests.tools import commands, gallery, worst_texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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


def test_the_longest_texts_are_current() -> None:
    found = worst_texts.PAGE.read_text(encoding="utf-8")
    assert found == worst_texts.page(), "run: python -m tests.tools.worst_texts --write"
    assert set(worst_texts.entries()) == {p.stem for p in worst_texts.FOLDER.glob("*.pb")}


@pytest.fixture(scope="module")
def site() -> Path:
    """The site, made anew. A link into a page or into the Python that leads nowhere is a warning, and that an error."""
    done = subprocess.run(
        ["make", "docs"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "build" / "docs"


@pytest.mark.slow
def test_the_site_has_a_report_of_each_plan_of_the_gallery(site: Path) -> None:
    page = (site / "gallery.html").read_text(encoding="utf-8")
    linked = set(re.findall(r'href="(reports/\w+\.html)"', page))
    assert linked == {f"reports/{name}.html" for name in gallery.entries()}
    assert all((site / name).is_file() for name in linked)


# What sticks out of the screen, and cannot be moved in a frame of its own.
OUTSIDE = """() => [...document.querySelectorAll("article *")].filter((found) => {
  if (found.getBoundingClientRect().right <= innerWidth + 1) return false
  let around = found
  while (around.tagName !== "ARTICLE") {
    if (getComputedStyle(around).overflowX !== "visible") return false
    around = around.parentElement
  }
  return true
}).slice(0, 3).map((found) => found.outerHTML.slice(0, 200))"""


@pytest.mark.slow
def test_every_page_fits_a_narrow_screen_and_asks_for_nothing(site: Path, browser: Browser) -> None:
    window = browser.new_context(viewport={"width": 380, "height": 800})
    page = window.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: asked.append(str(error)))
    pages = [p for p in site.rglob("*.html") if "reports" not in p.parts]
    assert len(pages) > 40
    wide = {}
    for path in pages:
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        sideways = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        outside = page.evaluate(OUTSIDE)
        if sideways > 0 or outside:
            wide[path.name] = (sideways, outside)
    window.close()
    assert wide == {}
    assert [url for url in asked if not url.startswith("file:")] == []
