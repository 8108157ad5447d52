"""TRUE, FALSE and NULL of a condition over all rows of a query: mark joins, IN as a value, ANY, ALL, UNIQUE.

Spark's own IN and EXISTS know two values only: IN says FALSE where SQL says NULL, anywhere but in a WHERE clause. Two
EXISTS say it right: one for the rows where the condition is TRUE, one for those where it is NULL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import call, is_null, negated
from substrait_sql.lower.assemble import assemble, conjunction, needs_aliases, selected
from substrait_sql.lower.block import Slot
from substrait_sql.lower.context import NeedsLateral, refuse
from substrait_sql.lower.correlated_limits import settle_limits
from substrait_sql.lower.field import Field, Parts, Traits
from substrait_sql.lower.outer.native import require_native
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Item
    from substrait_sql.wire.path import Path

# Lowers the rows afresh, as no part of a tree may stand in the text twice. The argument says whether only the TRUE of
# the condition matters. Returned are the rows, the condition over them, and the record that the condition sees.
Rows = Callable[[bool], "tuple[Block, list[Field], Sequence[Field]]"]


class Reader:
    """A query whose expressions hold subqueries: what those subqueries use is noted in `parts`.

    items: what the query has in FROM, so what a subquery may refer to.
    """

    def __init__(self, parts: Parts, items: Collection[Item], path: Path) -> None:
        self.parts = parts
        self.items = items
        self.path = path

    def query(self, block: Block, needed: Collection[int], *, scalar: bool = False) -> exp.Query:
        """The subquery. Spark resolves columns of the query around it, and of no other."""
        if not block.limited:
            block.order = []
        block = settle_limits(block, needed)
        require_native(block, self.path, needed, scalar=scalar)
        query, scope = assemble(block, selected(block, set(needed)), aliases=needs_aliases(block))
        for column, boundaries in scope.free():
            if column.item not in self.items or boundaries > 1:
                raise NeedsLateral(
                    refuse("SS2126", "the reference crosses more than one scope", self.path)
                )
            self.parts.captured.append(column)
        self.parts.scopes.append(scope)
        self.parts.traits |= Traits.SUBQUERY
        return query

    def exists(self, block: Block, conditions: list[Field]) -> exp.Expression:
        """``EXISTS(SELECT 1 FROM rows WHERE conditions)``."""
        block.where += conditions
        return exp.Exists(this=self.query(block, ()))


def readable(block: Block) -> Block:
    """The rows in a form that a condition can be put to: WHERE is open, and every column may be read twice."""
    block = block.at(Slot.WHERE)
    return block.close() if any(f.heavy for f in block.fields) else block


def any_true(rows: Rows, reader: Reader, two_valued: bool = False) -> exp.Expression:
    """TRUE if the condition is TRUE for a row; else NULL if it is NULL for one, unless two_valued; else FALSE."""
    block, conditions, record = rows(True)
    nullable = not two_valued and _may_be_null(conditions, record)
    found = reader.exists(block, conditions)
    if not nullable:
        return found
    block, conditions, _ = rows(False)
    unknown = reader.exists(block, [_unknown(conditions)])
    return _chain(found, exp.true(), unknown, exp.false())


def all_true(rows: Rows, reader: Reader) -> exp.Expression:
    """FALSE if the condition is FALSE for a row; else NULL if it is NULL for one; else TRUE."""
    block, conditions, record = rows(False)
    nullable = _may_be_null(conditions, record)
    parts = Parts()
    condition = conjunction(conditions, parts) or exp.true()
    denied = Field(types.boolean(), sql=negated(condition), parts=parts)
    refuted = reader.exists(block, [denied])
    if not nullable:
        return negated(refuted)
    block, conditions, _ = rows(False)
    unknown = reader.exists(block, [_unknown(conditions)])
    return _chain(refuted, exp.false(), unknown, exp.true())


def unique(block: Block, reader: Reader) -> exp.Expression:
    """Whether no two rows are equal. As in SQL, a row that has a NULL equals no other."""
    block = readable(block)
    if any(f.traits & Traits.OUTER for f in block.fields):
        # Spark groups by no column of the query around.
        block = block.close()
    keys = block.fields
    for key in keys:
        if key.type is None or types.nullable(key.type):
            parts = Parts()
            present = is_null(key.copy(parts), negated=True)
            block.where.append(Field(types.boolean(), sql=present, parts=parts))
    block.order = []
    block.group = keys
    parts = Parts()
    parts.traits |= Traits.AGGREGATE
    repeated = exp.GT(this=call("count", exp.Star()), expression=exp.Literal.number(1))
    block.having = [Field(types.boolean(), sql=repeated, parts=parts)]
    block.fields = []
    return negated(reader.exists(block, []))


def _may_be_null(conditions: list[Field], record: Sequence[Field]) -> bool:
    """Whether a condition can be NULL: unless it and all columns it reads are declared NOT NULL.

    The columns count too, since some producers declare every comparison as NOT NULL.
    """
    required: set[tuple[Item | None, int]] = {
        (f.item, f.ordinal)
        for f in record
        if f.item is not None and f.type is not None and not types.nullable(f.type)
    }
    return any(_can_be_null(c, required) for c in conditions)


def _can_be_null(condition: Field, required: set[tuple[Item | None, int]]) -> bool:
    if condition.type is None or types.nullable(condition.type):
        return True
    columns = condition.parts.columns if condition.parts is not None else ()
    return any((c.item, c.ordinal) not in required for c in columns)


def _unknown(conditions: list[Field]) -> Field:
    """The condition that all of them together are NULL."""
    parts = Parts()
    condition = conjunction(conditions, parts) or exp.true()
    return Field(types.boolean(), sql=is_null(condition), parts=parts)


def _chain(
    first: exp.Expression, value: exp.Expression, unknown: exp.Expression, default: exp.Expression
) -> exp.Expression:
    return exp.Case(
        ifs=[exp.If(this=first, true=value), exp.If(this=unknown, true=exp.Null())],
        default=default,
    )
