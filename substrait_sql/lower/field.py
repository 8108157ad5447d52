"""The parts of a SELECT under construction: FROM items, the columns they offer, and fields made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import Diagnostic, UnsupportedError
from substrait_sql.lower import origin
from substrait_sql.lower.node_paths import carry
from substrait_sql.lower.work import COPIED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.lower.scope import SelectScope

# A field of more nodes than this is written once, in a derived table, rather than repeated where it is used.
COPY_LIMIT = 24


# An argument of more nodes of SQL than this is not written twice by a function that uses it twice.
ARGUMENT_LIMIT = 12


class TooLong(Exception):
    """An argument would have to be copied that holds a query, or is too long for that."""

    def __init__(self, node: exp.Expression) -> None:
        self.node = node


class Traits:
    """What an expression contains that decides in which clause it may stand; plain bits, tested all the time."""

    NONE = 0
    AGGREGATE = 1
    WINDOW = 2
    SUBQUERY = 4
    IMPURE = 8
    OUTER = 16  # a column of the query around the subquery that it stands in
    REGISTERED = (
        64  # an aggregate that somebody registered: over no rows Spark may return no row for it
    )
    PENDING = 32  # NULL stands in for an expression that is to be a column first


# A window is computed once however often it is written; but it is long, and a function over it cannot hold it.
_ONCE = Traits.SUBQUERY | Traits.IMPURE | Traits.WINDOW


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
        self.node = exp.Column(this=None)
        origin.set_column(self.node, self)
        self.twins: list[ColumnNode] = []

    def again(self, columns: list[ColumnNode] | None) -> exp.Expression:
        """Another node of the same column, added to `columns`; without that it is named together with this one."""
        fresh = ColumnNode(self.item, self.ordinal)
        (self.twins if columns is None else columns).append(fresh)
        return fresh.node


class Parts:
    """What has been used while one expression is lowered: columns, nested queries, traits, size in nodes.

    captured: columns of this record that stand inside the nested queries.
    """

    __slots__ = ("captured", "columns", "scopes", "size", "traits")

    def __init__(self) -> None:
        self.columns: list[ColumnNode] = []
        self.captured: list[ColumnNode] = []
        self.scopes: list[SelectScope] = []
        self.traits = Traits.NONE
        self.size = 0

    def column(self, item: Item, ordinal: int) -> exp.Expression:
        """A new column node, noted as used here."""
        if item.unknowable is not None:
            raise UnsupportedError(item.unknowable)
        reference = ColumnNode(item, ordinal)
        self.columns.append(reference)
        self.size += 1
        return reference.node


class Field:
    """One output column of a block: a plain column of an item, or an expression.

    type: the declared Substrait type, None if the plan does not say. sql_type: the Substrait type of what the SQL
    yields where that differs, else None. name: a name that says what it is, may be empty.
    """

    __slots__ = (
        "item",
        "mark",
        "name",
        "ordinal",
        "parts",
        "source",
        "sql",
        "sql_type",
        "subject",
        "type",
    )

    def __init__(
        self,
        type: Any,
        name: str = "",
        *,
        sql: exp.Expression | None = None,
        sql_type: Any = None,
        parts: Parts | None = None,
        item: Item | None = None,
        ordinal: int = -1,
        source: Field | None = None,
        subject: str = "",
    ) -> None:
        self.type = type
        self.name = name
        # The column it is mainly about: a function over it is called `sum_<subject>`, however deep it lies.
        self.subject = subject or name
        self.sql = sql
        # The fingerprint of the SQL, once somebody has asked for it.
        self.mark: int | None = None
        self.sql_type = sql_type
        self.parts = parts
        self.item = item
        self.ordinal = ordinal
        # The field that this one passes on unchanged: how a sort key is found again among the output.
        self.source = source or self

    @property
    def traits(self) -> int:
        """The bits of `Traits`."""
        return self.parts.traits if self.parts else 0

    @property
    def plain(self) -> bool:
        """A column of a FROM item, as it is."""
        return self.item is not None

    @property
    def heavy(self) -> bool:
        """Must stand in the text once: a second copy would be another evaluation, or too much to read."""
        parts = self.parts
        return parts is not None and (parts.size > COPY_LIMIT or parts.traits & _ONCE != 0)

    def emit(self, parts: Parts) -> exp.Expression:
        """The expression for a place where it stands for the last time."""
        if self.item is not None:
            return parts.column(self.item, self.ordinal)
        assert self.sql is not None
        assert self.parts is not None
        absorb(parts, self.parts)
        return self.sql

    def copy(self, parts: Parts) -> exp.Expression:
        """The expression for a place where it is used while it also stands elsewhere."""
        if self.item is not None:
            return parts.column(self.item, self.ordinal)
        assert self.sql is not None
        assert self.parts is not None
        parts.traits |= self.parts.traits
        parts.size += self.parts.size
        parts.scopes.extend(self.parts.scopes)
        parts.captured.extend(self.parts.captured)
        return clone(self.sql, parts.columns)

    def with_type(self, type: Any) -> Field:
        """The same expression under another declared type (nullability, as a rule)."""
        return Field(
            type,
            self.name,
            sql=self.sql,
            sql_type=self.sql_type,
            parts=self.parts,
            item=self.item,
            ordinal=self.ordinal,
            source=self.source,
            subject=self.subject,
        )


def absorb(parts: Parts, other: Parts) -> None:
    """Adds what `other` uses to `parts`."""
    parts.columns.extend(other.columns)
    parts.captured.extend(other.captured)
    parts.scopes.extend(other.scopes)
    parts.traits |= other.traits
    parts.size += other.size


def clone(node: exp.Expression, columns: list[Any] | None = None) -> exp.Expression:
    """A deep copy whose columns and FROM items know where they come from.

    Columns are added to `columns`; without that they become twins of the originals, named together with them, as all
    columns of a subquery are. sqlglot's own copy would lose the references that the naming pass sets names through.
    """
    COPIED.nodes += 1
    reference = origin.column_of(node)
    if origin.is_argument(node) and _is_long(node):
        raise TooLong(node)
    if reference is not None:
        fresh: exp.Expression = reference.again(columns)
        carry(node, fresh)
        return fresh
    if isinstance(node, exp.Query):
        columns = None
    arguments: dict[str, Any] = {}
    for key, value in node.args.items():
        if isinstance(value, exp.Expression):
            arguments[key] = clone(value, columns)
        elif isinstance(value, list):
            arguments[key] = [
                clone(v, columns) if isinstance(v, exp.Expression) else v for v in value
            ]
        else:
            arguments[key] = value
    copied = type(node)(**arguments)
    carry(node, copied)
    item = origin.item_of(node)
    if item is not None:
        item.copied(copied)
    return copied


def _is_long(node: exp.Expression) -> bool:
    left = ARGUMENT_LIMIT
    stack: list[Any] = [node]
    while stack:
        found = stack.pop()
        left -= 1
        if left < 0 or isinstance(found, (exp.Query, exp.Window)):
            return True
        stack.extend(found.iter_expressions())
    return False


def same_text(a: exp.Expression, b: exp.Expression) -> bool:
    """Whether two trees would be printed alike, columns told apart by where they come from."""
    if type(a) is not type(b):
        return False
    ra, rb = origin.column_of(a), origin.column_of(b)
    if ra is not None or rb is not None:
        return ra is not None and rb is not None and ra.item is rb.item and ra.ordinal == rb.ordinal
    if a.args.keys() != b.args.keys():
        return False
    return all(_same_value(value, b.args[key]) for key, value in a.args.items())


def _same_value(a: Any, b: Any) -> bool:
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(_same_value, a, b))
    if isinstance(a, exp.Expression):
        return isinstance(b, exp.Expression) and same_text(a, b)
    return bool(a == b)


def fingerprint(a: Any) -> int:
    """The same number for trees of the same text; finds the few that are worth comparing."""
    if isinstance(a, list):
        return hash(tuple(map(fingerprint, a)))
    if not isinstance(a, exp.Expression):
        return hash(a)
    reference = origin.column_of(a)
    if reference is not None:
        return hash((reference.item, reference.ordinal))
    return hash((type(a), *(fingerprint(v) for v in a.args.values() if v is not None)))


def items_of(columns: Iterable[ColumnNode]) -> set[Item]:
    """The FROM items that some columns come from."""
    return {c.item for c in columns}
