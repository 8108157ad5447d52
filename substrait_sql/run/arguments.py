"""The values given for a plan's parameters: each must be one of its parameter's type, for Spark's casts would round it.

``CAST(:p1 AS BIGINT)`` makes 5 of 5.7, and any length of text is a ``varchar<3>`` to Spark.
"""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal, InvalidOperation
from typing import Any

from substrait_sql.errors import ExecutionError

_INTEGERS = ("i8", "i16", "i32", "i64")


def checked(name: str, value: Any, type: str | None) -> Any:
    """The value as Spark is to have it. type: the parameter's, as text; None where the plan does not say.

    Raises `ExecutionError` SS4018 for a value that is not of the type.
    """
    if not type:
        return value
    kind, _, rest = type.partition("<")
    numbers = rest.rstrip(">")
    if value is None:
        if not kind.endswith("?"):
            raise _wrong(name, "NULL", type)
        return None
    kind = kind.rstrip("?")
    if kind == "uuid":
        return _canonical(name, value, type)
    if _loses(value, kind, numbers):
        raise _wrong(name, repr(value), type)
    return value


def _loses(value: Any, kind: str, numbers: str) -> bool:
    """Whether a cast to the type would change the value. Text that is no such value is an error of Spark's."""
    if kind in _INTEGERS:
        return isinstance(value, bool) or _digits(value) > 0
    if kind == "decimal":
        return isinstance(value, bool) or _digits(value) > int(numbers.split(",")[1])
    if kind in ("varchar", "fixedchar"):
        return len(str(value)) > int(numbers)
    if kind == "fixedbinary":
        return len(value) != int(numbers)
    if kind == "date":
        return isinstance(value, dt.datetime) or (
            isinstance(value, str) and len(value) > len("yyyy-mm-dd")
        )
    return False


def _digits(value: Any) -> int:
    """How many digits a number has behind its point, without zeros at the end."""
    try:
        exponent = Decimal(str(value).strip()).normalize().as_tuple().exponent
    except InvalidOperation:
        return 0
    return max(-exponent, 0) if isinstance(exponent, int) else 1


def _canonical(name: str, value: Any, type: str) -> str:
    try:
        return str(value if isinstance(value, uuid.UUID) else uuid.UUID(str(value)))
    except ValueError:
        raise _wrong(name, repr(value), type) from None


def _wrong(name: str, value: str, type: str) -> ExecutionError:
    made = ExecutionError.of("SS4018", f"parameter {name[1:]} is a {type}, and {value} is none")
    assert isinstance(made, ExecutionError)
    return made
