"""A function in FROM that makes rows of values: ``explode(t.tags) AS tags_element(tag)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.select.item import Item

if TYPE_CHECKING:
    from sqlglot import exp

    from substrait_sql.select.field import Parts


class Generated(Item):
    """Such a function. arguments: what it reads, of the items before it or of the query around."""

    __slots__ = ("arguments",)

    def __init__(self, base: str, names: list[str], node: exp.Expression, arguments: Parts) -> None:
        super().__init__(base, names, node=node)
        self.arguments = arguments

    @property
    def table(self) -> None:
        """It is no table, which could be read again."""
        return
