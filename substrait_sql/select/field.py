"""The parts of a SELECT under construction: FROM items, the columns they offer, and fields made of them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import INTEGER_SUFFIXES
from substrait_sql.errors import UnsupportedError
from substrait_sql.schema import types
from substrait_sql.select.item import ColumnNode, Item
from substrait_sql.tree.compare import same_text
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from substrait_sql.select.item import SelectScope

# A field of more nodes than this is written once, in a derived table, rather than repeated where it is used.
COPY_LIMIT = 24
# The same for an aggregate or a window function: it is longer to read twice than a formula of columns.
_COPY_LIMIT_OVER_ROWS = 10


class Traits:
    """What an expression contains that decides in which clause it may stand: flags, an int has any of them.

    Plain numbers, for those of every field are asked for over and over.
    """

    NONE = 0
    AGGREGATE = 1 << 0
    """A measure of the aggregation whose SELECT this is."""
    WINDOW = 1 << 1
    """A window function over the rows of this SELECT."""
    SUBQUERY = 1 << 2
    """A query, be it EXISTS, IN or a value."""
    IMPURE = 1 << 3
    """A function that gives another value each time, as ``rand()`` does."""
    OUTER = 1 << 4
    """A column of the query around the subquery that it stands in."""
    PENDING = 1 << 5
    """NULL stands in for an expression that is to be a column first."""
    REGISTERED = 1 << 6
    """An aggregate that somebody registered: over no rows Spark may return no row for it."""
    TIME_WINDOW = 1 << 7
    """``window(t, '5 minutes')``, which makes rows where it is a key of groups."""
    OUTER_MAP = 1 << 8
    """A column of the query around that holds maps, of which Spark tells no two values apart."""


# A window is computed once however often it is written; but it is long, and a function over it cannot hold it.
_ONCE = Traits.SUBQUERY | Traits.IMPURE | Traits.WINDOW


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

    @contextmanager
    def tried(self) -> Iterator[None]:
        """An attempt: if it fails, what it has used is forgotten."""
        lists: tuple[list[Any], ...] = self.columns, self.captured, self.scopes
        lengths, traits, size = [len(each) for each in lists], self.traits, self.size
        try:
            yield
        except Exception:  # whatever it was: nothing of the attempt may stay
            for each, length in zip(lists, lengths, strict=True):
                del each[length:]
            self.traits, self.size = traits, size
            raise

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
    yields where that differs, else None. name: a name that says what it is, may be empty. narrow: of a number under
    casts that only make its type wider, how many they are and the type of what is under them. literal: the protobuf
    literal it is, if it is one. most: as of a `Value`.
    """

    __slots__ = (
        "item",
        "literal",
        "most",
        "name",
        "narrow",
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
        self.sql_type = sql_type
        self.parts = parts
        self.item = item
        self.ordinal = ordinal
        # The field that this one passes on unchanged: how a sort key is found again among the output.
        self.source = source or self
        self.narrow: tuple[int, Any] | None = None
        self.most: float | None = None
        self.literal: Any = None

    @property
    def traits(self) -> int:
        """What it contains."""
        return self.parts.traits if self.parts else Traits.NONE

    @property
    def plain(self) -> bool:
        """A column of a FROM item, as it is."""
        return self.item is not None

    @property
    def heavy(self) -> bool:
        """Must stand in the text once: a second copy would be another evaluation, or too much to read."""
        parts = self.parts
        if parts is None or self.sql is None:
            return False
        if parts.traits & _ONCE:
            return True
        over_rows = parts.traits & (Traits.AGGREGATE | Traits.WINDOW)
        limit = _COPY_LIMIT_OVER_ROWS if over_rows else COPY_LIMIT
        # Of what a plan says, casts for one, not all is in the text: it is counted where that may matter.
        return parts.size > limit and _is_longer(self.sql, limit)

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

    def say_width(self) -> None:
        """A whole number that is a constant says its type from here on: ``1L``, so that nobody has to cast it."""
        number = self.sql.this if type(self.sql) is exp.Neg else self.sql
        suffix = INTEGER_SUFFIXES.get(types.kind(self.type) or "")
        if suffix and self.sql_type is not None and type(number) is exp.Literal:
            sign = "" if number is self.sql else "-"
            self.sql, self.sql_type = exp.Var(this=f"{sign}{number.name}{suffix}"), None

    def with_type(self, type: Any) -> Field:
        """The same expression under another declared type (nullability, as a rule)."""
        found = Field(
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
        found.narrow, found.most = self.narrow, self.most
        return found


def same_column(field: Field, key: Field) -> bool:
    """Whether a column of the output is that key."""
    return field is key or (
        field.plain and key.plain and (field.item, field.ordinal) == (key.item, key.ordinal)
    )


def position(fields: Sequence[Field], wanted: Field) -> int | None:
    """The position of a field that is the same expression, None where there is none."""
    for i, f in enumerate(fields):
        if f.source is wanted.source or (
            f.item is not None and f.item is wanted.item and f.ordinal == wanted.ordinal
        ):
            return i
    if wanted.traits & Traits.IMPURE:
        # The same words would give another value.
        return None
    for i, f in enumerate(fields):
        if f.sql is not None and wanted.sql is not None and same_text(f.sql, wanted.sql):
            return i
    return None


def hold(fields: Iterable[Field], traits: int) -> bool:
    """Whether one of the fields has one of the traits."""
    found = Traits.NONE
    for f in fields:
        if f.parts is not None:
            found |= f.parts.traits
    return bool(found & traits)


def absorb(parts: Parts, other: Parts) -> None:
    """Adds what `other` uses to `parts`."""
    parts.columns.extend(other.columns)
    parts.captured.extend(other.captured)
    parts.scopes.extend(other.scopes)
    parts.traits |= other.traits
    parts.size += other.size


def _is_longer(sql: exp.Expression, limit: int) -> bool:
    """Whether an expression has more operators, calls, columns and constants than this."""
    count = 0
    stack = [sql]
    while stack and count <= limit:
        node = stack.pop()
        count += type(node) not in _MERE
        stack.extend(node.iter_expressions())
    return count > limit


# Parts of a node rather than one to read.
_MERE = (exp.Identifier, exp.Paren, exp.If, exp.DataType, exp.Ordered, exp.Order, exp.Where)
