"""One evaluation of a shared query whose rows another evaluation might not give again.

Spark writes a common table expression out wherever it is read, unless something in it is not deterministic: that is
computed once, for all readers. What ``rand`` and ``uuid`` give is so by itself. Rows that a LIMIT picks are not, though
which ones it picks is a matter of luck too, and the readers of a shared relation are to see the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import builtins
from substrait_sql.dialect.operators import operand
from substrait_sql.lower.block import Shared, query_of
from substrait_sql.lower.field import Traits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.block import Block
    from substrait_sql.lower.field import Item
    from substrait_sql.lower.scope import SelectScope

# What these give hangs on the order of rows that are equal by all keys.
_BY_LUCK = frozenset(
    {
        "row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value", "any_value", "min_by",
        "collect_list", "listagg", "string_agg",
    }
)  # fmt: skip


@dataclass(slots=True)
class SharedQuery:
    """A common table expression. items: those who read it; reads: the items of FROM inside it."""

    name: str
    query: exp.Query
    scope: SelectScope
    items: Sequence[Item]
    reads: set[Item]


def pin(queries: Sequence[SharedQuery]) -> None:
    """Makes Spark evaluate once what is read more than once and might come out differently.

    queries: each after those that it reads.

        WITH emp_top AS (SELECT id FROM emp LIMIT 3)      WITH emp_top AS (SELECT id FROM emp WHERE rand() >= 0 LIMIT 3)
    """
    loose: set[Item] = set()
    for each in queries:
        if not (loose & each.reads or _is_luck(each.query)):
            continue
        if len(each.items) > 1:
            _pin(each.query)
        else:
            loose.update(each.items)


def is_drawn(block: Block) -> bool:
    """Whether something in the query gives another value each time: ``rand()``, ``uuid()``."""
    own = (*block.fields, *block.where, *block.having, *(key.field for key in block.order))
    if any(f.traits & Traits.IMPURE for f in own):
        return True
    return any(map(is_drawn, beneath(block)))


def varies(item: Item) -> bool:
    """Whether Spark may see in an item of FROM what is not deterministic: something drawn, or a condition of `_pin`."""
    query = query_of(item)
    if query is None:
        return False
    if is_drawn(query) or (isinstance(item, Shared) and _of_luck(query)):
        return True
    branches = query.body.branches if query.body is not None else [query]
    return any(varies(i) for branch in branches for i in branch.items)


def _of_luck(block: Block) -> bool:
    """Whether other rows of a shared query may come out another time, as `_is_luck` says of its text."""
    own = (*block.fields, *block.hidden, *block.where, *block.having)
    calls = [n for f in own if f.sql is not None for n in f.sql.find_all(exp.Anonymous)]
    return (
        block.limited
        or any(_may_vary(str(n.this)) for n in calls)
        or any(map(_of_luck, beneath(block)))
    )


def beneath(block: Block) -> list[Block]:
    """The queries that a query reads, and the branches of a set operation."""
    return [*block.read, *(block.body.branches if block.body is not None else [])]


def _is_luck(query: exp.Query) -> bool:
    kinds = (exp.Limit, exp.Offset, exp.Anonymous)
    return any(
        not isinstance(node, exp.Anonymous) or _may_vary(str(node.this))
        for node in query.find_all(*kinds)
        if not isinstance(node.parent, exp.Hint)
    )


def _may_vary(name: str) -> bool:
    """Whether a function may give something else over the same rows; who knows what a registered one does."""
    return name in _BY_LUCK or builtins.kind(name) is None


def _pin(query: exp.Query) -> None:
    """A condition that is always true, and that Spark does not know to be."""
    select: Any = query
    while not isinstance(select, exp.Select):
        select = select.this
    if select.args.get("from_") is None:
        return
    condition: exp.Expression = exp.GTE(
        this=exp.Anonymous(this="rand"), expression=exp.Literal.number(0)
    )
    where = select.args.get("where")
    if where is not None:
        condition = exp.And(this=operand(where.this, exp.And, "left"), expression=condition)
    select.set("where", exp.Where(this=condition))
