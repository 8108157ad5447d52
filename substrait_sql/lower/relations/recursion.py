"""Recursive queries, see `plan.recursion`: ``WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r …)``.

https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-cte.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.lacks import RECURSION
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import held, with_exact
from substrait_sql.lower.declared_types import becomes
from substrait_sql.lower.relation import relation
from substrait_sql.schema import naming, types
from substrait_sql.select.block import Block, SetBody
from substrait_sql.select.field import Field
from substrait_sql.select.item import Item
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.output_names import output_names
from substrait_sql.select.rounds import Recursion, Round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.plan.recursion import Recursive
    from substrait_sql.wire.path import Path


def recursion(message: Any, made: Recursive, cx: Context, path: Path, outer: Env | None) -> Block:
    """A reader of the common table expression that the recursion becomes."""
    if len(message.inputs) != 2:
        raise invalid(
            "SS2085", "a recursion has two inputs, the start and the step", path / "inputs"
        )
    if RECURSION in cx.dialect.target.lacks:
        raise refuse("SS2086", f"{cx.dialect.name} has no recursive queries", path)
    first, second = ((path / "inputs")[i] for i in range(2))
    start = _unsorted(relation(message.inputs[0], cx, first, outer))
    kinds = [_declared(f, first) for f in start.fields]
    names = output_names(start.fields, [""] * len(kinds))
    named = [_named(f, kind, first) for f, kind in zip(start.fields, kinds, strict=True)]
    opened = Recursion(kinds, named, names, made.most_rounds)
    cx.recursions.append(opened)
    try:
        step = _unsorted(relation(message.inputs[1], cx, second, outer))
    finally:
        cx.recursions.pop()
    if step.limited:
        raise refuse("SS2086", "Spark takes no LIMIT in the step of a recursive query", second)
    branches = [_typed(b, kinds, cx, at) for b, at in ((start, first), (step, second))]
    block = _union(branches, opened, made.name)
    if refers_outside(block):
        raise refuse("SS2086", "Spark runs no recursive query that refers outwards", path)
    return cx.shared.recursion(block, opened)


def last_round(columns: Sequence[tuple[str, Any]], steps: int, cx: Context, path: Path) -> Block:
    """The rows of the round before, within the step of a recursion."""
    if steps >= len(cx.recursions):
        raise invalid(
            "SS2085", "the rows of a round are read outside of the recursion's step", path
        )
    opened = cx.recursions[-1 - steps]
    kinds = [t for _, t in columns]
    if len(kinds) != len(opened.types) or not all(map(types.same, kinds, opened.types)):
        raise invalid("SS2085", "the columns of the round are not those of the start", path)
    item = Round(list(opened.names))
    opened.rounds.append(item)
    return Block(item, _columns(opened, item), base="round")


def _columns(opened: Recursion, item: Item) -> list[Field]:
    every = zip(opened.types, opened.sql_types, opened.names, strict=True)
    return [
        Field(kind, name, sql_type=sql_type, item=item, ordinal=i)
        for i, (kind, sql_type, name) in enumerate(every)
    ]


def _unsorted(block: Block) -> Block:
    """In no order, but for one that says which rows there are."""
    if not block.limited:
        block.order = []
    return block


def _declared(f: Field, path: Path) -> Any:
    """A column's type, of which any round may hold NULLs."""
    if f.type is None:
        raise refuse("SS2086", f"a recursion over {types.text(f.type)} has no SQL yet", path)
    return types.with_nullability(f.type, True)


def _named(f: Field, kind: Any, path: Path) -> Any:
    """The type with the names that a column has for the fields of structs; None of a type that holds no struct.

    Names differ between the start and the step as they like, and Spark has those of the start. A cast to the type would
    have to say them, and so what the step has stays as it is.
    """
    if not types.inner_names(kind):
        return None
    if not naming.same_values(held(f), kind):
        raise refuse("SS2086", f"a recursion over {types.text(kind)} has no SQL yet", path)
    return naming.like(kind, held(f))


def _typed(block: Block, kinds: list[Any], cx: Context, path: Path) -> Block:
    """With columns of exactly these types: Spark widens none."""
    if len(block.fields) != len(kinds):
        count = f"{len(block.fields)} columns, the start {len(kinds)}"
        raise invalid("SS2085", f"the step has {count}", path)
    for column, kind in enumerate(kinds):
        if not becomes(block.fields[column].type, kind):
            found = types.text(block.fields[column].type)
            raise invalid(
                "SS2085", f"column {column} is {found}, in the start {types.text(kind)}", path
            )
        if _named(block.fields[column], kind, path) is not None:
            continue
        block = with_exact(block, column, kind, cx, path)
    return block


def _union(branches: list[Block], opened: Recursion, name: str) -> Block:
    item = Item("", list(opened.names))
    body = SetBody("UNION", False, branches, recursive=True)
    return Block(None, _columns(opened, item), base=branches[0].base, body=body, title=name)
