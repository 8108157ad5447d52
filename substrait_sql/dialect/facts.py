"""What is known of a function: the words that ``metadata: {facts: […]}`` of a line may hold, each a field here.

    facts: [orderless, steady, over_nothing: NULL]

They are facts of the function, not of one overload: all lines of a function say the same. What is not said is taken
for unknown, and the lowering does what is right in any case: it keeps an order, writes a query out twice, or refuses.
A fact that is missing makes a text longer or refuses a plan; one that is wrong gives other rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final

UNKNOWN: Final = "unknown"


def _fact(meaning: str, default: Any = False, *, of_spark: bool = False) -> Any:
    """A word. of_spark: whatever is a mere call of a function of Spark shares it with that."""
    return field(default=default, metadata={"meaning": meaning, "of_spark": of_spark})


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one function, with what each means of it."""

    # Of aggregates and window functions.
    orderless: bool = _fact("the order of its rows is nothing to it", of_spark=True)
    steady: bool = _fact(
        "over the same rows it is the same again, whichever of those that sort alike comes first",
        of_spark=True,
    )
    repeats_are_nothing: bool = _fact("`DISTINCT` changes nothing", of_spark=True)
    passes_over_nulls: bool = _fact(
        "a row in which its argument is NULL is to it as if it were not there", of_spark=True
    )
    over_nothing: int | str | None = _fact(
        "what it is over no rows: `NULL`, or a whole number", UNKNOWN, of_spark=True
    )
    makes_doubles: bool = _fact("Spark makes doubles of its whole numbers by itself", of_spark=True)
    state_is_a_value: bool = _fact(
        "its intermediate state is a value like its result, and it puts the states together itself"
    )
    state_is_added_up: bool = _fact(
        "its intermediate state is a number like its result, and the states are added up"
    )

    # What an order among their rows makes of them.
    picks_first: bool = _fact("of rows in order it is the value of the first one")
    picks_last: bool = _fact("of rows in order it is the value of the last one")
    picks_by_number: bool = _fact(
        "of rows in order it is the value of the one that its second argument counts to, from 1, or from -1 at the end"
    )
    makes_a_list: bool = _fact(
        "of rows in order it is the list of their values, NULLs too, and NULL over no rows"
    )
    within_group: bool = _fact("SQL takes the order of its rows as `WITHIN GROUP (ORDER BY …)`")
    sorts_values: int | None = _fact(
        "it puts the values of an argument in order itself: of the one with this number, from 0",
        None,
    )

    # What OVER takes.
    frameless: bool = _fact("SQL takes no frame for it: it is about the partition", of_spark=True)
    whole_partition: bool = _fact("Spark has it over whole partitions only", of_spark=True)
    needs_order: bool = _fact("Spark insists on an `ORDER BY` in its window", of_spark=True)
    counts_places: bool = _fact(
        "it is about the places of rows: `FILTER`, `DISTINCT` and `IGNORE NULLS` say nothing of it",
        of_spark=True,
    )

    # Of scalar functions.
    never_fails: bool = _fact("it has a value, or NULL, whatever its arguments are")
    not_true_of_null: bool = _fact("it is not TRUE where an argument is NULL")
    compares: bool = _fact("it compares its arguments")
    finds: bool = _fact("it compares its first argument with the elements of its second")
    widens: bool = _fact("Spark makes its numbers as wide as the widest of them by itself")
    one_type: bool = _fact("Spark makes one type of all its numbers by itself: the widest")
    doubles: bool = _fact("Spark makes doubles of its numbers by itself")
    widens_all: bool = _fact("Spark makes its whole numbers of the type that it takes by itself")
    at_any_width: bool = _fact("a decimal is the same to it whatever its type has room for")
    makes_rows: bool = _fact("as a key of groups it makes a row of each of its values")
    counts_characters: bool = _fact("an argument or the result is the place of a character")

    # Of all.
    rounds_decimals: bool = _fact(
        "a long decimal of it has fewer digits after the point on Spark than are declared"
    )
    takes_unsigned: bool = _fact(
        "it takes unsigned integers of one type as they are, and what it makes of them is right"
    )
    within_arguments: bool = _fact(
        "it is not above all its arguments, nor negative where none is: unsigned integers stay so"
    )

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
        kept = {f.name for f in fields(self) if f.metadata["of_spark"]}
        return Facts(**{k: v for k, v in _said(self).items() if k in kept})


NOTHING = Facts()
_VALUED = {"over_nothing": (int, type(None)), "sorts_values": (int,)}


class FactError(ValueError):
    """A list of facts that is none. index: of the wrong one, None for the list itself."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


@cache
def meanings() -> dict[str, str]:
    """All words, each with what it says of a function."""
    return {f.name: f.metadata["meaning"] for f in fields(Facts)}


def read(listed: Any) -> Facts:
    """The facts of a line. Raises `FactError` for a word that is not known, or a value that it does not take."""
    if not isinstance(listed, list):
        raise FactError("facts are a list of words")
    found: dict[str, Any] = {}
    for i, each in enumerate(listed):
        word, value = _word(each)
        if word not in meanings():
            raise FactError(f"there is no fact {word}; there are: {', '.join(meanings())}", i)
        if word in found:
            raise FactError(f"{word} is said twice", i)
        if word not in _VALUED:
            right = value is True and isinstance(each, str)
        else:
            right = isinstance(value, _VALUED[word]) and not isinstance(value, bool)
        if not right:
            wanted = "no value" if word not in _VALUED else f"a value: {_example(word)}"
            raise FactError(f"{word} takes {wanted}", i)
        found[word] = value
    return Facts(**found) if found else NOTHING


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
