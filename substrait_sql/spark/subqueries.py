"""What Spark refuses or answers wrongly in a query that refers outwards (as of 4.3).

It takes a column of the query around in WHERE, in HAVING without measures, in a plain SELECT list and in inner joins;
not in keys, beside measures, in windows, or on the padded side of a join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.errors import refuse
from substrait_sql.plan import join_types
from substrait_sql.select.block import Block, derived
from substrait_sql.select.field import Traits, hold
from substrait_sql.select.generated import Generated
from substrait_sql.select.luck import varies
from substrait_sql.select.outer_columns import fields_of, outer_columns
from substrait_sql.select.signals import NotNative
from substrait_sql.spark.joins import varies_inside
from substrait_sql.spark.older import lacked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


def require_native(
    block: Block,
    path: Path,
    needed: Collection[int],
    *,
    scalar: bool = False,
    lateral: bool = False,
    lacking: Collection[str] = (),
) -> None:
    """Raises NotNative where Spark would not run a subquery as it is, or run it wrong.

    needed: the fields that it returns. scalar: whether its value is asked for. lateral: whether it stands in FROM.
    lacking: what the dialect's engine cannot do besides (`dialect.lacks`).
    """
    if not outer_columns(block):
        return
    for each in _queries(block):
        fields = [block.fields[i] for i in needed] if each is block else each.fields
        problem = _misplaced(each, fields) or lacked(
            each, fields, lacking, plain=not (scalar or lateral)
        )
        if not problem and outer_columns(each):
            problem = _misread(each, below=each is not block, scalar=scalar, lateral=lateral)
        if problem:
            raise _error(problem, path)


def _error(problem: str, path: Path) -> NotNative:
    return NotNative(
        refuse("SS2137", f"a subquery that refers outwards, {problem}, has no SQL", path)
    )


def _queries(block: Block) -> Iterator[Block]:
    stack = [block]
    while stack:
        current = stack.pop()
        yield current
        if current.body is not None:
            stack.extend(current.body.branches)
        stack.extend(current.derived)


def _misplaced(block: Block, fields: Iterable[Field]) -> str:
    """Where a SELECT has an outer column that Spark does not take there."""
    if block.group is not None:
        measures = [h for h in block.having if h.traits & Traits.AGGREGATE]
        if _outward([*block.group, *fields, *measures]):
            return "beside a grouping"
    if _outward(f for f in fields if f.traits & Traits.WINDOW):
        return "in a window"
    if _outward(block.sorted_by):
        return "in a sort"
    return _padded(block)


def _padded(block: Block) -> str:
    before = [block.item]
    for join in block.joins:
        left, right = join_types.of_sql(join.kind).padded
        for item in (before if left else []) + ([join.item] if right else []):
            inner = derived(item)
            if isinstance(item, Generated) and item.arguments.traits & Traits.OUTER:
                return "below the padded side of an outer join"
            if item is None or inner is None or item.lateral:
                continue
            if outer_columns(inner):
                return "below the padded side of an outer join"
        if (left or right) and _outward(join.on):
            return "in the condition of an outer join"
        before.append(join.item)
    return ""


def _outward(fields: Iterable[Field]) -> bool:
    return hold(fields, Traits.OUTER)


def _misread(block: Block, *, below: bool, scalar: bool, lateral: bool) -> str:
    """Why Spark would get a query wrong that refers outwards itself or further down."""
    if block.grouping_sets:
        return "over grouping sets"
    if below and block.group == [] and scalar:
        return "with an aggregation over one of all rows"
    if block.body is not None and lateral:
        return "with a set operation in FROM"
    if any(isinstance(i, Generated) and i.arguments.traits & Traits.OUTER_MAP for i in block.items):
        return "with rows that are generated of a map"
    if lateral and (
        any(f.traits & Traits.IMPURE or varies_inside(f) for f in fields_of(block))
        or any(map(varies, block.items))
    ):
        return "with a function that is not deterministic, in FROM"
    return ""
