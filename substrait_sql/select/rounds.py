"""What a recursive query reads of itself: the rows of the round before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.select.item import Item

# Of a common table expression's node, for which sqlglot has no word: with how many rounds it may do.
MOST_ROUNDS = "most_rounds"


class Round(Item):
    """Those rows. Its text is the name of the common table expression that it stands in, which is settled last."""

    __slots__ = ()

    def __init__(self, names: list[str]) -> None:
        super().__init__("", names, node=exp.Table(this=identifier("")))

    @property
    def table(self) -> None:
        """It is no table, which could be read again anywhere else."""
        return

    def settle(self, name: str) -> None:
        """Says what it reads."""
        self.base = self.base or name
        for node in (self.node, *self.copies):
            if isinstance(node, exp.Table):
                node.set("this", identifier(name))


@dataclass(slots=True)
class Recursion:
    """A recursion, whose step is being lowered or has been.

    sql_types: of the columns, with the names that the start has for the fields of structs; None where a type says all.
    most_rounds: with more of them it fails, if the plan says so. rounds: who reads the rows of the round before.
    """

    types: list[Any]
    sql_types: list[Any]
    names: list[str]
    most_rounds: int | None = None
    rounds: list[Round] = field(default_factory=list)
