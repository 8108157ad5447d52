"""The nesting of the SELECTs that have been assembled, which is what names have to respect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lower.node_paths import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlglot import exp

    from substrait_sql.lower.field import ColumnNode, Item
    from substrait_sql.wire.path import Path


class SelectScope:
    """One assembled SELECT: its FROM items, the columns in its clauses, and the queries inside it.

    derived: queries in its FROM clause, which cannot see its items. nested: subqueries in its expressions, which can.
    outputs: the names of its columns. late: columns that stand where output names win over input names.
    """

    __slots__ = (
        "columns",
        "derived",
        "items",
        "late",
        "nested",
        "outputs",
        "path",
        "select",
    )

    def __init__(self, select: exp.Expr, items: list[Item]) -> None:
        self.select = select
        self.items = items
        self.path: Path | None = None
        self.columns: list[ColumnNode] = []
        self.late: list[ColumnNode] = []
        self.derived: list[SelectScope] = []
        self.nested: list[SelectScope] = []
        self.outputs: list[tuple[str, ColumnNode | None]] = []

    def walk(self) -> Iterator[SelectScope]:
        """This scope and all below it."""
        stack = [self]
        while stack:
            scope = stack.pop()
            yield scope
            stack.extend(scope.derived)
            stack.extend(scope.nested)

    def every_item(self) -> set[Item]:
        """The FROM items of this scope and of all below it."""
        return {item for scope in self.walk() for item in scope.items}

    def note_origins(self) -> None:
        """Notes of each SELECT which relation it ends with."""
        for scope in self.walk():
            if scope.path is not None:
                note(scope.select, scope.path)

    def is_correlated(self) -> bool:
        """Whether the query refers to columns of the queries around it."""
        inner = self.every_item()
        return any(c.item not in inner for s in self.walk() for c in (*s.columns, *s.late))

    def free(self) -> Iterator[tuple[ColumnNode, int]]:
        """Columns of the queries around this one, and how many subquery boundaries lie between.

        A derived table is no boundary: its columns may come from where the query that it stands in may take them.
        """
        own = self.every_item()
        stack: list[tuple[SelectScope, int]] = [(self, 1)]
        while stack:
            scope, boundaries = stack.pop()
            for column in (*scope.columns, *scope.late):
                if column.item not in own:
                    yield column, boundaries
            stack.extend((s, boundaries) for s in scope.derived)
            stack.extend((s, boundaries + 1) for s in scope.nested)
