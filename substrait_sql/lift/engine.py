"""What the engine of a dialect has not, of all that the texts of Spark may say: functions and types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from substrait_sql.dialect.dialect import load
from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from os import PathLike

    from substrait_sql.lift.typing.types import SparkType

_OTHER = "another dialect may have it: docs/dialects.md"


@dataclass(frozen=True)
class Engine:
    """name: of its dialect. absent: functions. types: Substrait's kinds that it has, None for all."""

    name: str = ""
    absent: frozenset[str] = frozenset()
    types: frozenset[str] | None = None

    def check_function(self, name: str) -> None:
        """Raises `Misused` for a function that the engine has not."""
        if name in self.absent:
            raise Misused(f"{self.name} has no function {name}", "SS5005", _OTHER)

    def check_type(self, kind: SparkType) -> None:
        """Raises `Misused` for a type that the engine has not, or that has one inside."""
        if self.types is None:
            return
        for part in (*kind.parts, *(f.type for f in kind.fields)):
            self.check_type(part)
        if not kind.parts and not kind.fields and not _is_known(kind, self.types):
            raise Misused(f"{self.name} has no type {str(kind).upper()}", hint=_OTHER)


EVERYTHING = Engine()


@cache
def _is_known(kind: SparkType, types: frozenset[str]) -> bool:
    try:
        found = ty.kind(encoded(kind, nullable=True))
    except Misused:
        # No type of Substrait's: the plan says so.
        return True
    return found is None or found.upper() in types


def engine(dialect: str | PathLike[str]) -> Engine:
    """The engine that a dialect is written for. Raises `UnsupportedError` SS2401 if there is no such dialect."""
    loaded = load(dialect)
    return Engine(str(dialect), loaded.builtins.absent, frozenset(loaded.types.rows))
