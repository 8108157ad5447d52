"""One change, in words: ``changes.yaml`` has those of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from substrait_sql.outline.literals import clean
from substrait_sql.resources import PACKAGE

_FILE = PACKAGE / "review" / "diff" / "changes.yaml"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of meaning.

    kind: a key of ``changes.yaml``.
    text: what changed.
    old: the path of the relation in the old plan, empty where it has none.
    new: likewise in the new plan.
    rows: whether the change alone shows in the rows, ``may``, ``cannot`` or ``order``.
    why: of that.
    """

    kind: str
    text: str
    old: str = ""
    new: str = ""
    rows: str = "may"
    why: str = ""


@cache
def kinds() -> dict[str, dict[str, str]]:
    """What is said of each kind."""
    found: dict[str, dict[str, str]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return found


def change(kind: str, old_path: Any = "", new_path: Any = "", **words: str) -> Change:
    """A change of a kind. words: what its texts name."""
    entry = kinds()[kind]
    named = {"what": "", "old": "", "new": "", "how": "", **words}
    named = {key: clean(value) for key, value in named.items()}
    text, why = entry["says"].format(**named), entry["why"].format(**named)
    return Change(kind, text, str(old_path or ""), str(new_path or ""), entry["rows"], why)
