"""The type that a line of the signatures says a call has, in terms of its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.parse import parse_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.calls import Argument
    from substrait_sql.lift.typing.types import SparkType

_PART = re.compile(r"(element|key|value)\((.+)\)")
_ARRAY = re.compile(r"array<(.+?)([!?]?)>")
_MAP = re.compile(r"map<([^<,]+),(.+?)([!?]?)>")


def said(text: str, arguments: Sequence[Argument]) -> SparkType:
    """The type: ``1`` is the first argument's, ``element(1)`` that of its elements, anything else a type.

    ``array<1!>`` holds no NULL, ``array<1?>`` does where the argument may be NULL, ``array<1>`` always may.
    """
    if text.isdigit():
        return arguments[int(text) - 1].type
    if found := _PART.fullmatch(text):
        whole = said(found[2], arguments)
        return whole.parts[1] if found[1] == "value" else whole.parts[0]
    if found := _ARRAY.fullmatch(text):
        holds = _holds_null(found[1], found[2], arguments)
        return t.array(said(found[1], arguments), holds_null=holds)
    if found := _MAP.fullmatch(text):
        holds = _holds_null(found[2], found[3], arguments)
        return t.map_(said(found[1], arguments), said(found[2], arguments), holds_null=holds)
    return parse_type(text)


def _holds_null(text: str, mark: str, arguments: Sequence[Argument]) -> bool:
    if mark == "?":
        return arguments[int(text) - 1].nullable
    return mark != "!"


def nullable(text: str, arguments: Sequence[Argument]) -> bool | None:
    """``always``, ``never``, ``args`` or the places of those that matter (``1,2``); None for the name of a rule."""
    match text:
        case "always":
            return True
        case "never":
            return False
        case "args":
            return any(a.nullable for a in arguments)
    if text[0].isdigit():
        places = [int(place) - 1 for place in text.split(",")]
        return any(arguments[place].nullable for place in places if place < len(arguments))
    return None
