"""One evaluation of a shared query whose rows another evaluation might not give again.

Spark writes a common table expression out wherever it is read, unless something in it is not deterministic: that is
computed once, for all readers. What ``rand`` and ``uuid`` give is so by itself. Rows that a LIMIT picks are not, though
which ones it picks is a matter of luck too, and the readers of a shared relation are to see the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import operand
from substrait_sql.select.luck import may_vary
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.select.item import Item, SelectScope
    from substrait_sql.select.rounds import Recursion


@dataclass(slots=True)
class SharedQuery:
    """A common table expression. items: those who read it; reads: the items of FROM inside it.

    recursion: of one that reads itself.
    """

    name: str
    query: exp.Query
    scope: SelectScope
    items: Sequence[Item]
    reads: set[Item]
    recursion: Recursion | None = None


def pin(queries: Sequence[SharedQuery], builtins: Builtins) -> None:
    """Makes Spark evaluate once what is read more than once and might come out differently.

    queries: each after those that it reads. builtins: the functions that the engine has.

        WITH emp_top AS (SELECT id FROM emp LIMIT 3)      WITH emp_top AS (SELECT id FROM emp WHERE rand() >= 0 LIMIT 3)
    """
    loose: set[Item] = set()
    for each in queries:
        if not (loose & each.reads or _is_luck(each.query, builtins)):
            continue
        if len(each.items) > 1:
            _pin(each.query)
        else:
            loose.update(each.items)


# What a query or a table may say without leaving anything to luck. Of LIMIT, and of what is not known here, it is not.
_STEADY = frozenset(
    {
        "alias", "by_name", "catalog", "db", "distinct", "expression", "expressions", "group", "having",
        "hint", "joins", "laterals", "order", "this", "where", "windows", releases.FROM, releases.WITH,
    }
)  # fmt: skip

_NUMBERS = ("range", exp.Table)


def _is_luck(query: exp.Query, builtins: Builtins) -> bool:
    said = query.find_all(exp.Query, exp.Table, exp.Anonymous)
    return any(_leaves_to_luck(node, builtins) for node in said)


def _leaves_to_luck(node: exp.Expr, builtins: Builtins) -> bool:
    if isinstance(node, exp.Anonymous):
        # Of the functions that stand in FROM, only range(n) is written by us.
        known = isinstance(node.parent, exp.Hint) or (node.name, type(node.parent)) == _NUMBERS
        return not known and may_vary(str(node.this), builtins)
    return any(said and clause not in _STEADY for clause, said in node.args.items())


def _pin(query: exp.Query) -> None:
    """A condition that is always true, and that Spark does not know to be."""
    select: Any = query
    while not isinstance(select, exp.Select):
        select = select.this
    if select.args.get(releases.FROM) is None:
        return
    condition: exp.Expression = exp.GTE(
        this=exp.Anonymous(this="rand"), expression=exp.Literal.number(0)
    )
    where = select.args.get("where")
    if where is not None:
        condition = exp.And(this=operand(where.this, exp.And, "left"), expression=condition)
    select.set("where", exp.Where(this=condition))
