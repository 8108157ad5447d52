"""Where Spark cannot join what refers to a query around it (as of 4.3): refused, for its rows would be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect import lacks
from substrait_sql.errors import refuse
from substrait_sql.plan.join_types import JoinType
from substrait_sql.select.block import derived
from substrait_sql.select.field import Traits
from substrait_sql.select.luck import varies
from substrait_sql.select.outer_columns import _columns, refers_outside
from substrait_sql.select.signals import NeedsLateral, NotNative
from substrait_sql.tree import origin

if TYPE_CHECKING:
    from collections.abc import Collection

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.select.item import Item
    from substrait_sql.wire.path import Path


def check_join(
    block: Block,
    kind: JoinType,
    left: list[Item],
    path: Path,
    correlated: bool,
    lacking: Collection[str],
) -> None:
    """Refuses a join other than an inner one that Spark would not run, or run wrong. The join is the block's last.

    lacking: what the dialect's engine cannot do besides (`dialect.lacks`).
    """
    if kind is JoinType.INNER:
        return
    join = block.joins[-1]
    for condition in join.on:
        check_subquery(condition, kind, left, [join.item], path, lacking)
    if correlated:
        _check_outer(join.on, block, kind, left, join.item, path)


def check_subquery(
    condition: Field,
    kind: JoinType,
    left: list[Item],
    right: list[Item],
    path: Path,
    lacking: Collection[str],
) -> None:
    """Spark has EXISTS and IN in a join condition, about one side at a time, and scalar subqueries about none."""
    if not condition.traits & Traits.SUBQUERY:
        return
    assert condition.parts is not None
    assert condition.sql is not None
    if lacks.OUTER_ON_SUBQUERY in lacking and not kind.looks_up:
        raise NeedsLateral(refuse("SS2043", f"a subquery in the condition of a {kind} join", path))
    if not kind.looks_up and varies_inside(condition):
        raise NeedsLateral(
            refuse(
                "SS2043",
                f"a subquery over rows that are a matter of luck in the condition of a {kind} join",
                path,
            )
        )
    sides = {_side(c.item, left, right) for c in condition.parts.captured} - {""}
    needles = [n.this for n in condition.sql.find_all(exp.In) if n.args.get("query") is not None]
    references = [
        origin.column_of(column) for needle in needles for column in needle.find_all(exp.Column)
    ]
    sides |= {_side(r.item, left, right) for r in references if r is not None} - {""}
    if len(sides) > 1:
        raise NeedsLateral(
            refuse("SS2043", f"a subquery about both sides in the condition of a {kind} join", path)
        )
    # A condition about a side that keeps its rows without a match cannot become a filter of it.
    stays = not kind.looks_up and any(getattr(kind.unmatched, side) for side in sides)
    if stays and any(map(_is_constant, left if "left" in sides else right)):
        # Spark puts the values into the subquery, which is about no side then, and fails to run it.
        raise NeedsLateral(
            refuse(
                "SS2043", f"a subquery about constant rows in the condition of a {kind} join", path
            )
        )
    if sides and _has_scalar(condition.sql):
        raise NeedsLateral(
            refuse("SS2043", f"a scalar subquery in the condition of a {kind} join", path)
        )


def varies_inside(condition: Field) -> bool:
    """Whether a subquery reads rows that Spark knows to be other ones another time; it takes none in ON or LATERAL."""
    scopes = condition.parts.scopes if condition.parts is not None else ()
    items = (item for scope in scopes for each in scope.walk() for item in each.items)
    return any(map(varies, items))


def _side(item: Item, left: list[Item], right: list[Item]) -> str:
    if item in right:
        return "right"
    return "left" if item in left else ""


def _is_constant(item: Item) -> bool:
    """Whether the rows are one row of literals, in however many queries over one another."""
    block = derived(item)
    if block is None or block.body is not None or block.joins:
        return False
    return block.item is None or _is_constant(block.item)


def _has_scalar(sql: exp.Expression) -> bool:
    """Whether a subquery stands there as a value. One that is nested in another subquery is the other's affair."""
    stack = [sql]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Subquery):
            return True
        if isinstance(node, exp.Exists):
            continue
        query = node.args.get("query") if isinstance(node, exp.In) else None
        stack.extend(n for n in node.iter_expressions() if n is not query)
    return False


def _check_outer(
    on: list[Field], block: Block, kind: JoinType, left: list[Item], right: Item, path: Path
) -> None:
    """Spark loses rows of a full join that refers to the query around it, and may not refer to it below a padding."""
    inner = [right] if kind.as_matches.right else []
    inner += left if kind.as_matches.left else []
    own = {*left, right}
    outside = any(map(refers_outside, filter(None, map(derived, inner))))
    conditions = [*on] if kind is JoinType.FULL else []
    if kind.padded.left:
        # What has been joined before is all of it on the padded side.
        conditions += [f for join in block.joins[:-1] for f in join.on]
        own.update(block.items)
    outside = outside or any(c.item not in own for f in conditions for c in _columns(f))
    if outside:
        raise NotNative(
            refuse(
                "SS2044",
                f"the {kind} join refers to a column of the query around it from where Spark cannot: "
                "from a full join, or from below the side that is padded or only looked up",
                path,
            )
        )
