"""Joins by an algorithm, and exchanges: https://substrait.io/relations/physical_relations/; and generators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.encode.frames import places_of
from substrait_sql.lift.operators import binary
from substrait_sql.lift.tree import Call, Column, Expr
from substrait_sql.plan import generators

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from substrait_sql.lift.relations import Exchange, Generate, Join

_TYPES = {"inner": 1, "full": 2, "left": 3, "right": 4, "semi": 5, "anti": 7}
_COMPARISONS = {"=": 1, "<=>": 2}
_SIDES = {"left": 1, "right": 2}
# Ascending, NULLs first.
_ASCENDING = 1


def has_key(found: Join) -> bool:
    """Whether the join has what an algorithm needs: an equality of a column of each side."""
    return found.kind in _TYPES and any(_key(c, found) for c in _conjuncts(found.condition))


def fill_join(made: Any, found: Join, expression: Callable[[Expr], Any]) -> Any:
    """Fills in keys, the other conditions and the type; returns the relation, whose inputs are the caller's."""
    out = made.hash_join if found.algorithm == "hash" else made.merge_join
    out.type = _TYPES[found.kind]
    if found.algorithm == "hash":
        out.build_input = _SIDES[found.build]
    rest: Expr | None = None
    for each in _conjuncts(found.condition):
        places = _key(each, found)
        if places is None:
            rest = each if rest is None else binary("and", rest, each)
            continue
        assert isinstance(each, Call)
        key = out.keys.add()
        key.comparison.simple = _COMPARISONS[each.name]
        _refer(key.left, places[0])
        _refer(key.right, places[1])
    if rest is not None:
        out.residual_expression.CopyFrom(expression(rest))
    return out


def sorted_by_keys(made: Any, out: Any) -> None:
    """Puts a sort below either side of a merge join: its inputs are sorted, and SQL says nothing of theirs."""
    for name in ("left", "right"):
        side = getattr(out, name)
        whole = type(made)()
        whole.sort.common.direct.SetInParent()
        whole.sort.input.CopyFrom(side)
        for key in out.keys:
            field = whole.sort.sorts.add()
            field.expr.selection.CopyFrom(getattr(key, name))
            field.direction = _ASCENDING
        side.CopyFrom(whole)


def fill_exchange(out: Any, found: Exchange) -> None:
    """Fills in how the rows are spread."""
    out.partition_count = found.count
    if not found.keys:
        out.round_robin.SetInParent()
    places = places_of(found.source.columns)
    for each in found.keys:
        _refer(out.scatter_by_fields.fields.add(), places[id(each)])


def fill_generator(made: Any, found: Generate, source: Any, arguments: Sequence[Any]) -> None:
    """Fills in the generator, and the projection below it whose last columns are its arguments."""
    width = len(found.source.columns)
    project = made.extension_single.input.project
    project.input.CopyFrom(source)
    project.expressions.extend(arguments)
    project.common.direct.SetInParent()
    columns = tuple(c.name for c in found.columns[width:])
    generator = found.generator
    detail = generators.Generator(generator.name, generator.outer, len(arguments), columns)
    generators.write(made.extension_single.detail, detail)
    made.extension_single.common.direct.SetInParent()


def _conjuncts(found: Expr | None) -> Iterator[Expr]:
    if isinstance(found, Call) and found.name == "and":
        for each in found.arguments:
            yield from _conjuncts(each)
    elif found is not None:
        yield found


def _key(found: Expr, join: Join) -> tuple[int, int] | None:
    """The places of the columns that are compared, each among its side's."""
    if not isinstance(found, Call) or found.name not in _COMPARISONS:
        return None
    a, b = found.arguments
    if not isinstance(a, Column) or not isinstance(b, Column):
        return None
    lefts, rights = places_of(join.left.columns), places_of(join.right.columns)
    left, right = lefts.get(id(a.attribute)), rights.get(id(b.attribute))
    if left is None or right is None:
        left, right = lefts.get(id(b.attribute)), rights.get(id(a.attribute))
    return None if left is None or right is None else (left, right)


def _refer(out: Any, place: int) -> None:
    out.direct_reference.struct_field.field = place
    out.root_reference.SetInParent()
