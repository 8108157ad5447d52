"""TRUE, FALSE and NULL of a condition over all rows of a query: mark joins, IN as a value, ANY, ALL, UNIQUE.

Spark's own IN and EXISTS know two values only: IN says FALSE where SQL says NULL, anywhere but in a WHERE clause. One
EXISTS is enough where only the TRUE of a condition is asked for, or only its FALSE. Where all three values are, an
aggregation over the condition has them. Each has the rows in its text once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.assemble.query import assemble, needs_aliases, selected
from substrait_sql.dialect.operators import call, infix, is_null, negated
from substrait_sql.errors import refuse
from substrait_sql.schema import types
from substrait_sql.select.asked import Asked
from substrait_sql.select.block import Slot
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.nodes import conjunction
from substrait_sql.select.signals import NeedsLateral
from substrait_sql.spark.limits import settle_limits
from substrait_sql.spark.subqueries import require_native

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.item import Item
    from substrait_sql.wire.path import Path


class Reader:
    """A query whose expressions hold subqueries: what those subqueries use is noted in `parts`.

    items: what the query has in FROM, so what a subquery may refer to. lacking: what the dialect's engine cannot do.
    """

    def __init__(
        self, parts: Parts, items: Collection[Item], path: Path, lacking: Collection[str]
    ) -> None:
        self.parts = parts
        self.items = items
        self.path = path
        self.lacking = lacking

    def query(
        self,
        block: Block,
        needed: Collection[int],
        *,
        scalar: bool = False,
    ) -> exp.Query:
        """The subquery. Spark resolves columns of the query around it, and of no other."""
        if not block.limited:
            block.order = []
        block = settle_limits(block, needed)
        require_native(block, self.path, needed, scalar=scalar, lacking=self.lacking)
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


@dataclass(slots=True)
class Rows:
    """Rows, the conditions over them that have to hold together, and the record that the conditions see."""

    block: Block
    conditions: list[Field]
    record: Sequence[Field]

    def condition(self) -> tuple[exp.Expression, Parts]:
        """The conditions as one, and what it uses."""
        parts = Parts()
        return conjunction(self.conditions, parts) or exp.true(), parts


def any_true(rows: Rows, reader: Reader, asked: Asked) -> exp.Expression:
    """TRUE if the condition is TRUE for a row, else NULL if it is NULL for one, else FALSE."""
    if asked is Asked.TRUE or not _may_be_null(rows):
        return reader.exists(rows.block, rows.conditions)
    if asked is Asked.FALSE:
        condition, parts = rows.condition()
        return reader.exists(rows.block, [_holds(_unless_false(condition), parts)])
    # A row where something is FALSE for certain says as much as no row.
    certain = [c for c in rows.conditions if not _can_be_null(c, _required(rows.record))]
    rows.block.where += certain
    rows.conditions = [c for c in rows.conditions if c not in certain]
    condition, parts = rows.condition()
    return _reduced(rows.block, _holds(condition, parts), _ANY, reader)


def all_true(rows: Rows, reader: Reader, asked: Asked) -> exp.Expression:
    """FALSE if the condition is FALSE for a row, else NULL if it is NULL for one, else TRUE."""
    nullable = _may_be_null(rows)
    condition, parts = rows.condition()
    if asked is Asked.VALUE and nullable:
        return _reduced(rows.block, _holds(condition, parts), _ALL, reader)
    denied = negated(condition)
    if asked is Asked.TRUE and nullable:
        denied = _unless_false(denied)
    return negated(reader.exists(rows.block, [_holds(denied, parts)]))


# The aggregate of the condition, and what it means: (for TRUE, for FALSE).
_ANY, _ALL = ("bool_or", True), ("bool_and", False)


def _reduced(
    block: Block, condition: Field, reduction: tuple[str, bool], reader: Reader
) -> exp.Expression:
    """``(SELECT CASE WHEN bool_or(p) THEN TRUE WHEN count(*) = count(p) THEN FALSE END FROM (SELECT … AS p FROM …))``.

    The condition is a column first, unless it is short and about these rows: an aggregate takes no outer column.
    """
    name, decided = reduction
    block.fields = [condition]
    block.order = []
    own = set(block.items)
    outside = condition.parts is None or any(c.item not in own for c in condition.parts.columns)
    if condition.heavy or outside or condition.traits & (Traits.OUTER | Traits.SUBQUERY):
        block = block.close()
    parts = Parts()
    parts.traits |= Traits.AGGREGATE
    (column,) = block.fields
    found: exp.Expression = call(name, column.copy(parts))
    total, known = call("count", exp.Star()), call("count", column.copy(parts))
    rest = infix(exp.EQ, total, known)
    case = exp.Case(
        ifs=[
            exp.If(this=found if decided else negated(found), true=exp.Boolean(this=decided)),
            exp.If(this=rest, true=exp.Boolean(this=not decided)),
        ]
    )
    block.order = []
    block.group = []
    block.fields = [Field(types.boolean(nullable=True), sql=case, parts=parts)]
    return exp.Subquery(this=reader.query(block, (0,), scalar=True))


def _holds(condition: exp.Expression, parts: Parts) -> Field:
    return Field(types.boolean(nullable=True), "matches", sql=condition, parts=parts)


def _unless_false(condition: exp.Expression) -> exp.Expression:
    return call("coalesce", condition, exp.true())


def unique(block: Block, reader: Reader) -> exp.Expression:
    """Whether no two rows are equal. As in SQL, a row that has a NULL equals no other."""
    block = readable(block)
    compared = {column for c in block.where for column in _compared(c)}
    for key in block.fields:
        nullable = key.type is None or types.nullable(key.type)
        if nullable and (key.item, key.ordinal) not in compared:
            parts = Parts()
            present = is_null(key.copy(parts), negated=True)
            block.where.append(Field(types.boolean(), sql=present, parts=parts))
    if hold(block.fields, Traits.OUTER):
        # Spark groups by no column of the query around.
        block = block.close()
    keys = block.fields
    block.order = []
    block.group_by(keys)
    parts = Parts()
    parts.traits |= Traits.AGGREGATE
    repeated = exp.GT(this=call("count", exp.Star()), expression=exp.Literal.number(1))
    block.having = [Field(types.boolean(), sql=repeated, parts=parts)]
    block.fields = []
    return negated(reader.exists(block, []))


def _compared(condition: Field) -> list[tuple[Item, int]]:
    """The columns of a comparison, which holds for no row in which one of them is NULL."""
    node = condition.sql
    if not isinstance(node, _UNKNOWN_OF_NULL) or condition.parts is None:
        return []
    sides = node.this, node.expression
    used = condition.parts.columns
    return [(c.item, c.ordinal) for c in used if any(c.node is side for side in sides)]


def _may_be_null(rows: Rows) -> bool:
    """Whether the condition can be NULL: unless its parts and all columns they read are declared NOT NULL.

    The columns count too, since some producers declare every comparison as NOT NULL.
    """
    required = _required(rows.record)
    return any(_can_be_null(c, required) for c in rows.conditions)


def _required(record: Sequence[Field]) -> set[tuple[Item, int]]:
    """The columns of a record that are declared NOT NULL."""
    return {
        (f.item, f.ordinal)
        for f in record
        if f.item is not None and f.type is not None and not types.nullable(f.type)
    }


_UNKNOWN_OF_NULL = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
# What is never NULL, whatever it is about.
_CERTAIN = (exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is, exp.Exists)


def _can_be_null(condition: Field, required: set[tuple[Item, int]]) -> bool:
    if isinstance(condition.sql, _CERTAIN):
        return False
    if condition.type is None or types.nullable(condition.type):
        return True
    columns = condition.parts.columns if condition.parts is not None else ()
    return any((c.item, c.ordinal) not in required for c in columns)
