"""Comments, as Spark's lexer reads them, and what begins in a text and has no end.

https://github.com/apache/spark/blob/master/sql/api/src/main/antlr4/org/apache/spark/sql/catalyst/parser/SqlBaseLexer.g4:
a comment behind ``--`` goes on in the next line behind a backslash, comments in ``/* */`` nest, and a hint is none.
"""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"(?P<line>--(?:\\\n|[^\r\n])*)|(?P<hint>/\*\+)|(?P<open>/\*)|(?P<close>\*/)"
    r"|(?<!\w)[rR](?:'[^']*'|\"[^\"]*\")|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|(?P<quote>['\"`])",
    re.DOTALL,
)
_BRACKET = re.compile(r"(?P<open>/\*(?!\+))|\*/")
_WORD = re.compile(r"(\w+)\s*\Z")
_DARK = re.compile(r"[^\r\n]")
_WHAT = {"/*": "a comment", "/*+": "a hint", "`": "a name in backticks"}


class StrayHint(Exception):
    """A hint that is not behind SELECT. start: where it begins."""

    def __init__(self, start: int) -> None:
        super().__init__("a hint stands behind SELECT only")
        self.start = start


class Unclosed(Exception):
    """Something that has no end. start: where it begins."""

    def __init__(self, what: str, start: int) -> None:
        super().__init__(f"{what} has no end")
        self.start = start


def blanked(sql: str) -> str:
    """The text with blanks for its comments: all else stands where it was, hints too.

    Raises `Unclosed` and `StrayHint`.
    """
    out: list[str] = []
    place, hint, word = 0, -1, ""
    while found := _PIECE.search(sql, place):
        start, kind = found.start(), found.lastgroup
        between = sql[place:start]
        word = _last_word(between, word)
        out.append(between)
        place = found.end()
        if kind == "quote":
            raise Unclosed(_WHAT.get(found[0], "a text"), start)
        if kind == "open":
            place = _end(sql, start)
        if kind == "hint":
            if word.upper() != "SELECT" or hint >= 0:
                raise StrayHint(start)
            hint = start
        if kind == "close" and hint >= 0:
            # Another hint may follow.
            hint, word = -1, "SELECT"
        elif kind not in ("line", "open", "hint"):
            word = ""
        piece = sql[start:place]
        out.append(_DARK.sub(" ", piece) if kind in ("line", "open") else piece)
    if hint >= 0:
        raise Unclosed(_WHAT["/*+"], hint)
    return "".join([*out, sql[place:]])


def _last_word(between: str, before: str) -> str:
    if not between.strip():
        return before
    found = _WORD.search(between)
    return found[1] if found else ""


def _end(sql: str, start: int) -> int:
    """Where the comment ends that begins there, with those inside."""
    depth, place = 1, start + 2
    while depth:
        found = _BRACKET.search(sql, place)
        if found is None:
            raise Unclosed(_WHAT["/*"], start)
        depth += 1 if found["open"] else -1
        place = found.end()
    return place
