"""A call of a function, before and after Spark has looked at it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.typing.casts import may_make_null
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.typing.types import SparkType


__all__ = ["Argument", "Misused", "Resolved", "Unknown", "ordinal", "recast"]


class Unknown(Exception):
    """Spark has no function of this name by itself."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call; for a lambda, its body.

    constant: whether Spark knows the value before it reads a row. value: that of a literal, be it under a cast. name:
    that of a struct's field which the argument would become. cast: whether it is under one.
    """

    type: SparkType
    nullable: bool
    constant: bool = False
    value: Any = None
    name: str = ""
    cast: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """A call that Spark takes: its arguments' types after what it casts by itself, and its own type."""

    name: str
    kind: str
    arguments: tuple[SparkType, ...]
    type: SparkType
    nullable: bool
    deterministic: bool


def ordinal(place: int) -> str:
    """``first``, ``second`` … for an argument's place, from 0."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    return words[place] if place < len(words) else f"{place + 1}th"


def recast(argument: Argument, to: SparkType) -> Argument:
    """The argument after a cast that Spark adds."""
    if argument.type == to:
        return argument
    nullable = argument.nullable or may_make_null(argument.type, to)
    return replace(argument, type=to, nullable=nullable)


def as_number(value: object) -> float | None:
    """A constant as the number that Spark makes of it; None for a text that is none."""
    try:
        return float(str(value))
    except ValueError:
        return None
