"""The columns of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.outline.columns import schema_columns
from substrait_sql.review.meaning.model import Expr, NoMeaningError
from substrait_sql.schema import types

if TYPE_CHECKING:
    from substrait_sql.review.meaning.facts import Facts
    from substrait_sql.review.meaning.model import Leaf
    from substrait_sql.wire.path import Path


# Whose columns have names that say nothing.
_BY_PLACE = ("values", "round")


def columns(facts: Facts, leaf: Leaf, schema: Any) -> list[Expr]:
    """The columns of a table, by name and type."""
    found: list[Expr] = []
    at = 0
    for column in schema_columns(schema):
        count = types.field_count(column.type) if column.type is not None else 1
        inner = list(schema.names[at + 1 : at + count])
        kind = facts.type(column.type) if column.type is not None else ""
        name = column.name if leaf.kind not in _BY_PLACE else str(len(found))
        found.append(leaf.column((name, kind, *inner), shown=column.name))
        at += count
    return found


def masked(item: Any, record: list[Expr], path: Path) -> Expr:
    """A column that a projection of a read keeps, or a part of it."""
    ordinal: int = item.field
    if not 0 <= ordinal < len(record):
        raise NoMeaningError("the projection picks a column that is not there", path)
    if not item.HasField("child"):
        return record[ordinal]
    return Expr(
        ("mask", item.child.SerializeToString(deterministic=True).hex()),
        [record[ordinal]],
        path=path,
    )
