"""Tokens that Spark puts together otherwise than sqlglot's tokenizer."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

from substrait_sql.lift.text.intervals import whole_intervals
from substrait_sql.lift.text.literals import whole_literals
from substrait_sql.lift.typing import arithmetic
from substrait_sql.tree.releases import TILDE

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_BEFORE_ROWS = frozenset(["FROM", "(", "JOIN", ",", ""])
_NO_ROW = frozenset(["(", ",", ")", ".", "=", "<", ">", "AS", "|>", ";"])
_AFTER_ROWS = frozenset(
    [
        "AS", "WHERE", "GROUP", "HAVING", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "UNION",
        "EXCEPT", "MINUS", "INTERSECT", "JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "FULL", "NATURAL", "LATERAL",
        "WINDOW", "QUALIFY", "|>", "PIVOT", "UNPIVOT", "SELECT", "ANTI", "SEMI",
    ]
)  # fmt: skip
_NESTED = ("ARRAY", "MAP", "STRUCT")
_NAME = re.compile(r"`((?:[^`]|``)+)`|(\w+)")
_NAMES_ONLY = re.compile(r"(?:`(?:[^`]|``)+`|\w+)(?:\.(?:`(?:[^`]|``)+`|\w+))*")
_NAMES = (Kind.VAR, Kind.IDENTIFIER)
_NAMED = (*_NAMES, Kind.R_PAREN, Kind.R_BRACKET)
_ENDS = (Kind.STRING, Kind.NUMBER, Kind.R_PAREN, Kind.NULL, Kind.TRUE, Kind.FALSE, Kind.R_BRACKET)

# Behind an exclamation mark: `!<` and `!>` are operators of Spark's.
_NEGATED = {Kind.LT: (">=", Kind.GTE), Kind.GT: ("<=", Kind.LTE)}

# Sqlglot reads ~~ as LIKE, ~~* as ILIKE: to Spark they are signs, each by itself.
_TILDES = (Kind.GLOB, Kind.LIKE, Kind.ILIKE, Kind.IRLIKE)


def respelt(found: Sequence[Any]) -> list[Any]:
    """The tokens with bytes, decimals, `>>>` and `~~` as Spark has them, and brackets about each of VALUES 1, 2."""
    out: list[Any] = []
    types = 0
    for place, token in enumerate(found):
        before = out[-1] if out else None
        if token.token_type == Kind.LT and before is not None and before.text.upper() in _NESTED:
            types += 1
        elif token.token_type == Kind.GT and types:
            # The end of a type: ARRAY<ARRAY<ARRAY<INT>>> shifts nothing.
            types -= 1
            out.append(token)
            continue
        if _is_word_as_name(found, place):
            # In backquotes it is nothing else to anybody.
            out.append(_like(token, token.text, Kind.IDENTIFIER))
        elif token.token_type in (Kind.ISNULL, Kind.NOTNULL) or is_window_name(found, place):
            # Names to Spark: it has no such operators.
            out.append(_like(token, token.text, Kind.VAR))
        elif token.token_type == Kind.CLUSTER_BY and before is not None and before.text == "(":
            # The rows of a window: a query never begins with it.
            out.append(_like(token, "PARTITION BY", Kind.PARTITION_BY))
        elif token.token_type == Kind.STRING and _is_x(before):
            out[-1] = _like(token, token.text, Kind.HEX_STRING)
        elif token.token_type == Kind.DECIMAL and _is_suffix(out, token):
            whole = _with_point(out)
            out[-2 if whole is out[-2] else -3 :] = _exact(whole, token)
        elif token.token_type == Kind.DQMARK:
            # An operator of other systems: to Spark two parameters.
            out += [_like(token, "?", Kind.PLACEHOLDER)] * 2
        elif _is_third(out, token):
            del out[-1]
            # No text has this operator of sqlglot's: Spark's >>> is read as it.
            out[-1] = _like(out[-1], "??", Kind.DQMARK)
        elif token.token_type in _NEGATED and _is_exclamation(before, token):
            out[-1] = _like(token, *_NEGATED[token.token_type])
        elif token.token_type in _TILDES:
            out += _signs(token)
        else:
            out.append(token)
    named = _named_fields(_identified(_built_in(whole_intervals(whole_literals(out)))))
    return _levelled(_rows(named))


# Words that begin something, with a name, a number or a bracket behind them; each may be a name to Spark.
_WORDS = frozenset(
    [
        "ALTER", "ANY", "CREATE", "DROP", "FETCH", "FOR", "GRANT", "INTO", "LIMIT", "OFFSET", "RETURN", "REVOKE",
        "ROLLBACK", "SERDEPROPERTIES", "UNCACHE", "VALUES",
    ]
)  # fmt: skip
# What stands behind a name, and never behind the beginning of something.
_BEHIND_NAMES = _AFTER_ROWS | frozenset(
    [
        ")", ",", ".", ";", "=", "==", "<>", "!=", "<", ">", "<=", ">=", "<=>", "*", "/", "%", "||", "&", "|", "^",
        "[", "::", "->", "FROM", "GROUP BY", "ORDER BY", "SORT BY", "CLUSTER BY", "DISTRIBUTE BY", "ASC", "DESC",
        "NULLS", "IS", "IN", "NOT", "LIKE", "ILIKE", "RLIKE", "REGEXP", "BETWEEN", "AND", "OR", "WHEN", "THEN",
        "ELSE", "END", "ON", "USING", "",
    ]
)  # fmt: skip


def _is_word_as_name(found: Sequence[Any], place: int) -> bool:
    """Whether a word like VALUES or LIMIT is a name: ``SELECT values FROM t``, ``WITH values AS (…)``."""
    plain = found[place].token_type in (*_NAMES, Kind.STRING)
    if plain or not place or found[place].text.upper() not in _WORDS:
        return False
    behind = found[place + 1].text.upper() if place + 1 < len(found) else ""
    if behind in ("+", "-"):
        # A sign, where VALUES or LIMIT stands behind FROM, a name or brackets.
        return found[place - 1].token_type not in (Kind.FROM, Kind.JOIN, *_NAMED, *_ENDS)
    return behind in _BEHIND_NAMES


def _signs(token: Any) -> list[Any]:
    """Its signs, one by one."""
    if token.text[:1] != "~":
        return [token]
    kinds = {"~": TILDE, "*": Kind.STAR}
    return [
        Token(kinds[sign], sign, token.line, token.col, token.start + at, token.start + at, [])
        for at, sign in enumerate(token.text)
    ]


def _is_exclamation(before: Any, token: Any) -> bool:
    """Whether the token before is the sign, right before this one."""
    sign = before is not None and before.token_type == Kind.NOT and before.text == "!"
    return sign and bool(before.end + 1 == token.start)


def is_window_name(found: Sequence[Any], place: int) -> bool:
    """Whether it is the function ``window(ts, '5 minutes')``, or a column: the clause has a name and AS behind it."""
    if found[place].token_type != Kind.WINDOW:
        return False
    behind = found[place + 1 : place + 3]
    named = bool(behind) and behind[0].token_type in _NAMES
    return not (named and len(behind) == 2 and behind[1].token_type == Kind.ALIAS)


def _built_in(found: Sequence[Any]) -> list[Any]:
    """``builtin.abs(x)`` and ``system.builtin.abs(x)`` as the function without the schema that it is in."""
    out: list[Any] = []
    place = 0
    while place < len(found):
        dotted = bool(out) and out[-1].token_type == Kind.DOT
        width = 0 if dotted else next((w for w in (2, 4) if _is_schema(found, place, w)), 0)
        place += width
        out.append(found[place])
        place += 1
    return out


def _is_schema(found: Sequence[Any], place: int, width: int) -> bool:
    """Whether so many tokens are the schema of a function that is called behind them."""
    words = [t.text.lower() for t in found[place : place + width]]
    called = found[place + width : place + width + 2]
    return (
        words == ["system", ".", "builtin", "."][-width:]
        and len(called) == 2
        and called[1].token_type == Kind.L_PAREN
    )


def _identified(found: Sequence[Any]) -> list[Any]:
    """``IDENTIFIER('a.' || 'b')`` of constant texts as the name that it is."""
    out: list[Any] = []
    place = 0
    while place < len(found):
        parts = found[place + 2 : _end_of_texts(found, place)]
        if not parts:
            out.append(found[place])
            place += 1
            continue
        names = _NAME.findall("".join(t.text for t in parts[::2]))
        for number, (quoted, plain) in enumerate(names):
            kind = Kind.IDENTIFIER if quoted else Kind.VAR
            out += [_like(parts[0], ".", Kind.DOT)] if number else []
            out.append(_like(parts[0], quoted.replace("``", "`") or plain, kind))
        place += len(parts) + 3
    return out


def _end_of_texts(found: Sequence[Any], place: int) -> int:
    """Where the bracket behind the texts of IDENTIFIER closes; 0 where none of that stands here."""
    token = found[place]
    opens = place + 3 < len(found) and found[place + 1].token_type == Kind.L_PAREN
    if token.token_type != Kind.VAR or token.text.upper() != "IDENTIFIER" or not opens:
        return 0
    end = place + 2
    while end + 1 < len(found) and found[end].token_type == Kind.STRING:
        if found[end + 1].token_type == Kind.R_PAREN:
            whole = "".join(t.text for t in found[place + 2 : end + 1 : 2])
            dotted = Kind.DOT in [t.token_type for t in found[end + 2 : end + 3]]
            return end + 1 if _NAMES_ONLY.fullmatch(whole) and not dotted else 0
        if found[end + 1].token_type != Kind.DPIPE:
            return 0
        end += 2
    return 0


_LEVEL = ["MAX", "RECURSION", "LEVEL"]


def _levelled(found: Sequence[Any]) -> list[Any]:
    """``r MAX RECURSION LEVEL 300 AS (…)`` with the level as a comment of AS: sqlglot has no word for it.

    Comments of the text itself are gone by now.
    """
    out: list[Any] = []
    place = 0
    while place < len(found):
        words = [t.text.upper() for t in found[place : place + 4]]
        if words[:3] == _LEVEL and _is_level(words[3:]) and _names_query(out):
            place += 4
            given = place < len(found) and found[place].token_type == Kind.ALIAS
            word = _like(found[place - 1], "AS", Kind.ALIAS)
            word.comments = words[3:]
            out.append(word)
            place += given
            continue
        out.append(found[place])
        place += 1
    return out


def _is_level(words: Sequence[str]) -> bool:
    """Whether the word is an INT."""
    return bool(words) and words[0].isdecimal() and int(words[0]) < 2**31


def _names_query(before: Sequence[Any]) -> bool:
    """Whether what has been read ends with the name of a common table expression, with names of columns or without."""
    place = len(before) - 1
    if place > 0 and before[place].token_type == Kind.R_PAREN:
        while place > 0 and before[place].token_type != Kind.L_PAREN:
            place -= 1
        place -= 1
    return place > 0 and before[place - 1].text.upper() in ("WITH", "RECURSIVE", ",")


def _named_fields(found: Sequence[Any]) -> list[Any]:
    """``struct(1 a)`` as ``struct(1 AS a)``: sqlglot wants the word in a function's arguments."""
    out: list[Any] = []
    structs: list[bool] = []
    for place, token in enumerate(found):
        if token.token_type == Kind.L_PAREN:
            structs.append(bool(out) and out[-1].text.upper() == "STRUCT")
        elif token.token_type == Kind.R_PAREN and structs:
            structs.pop()
        if structs and structs[-1] and _is_alias(found, place):
            out.append(_like(token, "AS", Kind.ALIAS))
        out.append(token)
    return out


def _is_alias(found: Sequence[Any], place: int) -> bool:
    """Whether the name stands behind a value and before a comma or the closing bracket."""
    if found[place].token_type not in _NAMES or place < 2 or place + 1 == len(found):
        return False
    value, before = found[place - 1], found[place - 2].text.upper()
    ends = value.token_type in (*_ENDS, *_NAMES) and value.text.upper() != "TO"
    closes = found[place + 1].token_type in (Kind.COMMA, Kind.R_PAREN)
    return ends and closes and before != "INTERVAL"


def _is_x(token: Any) -> bool:
    return token is not None and token.token_type == Kind.VAR and token.text in ("x", "X")


def _is_suffix(before: Sequence[Any], token: Any) -> bool:
    """Whether the type belongs to a number, `1BD`: the tokenizer puts a `::` between them, where the number stands."""
    return len(before) > 1 and before[-1].token_type == Kind.DCOLON and before[-1].end == token.end


def _with_point(before: Sequence[Any]) -> Any:
    """The number before its suffix, with the point of `.5BD`; the number itself where a point belongs to a name."""
    number = before[-2]
    point = before[-3] if len(before) > 2 else None
    if point is None or point.token_type != Kind.DOT or point.end + 1 != number.start:
        return number
    if len(before) > 3 and before[-4].end + 1 == point.start and before[-4].token_type in _NAMED:
        return number
    return _like(number, f"0.{number.text}", Kind.NUMBER)


def _exact(number: Any, token: Any) -> list[Any]:
    """`1.50BD` as `'1.50'::DECIMAL(3, 2)`: the parser of some releases makes the type one of ten digits."""
    kind = arithmetic.of_value(Decimal(number.text))
    digits = [(Kind.NUMBER, str(kind.precision)), (Kind.COMMA, ","), (Kind.NUMBER, str(kind.scale))]
    parts = [
        (Kind.STRING, number.text), (Kind.DCOLON, "::"), (Kind.DECIMAL, "DECIMAL"),
        (Kind.L_PAREN, "("), *digits, (Kind.R_PAREN, ")"),
    ]  # fmt: skip
    return [_like(number, text, each) for each, text in parts]


def _is_third(before: Sequence[Any], token: Any) -> bool:
    """Whether the token is the last of ``>>>``."""
    last = [*before[-2:], token]
    return (
        len(last) == 3
        and all(t.token_type == Kind.GT for t in last)
        and last[2].start == last[0].start + 2
    )


def _rows(found: list[Any]) -> list[Any]:
    out: list[Any] = []
    place = 0
    while place < len(found):
        token = found[place]
        out.append(token)
        place += 1
        if token.token_type == Kind.VALUES and _is_clause(out, found[place : place + 1]):
            place = _bracketed(found, place, out)
    return out


def _is_clause(before: Sequence[Any], following: Sequence[Any]) -> bool:
    """Whether values stand behind the word, the first of them without brackets."""
    earlier = before[-2].text.upper() if len(before) > 1 else ""
    return (
        earlier in _BEFORE_ROWS
        and bool(following)
        and (following[0].token_type == Kind.STRING or following[0].text.upper() not in _NO_ROW)
    )


def _bracketed(found: Sequence[Any], place: int, out: list[Any]) -> int:
    """Adds the values, each in brackets; returns where what follows them stands."""
    depth = 0
    row: list[Any] = []
    while place < len(found):
        token = found[place]
        if depth == 0 and _ends(token, row):
            break
        if depth == 0 and token.token_type == Kind.COMMA:
            out += [*_in_brackets(row), token]
            row = []
        else:
            depth += token.token_type in (Kind.L_PAREN, Kind.L_BRACKET)
            depth -= token.token_type in (Kind.R_PAREN, Kind.R_BRACKET)
            row.append(token)
        place += 1
    out += _in_brackets(row)
    return place


def _ends(token: Any, row: Sequence[Any]) -> bool:
    if token.token_type in (Kind.STRING, Kind.IDENTIFIER) and not row:
        return False
    if token.token_type in (Kind.R_PAREN, Kind.SEMICOLON):
        return True
    named = token.token_type in (Kind.VAR, Kind.IDENTIFIER)
    alias = named and bool(row) and row[-1].token_type in _ENDS
    # Of ORDER BY, which is one token, the first word.
    word = (token.text.upper().split() or [""])[0]
    return alias or (token.token_type != Kind.STRING and word in _AFTER_ROWS)


def _in_brackets(row: Sequence[Any]) -> list[Any]:
    if not row or row[0].token_type == Kind.L_PAREN:
        return list(row)
    return [_like(row[0], "(", Kind.L_PAREN), *row, _like(row[-1], ")", Kind.R_PAREN)]


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
