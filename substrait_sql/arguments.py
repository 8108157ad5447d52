"""What public functions are called with: arguments of another kind are refused before anything is done with them."""

from __future__ import annotations

from typing import Any

from substrait_sql.errors import ArgumentError


def expect(name: str, given: object, kinds: type | tuple[type, ...], takes: str) -> None:
    """Raises `ArgumentError` SS7001 for an argument that is of none of these kinds; None is taken, as "not given".

    name: of the argument. takes: what it may be, for the message.
    """
    # True is a number to Python, and to nobody who gives a count.
    is_flag = isinstance(given, bool) and kinds is int
    if given is not None and (is_flag or not isinstance(given, kinds)):
        raise _wrong(name, given, takes)


def expect_session(given: Any) -> None:
    """Raises `ArgumentError` SS7001 for what is no Spark session, classic or of Connect."""
    if not (hasattr(given, "sql") and hasattr(given, "conf")):
        raise _wrong("spark", given, "a Spark session, such as local_session() returns")


def _wrong(name: str, given: object, takes: str) -> ArgumentError:
    kind = type(given).__name__
    return ArgumentError.of(
        "SS7001", f"the argument {name} is of type {kind}", hint=f"it takes {takes}"
    )
