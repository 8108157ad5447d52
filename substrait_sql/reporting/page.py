"""The page: data, style and script in one file. What plans say is data in it, and never markup."""

from __future__ import annotations

import base64
import hashlib
import json
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from substrait_sql.resources import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from substrait_sql.reporting.facts import Facts

_FOLDER = PACKAGE / "reporting" / "assets"
_SCRIPTS = ("elements.js", "plans.js", "sql.js", "tree.js", "details.js", "search.js", "view.js")
_IN_MEMORY = 16 * 2**20
# Inside a script element nothing but its end tag and the beginning of a comment means anything to a browser.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&"}


@contextmanager
def gathering() -> Iterator[Page]:
    """A page to be made plan by plan. Those of a large folder wait in a file: what is said of them is long."""
    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as file:
        yield Page(file)


class Page:
    """What is known of a page so far. plans: a file, with a line for each plan."""

    def __init__(self, plans: IO[str]) -> None:
        self._habits: dict[tuple[str, ...], int] = {}
        self._settings: dict[tuple[tuple[str, str], ...], int] = {}
        self._index: list[Facts] = []
        self._plans = plans

    def add(self, plan: Facts) -> None:
        """Takes a plan in."""
        rows = [
            [self._habits.setdefault(tuple(row[:3]), len(self._habits)), *row[3:]]
            for row in plan.get("habits", ())
        ]
        said = tuple(map(tuple, plan.get("settings", ())))
        number = self._settings.setdefault(said, len(self._settings))
        self._index.append(_line(plan))
        self._plans.write(embedded({**plan, "habits": rows, "settings": number}) + "\n")

    def __len__(self) -> int:
        return len(self._index)

    @property
    def refused(self) -> int:
        """How many plans have no SQL."""
        return sum(not line["ok"] for line in self._index)

    def html(self, title: str) -> Iterator[str]:
        """The HTML, piece by piece."""
        style = (_FOLDER / "style.css").read_text(encoding="utf-8")
        texts = [(_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS]
        script = "\n".join(['"use strict";', "(() => {", *texts, "start();", "})();", ""])
        shared = {
            "habits": list(self._habits),
            "settings": list(self._settings),
            "plans": self._index,
        }
        self._plans.seek(0)
        environment = Environment(
            loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined
        )
        return environment.get_template("page.html.jinja").generate(
            title=title,
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            shared=embedded(shared),
            plans=(line.rstrip("\n") for line in self._plans),
        )


def embedded(data: Any) -> str:
    r"""Data as JSON that may stand inside a script element, whatever texts are in it.

    >>> print(embedded(["</script>", "\u2028"]))
    ["\u003c/script\u003e","\u2028"]
    """
    return json.dumps(data, separators=(",", ":")).translate(_ESCAPES)


def _line(plan: Mapping[str, Any]) -> Facts:
    """What the index says of a plan."""
    problems = plan["diagnostics"]
    return {
        "label": plan["label"],
        "ok": plan["ok"],
        "codes": list(dict.fromkeys(d[1] for d in problems)),
        "warned": any(d[0] == "warning" for d in problems),
        "relations": len(plan.get("nodes", ())),
        "lines": plan["sql"].count("\n") + 1 if plan["sql"] else 0,
        "by": " ".join(filter(None, (plan.get("producer"), plan.get("version")))),
        "tables": len(plan.get("tables", ())),
    }


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
