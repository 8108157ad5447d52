"""What is known of a function: the words that ``metadata: {facts: […]}`` of a line may hold, each a field here.

    facts: [orderless, steady, over_nothing: NULL]

They are facts of the function, not of one overload: all lines of a function say the same. What is not said is taken
for unknown, and the lowering does what is right in any case: it keeps an order, writes a query out twice, or refuses.
A fact that is missing makes a text longer or refuses a plan; one that is wrong gives other rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Final

UNKNOWN: Final = "unknown"


def _of_spark(default: Any = False) -> Any:
    """A fact that whatever is a mere call of a function of Spark shares with it."""
    return field(default=default, metadata={"of_spark": True})


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one function."""

    # Of aggregates and window functions.
    orderless: bool = _of_spark()
    """The order of its rows is nothing to it."""
    steady: bool = _of_spark()
    """Over the same rows it is the same again, whichever of those that sort alike comes first."""
    repeats_are_nothing: bool = _of_spark()
    """DISTINCT changes nothing."""
    passes_over_nulls: bool = _of_spark()
    """A row in which its argument is NULL is to it as if it were not there."""
    over_nothing: int | str | None = _of_spark(UNKNOWN)
    """What it is over no rows: NULL or a number."""
    state_is_a_value: bool = False
    """Its intermediate state is a value like its result, and the same function puts the states together."""
    state_is_added_up: bool = False
    """Its intermediate state is a number like its result, and the sum puts the states together."""

    # Of those: what an order among their rows makes of them.
    picks_first: bool = False
    """Of rows in order it is the value of the first one."""
    picks_last: bool = False
    """Of rows in order it is the value of the last one."""
    makes_a_list: bool = False
    """Of rows in order it is the list of their values in that order, NULLs too; NULL over no rows."""
    within_group: bool = False
    """SQL takes the order of its rows as WITHIN GROUP (ORDER BY …)."""
    sorts_values: int | None = None
    """It puts the values of one argument in order itself; which one, from 0, among those that are values."""

    # Of those: what OVER takes.
    frameless: bool = _of_spark()
    """SQL takes no frame: it looks at the partition."""
    whole_partition: bool = _of_spark()
    """Spark computes it over whole partitions only."""
    needs_order: bool = _of_spark()
    """Spark insists on an ORDER BY."""
    counts_places: bool = _of_spark()
    """It is about the place of its row only: FILTER, DISTINCT and IGNORE NULLS are nothing to it."""

    # Of scalar functions.
    never_fails: bool = False
    """It has a value, or NULL, for all arguments."""
    not_true_of_null: bool = False
    """It is not TRUE where an argument is NULL."""
    compares: bool = False
    """It compares its two arguments."""
    counts_characters: bool = False
    """An argument or the result is the place of a character in a text."""

    # Of all.
    rounds_decimals: bool = False
    """Spark has fewer digits after the point than are declared, where a decimal would be long."""
    takes_unsigned: bool = False
    """It takes unsigned integers of one type as they are: its lines for them keep the range, if anything leaves it."""
    within_arguments: bool = False
    """It is not greater than its arguments and not negative, if they are not: unsigned integers stay so."""

    def both(self, other: Facts) -> Facts:
        """What is said here or there."""
        return Facts(**{**_said(other), **_said(self)})

    def common(self, other: Facts) -> Facts:
        """What is said here and there."""
        there = _said(other)
        return Facts(**{k: v for k, v in _said(self).items() if k in there and there[k] == v})

    @property
    def of_spark(self) -> Facts:
        """What of it holds for each mere call of this function of Spark."""
        kept = {f.name for f in fields(self) if f.metadata}
        return Facts(**{k: v for k, v in _said(self).items() if k in kept})


NOTHING = Facts()
_VALUED = {"over_nothing": (int, type(None)), "sorts_values": (int,)}


class FactError(ValueError):
    """A list of facts that is none. index: of the wrong one, None for the list itself."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


@cache
def words() -> tuple[str, ...]:
    """All words, in the order of their meanings above."""
    return tuple(f.name for f in fields(Facts))


def read(listed: Any) -> Facts:
    """The facts of a line. Raises `FactError` for a word that is not known, or a value that it does not take."""
    if not isinstance(listed, list):
        raise FactError("facts are a list of words")
    found = NOTHING
    for i, each in enumerate(listed):
        word, value = _word(each)
        if word not in words():
            raise FactError(f"there is no fact {word}; there are: {', '.join(words())}", i)
        if getattr(found, word) != getattr(NOTHING, word):
            raise FactError(f"{word} is said twice", i)
        if word not in _VALUED:
            right = value is True and isinstance(each, str)
        else:
            right = isinstance(value, _VALUED[word]) and not isinstance(value, bool)
        if not right:
            wanted = "no value" if word not in _VALUED else f"a value: {_example(word)}"
            raise FactError(f"{word} takes {wanted}", i)
        found = replace(found, **{word: value})
    return found


def _word(each: Any) -> tuple[str, Any]:
    if isinstance(each, dict) and len(each) == 1:
        ((word, value),) = each.items()
        return str(word), value
    return str(each), True


def _example(word: str) -> str:
    return {"over_nothing": "over_nothing: NULL, or a number"}.get(word, f"{word}: 0")


def _said(facts: Facts) -> dict[str, Any]:
    found = {f.name: getattr(facts, f.name) for f in fields(facts)}
    return {name: value for name, value in found.items() if value != getattr(NOTHING, name)}
