"""Spark's types from their text, as in CAST, in a table's columns and in the schema of ``from_json``.

https://spark.apache.org/docs/latest/sql-ref-datatypes.html
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Sequence


class NotAType(ValueError):
    """A text that is no type of Spark's: what was expected, and where."""


_SIMPLE = {
    "void": t.VOID, "boolean": t.BOOLEAN, "tinyint": t.TINYINT, "byte": t.TINYINT, "smallint": t.SMALLINT,
    "short": t.SMALLINT, "int": t.INT, "integer": t.INT, "bigint": t.BIGINT, "long": t.BIGINT, "float": t.FLOAT,
    "real": t.FLOAT, "double": t.DOUBLE, "string": t.STRING, "binary": t.BINARY, "date": t.DATE,
    "timestamp": t.TIMESTAMP, "timestamp_ltz": t.TIMESTAMP, "timestamp_ntz": t.TIMESTAMP_NTZ,
    "variant": t.VARIANT,
}  # fmt: skip
_ZONELESS = {"timestamp": "timestamp_ntz", "timestamp_nanos": "timestamp_ntz_nanos"}
_DECIMALS = ("decimal", "dec", "numeric")
# The first words of types.
NAMES = frozenset({
    *_SIMPLE, *_DECIMALS, "char", "character", "varchar", "time", "interval", "array", "map", "struct",
    "geometry", "geography",
})  # fmt: skip
# More than the number of any type has.
_DIGITS = 9
_YEARS, _DAYS = ("year", "month"), ("day", "hour", "minute", "second")
_TOKEN = re.compile(
    r"\s+|(?P<quoted>`(?:[^`]|``)*`)|(?P<text>'(?:[^'\\]|\\.)*')|(?P<word>\w+)|(?P<mark>[<>(),:])"
)


_SHOWN = 12


@cache
def parse_type(text: str) -> SparkType:
    """The type that a text says: ``int``, ``array<struct<a: int not null>>``, ``interval day to second``.

    Raises `NotAType`.
    """
    reader = _Reader(text)
    found = reader.type()
    reader.end()
    return found


@cache
def parse_schema(text: str) -> SparkType:
    """The struct whose columns a text lists, ``a INT, b STRING``; the text of a single type is that type."""
    try:
        return parse_type(text)
    except NotAType:
        reader = _Reader(text)
        fields = reader.fields(until="")
        reader.end()
        return t.struct(fields)


def leading_type(words: Sequence[str]) -> int:
    """How many of these words are the type with which they begin. Raises `NotAType`."""
    reader = _Reader("")
    reader.words, reader.text = list(words), " ".join(words[:_SHOWN])
    reader.type()
    return reader.at


class _Reader:
    """The words of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.at = 0
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise NotAType(f"{text[place]!r} in the type {text!r}")
            if found.lastgroup is not None:
                self.words.append(found[0])
            place = found.end()

    def peek(self) -> str:
        """The next word in lower case, empty at the end."""
        return self.words[self.at].lower() if self.at < len(self.words) else ""

    def take(self, word: str) -> bool:
        """Whether the next word is this one, which is then behind us."""
        if self.peek() != word or not word:
            return False
        self.at += 1
        return True

    def need(self, word: str) -> None:
        if not self.take(word):
            raise NotAType(f"{word!r} is missing before {self.peek()!r} in the type {self.text!r}")

    def end(self) -> None:
        if self.peek():
            raise NotAType(f"{self.peek()!r} is too much in the type {self.text!r}")

    def type(self) -> SparkType:
        word = self.peek()
        self.at += 1
        if word.startswith("timestamp") and self.peek() == "(":
            return self._zoned(word, self._nanoseconds(word))
        if word in _SIMPLE:
            return self._zoned(word, _SIMPLE[word])
        if word in _DECIMALS:
            return self._decimal()
        match word:
            case "char" | "character" | "varchar":
                return SparkType("varchar" if word == "varchar" else "char", self._numbers(1, 1))
            case "time":
                numbers = self._numbers(0, 1) or (6,)
                if numbers[0] > 6:
                    raise NotAType(f"a TIME has at most 6 digits, not {numbers[0]}")
                return self._zoned(word, SparkType("time", numbers))
            case "geometry" | "geography":
                return self._earth(word)
            case "interval":
                return self._interval()
            case "array":
                self.need("<")
                element = self.type()
                self.need(">")
                return t.array(element)
            case "map":
                self.need("<")
                key = self.type()
                self.need(",")
                value = self.type()
                self.need(">")
                return t.map_(key, value)
            case "struct":
                self.need("<")
                fields = [] if self.peek() == ">" else self.fields(until=">")
                self.need(">")
                return t.struct(fields)
        raise NotAType(f"{word or 'the end'!r} is no type of Spark's, in {self.text!r}")

    def _zoned(self, word: str, found: SparkType) -> SparkType:
        """TIME and TIMESTAMP may say which zone they have; text has the default collation only."""
        if word in ("time", "timestamp") and self.take("without"):
            self.need("time")
            self.need("zone")
            return found if word == "time" else replace(found, kind=_ZONELESS[found.kind])
        if word == "timestamp" and self.take("with"):
            for each in ("local", "time", "zone"):
                self.need(each)
        if found.kind == "string" and self.take("collate") and not self.take("utf8_binary"):
            raise NotAType(f"the collation {self.peek()!r} is not supported, in {self.text!r}")
        return found

    def _numbers(self, least: int, most: int) -> tuple[int, ...]:
        found: list[int] = []
        if self.take("("):
            while True:
                if not (self.peek().isascii() and self.peek().isdigit()):
                    raise NotAType(f"a number is missing before {self.peek()!r} in {self.text!r}")
                if len(self.peek()) > _DIGITS:
                    raise NotAType(f"no type has a length of {len(self.peek())} digits")
                found.append(int(self.peek()))
                self.at += 1
                if not self.take(","):
                    break
            self.need(")")
        if not least <= len(found) <= most:
            raise NotAType(f"{len(found)} numbers in {self.text!r}, expected {least} to {most}")
        return tuple(found)

    def _decimal(self) -> SparkType:
        numbers = self._numbers(0, 2)
        precision = numbers[0] if numbers else 10
        scale = numbers[1] if len(numbers) > 1 else 0
        if precision > t.MOST_DIGITS or scale > precision:
            raise NotAType(f"decimal({precision},{scale}) has too many digits")
        return t.decimal(precision, scale)

    def _nanoseconds(self, word: str) -> SparkType:
        """Points in time of 7 to 9 digits are types of their own, which few functions take."""
        numbers = self._numbers(1, 1)
        if numbers[0] == 6:
            return _SIMPLE[word]
        if not 7 <= numbers[0] <= 9:
            raise NotAType(f"a point in time has 6 to 9 digits, not {numbers[0]}")
        return SparkType(f"{_SIMPLE[word].kind}_nanos", numbers)

    def _earth(self, kind: str) -> SparkType:
        self.need("(")
        if self.take("any"):
            self.need(")")
            return SparkType(kind)
        self.at -= 1
        return SparkType(kind, self._numbers(1, 1))

    def _interval(self) -> SparkType:
        first = self.peek()
        units = _YEARS if first in _YEARS else _DAYS if first in _DAYS else None
        if units is None:
            return t.CALENDAR_INTERVAL
        self.at += 1
        last = first
        if self.take("to"):
            last = self.peek()
            self.at += 1
            if last not in units or units.index(last) <= units.index(first):
                raise NotAType(f"no interval goes from {first} to {last or 'the end'}")
        kind = "interval_year" if units is _YEARS else "interval_day"
        return SparkType(kind, (units.index(first), units.index(last)))

    def fields(self, until: str) -> list[t.Field]:
        """``a: INT NOT NULL COMMENT 'why', b STRING``."""
        found: list[t.Field] = []
        while True:
            name = self._name()
            self.take(":")
            kind = self.type()
            nullable = True
            if self.take("not"):
                self.need("null")
                nullable = False
            if self.take("comment"):
                self.at += 1
            found.append(t.Field(name, kind, nullable))
            if not self.take(","):
                break
        if self.peek() != until:
            raise NotAType(f"{self.peek()!r} behind a field in the type {self.text!r}")
        return found

    def _name(self) -> str:
        if self.at >= len(self.words) or not re.fullmatch(
            r"`.*`|\w+", self.words[self.at], re.DOTALL
        ):
            raise NotAType(
                f"the name of a field is missing before {self.peek()!r} in {self.text!r}"
            )
        word = self.words[self.at]
        self.at += 1
        return word[1:-1].replace("``", "`") if word.startswith("`") else word
