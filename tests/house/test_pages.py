"""The pages and the data files as one reads them: lines that fit a screen, links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIDEST = 120
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Those of `extensions` and `lift` are printed by tools.
DATA = sorted(
    p for p in (ROOT / "dialects").rglob("*.yaml") if p.parent.name not in ("extensions", "lift")
)


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page that are neither in a table nor in code, with their numbers."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "|", "<!--")):
            yield number, line


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_prose_fits_a_screen(path: Path) -> None:
    assert [(n, len(line)) for n, line in prose(path) if len(line) > WIDEST] == []


@pytest.mark.parametrize("path", DATA, ids=label)
def test_the_lines_of_a_dialect_file_fit_a_screen(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [(n, len(line)) for n, line in enumerate(lines, 1) if len(line) > WIDEST] == []


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_links_lead_to_a_page_and_to_a_heading_of_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        if target.startswith("report:"):
            # The site makes that page of a plan: docs/conf.py.
            assert (ROOT / "docs" / "gallery" / f"{target.partition(':')[2]}.pb").exists()
            continue
        name, _, anchor = target.partition("#")
        page = path.parent / name if name else path
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), target


@pytest.mark.parametrize("path", PAGES, ids=label)
def test_files_that_a_page_names_are_there(path: Path) -> None:
    named = re.findall(
        r"`((?:substrait_sql|dialects|docs|templates|tests)/[a-z_0-9./]+\.\w+)`",
        path.read_text(encoding="utf-8"),
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
