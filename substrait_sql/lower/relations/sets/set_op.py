"""https://substrait.io/relations/logical_relations/#set-operation"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import infix
from substrait_sql.errors import invalid
from substrait_sql.lower.common_type import held, with_exact
from substrait_sql.lower.declared_types import INTEGERS, becomes, spelt_alike
from substrait_sql.lower.lost import warn_of_set
from substrait_sql.lower.relation import lowers, relation
from substrait_sql.lower.relations.joins.combine import combine
from substrait_sql.lower.relations.sets.branch_types import with_bare_nulls, without_casts
from substrait_sql.lower.relations.sets.chain import chain
from substrait_sql.lower.relations.sets.set_of_maps import set_of_maps
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types
from substrait_sql.schema.ordered import is_orderable
from substrait_sql.select.block import Block, Slot
from substrait_sql.select.field import Field, Parts, Traits
from substrait_sql.spark.selects import shows_correlated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.wire.path import Path

# SetRel.SetOp: (SQL operator, duplicates removed).
_CHAINS = {
    1: ("EXCEPT", True),
    3: ("INTERSECT", True),
    4: ("INTERSECT", True),
    5: ("UNION", True),
    6: ("UNION", False),
    7: ("EXCEPT", False),
    8: ("INTERSECT", False),
}
_MINUS_MULTISET, _INTERSECTION_PRIMARY, _UNION_ALL = 2, 3, 6


@lowers("set")
def set_rel(message: Any, cx: Context, path: Path, outer: Env | None) -> Block:
    """A chain of UNION, INTERSECT or EXCEPT, with ALL where duplicates count. NULL equals NULL, in both languages."""
    if len(message.inputs) < 2:
        raise invalid("SS2061", "a set operation needs two inputs or more", path / "inputs")
    if message.op not in _CHAINS and message.op != _MINUS_MULTISET:
        raise invalid("SS2063", f"set operation {message.op} does not exist", path / "op")
    warn_of_set(message.op, cx, path / "op")
    blocks = [
        relation(rel, cx, (path / "inputs")[i], outer) for i, rel in enumerate(message.inputs)
    ]
    operator, distinct = _CHAINS.get(message.op, ("", False))
    blocks = _aligned(blocks, operator == "UNION", cx, path)
    column_types = list(zip(*([f.type for f in b.fields] for b in blocks), strict=True))
    if message.op != _UNION_ALL and not all(is_orderable(f.type) for f in blocks[0].fields):
        block = set_of_maps(message.op, blocks, lambda inputs: chain("UNION", False, inputs))
    elif message.op == _MINUS_MULTISET:
        return _minus_multiset(blocks, path, correlated=outer is not None)
    else:
        if message.op == _INTERSECTION_PRIMARY and len(blocks) > 2:
            blocks = [blocks[0], chain("UNION", False, blocks[1:])]
        if operator == "UNION":
            blocks = with_bare_nulls(blocks)
        if not distinct and operator != "UNION" and any(map(shows_correlated, blocks)):
            block = _by_copies(operator, blocks, path, correlated=outer is not None)
        else:
            block = chain(operator, distinct, blocks)
    for f, found in zip(block.fields, column_types, strict=True):
        f.type = _nullability(message.op, found)
    return block


def _minus_multiset(blocks: list[Block], path: Path, *, correlated: bool) -> Block:
    """The first input's rows, copies included, without those that all of the others have: an anti join."""
    primary, others = blocks[0], blocks[1:]
    secondary = others[0] if len(others) == 1 else chain("INTERSECT", True, others)
    width = len(primary.fields)
    primary, secondary = (
        b.close() if any(f.heavy for f in b.fields) else b for b in (primary, secondary)
    )

    def on(block: Block) -> list[Field]:
        return [_same(f, block.fields[width + i]) for i, f in enumerate(block.fields[:width])]

    return combine(primary, secondary, JoinType.LEFT_ANTI, on, path, correlated=correlated)


def _by_copies(operator: str, blocks: list[Block], path: Path, *, correlated: bool) -> Block:
    """EXCEPT ALL and INTERSECT ALL by the numbers of equal rows: the third copy goes, or stays, if there is a third.

    Spark's own fail over a column that a correlated subquery computes (as of 4.3).
    """
    kind = JoinType.LEFT_ANTI if operator == "EXCEPT" else JoinType.LEFT_SEMI
    result, width = blocks[0], len(blocks[0].fields)

    def on(block: Block) -> list[Field]:
        half = width + 1
        return [_same(f, block.fields[half + i]) for i, f in enumerate(block.fields[:half])]

    for other in blocks[1:]:
        pair = _copies_numbered(result), _copies_numbered(other)
        result = combine(*pair, kind, on, path, correlated=correlated)
        result.fields = result.fields[:width]
    return result


def _copies_numbered(block: Block) -> Block:
    """The rows, and behind their columns a number that tells equal ones apart."""
    block.order = [] if not block.limited else block.order
    if not all(f.plain for f in block.fields) or not block.is_open(Slot.WINDOW) or block.windowed:
        block = block.close()
    block.order = []
    parts = Parts()
    parts.traits |= Traits.WINDOW
    sql = exp.Window(
        this=exp.Anonymous(this="row_number"),
        partition_by=[f.copy(parts) for f in block.fields],
        order=exp.Order(expressions=[exp.Ordered(this=exp.Null(), nulls_first=True)]),
        over="OVER",
    )
    block.fields = [*block.fields, Field(types.i32(), "copy", sql=sql, parts=parts)]
    return block.close("numbered")


def _same(left: Field, right: Field) -> Field:
    """The condition that two columns are equal, or both NULL."""
    parts = Parts()
    sql = infix(exp.NullSafeEQ, left.copy(parts), right.copy(parts))
    return Field(types.boolean(), sql=sql, parts=parts)


def _aligned(blocks: list[Block], union: bool, cx: Context, path: Path) -> list[Block]:
    """The inputs with every column of exactly one type, see `_wanted`: Spark would widen, and round decimals silently.

    union: what they are inputs of widens them to that type where it can, see `branch_types`.
    """
    first = blocks[0]
    for i, block in enumerate(blocks):
        if len(block.fields) != len(first.fields):
            raise invalid(
                "SS2064",
                f"input {i} has {len(block.fields)} columns, the first {len(first.fields)}",
                (path / "inputs")[i],
            )
    wanted = [_wanted(column) for column in zip(*(b.fields for b in blocks), strict=True)]
    for i, block in enumerate(blocks):
        for column, f in enumerate(block.fields):
            if not becomes(f.type, wanted[column]):
                raise invalid(
                    "SS2065",
                    f"column {column} of input {i} is {types.text(f.type)}, "
                    f"the first's is {types.text(wanted[column])}",
                    (path / "inputs")[i],
                    "the inputs of a set operation have the same types: cast the columns",
                )
    for column in range(len(first.fields)):
        if union and without_casts(blocks, column):
            continue
        found = [held(block.fields[column]) for block in blocks]
        if any(t is None for t in found) or all(types.same(t, found[0]) for t in found):
            continue
        if types.inner_names(found[0]) and all(spelt_alike(t, found[0], cx, path) for t in found):
            # One type in SQL, with the names that the fields have in all inputs.
            continue
        for i, block in enumerate(blocks):
            nullable = types.nullable(block.fields[column].type)
            declared = types.with_nullability(wanted[column], nullable)
            blocks[i] = with_exact(block, column, declared, cx, path)
    return blocks


def _wanted(column: Sequence[Field]) -> Any:
    """The type of the first one. Whole numbers of several types, which DataFusion casts itself, are of the widest."""
    if any(types.kind(f.type) not in INTEGERS for f in column):
        return column[0].type
    return max(column, key=lambda f: INTEGERS[types.kind(f.type) or ""]).type


def _nullability(op: int, column: Sequence[Any]) -> Any:
    """The vectors of the specification: who may be NULL depends on the operation."""
    first = column[0]
    if first is None or any(t is None for t in column):
        return first
    flags = [types.nullable(t) for t in column]
    if op in (1, 7):
        nullable = flags[0]
    elif op == _INTERSECTION_PRIMARY:
        nullable = flags[0] and any(flags[1:])
    elif op in (4, 8):
        nullable = all(flags)
    else:
        nullable = any(flags)
    return types.with_nullability(first, nullable)
