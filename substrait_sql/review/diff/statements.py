"""What changed from one text of SQL to another where nothing is known of the tables: sqlglot's edit script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp
from sqlglot.diff import Insert, Keep, Move, Remove, Update
from sqlglot.errors import SqlglotError

from substrait_sql.outline.literals import clean, shorten
from substrait_sql.review.diff.change import Change, change
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from substrait_sql.review.diff.difference import Compared

_LONGEST = 120
# Beyond this, sqlglot's comparison of all leaves with all others takes too long.
_MOST_NODES = 2_000


def text_changes(old: Compared, new: Compared) -> list[Change]:
    """The edits, the biggest of each place; none for texts that are the same but for white space and comments."""
    if old.text == new.text:
        return []
    if "tree" in (old.kind, new.kind):
        return [change("text", what="the trees of the plans differ")]
    try:
        a, b = (releases.parse(side.text, "spark") for side in (old, new))
    except (SqlglotError, RecursionError):
        return [change("text", what="the texts differ, and are not both Spark SQL")]
    found: list[Change] = []
    for i in range(max(len(a), len(b))):
        one, other = a[i] if i < len(a) else None, b[i] if i < len(b) else None
        if isinstance(one, exp.Expression) and isinstance(other, exp.Expression):
            found += _edits(one, other)
        elif one is not other:
            found.append(
                change(
                    "text",
                    what="a statement was added" if one is None else "a statement was removed",
                )
            )
    return found


def _edits(one: exp.Expression, other: exp.Expression) -> list[Change]:
    if _plain(one) == _plain(other):
        return []
    if sum(1 for tree in (one, other) for _ in tree.walk()) > _MOST_NODES:
        return [change("text", what="the statements differ")]
    script = [edit for edit in sqlglot.diff(one, other) if not isinstance(edit, Keep)]
    edited = {id(node) for edit in script for node in _nodes(edit)}
    found = []
    for edit in script:
        if any(node.parent is not None and id(node.parent) in edited for node in _nodes(edit)):
            continue
        found.append(change("text", what=_said(edit)))
    return found or [change("text", what="the statements differ")]


def _plain(tree: Any) -> str:
    return str(tree.sql("spark", comments=False))


def _nodes(edit: object) -> list[Any]:
    """The nodes of an edit, of both trees."""
    if isinstance(edit, (Insert, Remove)):
        return [edit.expression]
    assert isinstance(edit, (Move, Update))
    return [edit.source, edit.target]


def _said(edit: object) -> str:
    if isinstance(edit, Insert):
        return f"added: {_text(edit.expression)}"
    if isinstance(edit, Remove):
        return f"removed: {_text(edit.expression)}"
    assert isinstance(edit, (Move, Update))
    if isinstance(edit, Move):
        return f"moved: {_text(edit.source)}"
    return f"changed: {_text(edit.source)} became {_text(edit.target)}"


def _text(node: Any) -> str:
    return clean(shorten(" ".join(_plain(node).split()), _LONGEST))
