"""What a line of the dialect says of the way back: ``lift`` in its metadata.

    lift: startswith
        Spark's function of that name, with the line's arguments in their order
    lift: {name: startswith, options: {case_sensitivity: CASE_SENSITIVE}}
        that function is the line's with these values of its options
    lift: {name: date_part, literal: {1: "DAY|DAYS"}, arguments: [{enum: DAY}, {enum: ONE}, 2]}
        only where Spark's first argument is a literal that this regular expression matches, whatever the case of its
        letters. The line's arguments are two enums and Spark's second argument. ``{text: " "}`` and ``{i32: 0}`` are
        constants.
    lift: [...]
        several of these
    lift: false
        none, where the line alone would say so

Only where Spark's call is the standard's in every case, and where that is written as Spark's call again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.tree import Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.line import Line


@dataclass(frozen=True, slots=True)
class Given:
    """An argument of the standard's call: one of Spark's, an enum, or a constant. place: from 0 on, -1 for none."""

    place: int = -1
    enum: str = ""
    constant: Literal | None = None

    def short(self, types: Sequence[Any]) -> str:
        """As the function's signature has it."""
        return "req" if self.enum else ty.short(self.type(types))

    def type(self, types: Sequence[Any]) -> Any:
        """Its type, Spark's arguments being of these. Nothing else may be asked of an enum."""
        if self.constant is None:
            return types[self.place]
        return ty.i32() if self.constant.type == t.INT else ty.string()


@dataclass(frozen=True, slots=True)
class Mark:
    """One call of Spark's. literals: by place, from 0 on. arguments: None where they are Spark's as they come."""

    name: str
    options: tuple[tuple[str, str], ...] = ()
    literals: tuple[tuple[int, re.Pattern[str]], ...] = ()
    arguments: tuple[Given, ...] | None = None

    def given(self, texts: Sequence[str | None]) -> tuple[Given, ...] | None:
        """The standard's arguments; None for a call that this is not about. texts: of Spark's that are literals."""
        for place, pattern in self.literals:
            text = texts[place] if place < len(texts) else None
            if text is None or pattern.fullmatch(text) is None:
                return None
        if self.arguments is None:
            return tuple(Given(i) for i in range(len(texts)))
        used = [x.place for x in self.arguments if x.place >= 0]
        said = {*used, *(place for place, _ in self.literals)}
        return self.arguments if said == set(range(len(texts))) else None


def of(line: Line) -> list[Mark] | None:
    """What the line says; None where it says nothing."""
    said = line.metadata.get("lift")
    if said is None:
        return None
    if said is False:
        return []
    return [_mark(each) for each in (said if isinstance(said, list) else [said])]


def _mark(said: Any) -> Mark:
    if isinstance(said, str):
        return Mark(said)
    options = tuple((k.upper(), str(v)) for k, v in (said.get("options") or {}).items())
    literals = tuple(
        (int(place) - 1, re.compile(text, re.IGNORECASE | re.DOTALL))
        for place, text in (said.get("literal") or {}).items()
    )
    arguments = said.get("arguments")
    given = None if arguments is None else tuple(map(_given, arguments))
    return Mark(str(said["name"]), options, literals, given)


def _given(said: Any) -> Given:
    if isinstance(said, int):
        return Given(said - 1)
    if "enum" in said:
        return Given(enum=str(said["enum"]))
    if "i32" in said:
        return Given(constant=Literal(t.INT, False, said["i32"]))
    return Given(constant=Literal(t.STRING, False, said["text"]))
