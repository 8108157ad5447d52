"""Types as people write them: ``i64?``, ``decimal<15,2>``, ``list<string?>``. The inverse of `types.text`."""

from __future__ import annotations

import re
from typing import Any

from substrait_sql.errors import InvalidPlanError
from substrait_sql.schema import types

_WORD = re.compile(r"\s*([A-Za-z_]\w*|\d+|[<>,?])")
_FIELDS = {"boolean": "bool", "fixedchar": "fixed_char", "fixedbinary": "fixed_binary"} | {
    short: field for field, short in types.SHORT.items()
}


def parse(text: str) -> Any:
    """The type. ``?`` may stand before the parameters, as the specification has it, or behind them.

    >>> types.text(parse("decimal<15,2>?"))
    'decimal?<15,2>'

    Raises SS2083 for text that is not a type.
    """
    words = _WORD.findall(text)
    if "".join(words) != re.sub(r"\s", "", text):
        raise _bad(text)
    try:
        found, rest = _type(words)
    except (IndexError, AttributeError, ValueError) as error:
        raise _bad(text) from error
    if rest:
        raise _bad(text)
    return found


def _bad(text: str) -> InvalidPlanError:
    return InvalidPlanError.of("SS2083", f"not a type: {text!r}", hint="write i64?, decimal<15,2>")


def _type(words: list[str]) -> tuple[Any, list[str]]:
    field = _FIELDS.get(words[0].lower(), words[0].lower())
    words = words[1:]
    nullable = words[:1] == ["?"]
    words = words[nullable:]
    out = types.unknown()
    part = getattr(out, field)
    inside: list[Any] = []
    if words[:1] == ["<"]:
        words = words[1:]
        while words[0] != ">":
            if words[0].isdigit():
                inside.append(int(words[0]))
                words = words[1:]
            else:
                inner, words = _type(words)
                inside.append(inner)
            words = words[words[0] == "," :]
        words = words[1:]
    nullable = nullable or words[:1] == ["?"]
    words = words[words[:1] == ["?"] :]
    part.nullability = types.NULLABLE if nullable else types.REQUIRED
    _fill(field, part, inside)
    return out, words


def _fill(field: str, part: Any, inside: list[Any]) -> None:
    if field == "struct":
        part.types.extend(inside)
    elif field == "list":
        (element,) = inside
        part.type.CopyFrom(element)
    elif field == "map":
        key, value = inside
        part.key.CopyFrom(key)
        part.value.CopyFrom(value)
    elif field == "decimal":
        part.precision, part.scale = inside
    elif inside:
        (number,) = inside
        setattr(part, "length" if hasattr(part, "length") else "precision", number)
