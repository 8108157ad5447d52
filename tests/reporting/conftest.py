"""Pages in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page

SCREEN = {"width": 1300, "height": 850}


@pytest.fixture(scope="session")
def usual(browser: Browser) -> BrowserContext:
    """A screen of the usual size, in light."""
    return browser.new_context(viewport=SCREEN, color_scheme="light")


class Open:
    """Opens a text as a page. found: what it loaded besides itself, wrote to the console or threw."""

    def __init__(self, browser: Browser, usual: BrowserContext, folder: Path) -> None:
        self.browser, self.usual, self.folder = browser, usual, folder
        self.found: list[str] = []
        self.opened: list[Any] = []

    def __call__(self, text: str, hash: str = "", **options: Any) -> Page:
        """The page, in the usual window or in one of its own."""
        file = self.folder / "report.html"
        file.write_text(text, encoding="utf-8", newline="\n")
        window = self.usual
        if options:
            window = self.browser.new_context(**{"viewport": SCREEN, **options})
            self.opened.append(window)
        page = window.new_page()
        self.opened.append(page)
        page.set_default_timeout(30_000)
        page.on("console", lambda message: self.found.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.found.append(f"error: {error}"))
        page.on("dialog", lambda dialog: self.found.append(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: self._asked(asked.url, file.as_uri()))
        page.goto(f"{file.as_uri()}{hash}")
        return page

    def _asked(self, url: str, own: str) -> None:
        if url.partition("#")[0] != own:
            self.found.append(url)


@pytest.fixture
def open_page(browser: Browser, usual: BrowserContext, tmp_path: Path) -> Iterator[Open]:
    """Opens pages; none may load anything, write to the console or throw."""
    opener = Open(browser, usual, tmp_path)
    yield opener
    for each in reversed(opener.opened):
        each.close()
    assert opener.found == []
