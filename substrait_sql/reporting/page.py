"""The page: data, style and script in one file. What plans say is data in it, and never markup."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from substrait_sql.resources import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.reporting.facts import Facts

_FOLDER = PACKAGE / "reporting" / "assets"
_SCRIPTS = ("elements.js", "plans.js", "sql.js", "tree.js", "details.js", "search.js", "view.js")
# Inside a script element nothing but its end tag and the beginning of a comment means anything to a browser.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&"}


def page(plans: Sequence[Facts], title: str) -> str:
    """The HTML of the plans."""
    style = (_FOLDER / "style.css").read_text(encoding="utf-8")
    texts = [(_FOLDER / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = "\n".join(['"use strict";', "(() => {", *texts, "start();", "})();", ""])
    shared, own = _shared(plans)
    environment = Environment(
        loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html.jinja").render(
        title=title,
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        shared=embedded(shared),
        plans=[embedded(each) for each in own],
    )


def embedded(data: Any) -> str:
    r"""Data as JSON that may stand inside a script element, whatever texts are in it.

    >>> print(embedded(["</script>", "\u2028"]))
    ["\u003c/script\u003e","\u2028"]
    """
    return json.dumps(data, separators=(",", ":")).translate(_ESCAPES)


def _shared(plans: Sequence[Facts]) -> tuple[Facts, list[Facts]]:
    """What plans have in common, once, with a line about each; and the rest of each plan."""
    habits: dict[tuple[str, ...], int] = {}
    settings: dict[tuple[tuple[str, str], ...], int] = {}
    own = []
    for plan in plans:
        rows = [
            [habits.setdefault(tuple(row[:3]), len(habits)), *row[3:]]
            for row in plan.get("habits", ())
        ]
        said = tuple(map(tuple, plan.get("settings", ())))
        number = settings.setdefault(said, len(settings))
        own.append({**plan, "habits": rows, "settings": number})
    shared = {
        "habits": list(habits),
        "settings": list(settings),
        "plans": [_line(plan) for plan in plans],
    }
    return shared, own


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
