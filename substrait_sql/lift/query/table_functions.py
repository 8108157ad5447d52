"""Functions in FROM."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.near import near
from substrait_sql.lift.query import generate
from substrait_sql.lift.relations import Filter, Values
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.tree import (
    FALSE,
    Attribute,
    Column,
    Expr,
    Literal,
    Relation,
    holds,
)
from substrait_sql.lift.typing import casts, signatures
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context

_MOST_ROWS = 10_000
# Functions of Spark's that stand in FROM only.
_OF_SPARK = frozenset(
    {
        "range",
        "unnest",
        "collations",
        "sql_keywords",
        "python_worker_logs",
        "variant_explode",
        "variant_explode_outer",
    }
)


def table_function(node: Any, cx: Context) -> Relation:
    """range(10), and generators of constants; other functions are refused."""
    name = name_of(node).lower()
    if node.parent.args.get("db") is not None:
        # Spark's own have none, or `builtin`, which the tokens are without.
        raise cx.error("SS5005", f"there is no table function {node.parent.db}.{name}", node)
    cx.engine.check_function(name)
    if name == "range":
        return _range([_whole(lift(e, cx)) for e in node.expressions])
    if name == "unnest" and len(node.expressions) == 1:
        return _unnested(node, cx)
    found = signatures.known(name)
    if found is not None and found.kind == "generator":
        return _generated(node, cx)
    if found is None and name not in _OF_SPARK:
        hint = near(name, sorted(_OF_SPARK))
        raise cx.error("SS5005", f"there is no table function {name}", node, hint)
    raise cx.error("SS5007", f"a plan has no word for the table function {name}", node)


def _unnested(node: Any, cx: Context) -> Relation:
    """``unnest(array)`` is ``explode(array)``, but takes no map; several arrays would be several columns."""
    exploded = node.copy()
    exploded.set("this", "explode")
    exploded.parent = node.parent
    made = _generated(exploded, cx)
    if len(made.columns) != 1:
        raise Misused("unnest takes an array")
    return made


def _generated(node: Any, cx: Context) -> Relation:
    made = generate.generator(node, cx, node)
    columns = generate.columns_of(made)
    if generate.is_dynamic(made, cx) or holds(made, Column):
        # The columns are those of the query around: this one has none yet.
        one_row = Values((), ((),))
        return generate.expanded(one_row, made, columns, node, cx)
    rows = generate.rows_of(made, node, cx)
    if not rows:
        nothing = tuple(Literal(c.type, True, None) for c in columns)
        return Filter(tuple(columns), Values(tuple(columns), (nothing,)), FALSE)
    for place, each in enumerate(columns):
        each.nullable = any(r[place].nullable for r in rows)
    return Values(tuple(columns), tuple(rows))


def _whole(value: Expr) -> int:
    taken = casts.implicit(value.type, t.BIGINT) is not None
    found = whole(operators.cast(value, t.BIGINT)) if taken else None
    if found is None:
        raise Misused("range wants whole numbers that stand in the text")
    return found


def _range(given: list[int]) -> Relation:
    if not 1 <= len(given) <= 4:
        raise Misused("range takes one to four numbers")
    start, end = (0, given[0]) if len(given) == 1 else given[:2]
    step = given[2] if len(given) > 2 else 1
    if step == 0:
        raise Misused("range wants a step that is not 0")
    numbers = range(start, end, step)
    if len(numbers) > _MOST_ROWS:
        raise Misused(f"range of {len(numbers)} rows: a plan would hold each of them")
    rows = tuple((Literal(t.BIGINT, False, n),) for n in numbers)
    return Values((Attribute("id", t.BIGINT, False),), rows)
