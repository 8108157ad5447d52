"""Intervals of several units as one text: ``INTERVAL 1 DAY -2 HOURS`` as ``(INTERVAL '1 day -2 hours')``.

Sqlglot makes a sum of them, and a difference where a sign stands before a number. Of a text with one number and its
unit it keeps these and drops the rest, the sign of ``'- 5 days'``: a mark makes it keep the text.
https://spark.apache.org/docs/latest/sql-ref-literals.html#interval-literal
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import tokens as sqlglot_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

# Sqlglot does not say that it exports them.
Token: Any = getattr(sqlglot_tokens, "Token")  # noqa: B009
Kind: Any = getattr(sqlglot_tokens, "TokenType")  # noqa: B009

_UNIT = re.compile(
    r"(?:year|month|week|day|hour|minute|second|millisecond|microsecond)s?\Z", re.IGNORECASE
)
_VALUE = re.compile(r"\s*([+-]?)\s*(\d+(?:\.\d*)?|\.\d+)\s*\Z")
_SIGNS = (Kind.DASH, Kind.PLUS)

# Two more numbers with units, behind a text: sqlglot takes none of them out.
MARK = " 1a 1a"


def whole_intervals(found: Sequence[Any]) -> list[Any]:
    """The tokens with each interval of several units as one text in brackets."""
    out: list[Any] = []
    place = 0
    while place < len(found):
        token = found[place]
        if token.token_type == Kind.STRING and _is_added(found, place):
            # Otherwise sqlglot takes it for one more part of the interval.
            out += [_like(token, "(", Kind.L_PAREN), token, _like(token, ")", Kind.R_PAREN)]
            place += 1
            continue
        if _says_units(found, place):
            text = found[place + 1]
            out += [token, _like(text, text.text + MARK, Kind.STRING)]
            place += 2
            continue
        end, parts = _parts(found, place + 1) if _opens(found, place) else (place, [])
        if len(parts) < 2:
            out.append(token)
            place += 1
            continue
        text = " ".join(parts)
        out += [_like(token, "(", Kind.L_PAREN), token, _like(token, text, Kind.STRING)]
        out.append(_like(found[end - 1], ")", Kind.R_PAREN))
        place = end
    return out


def _says_units(found: Sequence[Any], place: int) -> bool:
    """Whether an interval begins whose text has the units in it."""
    if not _opens(found, place) or place + 1 == len(found):
        return False
    text = found[place + 1]
    return text.token_type == Kind.STRING and any(map(str.isalpha, text.text))


def _is_added(found: Sequence[Any], place: int) -> bool:
    """Whether this is added to what has the name of a unit, as an interval ends."""
    before = found[max(place - 2, 0) : place]
    return (
        len(before) == 2
        and before[1].token_type == Kind.PLUS
        and _UNIT.match(before[0].text) is not None
    )


def _opens(found: Sequence[Any], place: int) -> bool:
    word = str(found[place].text).upper()
    return word == "INTERVAL" and bool(found[place].token_type != Kind.IDENTIFIER)


def _parts(found: Sequence[Any], place: int) -> tuple[int, list[str]]:
    """Where the interval ends, and its numbers with their units."""
    parts: list[str] = []
    while True:
        sign = "".join(each.text for each in found[place : place + 1] if each.token_type in _SIGNS)
        value, unit = (*found[place + bool(sign) : place + bool(sign) + 2], None, None)[:2]
        number = _number(value, sign)
        if not number or unit is None or not _UNIT.match(unit.text):
            return place, parts
        parts.append(f"{number} {unit.text}")
        place += 2 + bool(sign)


def _number(token: Any, sign: str) -> str:
    """The number of a token behind a sign, which its text may have, too; empty for what is none."""
    kinds = (Kind.NUMBER, Kind.STRING)
    said = _VALUE.match(token.text) if token is not None and token.token_type in kinds else None
    if said is None:
        return ""
    return ("-" if (sign == "-") != (said[1] == "-") else "") + said[2]


def _like(token: Any, text: str, kind: Any) -> Any:
    return Token(kind, text, token.line, token.col, token.start, token.end, token.comments)
