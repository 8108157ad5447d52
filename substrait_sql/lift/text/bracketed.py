"""Brackets that sqlglot's parser needs, and Spark's does not.

``ORDER BY all``: sqlglot takes each key called so, ``t.all`` too, for the word. ``x = like(a, b)``: it takes the name
of an operator for the operator, and reads ``(x = a) LIKE b``. In brackets it does not. And the clause WINDOW, which
stands before ORDER BY for it, and also behind it for Spark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_ENDS = (Kind.COMMA, Kind.R_PAREN, Kind.SEMICOLON, Kind.PIPE_GT)
_WORDS = frozenset(["ASC", "DESC", "NULLS", "LIMIT", "OFFSET", "ROWS", "RANGE"])
# Operators that are functions, too, and how many arguments they have as such.
CALLED = {
    "AND": (2,), "DIV": (2,), "ILIKE": (2, 3), "LIKE": (2, 3), "OR": (2,), "REGEXP": (2,), "RLIKE": (2,),
}  # fmt: skip
# What ends a value, so that an operator may stand behind it; words do, but for these.
_VALUES = (Kind.NUMBER, Kind.STRING, Kind.IDENTIFIER, Kind.R_PAREN, Kind.R_BRACKET)
_NO_VALUES = frozenset(
    {
        "SELECT", "DISTINCT", "WHERE", "AND", "OR", "ON", "HAVING", "QUALIFY", "WHEN", "THEN", "ELSE", "CASE",
        "BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "DIV", "BY", "GROUP BY", "ORDER BY", "PARTITION BY",
        "CLUSTER BY", "DISTRIBUTE BY", "SORT BY", "LIMIT", "OFFSET", "USING",
    }
)  # fmt: skip
# Operators behind which NOT is no operator but the call that Spark knows by this name, if it is one.
_TAKE_VALUES = frozenset(
    [
        Kind.EQ, Kind.NEQ, Kind.LT, Kind.LTE, Kind.GT, Kind.GTE, Kind.NULLSAFE_EQ, Kind.PLUS, Kind.DASH, Kind.SLASH,
        Kind.MOD, Kind.DPIPE, Kind.AMP, Kind.CARET, Kind.LIKE, Kind.ILIKE, Kind.RLIKE, Kind.DIV, Kind.BETWEEN,
    ]
)  # fmt: skip
_STEPS = frozenset({"EXTEND", "AGGREGATE"})
# What stands behind a name, and not behind a word before a value.
_BEHIND_NAME = frozenset(
    [
        "", ",", ")", "FROM", "AS", "|>", ".", "[", "::", "=", "==", "<", ">", "<=", ">=", "<>", "!=", "<=>", "/", "%",
        "||", "&", "|", "^", "IS", "IN", "AND", "OR", "LIKE", "ILIKE", "RLIKE", "BETWEEN", "DIV",
    ]
)  # fmt: skip


_ORDERS = (Kind.ORDER_BY, Kind.SORT_BY, Kind.CLUSTER_BY, Kind.DISTRIBUTE_BY)
_ENDS_WINDOWS = (Kind.LIMIT, Kind.OFFSET, Kind.R_PAREN, Kind.SEMICOLON, Kind.PIPE_GT)


def windows_in_front(found: Sequence[Any]) -> list[Any]:
    """The tokens, with the clause WINDOW of a query before its ORDER BY, SORT BY, CLUSTER BY and DISTRIBUTE BY."""
    if not any(token.token_type == Kind.WINDOW for token in found):
        return list(found)
    out: list[Any] = []
    # Of each level of brackets: whether it is a query, and where its first such clause begins in `out`.
    levels: list[tuple[bool, int | None]] = [(False, None)]
    moved: int | None = None
    depth = 0
    for place, token in enumerate(found):
        kind = token.token_type
        if kind == Kind.L_PAREN:
            levels.append((False, None))
        elif moved is not None and len(levels) == depth and kind in _ENDS_WINDOWS:
            moved = None
        if kind == Kind.R_PAREN and len(levels) > 1:
            levels.pop()
        query, order = levels[-1]
        if kind == Kind.SELECT:
            levels[-1] = True, None
        elif kind in (Kind.LIMIT, Kind.OFFSET):
            levels[-1] = False, None
        elif query and order is None and kind in _ORDERS:
            levels[-1] = True, len(out)
        elif order is not None and _is_clause(found, place):
            moved, depth = order, len(levels)
        if moved is None:
            out.append(token)
        else:
            out.insert(moved, token)
            moved += 1
    return out


def _is_clause(found: Sequence[Any], place: int) -> bool:
    """Whether it is ``WINDOW w AS``."""
    as_ = place + 2 < len(found) and found[place + 2].token_type == Kind.ALIAS
    return found[place].token_type == Kind.WINDOW and as_


def bracketed_all(found: Sequence[Any]) -> list[Any]:
    """The tokens, with brackets around each key of ORDER BY that is a name whose last part is ``all``."""
    out: list[Any] = []
    start: int | None = None  # where the key that is being read begins in `out`
    opened: list[int | None] = []
    for place, token in enumerate(found):
        if token.token_type == Kind.L_PAREN:
            opened.append(start)
        elif token.token_type == Kind.R_PAREN:
            start = opened.pop() if opened else None
        out.append(token)
        if token.token_type == Kind.ORDER_BY or (
            token.token_type == Kind.COMMA and start is not None
        ):
            start = len(out)
        elif token.token_type == Kind.L_PAREN:
            start = None
        elif start is not None and _is_all(token) and _ends(found, place) and _is_name(out[start:]):
            first = out[start]
            out[start:] = [
                _like(first, "(", Kind.L_PAREN),
                *out[start:],
                _like(token, ")", Kind.R_PAREN),
            ]
    return out


def bracketed_calls(found: Sequence[Any]) -> list[Any]:
    """The tokens, with brackets around each call of an operator by its name."""
    out: list[Any] = []
    ends: list[bool] = []  # of each bracket that is open: whether it is that of such a call
    for place, token in enumerate(found):
        if token.token_type == Kind.L_PAREN:
            ends.append(place > 0 and is_called_operator(found, place - 1))
        elif is_called_operator(found, place):
            out.append(_like(token, "(", Kind.L_PAREN))
        out.append(token)
        if token.token_type == Kind.R_PAREN and ends and ends.pop():
            out.append(_like(token, ")", Kind.R_PAREN))
    return out


def is_called_operator(found: Sequence[Any], place: int) -> bool:
    """Whether a token is the name of an operator that is called: nothing that it could stand behind is before it."""
    token = found[place]
    if place + 1 == len(found) or found[place + 1].token_type != Kind.L_PAREN:
        return False
    if token.token_type == Kind.NOT:
        return bool(token.text != "!") and is_operand(found, place)
    named = token.token_type not in _VALUES and token.text.upper() in CALLED
    return named and _begins_value(found, place)


def is_operand(found: Sequence[Any], place: int) -> bool:
    """Whether an operator that takes a value stands before a token: not the sign of ``SET a = …``, which is none."""
    if place == 0 or found[place - 1].token_type not in _TAKE_VALUES:
        return False
    return found[place - 1].token_type != Kind.EQ or not _assigns(found, place - 1)


def _assigns(found: Sequence[Any], place: int) -> bool:
    """Whether ``=`` is that of SET: a name is before it, and SET or a comma in its list before that."""
    start = place
    while start and found[start - 1].token_type in (Kind.VAR, Kind.IDENTIFIER, Kind.DOT):
        start -= 1
    if start in (0, place):
        return False
    if found[start - 1].token_type != Kind.COMMA:
        return bool(found[start - 1].token_type == Kind.SET)
    depth = 0
    for token in reversed(found[:start]):
        depth += (token.token_type == Kind.R_PAREN) - (token.token_type == Kind.L_PAREN)
        if depth < 0 or token.token_type in (Kind.SELECT, Kind.PIPE_GT):
            return False
        if depth == 0 and token.token_type == Kind.SET:
            return True
    return False


def _begins_value(found: Sequence[Any], place: int) -> bool:
    if place == 0:
        return True
    before = found[place - 1]
    if before.token_type == Kind.NOT:
        return _begins_value(found, place - 1)
    word = before.text.upper()
    if word in _STEPS:
        return place > 1 and found[place - 2].token_type == Kind.PIPE_GT
    return before.token_type not in _VALUES and (not word[:1].isalpha() or word in _NO_VALUES)


def _is_all(token: Any) -> bool:
    return bool(token.text.upper() == "ALL") and token.token_type != Kind.STRING


def _ends(found: Sequence[Any], place: int) -> bool:
    following = found[place + 1] if place + 1 < len(found) else None
    return following is None or following.token_type in _ENDS or following.text.upper() in _WORDS


def _is_name(key: Sequence[Any]) -> bool:
    return all(t.token_type == Kind.DOT for t in key[1::2])


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)


def is_column_all(found: Sequence[Any], place: int) -> bool:
    """``SELECT all, …`` and ``max(all)``: a column, no word before a select list or an argument."""
    if found[place].token_type != Kind.ALL or not place:
        return False
    if found[place - 1].token_type not in (Kind.SELECT, Kind.L_PAREN, Kind.COMMA, Kind.DISTINCT):
        return False
    following = [t.text.upper() for t in found[place + 1 : place + 3]] or [""]
    if following[0] == "*":  # `all * 2`, but not `count(ALL *)`
        return following[1:] not in ([")"], [","])
    return following[0] in _BEHIND_NAME
