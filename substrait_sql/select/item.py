"""FROM items, the columns they offer, and the SELECTs that have been assembled, whose nesting names have to respect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.tree import origin
from substrait_sql.tree.origin import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.errors import Diagnostic
    from substrait_sql.wire.path import Path


# The parts of a table's name.
_NAMED = ("this", "db", "catalog")


class Item(origin.Origin):
    """One item of a FROM clause: a table, inline values, a function; `Derived` and `Shared` stand for a query.

    `names` are the column names by ordinal; those of a derived table are known once it is assembled.
    `base` is the word its alias is made of; `alias` is settled by the naming pass.
    """

    __slots__ = (
        "_node",
        "alias",
        "base",
        "checked",
        "columns_are_exact",
        "copies",
        "lateral",
        "names",
        "scopes",
        "unknowable",
        "used",
    )

    def __init__(
        self,
        base: str,
        names: list[str],
        *,
        node: exp.Expression | None = None,
        columns_are_exact: bool = True,
    ) -> None:
        self.base = base
        self.names = names
        # Where else its alias is written: in hints, and in copies of the expression that it is part of.
        self.copies: list[exp.Expression] = []
        self.node = node
        self.alias = base
        self.used: set[int] = set()
        # (ordinal, its named_struct) of a scalar subquery that has to run even where nobody reads its value.
        self.checked: tuple[int, exp.Anonymous] | None = None
        # A catalog table may have columns that the plan does not mention, so that an unqualified name could be theirs.
        self.columns_are_exact = columns_are_exact
        # The queries inside a node that is no block, whose names are to be settled too.
        self.scopes: list[SelectScope] = []
        # Whether its query refers to the items before it.
        self.lateral = False
        # Why no column of it can be told from another, if so.
        self.unknowable: Diagnostic | None = None

    @property
    def node(self) -> exp.Expression | None:
        """What stands in FROM; it knows its item, so that a copy of it is named as well."""
        return self._node

    @node.setter
    def node(self, node: exp.Expression | None) -> None:
        self._node = node
        if node is not None:
            origin.set_item(node, self)

    @property
    def table(self) -> exp.Table | None:
        """The table that it is, if nothing is said of it but its name (or the function's that stands for one)."""
        node = self._node
        if not isinstance(node, exp.Table):
            return None
        more = [part for key, part in node.args.items() if key not in _NAMED and part]
        return None if more else node

    def copied(self, node: exp.Expression) -> None:
        """Notes another place where its alias is written."""
        origin.set_item(node, self)
        self.copies.append(node)


class ColumnNode(origin.Origin):
    """A column in the tree and where it comes from; its text is set by the naming pass."""

    __slots__ = ("item", "node", "ordinal", "twins")

    def __init__(self, item: Item, ordinal: int) -> None:
        self.item = item
        self.ordinal = ordinal
        # Its name is set with those of all others.
        self.node = exp.Column()
        origin.set_column(self.node, self)
        self.twins: list[ColumnNode] = []

    def again(self, columns: list[ColumnNode] | None) -> exp.Expression:
        """Another node of the same column, added to `columns`; without that it is named together with this one."""
        fresh = ColumnNode(self.item, self.ordinal)
        (self.twins if columns is None else columns).append(fresh)
        return fresh.node


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

    def reads_outside(self) -> bool:
        """Whether it, or a query below it, has a column of a query around it."""
        own = self.every_item()
        return any(c.item not in own for s in self.walk() for c in (*s.columns, *s.late))

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
