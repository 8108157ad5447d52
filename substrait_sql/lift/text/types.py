"""Types behind ``CAST(x AS`` and ``::``, read as Spark reads them: sqlglot takes those of all systems for one another.

https://spark.apache.org/docs/latest/sql-ref-datatypes.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

from substrait_sql.lift.text.clauses import Misplaced
from substrait_sql.lift.typing.parse import NAMES, NotAType, leading_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

# How a word begins that stands for a text.
_PREFIX = "text_"
# A type behind :: is no longer than this.
_MOST_WORDS = 500

Kept = dict[int, "tuple[int, list[Any]]"]


def words_in(found: Sequence[Any], closing: Mapping[int, int]) -> Kept:
    """Where a type or the field of EXTRACT begins: where it ends, and the tokens that stand for it.

    closing: where brackets are closed. Raises `Misplaced` for a type's name with something else behind it than
    belongs to it.
    """
    out: Kept = {}
    for place, token in enumerate(found):
        end = closing.get(place + 1)
        if _is_field(found, place):
            out[place] = place + 1, [_like(token, _whole(token.text), Kind.VAR)]
        elif token.token_type == Kind.DCOLON:
            # The suffix of a number is a cast to sqlglot: all of it stands at one place.
            if found[place + 1 : place + 2] and found[place + 1].start != token.start:
                _add(out, found, place + 1, None)
        elif end is not None and token.text.upper() in ("CAST", "TRY_CAST"):
            start = _behind_as(found, place + 2, end, closing)
            if start:
                _add(out, found, start, end)
    return out


def text_of(node: Any) -> str:
    """The text of the type that a node stands for; empty for one that stands for itself."""
    word = node.expressions[0].name if node.expressions else ""
    text = letters_of(word)
    return "" if text == word else text


def letters_of(word: str) -> str:
    """The text that a word stands for, which sqlglot may have written in capitals; another word itself."""
    found = word.lower()
    if not found.startswith(_PREFIX):
        return word
    return bytes.fromhex(found.removeprefix(_PREFIX)).decode()


def _is_field(found: Sequence[Any], place: int) -> bool:
    words = [t.text.upper() for t in found[max(place - 2, 0) : place + 2]]
    named = len(words) == 4 and found[place].token_type != Kind.STRING and words[2].isidentifier()
    return named and words[:2] == ["EXTRACT", "("] and words[3] == "FROM"


def _behind_as(found: Sequence[Any], place: int, end: int, closing: Mapping[int, int]) -> int:
    while place < end:
        if found[place].token_type == Kind.ALIAS:
            return place + 1
        place = closing.get(place, place) + 1
    return 0


def _add(out: Kept, found: Sequence[Any], start: int, end: int | None) -> None:
    """end: where the type has to end, None where anything may follow."""
    words: list[str] = []
    ends: list[int] = []
    for place in range(start, len(found) if end is None else end):
        parts = _words(found[place])
        words += parts
        ends += [0] * (len(parts) - 1) + [place + 1]
        if len(words) > _MOST_WORDS:
            break
    if words and words[0].startswith("`"):
        raise Misplaced(f"{words[0]} is no type of Spark's", found[start])
    if not words or words[0].lower() not in NAMES:
        return
    try:
        count = leading_type(words)
    except NotAType as error:
        raise Misplaced(f"no type: {error}", found[start]) from error
    behind = ends[count - 1]
    if words[count : count + 1] == ["("] or (end is not None and behind not in (0, end)):
        raise Misplaced(f"{found[behind].text} is no part of a type", found[behind])
    if behind:
        out[start] = behind, _standing_for(_whole(" ".join(words[:count])), found[start])


def _words(token: Any) -> list[str]:
    if token.token_type == Kind.IDENTIFIER:
        return ["`" + token.text.replace("`", "``") + "`"]
    if token.token_type == Kind.STRING:
        return [repr(token.text)]
    return token.text.split() or [token.text]


def _whole(text: str) -> str:
    return _PREFIX + text.encode().hex()


def _standing_for(word: str, token: Any) -> list[Any]:
    """A type that sqlglot reads: a decimal of these digits."""
    parts = [("DECIMAL", Kind.DECIMAL), ("(", Kind.L_PAREN), (word, Kind.VAR), (")", Kind.R_PAREN)]
    return [_like(token, text, kind) for text, kind in parts]


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])
