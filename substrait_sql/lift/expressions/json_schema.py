"""What ``schema_of_json`` says of a constant text, where that is plain.

https://spark.apache.org/docs/latest/api/sql/#schema_of_json
"""

from __future__ import annotations

import json
import re
from functools import reduce
from typing import Any, Final

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
_NULL: Final = "NULL"


class _Unsure(ValueError):
    """A text of which Spark may think otherwise."""


def schema_of_json(text: str) -> str | None:
    """The type of the value as Spark writes it; None where other readers of JSON may differ."""
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refused, parse_float=_Fraction
        )
        return _shown(_type_of(value))
    except ValueError:
        return None


class _Fraction(str):
    """A number with a point or an exponent."""


def _refused(word: str) -> Any:
    raise _Unsure(word)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    names = {name.casefold() for name in made}
    if len(names) < len(pairs) or not all(map(_NAME.match, made)):
        raise _Unsure("names that are not plain")
    return made


def _type_of(value: Any) -> Any:
    """The name of a type, a list of one for an array, a dict for a struct."""
    match value:
        case dict() if value:
            return {name: _type_of(value[name]) for name in sorted(value)}
        case list():
            return [reduce(_wider, map(_type_of, value), _NULL)]
        case bool():
            return "BOOLEAN"
        case int() if -(2**63) <= value < 2**63:
            return "BIGINT"
        case _Fraction():
            return "DOUBLE"
        case str():
            return "STRING"
        case None:
            return _NULL
    raise _Unsure(str(value))


def _wider(a: Any, b: Any) -> Any:
    if b in (a, _NULL):
        return a
    if a == _NULL:
        return b
    if isinstance(a, dict) and isinstance(b, dict):
        names = sorted(a.keys() | b.keys())
        return {name: _wider(a.get(name, _NULL), b.get(name, _NULL)) for name in names}
    if {str(a), str(b)} == {"BIGINT", "DOUBLE"}:
        return "DOUBLE"
    raise _Unsure("values of several types")


def _shown(kind: Any) -> str:
    if isinstance(kind, dict):
        return f"STRUCT<{', '.join(f'{name}: {_shown(k)}' for name, k in kind.items())}>"
    if isinstance(kind, list):
        return f"ARRAY<{_shown(kind[0])}>"
    return "STRING" if kind == _NULL else str(kind)
