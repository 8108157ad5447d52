"""Scalar functions, by the name before the colon."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tests.oracle import values
from tests.oracle.model import NotCovered, RuntimeFailure

Function = Callable[[Any, list[Any]], Any]  # (output type, arguments) -> value


def _strict(make: Callable[..., Any]) -> Function:
    """Most functions are NULL as soon as one argument is (MIRROR nullability)."""
    return lambda _, args: None if any(a is None for a in args) else make(*args)


def _arithmetic(make: Callable[[Any, Any], Any]) -> Function:
    """A result that the declared width cannot hold is an error (5: overflow)."""

    def run(type_: Any, args: list[Any]) -> Any:
        if any(a is None for a in args):
            return None
        kind = type_.WhichOneof("kind")
        if kind in values.RANGES and all(isinstance(a, int) for a in args):
            return values.in_range(make(*args), kind)
        if kind == "fp64" and all(isinstance(a, float) for a in args):
            return make(*args)
        raise NotCovered(f"arithmetic that gives {kind}")

    return run


def _divide(a: Any, b: Any) -> Any:
    """Whole numbers lose the fraction, towards zero; zero may not divide."""
    if b == 0:
        raise RuntimeFailure("division by zero")
    if isinstance(a, int):
        whole = abs(a) // abs(b)
        return whole if (a < 0) == (b < 0) else -whole
    return a / b


def _compared(test: Callable[[int], bool]) -> Function:
    """Comparisons are NULL where an operand is."""

    def run(_: Any, args: list[Any]) -> bool | None:
        found = values.compare(args[0], args[1])
        return None if found is None else test(found)

    return run


def _like(text: str, pattern: str) -> bool:
    """% stands for any text, _ for one character; everything else for itself."""
    if "\\" in pattern:
        raise NotCovered("LIKE with an escape")
    parts = {"%": ".*", "_": "."}
    expression = "".join(parts.get(c, re.escape(c)) for c in pattern)
    return re.fullmatch(expression, text, re.DOTALL) is not None


def _coalesce(_: Any, args: list[Any]) -> Any:
    """The first argument that is not NULL."""
    return next((a for a in args if a is not None), None)


def _nullif(_: Any, args: list[Any]) -> Any:
    """The first argument, NULL where it equals the second."""
    return (
        None if None not in args and values.key((args[0],)) == values.key((args[1],)) else args[0]
    )


def _same(_: Any, args: list[Any]) -> bool:
    """Equal, or both NULL; never NULL itself."""
    return values.key((args[0],)) == values.key((args[1],))


def _over_list(reduce: Callable[[list[Any]], Any]) -> Function:
    """A lambda for each element of a list; NULL if there is no list."""

    def run(_: Any, args: list[Any]) -> Any:
        items, each = args
        return None if items is None else reduce([each(i) for i in items])

    return run


def _not(_: Any, args: list[Any]) -> bool | None:
    return None if args[0] is None else not args[0]


FUNCTIONS: dict[str, Function] = {
    "add": _arithmetic(lambda a, b: a + b),
    "subtract": _arithmetic(lambda a, b: a - b),
    "multiply": _arithmetic(lambda a, b: a * b),
    "divide": _arithmetic(_divide),
    "equal": _compared(lambda c: c == 0),
    "not_equal": _compared(lambda c: c != 0),
    "lt": _compared(lambda c: c < 0),
    "lte": _compared(lambda c: c <= 0),
    "gt": _compared(lambda c: c > 0),
    "gte": _compared(lambda c: c >= 0),
    "and": lambda _, args: values.all_true(args),
    "or": lambda _, args: values.any_true(args),
    "xor": _strict(lambda a, b: a != b),
    "not": _not,
    "is_false": lambda _, args: args[0] is False,
    "is_true": lambda _, args: args[0] is True,
    "is_null": lambda _, args: args[0] is None,
    "is_not_null": lambda _, args: args[0] is not None,
    "is_not_distinct_from": _same,
    "is_distinct_from": lambda t, args: not _same(t, args),
    "coalesce": _coalesce,
    "nullif": _nullif,
    "any_match": _over_list(values.any_true),
    "all_match": _over_list(values.all_true),
    "greatest": _strict(lambda *args: max(args)),
    "least": _strict(lambda *args: min(args)),
    "concat": _strict(lambda *args: "".join(args)),
    "upper": _strict(str.upper),
    "lower": _strict(str.lower),
    "like": _strict(_like),
}


# Options that ask for what the functions here do anyway.
MEANT = {("overflow", "ERROR"), ("null_handling", "ACCEPT_NULLS"), ("char_set", "UTF8")}


def as_meant(options: Any) -> bool:
    """Whether the options of a call leave it as it is."""
    return all((o.name, *o.preference) in MEANT for o in options)


def call(name: str, output: Any, args: list[Any], options: Any = ()) -> Any:
    """The value of a call."""
    if name not in FUNCTIONS or not as_meant(options):
        raise NotCovered(f"the function {name}")
    if any(isinstance(a, Decimal) for a in args) and name in ("add", "subtract", "multiply"):
        raise NotCovered("arithmetic over decimals")
    return FUNCTIONS[name](output, args)
