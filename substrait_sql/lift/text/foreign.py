"""What the SQL of other systems has, and sqlglot reads as something of Spark's: to Spark none of it is a statement.

``gv$instance`` would be the table ``gv``, ``N'a'`` a text, and of ``(a, b) AS t`` the name would be lost.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.text.apart import Unsaid
from substrait_sql.lift.text.clauses import Kind, Misplaced, parsed_types

if TYPE_CHECKING:
    from collections.abc import Sequence

# The types that stand before a text, https://spark.apache.org/docs/latest/sql-ref-literals.html
_TYPED = frozenset(["DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIME", "INTERVAL"])
_ROWS = ("ROW", "ROWS")
_SCRIPTS = ("TRANSFORM", "MAP", "REDUCE")
_SETS = (Kind.UNION, Kind.EXCEPT, Kind.INTERSECT)
_BEHIND_LIST = (
    Kind.WHERE,
    Kind.GROUP_BY,
    Kind.HAVING,
    Kind.QUALIFY,
    Kind.WINDOW,
    Kind.LATERAL,
    Kind.ORDER_BY,
    Kind.LIMIT,
)
_NAMES = (Kind.VAR, Kind.IDENTIFIER)
_BEFORE_ALIAS = (
    *_NAMES,
    Kind.ALIAS,
    Kind.R_PAREN,
    Kind.R_BRACKET,
    Kind.NUMBER,
    Kind.STRING,
    Kind.END,
    Kind.NULL,
)


_NEAREST = ("APPROX", "EXACT")


def check_unread(found: Sequence[Any]) -> None:
    """Raises `Unsaid` for what the parser knows nothing of: ``SELECT TRANSFORM(a) USING 'cat'``, NEAREST in a join."""
    asks = False
    for token, behind in pairwise(found):
        asks = asks or token.text.upper() in _SCRIPTS
        if token.text.upper() in _NEAREST and behind.text.upper() == "NEAREST":
            raise Unsaid("a join with the nearest rows: a plan has no word for it", token)
        if asks and token.text.upper() == "USING" and behind.token_type == Kind.STRING:
            raise Unsaid("a script reads and writes rows: a plan has no word for it", token)


def check(found: Sequence[Any]) -> None:
    """Raises `Misplaced` for tokens that Spark's parser does not take, `Unsaid` for what it takes otherwise."""
    _check_relations(found)
    _check_from_first(found)
    for place, token in enumerate(found):
        before = found[place - 1] if place else None
        behind = found[place + 1] if place + 1 < len(found) else None
        if token.token_type == Kind.STRING and before is not None:
            _check_text(token, before)
        elif token.token_type == Kind.NUMBER and before is not None and place > 1:
            _check_number(token, before, found[place - 2])
        elif token.token_type == Kind.VAR:
            _check_name(token, before, behind)
        elif token.token_type == Kind.NATIONAL_STRING:
            raise Misplaced("a text has no N before it", token)
        elif token.token_type == Kind.PARAMETER and token.text == "$":
            raise Misplaced("$ stands in names in backticks", token)
        elif token.token_type == Kind.COLON and _is_table(found, place):
            raise Misplaced("a colon does not stand behind a table", token)
        elif token.text.upper() in _ROWS and _is_behind_offset(found, place):
            raise Misplaced(f"OFFSET is a number, without {token.text.upper()}", token)


def _check_relations(found: Sequence[Any]) -> None:
    """Raises for ``FROM (a, b)``: brackets hold one relation, be it a join."""
    # Of each bracket: whether it holds a relation, up to LATERAL VIEW, whose names have commas between them.
    levels: list[bool] = []
    for place, token in enumerate(found):
        if token.token_type in (Kind.L_PAREN, Kind.L_BRACKET):
            levels.append(_holds_relation(found, place, bool(levels and levels[-1])))
        elif token.token_type in (Kind.R_PAREN, Kind.R_BRACKET) and levels:
            levels.pop()
        elif token.token_type in (Kind.LATERAL, Kind.SELECT) and levels:
            levels[-1] = False
        elif token.token_type == Kind.COMMA and levels and levels[-1]:
            raise Misplaced("brackets in FROM hold one relation: write CROSS JOIN", token)


def _check_from_first(found: Sequence[Any]) -> None:
    """Raises for ``FROM t SELECT x UNION SELECT y``, two lists to Spark of which the first has the column UNION."""
    # Of each bracket: whether SELECT has been, and whether FROM has before it, with no clause behind the list yet.
    levels = [(False, False)]
    for place, token in enumerate(found):
        behind = found[place + 1].token_type if place + 1 < len(found) else None
        selected, first = levels[-1]
        if token.token_type == Kind.L_PAREN:
            levels.append((False, False))
        elif token.token_type == Kind.R_PAREN:
            levels = levels[:-1] or [(False, False)]
        elif token.token_type == Kind.SELECT:
            levels[-1] = (True, first)
        elif token.token_type == Kind.FROM:
            levels[-1] = (selected, first or not selected)
        elif token.token_type in _BEHIND_LIST and selected:
            levels[-1] = (True, False)
        elif token.token_type in _SETS:
            if first and selected and behind == Kind.SELECT and not _has_alias(found, place):
                word = token.text.upper()
                raise Unsaid(
                    f"two select lists, of which the first ends with the name {word}: say {word} DISTINCT",
                    token,
                )
            levels[-1] = (False, False)


def _has_alias(found: Sequence[Any], place: int) -> bool:
    """Whether a name behind a value ends before it, with AS or without."""
    named = place > 1 and found[place - 1].token_type in _NAMES
    return named and found[place - 2].token_type in _BEFORE_ALIAS


def _holds_relation(found: Sequence[Any], place: int, inside: bool) -> bool:
    before = found[place - 1].token_type if place else None
    behind = found[place + 1].token_type if place + 1 < len(found) else None
    opens = before in (Kind.FROM, Kind.JOIN) or (before == Kind.L_PAREN and inside)
    return opens and behind in (*_NAMES, Kind.L_PAREN)


def _is_table(found: Sequence[Any], place: int) -> bool:
    named = place > 1 and found[place - 1].token_type in _NAMES
    return named and found[place - 2].token_type in (Kind.FROM, Kind.JOIN)


def _check_text(token: Any, before: Any) -> None:
    if before.token_type in (Kind.DOT, Kind.WITH, Kind.R_PAREN, Kind.ALIAS):
        raise Misplaced("a text is no name: names stand in backticks", token)
    if _is_type(before) and before.text.upper() not in _TYPED:
        raise Misplaced(f"{before.text} is the type of no literal", before)


def _is_type(token: Any) -> bool:
    """Whether sqlglot makes a literal of the word and what stands behind it; RANGE begins a frame."""
    return token.token_type in parsed_types() and token.text.upper() != "RANGE"


def _check_number(token: Any, before: Any, name: Any) -> None:
    """``t.144``: to Spark a name, and a number right behind it; ``DATE 1`` is no literal."""
    if _is_type(before) and before.text.upper() != "INTERVAL":
        raise Misplaced(f"a number does not stand behind {before.text}", token)
    joined = before.token_type == Kind.DOT and before.end + 1 == token.start
    if joined and name.token_type in _NAMES and name.end + 1 == before.start:
        raise Misplaced("a name that is a number stands in backticks", token)


def _check_name(token: Any, before: Any, behind: Any) -> None:
    if not token.text.isascii():
        raise Misplaced(f"{token.text} stands in backticks: it is more than ASCII", token)
    starred = before is not None and before.token_type == Kind.STAR
    if starred and token.text.upper() == "EXCLUDE" and behind is not None:
        raise Misplaced("the names that * leaves out stand behind EXCEPT, in brackets", token)


def _is_behind_offset(found: Sequence[Any], place: int) -> bool:
    return place > 1 and found[place - 2].token_type == Kind.OFFSET
