"""How a text looks: what a team's linter may ask for, and no reader has to."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import DialectError

if TYPE_CHECKING:
    from collections.abc import Mapping

TRAILING, LEADING = "trailing", "leading"
AS_THEY_ARE, UPPER = "as_they_are", "upper"
NARROWEST: Final = 40
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "width": {"type": "integer", "minimum": NARROWEST},
        "commas": {"enum": [TRAILING, LEADING]},
        "functions": {"enum": [AS_THEY_ARE, UPPER]},
    },
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a text looks.

    width: characters that a line has at most where it can be broken, 40 or more. commas: ``trailing`` or ``leading``,
    behind an item or before the next one where that begins a line. functions: ``as_they_are``, or their names in
    ``upper`` case.
    """

    width: int = 100
    commas: str = TRAILING
    functions: str = AS_THEY_ARE

    def with_other(self, said: Mapping[str, Any]) -> Style:
        """The style with what is said otherwise. Raises `DialectError` SS2412 for what is no such word or value."""
        known = {each.name for each in fields(self)}
        for word, value in said.items():
            if word not in known:
                raise _refused(f"there is no {word!r}", f"there are: {', '.join(sorted(known))}")
            if word == "width":
                if type(value) is not int or value < NARROWEST:
                    raise _refused(f"{value!r} is no width", f"whole numbers from {NARROWEST} on")
                continue
            values: list[str] = SCHEMA["properties"][word]["enum"]
            if value not in values:
                raise _refused(f"{word} cannot be {value!r}", f"there are: {', '.join(values)}")
        return replace(self, **said)


def _refused(message: str, hint: str) -> DialectError:
    return DialectError.of("SS2412", f"in the style of a text, {message}", hint=hint)
