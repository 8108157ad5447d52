"""Where the words of a hint stand: sqlglot reads a hint as a text of its own and counts from its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Sqlglot does not say that it exports it.
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009
_OPENS = "/*+"


def placed(tree: Any, found: Sequence[Any], sql: str) -> None:
    """Gives the nodes of hints the places of their words in the text. Changes the tree."""
    starts = [t.start + len(_OPENS) for t in found if t.token_type == Kind.HINT]
    for hint in tree.find_all(exp.Hint) if starts else ():
        words = [n for n in hint.walk() if "start" in n.meta]
        start = next((s for s in starts if all(_stands(n, s, sql) for n in words)), None)
        if start is None:
            continue
        starts.remove(start)
        for each in words:
            each.meta["start"] += start
            each.meta["end"] += start


def _stands(node: Any, start: int, sql: str) -> bool:
    """Whether the word of a node is in the hint that begins there."""
    there = sql[start + node.meta["start"] : start + node.meta["end"] + 1]
    return bool(there) and there.strip("`'\"").casefold() in _words(node)


def _words(node: Any) -> Iterator[str]:
    return (str(word).casefold() for word in (node.name, node.this))
