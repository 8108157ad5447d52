r"""The session settings that texts of a dialect rely on: the `settings` in the metadata of its ``dialect.yaml``.

    - {name: spark.sql.ansi.enabled, value: "true", why: errors instead of NULLs}

It is set for every statement. With ``default: true`` it is the engine's own default, and is set only in a session that
has another value; ``for: times`` is for plans with times of day. ``by_quotes: {'"': "true"}`` is the value where a
dialect that extends this one puts names into other quotes.

    - {name: spark.sql.legacy.timeParserPolicy, never: LEGACY, in: 'to_date\(', why: other days before 1582}

The engine reads it when rows are made, and no statement can set it for itself: a session that has this value is
refused, for texts in which the pattern is found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True)
class Setting:
    """One setting. value: that of a statement, or with `never` the one that a session must not have."""

    name: str
    value: str
    why: str = ""
    never: bool = False
    default: bool = False
    times: bool = False
    where: re.Pattern[str] | None = None
    by_quotes: Mapping[str, str] = field(default_factory=dict)


class Settings:
    """Those of a dialect, in the order in which its folders say them, the ones below first."""

    def __init__(self, listed: Iterable[Setting], quotes: str) -> None:
        self._listed: dict[tuple[str, bool], Setting] = {}
        for each in listed:
            value = each.by_quotes.get(quotes, each.value)
            # What is below keeps its place: the order of the settings is that of the text they are shown in.
            self._listed[each.name, each.never] = replace(each, value=value)

    def get(self, name: str, *, never: bool = False) -> Setting | None:
        """The setting of this name; with `never` the value that a session must not have."""
        return self._listed.get((name, never))

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._listed.values())

    @cached_property
    def always(self) -> Mapping[str, str]:
        """What every statement relies on."""
        return {s.name: s.value for s in self if not s.times and not s.never}

    @cached_property
    def times(self) -> Mapping[str, str]:
        """What plans with times of day rely on besides."""
        return {s.name: s.value for s in self if s.times and not s.never}

    @cached_property
    def with_times(self) -> Mapping[str, str]:
        """Both."""
        return {**self.always, **self.times}

    @cached_property
    def defaults(self) -> Mapping[str, str]:
        """Those that are the engine's own defaults: they are set only in a session that has another value."""
        return {s.name: s.value for s in self if s.default and not s.never}

    def harmful(self, sql: str) -> Mapping[str, str]:
        """Settings that the engine reads when rows are made, each with the value under which this text's may differ."""
        found = (s for s in self if s.never and (s.where is None or s.where.search(sql)))
        return {s.name: s.value for s in found}


_TEXT: Final = {"type": "string"}
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "why"],
    "properties": {
        **dict.fromkeys(("name", "value", "never", "in", "why"), _TEXT),
        "default": {"type": "boolean"},
        "for": {"enum": ["times"]},
        "by_quotes": {"type": "object", "additionalProperties": _TEXT},
    },
}
"""What a row holds. A value is a text, as a session has it: "true"."""


def problem(row: Mapping[str, Any]) -> str:
    """What else is wrong with a row of that schema, or nothing."""
    if ("value" in row) == ("never" in row):
        return "a setting has a value, or one that a session must never have"
    try:
        re.compile(row.get("in", ""))
    except re.error as error:
        return f"{row['in']!r} is no pattern: {error}"
    return ""


def read(row: Mapping[str, Any]) -> Setting:
    """One row."""
    never = "never" in row
    return Setting(
        row["name"],
        row["never" if never else "value"],
        row["why"],
        never,
        row.get("default", False),
        "for" in row,
        re.compile(row["in"]) if "in" in row else None,
        {key[0] + key[-1]: value for key, value in row.get("by_quotes", {}).items()},
    )
