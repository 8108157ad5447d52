"""What sqlglot's parser lets pass or does not tell: commas in FROM, clauses out of order, commas too many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

Token = sqlglot_tokens.Token
Kind = sqlglot_tokens.TokenType

_RANK = {
    "SELECT": 0, "FROM": 1, "WHERE": 3, "GROUP": 4, "HAVING": 5, "QUALIFY": 6, "WINDOW": 6,
    "ORDER": 7, "SORT": 7, "CLUSTER": 7, "DISTRIBUTE": 7, "LIMIT": 8, "OFFSET": 9,
}  # fmt: skip
_SETS = {"UNION", "INTERSECT", "EXCEPT", "MINUS"}
_ENDS = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", ")", ","}
# Calls in which FROM is a word of the call.
_WITH_FROM = {"EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY", "POSITION"}


@dataclass(slots=True)
class _Level:
    """What is known at one depth of brackets."""

    call: bool = False
    in_from: bool = False
    in_values: bool = False
    rank: int = -1


class Misplaced(Exception):
    """A word or a comma where Spark takes none. token: which."""

    def __init__(self, message: str, token: Any) -> None:
        super().__init__(message)
        self.token = token


def with_marked_commas(found: Sequence[Any]) -> list[Any]:
    """The tokens with the commas of FROM as a join that Spark does not have: sqlglot reads them as CROSS JOIN.

    ``a, b RIGHT JOIN c`` joins b and c first, ``a CROSS JOIN b RIGHT JOIN c`` a and b. Raises `Misplaced`.
    """
    out: list[Any] = []
    levels = [_Level()]
    for place, token in enumerate(found):
        plain = token.token_type not in (Kind.STRING, Kind.IDENTIFIER)
        # GROUP BY is one token.
        word = token.text.upper().split()[0] if plain and token.text.strip() else ""
        before = found[place - 1] if place else None
        level = levels[-1]
        if token.token_type == Kind.L_PAREN:
            if level.in_values and before is not None and _is_name(before):
                level.in_values = False
            levels.append(_Level(call=before is not None and before.text.upper() in _WITH_FROM))
        elif token.token_type == Kind.R_PAREN:
            levels.pop()
            if not levels:
                raise Misplaced("a bracket is closed that was not opened", token)
        elif token.token_type == Kind.PIPE_GT:
            level.in_from, level.in_values, level.rank = False, False, -1
        elif token.token_type == Kind.COMMA:
            _check_comma(found, place)
            if level.in_from and not level.in_values:
                out += [_like(token, "ASOF", Kind.ASOF), _like(token, "JOIN", Kind.JOIN)]
                continue
        elif word:
            _word(word, found, place, level)
        out.append(token)
    return out


def _word(word: str, found: Sequence[Any], place: int, level: _Level) -> None:
    before = found[place - 1].text.upper() if place else ""
    following = found[place + 1].text.upper() if place + 1 < len(found) else ""
    if word == "FROM":
        if level.call or before == "DISTINCT":
            return
        level.in_from, level.in_values = True, False
    elif word == "VALUES" and level.in_from:
        level.in_values = True
    elif word == "AS" or (level.in_values and before == ")" and _is_name(found[place])):
        level.in_values = False
    elif word in _SETS:
        if following in ("(",) and before in ("*",):
            return
        level.in_from, level.rank = False, -1
        return
    elif word == "LATERAL" and following == "VIEW":
        level.in_from = False
    if word not in _RANK or before in (".", "WITHIN", "AS") or following == ".":
        return
    spaced = found[place].text.upper().endswith(" BY") or following == "BY"
    if word in ("ORDER", "GROUP", "SORT", "CLUSTER", "DISTRIBUTE") and not spaced:
        return
    if word in ("WINDOW", "QUALIFY", "OFFSET", "LIMIT") and (following in (",", ")", "") or before in (",", "SELECT", "BY")):
        return
    if word != "FROM":
        level.in_from = False
    rank = _RANK[word]
    if word == "SELECT":
        level.rank = max(level.rank, 0) if level.rank == 1 else 0
        return
    if rank < level.rank or (rank == level.rank and rank in (1, 3, 4, 5)):
        raise Misplaced(f"{word} does not stand here", found[place])
    level.rank = rank


def _check_comma(found: Sequence[Any], place: int) -> None:
    following = found[place + 1] if place + 1 < len(found) else None
    plain = following is not None and following.token_type not in (Kind.STRING, Kind.IDENTIFIER)
    if following is None or (plain and following.text.upper() in _ENDS - {"FROM"}):
        raise Misplaced("a comma with nothing behind it", found[place])
    if plain and following.text.upper() == "FROM" and place + 2 < len(found):
        raise Misplaced("a comma with nothing behind it", found[place])


def _is_name(token: Any) -> bool:
    return token.token_type in (Kind.VAR, Kind.IDENTIFIER)


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])
