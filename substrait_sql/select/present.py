"""Sort keys that are never NULL, of which nobody has to be told where their NULLs would be.

    WHERE d_year = 2000 … ORDER BY d_year NULLS LAST        ORDER BY d_year
    count(*) AS n … ORDER BY n DESC NULLS FIRST             ORDER BY n DESC

It is what the SQL says, and of the columns of tables what the plan says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.schema import types
from substrait_sql.select.block import query_of
from substrait_sql.tree import origin
from substrait_sql.tree.chains import bare, constant, links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.select.block import Block, SortKey
    from substrait_sql.select.field import Field
    from substrait_sql.select.item import Item

# How many derived tables are looked into, one in the other.
_DEEPEST = 16
_NUMBERS = frozenset(
    {"count", "count_if", "dense_rank", "grouping", "grouping_id", "ntile", "rank", "row_number"}
)
# NULL over no values only.
_OF_VALUES = frozenset({"avg", "max", "min", "sum"})
_ANY = frozenset({"coalesce", "greatest", "least"})
# TRUE of nothing that is NULL.
_REJECTING = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like)


def ordered(node: exp.Expression, key: SortKey, block: Block) -> exp.Expression:
    """One item of an ORDER BY over the rows of a block. The NULLs of a key that has none are where Spark puts them."""
    away = key.nulls_first is key.descending
    first = key.nulls_first is not (away and present(key.field, block))
    return exp.Ordered(this=node, desc=key.descending or None, nulls_first=first)


def present(field: Field, block: Block, depth: int = 0) -> bool:
    """Whether a field of a block, or of what it is sorted by, is certain not to be NULL."""
    if depth > _DEEPEST:
        return False
    if block.body is not None:
        branches, ordinal = block.body.branches, field.ordinal
        return field.plain and all(present(b.fields[ordinal], b, depth + 1) for b in branches)
    if field.item is not None:
        return not block.grouping_sets and _holds(
            field.item, field.ordinal, field.type, block, depth
        )
    return field.sql is not None and _Certain(block, depth).never_null(field.sql)


def _holds(item: Item, ordinal: int, type: Any, block: Block, depth: int) -> bool:
    """Whether a column of FROM has a value in every row of the SELECT."""
    if item not in block.items:
        return False
    return _is_declared(item, ordinal, type, block, depth) or (item, ordinal) in _asked_for(block)


def _is_declared(item: Item, ordinal: int, type: Any, block: Block, depth: int) -> bool:
    """Whether it has one in every row of FROM."""
    query = query_of(item)
    declared = type is not None and not types.nullable(type)
    if query is None and not declared and not _is_listed(item, ordinal):
        return False
    if _is_padded(item, block):
        return False
    return query is None or present((query.fields + query.hidden)[ordinal], query, depth + 1)


def _is_listed(item: Item, ordinal: int) -> bool:
    """Whether it is a column of VALUES, with a constant in each row."""
    rows = item.node.expressions if isinstance(item.node, exp.Values) else ()
    return bool(rows) and all(constant(row.expressions[ordinal]) is not None for row in rows)


def _is_padded(item: Item, block: Block) -> bool:
    """Whether an outer join gives it rows of NULLs."""
    before = block.items.index(item)
    for i, join in enumerate(block.joins, 1):
        sides = join.kind.split()[0]
        if (sides == "FULL" and before <= i) or (sides == "RIGHT" and before < i):
            return True
        if sides == "LEFT" and before == i:
            return True
    return False


def _asked_for(block: Block) -> Iterator[tuple[object, int]]:
    """The columns of FROM that WHERE, or the ON of an inner join, takes no NULL of."""
    conditions = list(block.where)
    if not any(j.kind.split()[0] in ("RIGHT", "FULL") for j in block.joins):
        conditions += [f for j in block.joins if j.kind in ("INNER", "LEFT SEMI") for f in j.on]
    for condition in conditions:
        if condition.sql is not None:
            yield from _rejected(bare(condition.sql))


def _rejected(condition: exp.Expression) -> set[tuple[object, int]]:
    """The columns that a condition takes no NULL of."""
    if type(condition) in (exp.And, exp.Or):
        parts = [_rejected(bare(each)) for each in links(condition)[0]]
        return set.union(*parts) if type(condition) is exp.And else set.intersection(*parts)
    columns = map(origin.column_of, _operands(condition))
    return {(column.item, column.ordinal) for column in columns if column is not None}


def _operands(condition: exp.Expression) -> list[exp.Expression]:
    """What a condition is not TRUE of if it is NULL."""
    if isinstance(condition, exp.Is):
        # What is not NULL, and what is TRUE.
        return [] if isinstance(condition.expression, exp.Null) else [bare(condition.this)]
    if isinstance(condition, exp.Not):
        condition = bare(condition.this)
    if isinstance(condition, _REJECTING):
        return [bare(condition.this), bare(condition.expression)]
    if isinstance(condition, exp.Between) or (
        isinstance(condition, exp.In) and condition.expressions
    ):
        return [_worded(condition.this)]
    if _is_negated(condition):
        return [bare(condition.this)]
    return []


def _worded(node: exp.Expression) -> exp.Expression:
    """The operand of BETWEEN, which has the NOT behind it (`operators.negated`)."""
    return bare(node.this if isinstance(node, exp.Introducer) else node)


def _is_negated(condition: exp.Expression) -> bool:
    """Whether it is NOT LIKE, or NOT IN a list: of a query without rows that is TRUE even of NULL."""
    if not isinstance(condition, exp.Introducer):
        return False
    words = condition.expression
    if not isinstance(words, exp.Introducer):
        return False
    return words.name == "NOT LIKE" or (
        words.name == "NOT IN" and isinstance(words.expression, exp.Tuple)
    )


class _Certain:
    """What is never NULL in the SELECT of a block."""

    def __init__(self, block: Block, depth: int) -> None:
        self.block = block
        self.depth = depth

    def never_null(self, node: Any) -> bool:
        """Whether an expression has a value in every row. Spark is in its ANSI mode: nothing turns to NULL."""
        node = bare(node)
        if constant(node) is not None or isinstance(node, exp.Boolean):
            return True
        column = origin.column_of(node)
        if column is not None:
            # Nothing says of what type it is, so the plan's word is not asked for.
            sets = self.block.grouping_sets
            return not sets and _holds(column.item, column.ordinal, None, self.block, self.depth)
        match node:
            case exp.Window() | exp.Filter():
                # Of any other function there may be no rows to see.
                return _name(node.this) in _NUMBERS
            case exp.Neg() | exp.Cast():
                return not isinstance(node, exp.TryCast) and self.never_null(node.this)
            case exp.Add() | exp.Sub() | exp.Mul():
                return self.never_null(node.this) and self.never_null(node.expression)
            case exp.Anonymous():
                return self._call(node)
        return False

    def _call(self, node: exp.Anonymous) -> bool:
        name = _name(node)
        if name in _ANY:
            return any(map(self.never_null, node.expressions))
        if name in _OF_VALUES:
            grouped = bool(self.block.group) and not self.block.grouping_sets
            return grouped and all(map(self.never_null, node.expressions))
        return name in _NUMBERS


def _name(node: exp.Expression) -> str:
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else ""
