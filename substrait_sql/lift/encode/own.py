"""Our own extension: Spark's functions as an extension file has them, from their signatures.

``dialects/spark/extensions/spark.yaml`` is printed from this (``python -m tests.tools.spark_functions --write``), and
the compound names of plans are those of its implementations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from substrait_sql.dialect.files.official import short
from substrait_sql.lift.typing.casts import CLASSES
from substrait_sql.lift.typing.parse import parse_type
from substrait_sql.lift.typing.table import known
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lift.typing.casts import Expected
    from substrait_sql.lift.typing.table import Signature

_TEXTS = {
    "boolean": "boolean", "tinyint": "i8", "smallint": "i16", "int": "i32", "bigint": "i64", "float": "fp32",
    "double": "fp64", "string": "string", "binary": "binary", "date": "date", "void": "string",
    "timestamp": "precision_timestamp_tz<6>", "timestamp_ntz": "precision_timestamp<6>",
    "interval_year": "interval_year", "interval_day": "interval_day<6>", "time": "precision_time<6>",
}  # fmt: skip
_MOST = 24
# Operators under the name that our extension has for them.
OPERATORS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulus", "[]": "item",
    ".": "field_of_each", "<=>": "equal_null_safe", "div": "divide_whole", "=": "equal",
    "<": "lt", ">": "gt", "<=": "lte", ">=": "gte", "~": "bitwise_not", "&": "bitwise_and",
    "|": "bitwise_or", "^": "bitwise_xor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Impl:
    """One implementation. args: types as text, the last one any number of times if it is variadic, from `least` on."""

    args: tuple[str, ...]
    returns: str
    nullability: str = "MIRROR"
    least: int | None = None

    @property
    def signature(self) -> str:
        """What follows the function's name in a compound name."""
        return "_".join(map(short, self.args))

    def takes(self, actual: Sequence[str]) -> bool:
        """Whether arguments of these types, in short, are for it."""
        wanted = [short(x) for x in self.args]
        if self.least is not None:
            if len(actual) < len(wanted) - 1 + self.least:
                return False
            wanted = wanted[: len(actual)] + wanted[-1:] * (len(actual) - len(wanted))
        return len(wanted) == len(actual) and all(
            w == a or (w == "any" and a != "func") for w, a in zip(wanted, actual, strict=True)
        )


def signature_of(name: str, actual: Sequence[str]) -> str:
    """The signature of the implementation that takes these arguments. Operators take any."""
    found = next((i for i in implementations(name) if i.takes(actual)), None)
    return "_".join("any" for _ in actual) if found is None else found.signature


@cache
def implementations(name: str) -> tuple[Impl, ...]:
    """Of a function of Spark's: the typed ones first. None for a name that is not one of its functions."""
    line = known(name)
    if line is None:
        return ()
    found = dict.fromkeys(impl for each in (line, *line.others) for impl in _impls(each))
    by_signature: dict[str, Impl] = {}
    for impl in found:
        by_signature.setdefault(impl.signature, impl)
    return tuple(sorted(by_signature.values(), key=lambda i: [short(x) == "any" for x in i.args]))


def _impls(line: Signature) -> Iterator[Impl]:
    counts = (
        [len(line.args)] if line.variadic is not None else range(line.least, len(line.args) + 1)
    )
    for count in counts:
        choices = [
            [f"func<any{i + 1}1 -> any{i + 1}2>"]
            if i + 1 in line.lambdas
            else _choices(line.args[i], i + 1)
            for i in range(count)
        ]
        if line.variadic is not None and len(choices[-1]) > 1:
            # One signature stands for calls whose last arguments are of several types.
            choices[-1] = [f"any{count}"]
        while _size(choices) > _MOST:
            longest = max(range(count), key=lambda i: len(choices[i]))
            choices[longest] = [f"any{longest + 1}"]
        for args in product(*choices):
            nullability, mark = _nullability(line)
            returns = _returned(line, args)
            if mark:
                head, angle, rest = returns.partition("<")
                returns = f"{head}?{angle}{rest}"
            yield Impl(args, returns, nullability, line.variadic)


def _size(choices: Sequence[Sequence[str]]) -> int:
    out = 1
    for each in choices:
        out *= len(each)
    return out


def _nullability(line: Signature) -> tuple[str, bool]:
    if line.nullable == "args" and not line.rule and line.kind == "scalar":
        return "MIRROR", False
    return "DECLARED_OUTPUT", line.nullable != "never"


def _choices(expected: Expected, place: int) -> list[str]:
    if isinstance(expected, tuple):
        return list(dict.fromkeys(text for each in expected for text in _choices(each, place)))
    if isinstance(expected, SparkType):
        return [_text(expected, place) or f"any{place}"]
    if expected not in CLASSES:
        return [f"any{place}"]
    return list(dict.fromkeys(_of_kind(kind, place) for kind in CLASSES[expected]))


def _of_kind(kind: str, place: int) -> str:
    match kind:
        case "decimal":
            return f"decimal<P{place},S{place}>"
        case "array":
            return f"list<any{place}>"
        case "map":
            return f"map<any{place},any{place}0>"
    return _TEXTS.get(kind, f"any{place}")


def _text(kind: SparkType, place: int) -> str:
    """A type as text; empty for one that Substrait has not."""
    match kind.kind:
        case "decimal":
            return (
                f"decimal<{kind.numbers[0]},{kind.numbers[1]}>"
                if kind.numbers
                else _of_kind("decimal", place)
            )
        case "array" if kind.parts:
            inner = _text(kind.element, place)
            return f"list<{inner}>" if inner else ""
    return _TEXTS.get(kind.kind, "")


def _returned(line: Signature, args: Sequence[str]) -> str:
    text = line.returns
    if line.rule or not text:
        return "any"
    return _said(text, args) or "any"


def _said(text: str, args: Sequence[str]) -> str:
    """The text of a return type; empty where only Spark's typing knows it."""
    text = text.rstrip("!")
    if text.isdigit():
        return args[int(text) - 1]
    element = re.fullmatch(r"element\((\d+)\)", text)
    if element is not None:
        of = re.fullmatch(r"list<(.*)>", args[int(element[1]) - 1])
        return of[1] if of else ""
    inner = re.fullmatch(r"array<(.*)>", text)
    if inner is not None:
        found = _said(inner[1], args)
        return f"list<{found}>" if found else ""
    try:
        return _text(parse_type(text), 1)
    except Exception:  # a word that is a rule of Spark's typing, not a type
        return ""
