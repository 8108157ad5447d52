"""`Block`, a SELECT under construction, and `Slot`, the order of its clauses.

A relation asks its input for the clause it needs. Where that clause is still open the block takes it; otherwise the
block closes itself into a derived table and a fresh one stands on top. That alone keeps the SQL flat: there is no
optimizer pass afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.select.field import Field, Traits, hold, position
from substrait_sql.select.item import Item
from substrait_sql.select.repeated import first_of_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlglot import exp

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.select.conditions import Conditions
    from substrait_sql.select.item import ColumnNode
    from substrait_sql.wire.path import Path


class Slot:
    """The clauses of a SELECT in the order in which SQL evaluates them. Plain numbers, as `Traits` are."""

    FROM = 0
    WHERE = 1
    GROUP = 2
    HAVING = 3
    WINDOW = 4
    SELECT = 5
    DISTINCT = 6
    ORDER = 7
    LIMIT = 8
    ALL = range(9)


class Derived(Item):
    """A derived table: its text is that of a block of its own, at this place."""

    __slots__ = ("block",)

    def __init__(self, base: str, block: Block) -> None:
        super().__init__(base, [])
        self.block = block


class Shared(Item):
    """A reference to a shared query, whose text stands elsewhere. builtins: the functions that its engine has."""

    __slots__ = ("block", "builtins")

    def __init__(
        self, base: str, names: list[str], block: Block, node: exp.Expression, builtins: Builtins
    ) -> None:
        super().__init__(base, names, node=node)
        self.block = block
        self.builtins = builtins


def derived(item: Item | None) -> Block | None:
    """The query of a derived table, None for any other item."""
    return item.block if isinstance(item, Derived) else None


def query_of(item: Item | None) -> Block | None:
    """The query that an item stands for, here or elsewhere; None for tables, values and functions."""
    return item.block if isinstance(item, (Derived, Shared)) else None


@dataclass(slots=True)
class Join:
    """One join of a FROM clause. kind: CROSS, INNER, LEFT, RIGHT, FULL, LEFT SEMI or LEFT ANTI.

    captured: for a LATERAL item the columns of the items before it that it uses, else None. member: of a semi join that
    only looks a column up in a table, the condition that says so.
    """

    kind: str
    item: Item
    on: list[Field]
    captured: list[ColumnNode] | None = None
    member: Field | None = None


@dataclass(slots=True)
class SortKey:
    """One key of an ORDER BY."""

    field: Field
    descending: bool
    nulls_first: bool


@dataclass(slots=True)
class SetBody:
    """A set operation that stands where a SELECT would: UNION, INTERSECT, EXCEPT. recursive: it reads itself."""

    kind: str
    distinct: bool
    branches: list[Block]
    recursive: bool = False


@dataclass(slots=True)
class Repartition:
    """A hint for how to spread the rows of a SELECT. columns: those of its fields that decide; count: 0 if open."""

    count: int
    columns: list[Field]


@dataclass(slots=True, eq=False)
class Block:
    """See the module. `fields` is the row that the relation above sees; references are ordinals into it."""

    item: Item | None
    fields: list[Field]
    base: str = ""
    joins: list[Join] = field(default_factory=list)
    where: list[Field] = field(default_factory=list)
    # What WHERE, or HAVING, has already.
    clause: Conditions | None = None
    group: list[Field] | None = None
    # GROUP BY GROUPING SETS: the keys of each set, as positions in `group`.
    grouping_sets: list[list[int]] = field(default_factory=list)
    having: list[Field] = field(default_factory=list)
    distinct: bool = False
    # DISTINCT stands for GROUP BY of all columns, beside which there is room for more.
    groups_all: bool = False
    order: list[SortKey] = field(default_factory=list)
    limit: exp.Expression | None = None
    offset: exp.Expression | None = None
    body: SetBody | None = None
    repartition: Repartition | None = None
    # Columns that only a sort above needs, behind the visible ones.
    hidden: list[Field] = field(default_factory=list)
    # Join hints for Spark, as (word, item that it names). They never decide about rows.
    hints: list[tuple[str, Item]] = field(default_factory=list)
    # Expressions of the relation being lowered that have to be columns, by their path in the plan; plain once they are.
    computed: dict[str, Field] = field(default_factory=dict)
    # How many derived tables are nested in it, each for what had to be a column of it first.
    rounds: int = 0
    path: Path | None = None  # of the topmost relation that this SELECT stands for
    # The rel_anchors of the relations whose output this is, and the field at which each of them begins.
    anchors: dict[int, int] = field(default_factory=dict)
    # Makes a block over the same rows, once they are shared: where a subquery takes its outer values from.
    domain: Callable[[], Block] | None = None
    # Whether the columns that it is sorted by are returned, even if nobody reads them.
    returns_keys: bool = False
    title: str = ""  # what to call this query where it is shared, if not by what it does
    # What the plan calls the rows of one of its relations, and where that is.
    named: tuple[Path, str] | None = None

    # -- what it says ---------------------------------------------------------------------------------------------

    @property
    def says(self) -> frozenset[str]:
        """The clauses that it has, by the names of their fields; whoever depends on that states what it can take.

        A field that somebody adds is a clause as well, unless `_SILENT` has it: then those who ask do not know it, and
        close the block or refuse it, rather than to lose what it says.
        """
        said = {name for name in _clauses() if _is_said(getattr(self, name))}
        # Without keys it still makes one row of all.
        return frozenset(said if self.group is None else said | {"group"})

    def says_only(self, known: frozenset[str]) -> bool:
        """Whether it has no other clauses than these: the same as ``says <= known``, and only the others are asked."""
        if self.group is not None and "group" not in known:
            return False
        for name in _clauses(known):
            value = getattr(self, name)
            if value is not None and value is not False and value not in _NOTHING:
                return False
        return True

    # -- which clause is still open -------------------------------------------------------------------------------

    def is_open(self, slot: int) -> bool:
        """Whether the clause can still be added without changing what the block has said so far."""
        if not self.says_only(PRINTED):
            return False
        if slot == Slot.LIMIT:
            return not self.limited
        if self.repartition is not None:
            return slot in (Slot.SELECT, Slot.ORDER) and not self.limited
        if self.limited:
            return slot == Slot.SELECT and self.body is None and not self.distinct
        if slot == Slot.ORDER:
            return True
        if self.body is not None or self.distinct:
            return False
        if slot in (Slot.SELECT, Slot.WINDOW, Slot.DISTINCT):
            return True
        if self.windowed:
            return False
        return (self.group is not None) == (slot == Slot.HAVING)

    def at(self, slot: int) -> Block:
        """This block if the clause is open, else one over it."""
        if self.groups_all and not self.limited and slot in (Slot.SELECT, Slot.HAVING):
            self.groups_all, self.distinct = False, False
            self.group_by(list(self.fields))
        return self if self.is_open(slot) else self.close()

    def group_by(self, keys: list[Field]) -> None:
        """Groups the rows. Above them a key is there as it is written, and not what is under its casts."""
        for key in keys:
            key.narrow = None
        self.group = keys

    @property
    def limited(self) -> bool:
        """Whether rows are cut off: whatever comes later sees the cut."""
        return self.limit is not None or self.offset is not None

    @property
    def windowed(self) -> bool:
        """Whether a window function has been computed over the rows so far, be it only to sort by."""
        if hold(self.fields, Traits.WINDOW):
            return True
        return bool(self.order) and hold(self.sorted_by, Traits.WINDOW)

    @property
    def sorted_by(self) -> Iterator[Field]:
        """What its rows are sorted by."""
        return (key.field for key in self.order)

    @property
    def items(self) -> list[Item]:
        """The items of the FROM clause, in order."""
        return ([self.item] if self.item else []) + [j.item for j in self.joins]

    @property
    def derived(self) -> list[Block]:
        """The queries of the derived tables in the FROM clause."""
        return [item.block for item in self.items if isinstance(item, Derived)]

    @property
    def read(self) -> list[Block]:
        """The queries that the FROM clause reads, those of shared queries included."""
        return [item.block for item in self.items if isinstance(item, (Derived, Shared))]

    # -- closing --------------------------------------------------------------------------------------------------

    def close(self, reason: str = "") -> Block:
        """A fresh block over this one as a derived table. The order of the rows is carried along.

        reason: what the derived table has done, as a word for its alias (``agg``, ``top``).
        """
        fresh = self.read_as(Derived(self.derived_name(reason), self), self.order)
        if not self.limited:
            self.order = []
        return fresh

    def read_as(self, item: Item, order: list[SortKey]) -> Block:
        """A fresh block over an item that stands for this one. order: what this one's rows are sorted by."""
        for each in self.fields:
            each.say_width()
        item.names = [""] * (len(self.fields) + len(self.hidden))
        fields = [
            Field(f.type, f.name, sql_type=f.sql_type, item=item, ordinal=i, subject=f.subject)
            for i, f in enumerate(self.fields)
        ]
        for each, f in zip(fields, self.fields, strict=True):
            each.most = f.most
        fresh = Block(item, fields, base=self.base, anchors=self.anchors)
        fresh.order = [self._carry(key, item, fields) for key in order]
        return fresh

    def close_with_computed(self) -> Block:
        """A fresh block over this one, where the computed columns are plain ones behind those that it shows."""
        width = len(self.fields)
        # One expression may be asked for at several places of the plan.
        once = first_of_each(self.computed.values())
        columns = list({id(f): f for f in once.values()}.values())
        for f in columns:
            f.name = f.name or "computed"
        self.fields = [*self.fields, *columns]
        fresh = self.close("computed" if self.computed and not self.windowed else "")
        fresh.rounds = self.rounds + 1
        made = {id(f): fresh.fields[width + i] for i, f in enumerate(columns)}
        fresh.computed = {at: made[id(once[id(f)])] for at, f in self.computed.items()}
        fresh.fields = fresh.fields[:width]
        return fresh

    def _carry(self, key: SortKey, item: Item, fields: list[Field]) -> SortKey:
        """The key in terms of the derived table, as a hidden column of it where it is not visible."""
        position = self.find(key.field)
        if position is None:
            position = len(self.fields) + len(self.hidden)
            self.hidden.append(key.field)
            item.names.append("")
        if position < len(fields):
            carried = fields[position]
        else:
            f = key.field
            carried = Field(f.type, f.name, sql_type=f.sql_type, item=item, ordinal=position)
        return SortKey(carried, key.descending, key.nulls_first)

    def find(self, wanted: Field) -> int | None:
        """The position among the output (hidden columns included) of a field that is the same expression."""
        return position(self.fields + self.hidden, wanted)

    def derived_name(self, reason: str = "") -> str:
        """What to call this query as a derived table: its main table and what was done to it."""
        if self.title or self.suggested:
            return self.title or self.suggested
        base = self.base or (self.item.base if self.item else "") or "rows"
        if not reason:
            reason, base = self._deed(), self._measured or base
        return base if not reason or base.endswith("_" + reason) else f"{base}_{reason}"

    @property
    def _measured(self) -> str:
        """The one table that all measures are about: ``orders`` of the orders of each customer. Empty for others."""
        measures = [f.parts for f in self.fields if f.parts and f.traits & Traits.AGGREGATE]
        measured = {column.item for parts in measures for column in parts.columns}
        item = measured.pop() if self.joins and len(measured) == 1 else None
        return item.base if item is not None and query_of(item) is None else ""

    @property
    def suggested(self) -> str:
        """What the plan calls exactly these rows; empty where it does not, or does so of what is below them."""
        return self.named[1] if self.named is not None and self.named[0] is self.path else ""

    @property
    def all_decide(self) -> bool:
        """Whether all columns say which rows there are: DISTINCT and set operations, in a branch of UNION ALL too."""
        body = self.body
        if self.distinct or body is None:
            return self.distinct
        if body.kind != "UNION" or body.distinct or body.recursive:
            return True
        return any(b.all_decide for b in body.branches)

    @property
    def is_bare(self) -> bool:
        """Whether it says nothing yet but what it reads."""
        return not self.says and all(f.plain for f in self.fields)

    def _deed(self) -> str:
        if self.limited:
            return "top"
        if self.body is not None:
            return self.body.kind.lower()
        if self.windowed:
            return "ranked"
        if self.group is not None:
            return "agg"
        if self.distinct:
            return "distinct"
        if self.joins:
            return "joined"
        return "rows" if self.item and derived(self.item) is None and not self.where else "part"


# What of a block is no clause: its columns, its names, and what is noted of it while it is lowered.
_SILENT = frozenset(
    {
        "anchors", "base", "clause", "computed", "domain", "fields", "groups_all", "hidden",
        "hints", "item", "named", "path", "returns_keys", "rounds", "title",
    }
)  # fmt: skip
# The clauses that come before the SELECT list, or do not look at it: its columns may be picked, and cast.
BESIDE_SELECT = frozenset(
    {
        "joins",
        "where",
        "group",
        "grouping_sets",
        "having",
        "order",
        "limit",
        "offset",
        "repartition",
    }
)
# All that `assemble` writes.
PRINTED = BESIDE_SELECT | {"distinct", "body"}


@cache
def _clauses(known: frozenset[str] = frozenset()) -> frozenset[str]:
    """The clauses but for those that are known."""
    return frozenset(f.name for f in fields(Block) if f.name not in _SILENT | known)


_NOTHING: tuple[Any, ...] = ([], "")


def _is_said(value: Any) -> bool:
    return value is not None and value is not False and value not in _NOTHING
