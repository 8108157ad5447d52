"""What a statement does that writes.

https://substrait.io/relations/logical_relations/#write-operator
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from substrait_sql.lift.tree import Attribute, Expr, Literal, Relation

INSERT, DELETE, CTAS = "insert", "delete", "ctas"


@dataclass(frozen=True, slots=True)
class Write:
    """Rows into a table or out of it. kind: insert, delete, ctas. mode: error, replace or ignore, of a new table."""

    kind: str
    target: tuple[str, ...]
    columns: tuple[Attribute, ...]
    rows: Relation
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """New values for columns, by their places, of the rows for which the condition is true."""

    target: tuple[str, ...]
    columns: tuple[Attribute, ...]
    values: tuple[tuple[int, Expr], ...]
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Define:
    """A table or view made, changed or dropped. operation: create, replace, alter, drop, drop_if_exists.

    defaults: of the columns of a table, a NULL for those without one; empty where no column has one.
    """

    kind: str
    operation: str
    target: tuple[str, ...]
    columns: tuple[Attribute, ...] = ()
    definition: Relation | None = None
    defaults: tuple[Literal, ...] = ()


Action = Write | Update | Define
