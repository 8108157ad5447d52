"""All that is wrong with a text at once: what fails is noted and stands for a value of no known type.

Nothing is said of what is made of such a value: it would be said of the same mistake again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.relations import Values
from substrait_sql.lift.tree import Attribute, Literal
from substrait_sql.lift.typing.types import SparkType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.errors import Diagnostic, SqlError
    from substrait_sql.lift.tree import Expr, Relation

UNKNOWN = SparkType("void", (-1,))


class Unknown(Exception):
    """Nobody can tell: something that this is made of is wrong, which has been said."""


class Problems:
    """What has been found. count: of all that failed, what follows from other failures too."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.count = 0

    def note(self, error: SqlError) -> None:
        """Note what an error says, once."""
        self.found += [d for d in error.diagnostics if d not in self.found]


def no_value() -> Expr:
    """Stands for an expression that failed."""
    return Literal(UNKNOWN, True, None)


def no_rows() -> Relation:
    """Stands for a relation that failed: any column may be one of its."""
    return Values((Attribute("", UNKNOWN, True),), ())


def is_open(columns: Iterable[Attribute]) -> bool:
    """Whether there may be columns of which nobody knows."""
    return any(c.type == UNKNOWN and not c.name for c in columns)
