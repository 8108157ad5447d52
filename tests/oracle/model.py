"""What the interpreter works on: tables, scopes, and the four ways in which it gives up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = tuple[Any, ...]

# No table on the way may be larger: drawn plans multiply quickly.
MOST_ROWS = 3000


class OracleError(Exception):
    """The interpreter has no rows for this plan."""


class NotCovered(OracleError):
    """The oracle does not interpret this part of the specification."""


class Invalid(OracleError):
    """The specification calls the plan invalid."""


class RuntimeFailure(OracleError):
    """The specification asks for an error at run time."""


class Undetermined(OracleError):
    """The specification leaves the rows open, such as which of two equal rows a fetch returns."""


@dataclass
class Table:
    """Rows; `order` numbers the group of each row where rows come in an order.

    Rows of the same group may come in any order among themselves; None is no order at all.
    """

    width: int
    rows: list[Row]
    order: list[int] | None = None

    def __post_init__(self) -> None:
        if len(self.rows) > MOST_ROWS:
            raise NotCovered(f"{len(self.rows)} rows are too many")

    def groups(self) -> list[int]:
        """The group of each row, all in one group where there is no order."""
        return [0] * len(self.rows) if self.order is None else self.order

    def pick(self, indices: Sequence[int]) -> Table:
        """Those rows, in that order, with their groups."""
        order = None if self.order is None else [self.order[i] for i in indices]
        return Table(self.width, [self.rows[i] for i in indices], order)


@dataclass(frozen=True)
class Scope:
    """What a relation sees from outside: the records that host the subqueries around it
    (outermost first), and the records that anchors name."""

    hosts: tuple[Row, ...] = ()
    anchors: Mapping[int, Row] = field(default_factory=dict)

    def anchored(self, names: Mapping[int, Row]) -> Scope:
        return Scope(self.hosts, {**self.anchors, **names}) if names else self


@dataclass
class Frame:
    """All records that a relation's expressions see: window functions look at the others."""

    rows: list[Row]
    scopes: list[Scope]
    groups: list[int]
    memo: dict[bytes, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Env:
    """What one evaluation of an expression sees. index: the row's place in its frame; lambdas: the arguments of the
    lambdas around, the innermost one's last."""

    world: World
    row: Row
    scope: Scope
    frame: Frame | None = None
    index: int = 0
    lambdas: tuple[Row, ...] = ()

    def inside(self) -> Scope:
        """The scope of a subquery in this expression: one boundary further in."""
        return Scope((*self.scope.hosts, self.row), self.scope.anchors)


@dataclass
class World:
    """A plan and its tables: name in lower case -> (column names, rows)."""

    plan: Any
    tables: Mapping[str, tuple[Sequence[str], Sequence[Row]]]
    functions: dict[int, str] = field(default_factory=dict)
    open_references: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for declared in self.plan.extensions:
            f = declared.extension_function
            self.functions[f.function_anchor] = f.name.partition(":")[0]
