"""What a line of the dialect says of the way back: ``lift`` in its metadata.

    lift: startswith
        Spark's function of that name, with the line's arguments in their order
    lift: {name: startswith, options: {case_sensitivity: CASE_SENSITIVE}}
        that function is the line's with these values of its options
    lift: {name: date_part, literal: {1: "DAY|DAYS"}, arguments: [{enum: DAY}, {enum: ONE}, 2]}
        only where Spark's first argument is a literal that this regular expression matches, whatever the case of its
        letters. The line's arguments are two enums and Spark's second argument. ``{text: " "}`` and ``{i32: 0}`` are
        constants, with i8 and i64 too.
    lift: {name: date_format, guess: {2: formats.posix}}
        only where Spark's second argument is a literal that the line's own rule makes of another one: that which the
        function of a rule guesses. What it guesses wrongly is not written as Spark's call, and so is not one.
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

from sqlglot import exp

from substrait_sql.dialect.dialect import load
from substrait_sql.dialect.line import function_of_rules
from substrait_sql.dialect.model import Argument, Call
from substrait_sql.dialect.rules import literal_int, literal_text, number, quoted
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.tree import Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.schema import types as ty
from substrait_sql.wire.path import Path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.dialect.line import Line
    from substrait_sql.schema.functions import FunctionName


_INTEGERS = {"i8": t.TINYINT, "i32": t.INT, "i64": t.BIGINT}
# What stands for an argument that is no constant.
_COLUMN = "argument_{}"


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
        return encoded(self.constant.type, nullable=False)

    def lowered(self, types: Sequence[Any]) -> Argument:
        """As `to_sql` has it: a column for what is no constant."""
        if self.enum:
            return Argument(enum=self.enum)
        kind = self.type(types)
        if self.constant is None:
            return Argument(exp.column(_COLUMN.format(self.place)), kind)
        value = self.constant.value
        return Argument(quoted(value) if isinstance(value, str) else number(value), kind)


@dataclass(frozen=True, slots=True)
class Mark:
    """One call of Spark's. literals, guesses: by place, from 0 on.

    arguments: None where they are Spark's as they come.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    literals: tuple[tuple[int, re.Pattern[str]], ...] = ()
    arguments: tuple[Given, ...] | None = None
    guesses: tuple[tuple[int, Callable[[str], str | None]], ...] = ()

    def given(self, texts: Sequence[str | None]) -> tuple[Given, ...] | None:
        """The standard's arguments; None for a call that this is not about. texts: of Spark's that are literals."""
        for place, pattern in self.literals:
            text = texts[place] if place < len(texts) else None
            if text is None or pattern.fullmatch(text) is None:
                return None
        if self.arguments is None:
            return self._guessed(tuple(Given(i) for i in range(len(texts))), texts)
        used = [x.place for x in self.arguments if x.place >= 0]
        said = {*used, *(place for place, _ in self.literals)}
        if said != set(range(len(texts))):
            return None
        return self._guessed(self.arguments, texts)

    def _guessed(
        self, given: tuple[Given, ...], texts: Sequence[str | None]
    ) -> tuple[Given, ...] | None:
        found: dict[int, Given] = {}
        for place, guess in self.guesses:
            text = texts[place] if place < len(texts) else None
            meant = None if text is None else guess(text)
            if meant is None:
                return None
            found[place] = Given(constant=Literal(t.STRING, False, meant))
        return tuple(found.get(x.place, x) for x in given) if found else given

    def gives(
        self,
        dialect: str,
        function: FunctionName,
        given: Sequence[Given],
        options: Sequence[tuple[str, str]],
        texts: Sequence[str | None],
        types: Sequence[Any],
    ) -> Any:
        """The type of the standard's call with what was guessed; None if it is not Spark's with these literals."""
        named = [(name, [value]) for name, value in options]
        call = Call(function, [x.lowered(types) for x in given], named, None, Path())
        try:
            built = load(dialect).scalar(call)
        except SubstraitSqlError:
            return None
        made = built.sql
        if not isinstance(made, exp.Anonymous) or made.name.lower() != self.name:
            return None
        same = len(made.expressions) == len(texts) and all(
            _shows(place, text, node)
            for place, (text, node) in enumerate(zip(texts, made.expressions, strict=True))
        )
        return built.type if same else None


def _shows(place: int, text: str | None, node: exp.Expression) -> bool:
    if text is None:
        return isinstance(node, exp.Column) and node.name == _COLUMN.format(place)
    whole = literal_int(node)
    return (literal_text(node) if whole is None else str(whole)) == text


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
    guesses = tuple(
        (int(place) - 1, function_of_rules(name))
        for place, name in (said.get("guess") or {}).items()
    )
    return Mark(str(said["name"]), options, literals, given, guesses)


def _given(said: Any) -> Given:
    if isinstance(said, int):
        return Given(said - 1)
    if "enum" in said:
        return Given(enum=str(said["enum"]))
    for name, kind in _INTEGERS.items():
        if name in said:
            return Given(constant=Literal(kind, False, said[name]))
    return Given(constant=Literal(t.STRING, False, said["text"]))
