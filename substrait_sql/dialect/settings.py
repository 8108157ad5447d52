r"""The session settings that texts of a dialect rely on: the `settings` in the metadata of its ``dialect.yaml``.

    - {name: spark.sql.ansi.enabled, value: "true", why: errors instead of NULLs}

It is set for every statement. With ``default: true`` it is the engine's own default, and is set only in a session that
has another value; ``for: times`` is for plans with times of day. ``by_quotes: {'"': "true"}`` is the value where a
dialect that extends this one puts names into other quotes.

    - {name: spark.sql.legacy.timeParserPolicy, never: LEGACY, in: 'to_date\(', why: other days before 1582}

The engine reads it when rows are made, and no statement can set it for itself: a session that has this value is
refused, for texts in which the pattern is found. With ``only: V`` instead, one that has any other.

A text that is made a plan is read as a session reads it that has the engine's own defaults: the value of a row with
``default: true``, or what the row says with ``reads: "true"``. A session that has another is refused, unless the row
says ``reads: any``, as the text means the same then, or is an error. A row may have nothing but ``reads``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Setting:
    """One setting. value: that of a statement, or of a session when rows are made.

    late: "never" for a value that a session must not have, "only" for one that it must have or not have set. reads:
    that of a session whose texts are made plans. Of both, None is any.
    """

    name: str
    value: str | None
    why: str = ""
    late: str = ""
    default: bool = False
    times: bool = False
    where: re.Pattern[str] | None = None
    by_quotes: Mapping[str, str] = field(default_factory=dict)
    reads: str | None = None

    def spoils(self, value: str | None) -> bool:
        """Whether a session that has this value, None for none, makes other rows."""
        if not self.late or self.value is None or value is None:
            return False
        return (value.upper() == self.value.upper()) == (self.late == "never")


class Settings:
    """Those of a dialect, in the order in which its folders say them, the ones below first."""

    def __init__(self, listed: Iterable[Setting], quotes: str) -> None:
        self._listed: dict[tuple[str, bool], Setting] = {}
        for each in listed:
            value = each.by_quotes.get(quotes, each.value)
            below = self._listed.get((each.name, bool(each.late)))
            reads = below.reads if below is not None and each.reads is None else each.reads
            # What is below keeps its place: the order of the settings is that of the text they are shown in.
            self._listed[each.name, bool(each.late)] = replace(each, value=value, reads=reads)

    def get(self, name: str, *, late: bool = False) -> Setting | None:
        """The setting of this name that texts rely on; with `late` the one that is read when rows are made."""
        found = self._listed.get((name, late))
        return found if found is not None and found.value is not None else None

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._listed.values())

    @cached_property
    def always(self) -> Mapping[str, str]:
        """What every statement relies on."""
        return _values(s for s in self if not s.times and not s.late)

    @cached_property
    def times(self) -> Mapping[str, str]:
        """What plans with times of day rely on besides."""
        return _values(s for s in self if s.times and not s.late)

    @cached_property
    def with_times(self) -> Mapping[str, str]:
        """Both."""
        return {**self.always, **self.times}

    @cached_property
    def defaults(self) -> Mapping[str, str]:
        """Those that are the engine's own defaults: they are set only in a session that has another value."""
        return _values(s for s in self if s.default and not s.late)

    @cached_property
    def read_with(self) -> Mapping[str, str]:
        """What a session must have, or not have set, whose texts are made plans."""
        return {s.name: s.reads for s in self if s.reads is not None}

    def late(self, sql: str) -> Sequence[Setting]:
        """Those that the engine reads when the rows of this text are made."""
        return [s for s in self if s.late and (s.where is None or s.where.search(sql))]


def _values(settings: Iterable[Setting]) -> Mapping[str, str]:
    return {s.name: s.value for s in settings if s.value is not None}


_ANY: Final = "any"
_LATE: Final = ("never", "only")
_TEXT: Final = {"type": "string"}
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "why"],
    "properties": {
        **dict.fromkeys(("name", "value", "never", "only", "reads", "in", "why"), _TEXT),
        "default": {"type": "boolean"},
        "for": {"enum": ["times"]},
        "by_quotes": {"type": "object", "additionalProperties": _TEXT},
    },
}
"""What a row holds. A value is a text, as a session has it: "true"."""


def problem(row: Mapping[str, Any]) -> str:
    """What else is wrong with a row of that schema, or nothing."""
    kinds = row.keys() & {"value", *_LATE}
    if len(kinds) > 1 or (not kinds and "reads" not in row):
        return "a setting has a value, or one that a session must never have, or must only have"
    if "reads" in row and kinds & {*_LATE}:
        return "what is read when rows are made is not about texts: leave `reads` out"
    try:
        re.compile(row.get("in", ""))
    except re.error as error:
        return f"{row['in']!r} is no pattern: {error}"
    return ""


def read(row: Mapping[str, Any]) -> Setting:
    """One row."""
    default = row.get("default", False)
    reads = row.get("reads", row.get("value", _ANY) if default else _ANY)
    late = next((key for key in _LATE if key in row), "")
    return Setting(
        row["name"],
        row.get(late or "value"),
        row["why"],
        late,
        default,
        "for" in row,
        re.compile(row["in"]) if "in" in row else None,
        {key[0] + key[-1]: value for key, value in row.get("by_quotes", {}).items()},
        None if reads == _ANY else reads,
    )
