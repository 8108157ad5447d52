"""The tokens of a text, made ready for sqlglot's parser.

Sqlglot reads 700 functions into classes of its own: two names become one class, arguments are swapped, defaults are
filled in, CAST and TRY_CAST are one. Spark's own meaning of a name is what counts here, so the name of every function
is given a prefix that sqlglot knows nothing about, with the place of its token: it parses such a call as it stands.
What has a syntax of its own (CAST, EXTRACT … FROM, TRIM … FROM) is left to sqlglot.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens
from sqlglot.dialects.dialect import Dialect as SqlglotDialect

from substrait_sql.lift.text.bracketed import (
    bracketed_all,
    bracketed_calls,
    is_column_all,
    windows_in_front,
)
from substrait_sql.lift.text.literals import unescaped
from substrait_sql.lift.text.respelt import respelt
from substrait_sql.lift.text.types import words_in

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

# Words before a bracket that are no functions.
_KEYWORDS = frozenset(
    [
        "ALL",
        "AND",
        "ANTI",
        "AS",
        "BETWEEN",
        "BY",
        "CASE",
        "CAST",
        "CROSS",
        "DISTINCT",
        "ELSE",
        "END",
        "ESCAPE",
        "EXCEPT",
        "EXISTS",
        "FILTER",
        "FOR",
        "FROM",
        "FULL",
        "GROUP",
        "HAVING",
        "ILIKE",
        "IN",
        "INNER",
        "INSERT",
        "INTERSECT",
        "INTO",
        "IS",
        "JOIN",
        "LATERAL",
        "LIKE",
        "LIMIT",
        "MINUS",
        "NATURAL",
        "NOT",
        "OFFSET",
        "ON",
        "OR",
        "ORDER",
        "OUTER",
        "OVER",
        "PARTITION",
        "PIVOT",
        "QUALIFY",
        "RECURSIVE",
        "REGEXP",
        "RLIKE",
        "ROWS",
        "SELECT",
        "SEMI",
        "SET",
        "SETS",
        "SORT",
        "TABLE",
        "THEN",
        "UNION",
        "UNPIVOT",
        "USING",
        "VALUES",
        "VIEW",
        "WHEN",
        "WHERE",
        "WINDOW",
        "WITH",
        "WITHIN",
        "EXTEND",
        "AGGREGATE",
        "DROP",
        "RENAME",
        "DIV",
        "XOR",
        "ROW",
    ]
) - {"AGGREGATE"}
# Types that take brackets: DECIMAL(10, 2) in a cast, and functions of that name elsewhere.
_TYPES = frozenset(
    ["DECIMAL", "DEC", "NUMERIC", "CHAR", "VARCHAR", "CHARACTER", "TIME", "TIMESTAMP"]
)
# Calls with words inside that only sqlglot's own parsers read.
_WORDY = {
    "EXTRACT": {"FROM"}, "TRIM": {"FROM", "BOTH", "LEADING", "TRAILING"},
    "SUBSTRING": {"FROM"}, "SUBSTR": {"FROM"}, "POSITION": {"IN"}, "OVERLAY": {"PLACING"},
    "CEIL": {"TO"}, "FLOOR": {"TO"},
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_QUANTIFIED = frozenset(
    {"=", "<>", "!=", "==", "<", ">", "<=", ">=", "<=>", "LIKE", "ILIKE", "RLIKE"}
)
_NUMBERED = (Kind.HEX_STRING, Kind.BIT_STRING)
PREFIX = re.compile(r"fn(\d+)_", re.IGNORECASE)


@cache
def dialect() -> Any:
    """Sqlglot's Spark dialect."""
    return SqlglotDialect.get_or_raise("spark")


@cache
def _words_alone() -> frozenset[Any]:
    """What sqlglot takes for a function without brackets."""
    return frozenset(dialect().parser_class.NO_PAREN_FUNCTIONS)


def tokens_of(sql: str) -> list[Any]:
    """The tokens of sqlglot's tokenizer, texts in quotes as Spark reads them. Raises sqlglot's `TokenError`."""
    out: list[Any] = []
    for token in dialect().tokenize(sql):
        if token.token_type in _NUMBERED and sql[token.start] == "0":
            # 0x1F and 0b11 are names to Spark.
            out.append(_copy(token, sql[token.start : token.end + 1]))
            continue
        if token.token_type != Kind.STRING:
            out.append(token)
            continue
        start = token.start
        if out and _goes_on(out[-1], token, sql):
            start = out.pop().start
        text = unescaped(sql[start : token.end + 1])
        out.append(
            Token(Kind.STRING, text, token.line, token.col, start, token.end, token.comments)
        )
    return windows_in_front(bracketed_calls(bracketed_all(respelt(out))))


def _goes_on(before: Any, token: Any, sql: str) -> bool:
    """Whether two texts are one with a quote in it: `'it''s'`. Sqlglot ends the first one there."""
    return (
        before.token_type == Kind.STRING
        and before.end + 1 == token.start
        and sql[before.end] == sql[token.start]
    )


def prepared(found: Sequence[Any]) -> list[Any]:
    """The tokens with functions under names that sqlglot does not know."""
    closing = brackets(found)
    kept = words_in(found, closing)
    out: list[Any] = []
    shut: dict[int, int] = {}
    behind = 0
    for place, token in enumerate(found):
        if place < behind:
            continue
        if place in kept:
            behind, words = kept[place]
            out += words
            continue
        if _is_table_query(found, place):
            out += [
                _copy(token, "SELECT", Kind.SELECT),
                _copy(token, "*", Kind.STAR),
                _copy(token, "FROM", Kind.FROM),
            ]
            continue
        if is_column_all(found, place):
            out.append(_copy(token, token.text, Kind.IDENTIFIER))
            continue
        if token.token_type in _words_alone() and not _is_called(found, place):
            # current_date: a column may have the name.
            out.append(_copy(token, token.text))
            continue
        signed = token.token_type == Kind.PLUS and _is_sign(found, place)
        out.append(_copy(token, "|/", Kind.PIPE_SLASH) if signed else token)
        if place in shut:
            out.extend([token] * shut[place])
        end = closing.get(place + 1)
        if end is None or not _is_function(found, place, end):
            continue
        word = token.text.upper()
        if word in ("TRY_CAST", "CAST"):
            if _at_depth(found, place + 1, end) & {"AS"}:
                out[-1] = _copy(token, f"fn{place}_{token.text}")
                out.append(_copy(found[place + 1], "(", Kind.L_PAREN))
                out.append(_copy(token, "CAST", Kind.VAR))
                shut[end] = shut.get(end, 0) + 1
            continue
        out[-1] = _copy(token, f"fn{place}_{token.text}")
    return out


def _is_called(found: Sequence[Any], place: int) -> bool:
    return place + 1 < len(found) and found[place + 1].token_type == Kind.L_PAREN


def _is_sign(found: Sequence[Any], place: int) -> bool:
    """Whether a plus is a sign: sqlglot drops those, so they become one that Spark does not have."""
    if place == 0:
        return True
    before = found[place - 1]
    if before.token_type in (
        Kind.NUMBER,
        Kind.STRING,
        Kind.IDENTIFIER,
        Kind.R_PAREN,
        Kind.R_BRACKET,
    ):
        return False
    return not _NAME.match(before.text) or before.text.upper() in _BEFORE_SIGN


_BEFORE_SIGN = frozenset(
    {
        "SELECT", "WHERE", "AND", "OR", "NOT", "ON", "HAVING", "WHEN", "THEN", "ELSE", "BETWEEN", "IN", "LIKE",
        "BY", "CASE", "RETURN", "LIMIT", "OFFSET", "DISTINCT",
    }
)  # fmt: skip
# What may stand before a query: ``TABLE t`` is ``SELECT * FROM t`` there.
_BEFORE_QUERY = frozenset(
    {"", "(", ")", "UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "MINUS", "AS", ";"}
)


def _is_table_query(found: Sequence[Any], place: int) -> bool:
    if found[place].token_type != Kind.TABLE or place + 1 >= len(found):
        return False
    before = found[place - 1].text.upper() if place else ""
    named = found[place + 1].token_type in (Kind.VAR, Kind.IDENTIFIER)
    return named and before in _BEFORE_QUERY and found[place + 1].token_type != Kind.L_PAREN


def _is_function(found: Sequence[Any], place: int, end: int) -> bool:
    token = found[place]
    if (
        token.token_type in (Kind.STRING, Kind.NUMBER)
        or found[place + 1].token_type != Kind.L_PAREN
    ):
        return False
    word, before = token.text.upper(), found[place - 1].text.upper() if place else ""
    if before == "|>":
        # AGGREGATE (…) is a step.
        return False
    if token.token_type == Kind.GROUPING_SETS:
        # Without a comma before them they are sqlglot's to read: what is in front only names the keys.
        return before.split()[-1:] in (["BY"], [","], ["("])
    if not _NAME.match(token.text):
        return False
    if token.token_type == Kind.IDENTIFIER:
        return False
    if word in ("CAST", "TRY_CAST"):
        return True
    if word == "FILTER":
        return before != ")" and before not in ("NULLS",)
    if word in ("ANY", "SOME", "ALL"):
        return word != "ALL" and before not in _QUANTIFIED
    if word == "EXISTS":
        return not _opens_query(found, place + 1)
    if word in _WORDY and _at_depth(found, place + 1, end) & _WORDY[word]:
        return False
    if word in _TYPES:
        return not (_as_type(found, place) or _names_columns(found, place, before, end))
    if word in _KEYWORDS:
        return False
    # `t (a, b)`, `AS t(a)`, `WITH t(a) AS`, `INSERT INTO t (a)`: names of columns follow.
    return not _names_columns(found, place, before, end)


def _as_type(found: Sequence[Any], place: int) -> bool:
    before = found[place - 1].text.upper() if place else ""
    return before in ("AS", "::", "<", ":", ",") and not (
        before in (",", "AS") and not _in_type(found, place)
    )


def _in_type(found: Sequence[Any], place: int) -> bool:
    """Whether the word stands in a type: behind AS in a cast, or within ``<…>``."""
    before = found[place - 1].text.upper()
    if before == "AS":
        depth = 0
        for each in reversed(found[: place - 1]):
            if each.token_type == Kind.R_PAREN:
                depth += 1
            elif each.token_type == Kind.L_PAREN:
                if depth == 0:
                    index = found.index(each)
                    return found[index - 1].text.upper() in ("CAST", "TRY_CAST", "SAFE_CAST")
                depth -= 1
        return False
    return any(each.text == "<" for each in found[max(0, place - 12) : place])


def _names_columns(found: Sequence[Any], place: int, before: str, end: int) -> bool:
    if before in ("AS", "RECURSIVE") or _is_target(found, place):
        return True
    following = found[end + 1].text.upper() if end + 1 < len(found) else ""
    if before == "WITH" or (before == "," and following == "AS" and _opens_query(found, end + 2)):
        return True
    previous = found[place - 1] if place else None
    if previous is None or (place > 1 and found[place - 2].token_type == Kind.PIPE_GT):
        return False
    named = previous.token_type in (Kind.VAR, Kind.IDENTIFIER) and _NAME.match(previous.text)
    return before == ")" or bool(named and before not in _CLAUSES)


_BEFORE_TARGET = frozenset(["INTO", "TABLE", "OVERWRITE", "VIEW"])


def _is_target(found: Sequence[Any], place: int) -> bool:
    """Whether the name is that of a table that is made or written: ``INTO a.b.c (x, y)``."""
    while place >= 2 and found[place - 1].token_type == Kind.DOT:
        place -= 2
    before = [t.text.upper() for t in found[max(0, place - 3) : place]]
    if before[-3:] == ["IF", "NOT", "EXISTS"]:
        return True
    return bool(before) and before[-1] in _BEFORE_TARGET and before[-2:-1] != ["LATERAL"]


# Words that sqlglot's tokenizer has no kind for and that may stand before an expression.
_CLAUSES = frozenset(
    [
        "DISTRIBUTE", "CLUSTER", "BY", "EXTEND", "RETURN", "PLACING", "BOTH", "LEADING", "TRAILING",
    ]
)  # fmt: skip


_OPENING = frozenset(["SELECT", "WITH", "FROM", "VALUES", "TABLE"])


def _opens_query(found: Sequence[Any], place: int) -> bool:
    if place + 1 >= len(found) or found[place].token_type != Kind.L_PAREN:
        return False
    # `explode(m) AS (k, v)` names columns, and what stands in more brackets may be an argument.
    while place < len(found) and found[place].token_type == Kind.L_PAREN:
        place += 1
    return place < len(found) and found[place].text.upper() in _OPENING


def _at_depth(found: Sequence[Any], start: int, end: int) -> set[str]:
    """The words directly within a pair of brackets."""
    words: set[str] = set()
    depth = 0
    for token in found[start + 1 : end]:
        if token.token_type in (Kind.L_PAREN, Kind.L_BRACKET):
            depth += 1
        elif token.token_type in (Kind.R_PAREN, Kind.R_BRACKET):
            depth -= 1
        elif depth == 0 and token.token_type != Kind.STRING:
            words.add(token.text.upper())
    return words


def brackets(found: Sequence[Any]) -> dict[int, int]:
    """Where each opening bracket is closed."""
    out: dict[int, int] = {}
    stack: list[int] = []
    for place, token in enumerate(found):
        if token.token_type == Kind.L_PAREN:
            stack.append(place)
        elif token.token_type == Kind.R_PAREN and stack:
            out[stack.pop()] = place
    return out


def _copy(token: Any, text: str, kind: Any = Kind.VAR) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
