"""GROUP BY, with the sets of keys in Spark's shortest words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.select.field import Traits
from substrait_sql.tree.compare import Texts

if TYPE_CHECKING:
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field, Parts


def grouping(block: Block, parts: Parts) -> exp.Group:
    """Keys, ROLLUP, CUBE or GROUPING SETS."""
    group = block.group or []
    if not block.grouping_sets:
        return exp.Group(expressions=_once(group, parts))
    sets = [
        exp.Tuple(expressions=[_key(group[i], parts) for i in keys]) for keys in block.grouping_sets
    ]
    if block.grouping_sets == [list(range(n)) for n in range(len(group), -1, -1)]:
        return exp.Group(rollup=[exp.Rollup(expressions=sets[0].expressions)])
    different = {tuple(sorted(keys)) for keys in block.grouping_sets}
    if len(different) == len(sets) == 2 ** len(group):
        return exp.Group(cube=[exp.Cube(expressions=[_key(key, parts) for key in group])])
    return exp.Group(grouping_sets=[exp.GroupingSets(expressions=sets)])


def _key(field: Field, parts: Parts) -> exp.Expression:
    """A key; a bare number with its type, for Spark would take it for the place of a column."""
    node = field.copy(parts)
    number = node.this if type(node) is exp.Neg else node
    if type(number) is exp.Literal and not number.is_string:
        return exp.Cast(this=node, to=exp.DataType.build("int"))
    return node


def _once(group: list[Field], parts: Parts) -> list[exp.Expression]:
    """The keys without those that stand before, which make no other groups."""
    seen = Texts()
    keys = [(_key(key, parts), key.traits & Traits.IMPURE) for key in group]
    return [key for key, impure in keys if seen.add(key) or impure]
