"""What a plan means, without the way in which it says so: blocks over sources, expressions over their columns.

Filters, projections, inner joins, sorts and emits disappear in a `Block`: it says which sources are combined, which
conditions hold, and what comes out. Columns are named by the source that they are of, never by a place in a record, so
that a condition is the same wherever in the plan it stood.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.wire.path import Path

Leaves = frozenset["Leaf"]
_NONE: Leaves = frozenset()
_NUMBERS = count()


class Expr:
    """An expression over columns of sources.

    head: what it is and says, but its operands. args: the operands. commutes: their order is nothing. shown: how a
    leaf of the tree is written. leaf: the source of a column; inner: what the column is inside of that source, if it is
    an operator. blocks: the queries of a subquery. leaves: the sources of all columns in it, those outside of its own
    block included. drawn: it gives another value each time.
    """

    __slots__ = (
        "args",
        "blocks",
        "commutes",
        "drawn",
        "head",
        "inner",
        "leaf",
        "leaves",
        "path",
        "shown",
    )

    def __init__(
        self,
        head: tuple[str, ...],
        args: Sequence[Expr] = (),
        *,
        path: Path | None = None,
        shown: str = "",
        commutes: bool = False,
        leaf: Leaf | None = None,
        inner: Expr | None = None,
        blocks: Sequence[Block] = (),
        drawn: bool = False,
    ) -> None:
        self.head = head
        self.args = tuple(args)
        self.path = path
        self.shown = shown
        self.commutes = commutes
        self.leaf = leaf
        self.inner = inner
        self.blocks = tuple(blocks)
        self.drawn: bool = drawn or any(a.drawn for a in self.args)
        self.leaves = _leaves_of(self)

    @property
    def kind(self) -> str:
        """The first word of its head: ``column``, ``literal``, ``call``, …"""
        return self.head[0]


def _leaves_of(expr: Expr) -> Leaves:
    # Most expressions are about one source: its set is shared, so that a chain of calls costs nothing.
    found = _NONE if expr.leaf is None else expr.leaf.alone
    for arg in expr.args:
        if not arg.leaves <= found:
            found = arg.leaves if found <= arg.leaves else found | arg.leaves
    for block in expr.blocks:
        found = found | block.free
    return found


class Leaf:
    """A source: a table, values, or an operator over blocks of its own.

    number: in the order in which sources were met. kind: ``table``, ``values``, ``aggregate``, ``fetch``, ``set``,
    ``window``, ``full``, or that of the relation. head: what it is and says, but its inputs and expressions. exprs: its
    expressions over its inputs. home: the From that it stands in.
    """

    __slots__ = ("alone", "exprs", "head", "home", "inputs", "kind", "number", "path")

    def __init__(
        self,
        kind: str,
        head: tuple[str, ...],
        path: Path,
        inputs: Sequence[Block] = (),
        exprs: Sequence[Expr] = (),
    ) -> None:
        self.kind = kind
        self.head = head
        self.path = path
        self.inputs = list(inputs)
        self.exprs = list(exprs)
        self.alone: Leaves = frozenset((self,))
        self.home: From | None = None
        self.number = next(_NUMBERS)

    def alone_in_from(self) -> From:
        """A From of this source."""
        self.home = From([self])
        return self.home

    def column(self, head: tuple[str, ...], inner: Expr | None = None, shown: str = "") -> Expr:
        """One of its columns."""
        return Expr(("column", *head), leaf=self, inner=inner, shown=shown)


@dataclass(eq=False)
class Attached:
    """A join that keeps the rows of what it is attached to, or some of them: LEFT, SEMI, ANTI, SINGLE, MARK."""

    word: str
    source: From
    on: list[Expr]
    path: Path


@dataclass(eq=False)
class From:
    """What stands in FROM and WHERE: sources combined in all ways, joins attached, conditions on all of that.

    into: the From that has taken over everything in this one. above: the attachment that this is the source of.
    """

    items: list[Leaf] = field(default_factory=list)
    attached: list[Attached] = field(default_factory=list)
    conditions: list[Expr] = field(default_factory=list)
    into: From | None = None
    above: tuple[From, Attached] | None = None

    def leaves(self) -> Iterator[Leaf]:
        """All sources, those of attached joins included, in the order of the plan."""
        for source, _ in self._all():
            yield from source.items

    def every(self) -> Iterator[Expr]:
        """All conditions, those of attached joins included."""
        for source, joined in self._all():
            yield from joined.on if joined is not None else ()
            yield from source.conditions

    def _all(self) -> Iterator[tuple[From, Attached | None]]:
        """It and those of the attached joins, however deep they nest."""
        stack: list[tuple[From, Attached | None]] = [(self, None)]
        while stack:
            source, joined = stack.pop()
            yield source, joined
            stack.extend((each.source, each) for each in reversed(source.attached))


@dataclass(eq=False)
class Block:
    """A query. order: the keys that its rows are sorted by, empty for none. free: sources outside that it refers to."""

    source: From
    outputs: list[Expr]
    order: list[Expr] = field(default_factory=list)
    free: Leaves = _NONE


@dataclass(frozen=True)
class Meaning:
    """What one root of a plan means. luck: where other rows may come out another time, and why."""

    block: Block
    names: tuple[str, ...]
    path: Path
    luck: tuple[tuple[str, str], ...] = ()


class NoMeaningError(Exception):
    """A relation whose columns the plan does not tell: only the texts can be compared."""

    def __init__(self, message: str, path: Any) -> None:
        super().__init__(message)
        self.path = str(path)
