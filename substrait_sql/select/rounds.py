"""What a recursive query reads of itself: the rows of the round before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.select.item import Item


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
    """A recursion whose step is being lowered. rounds: who reads the rows of the round before."""

    types: list[Any]
    names: list[str]
    rounds: list[Round] = field(default_factory=list)
