"""Sort fields, wherever they stand: SortRel, windows, TopNRel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.template import Template
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expressions.references.selection import struct_field
from substrait_sql.lower.relations.rows.comparator import place
from substrait_sql.lower.retry import apart
from substrait_sql.schema import types
from substrait_sql.schema.ordered import is_orderable
from substrait_sql.select.block import SortKey
from substrait_sql.select.field import Field, Traits
from substrait_sql.spark.clauses import Clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.errors import UnsupportedError
    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path

# https://substrait.io/relations/logical_relations/#sort-operation: (descending, nulls first). Clustered asks only for
# equal values next to each other, which a sort delivers.
_DIRECTIONS = {
    1: (False, True),
    2: (False, False),
    3: (True, True),
    4: (True, False),
    5: (False, True),
}


def sort_keys(
    messages: Sequence[Any], env: Env, path: Path, clause: Clause, *, constants: bool = False
) -> list[SortKey]:
    """The keys in order; constants order nothing and are left out, since Spark takes integers there for ordinals.

    clause: where they stand. constants: it is WITHIN GROUP, where they are the values.
    """
    keys: list[SortKey] = []
    for i, message in enumerate(messages):
        at = path[i]
        descending, nulls_first = _direction(message, at)
        by_function = message.WhichOneof("sort_kind") == "comparison_function_reference"
        constant = message.expr.WhichOneof("rex_type") == "literal"
        if by_function and not constant and str(at / "expr") not in env.block.computed:
            keys.append(SortKey(place(message, env, at, clause), descending, nulls_first))
            continue
        if constant and not constants:
            continue
        field = _key_field(message.expr, env, at / "expr", clause)
        require_order(field.type, at)
        env.context.habits.require_order(field.type, at)
        inner = env.context.habits.inner_nulls_in_sort(
            field.type, descending=descending, nulls_first=nulls_first
        )
        if inner == "largest":
            field = _with_largest_nulls(message.expr, env, at / "expr", clause)
        elif inner and clause is Clause.GROUPED:
            # DataFusion's array_agg has them in another order than its first_value.
            raise _inner_nulls(field.type, at)
        keys.append(SortKey(field, descending, nulls_first))
    return keys


def require_order(type: Any, path: Path) -> None:
    """Refuses a value that Spark cannot sort by: the specification says of no map or interval which one is first."""
    if not is_orderable(type):
        raise refuse(
            "SS2199", f"Spark has no order of {types.text(type)}", path, "sort by its parts"
        )


def _direction(message: Any, path: Path) -> tuple[bool, bool]:
    if message.WhichOneof("sort_kind") == "comparison_function_reference":
        return False, True
    found = _DIRECTIONS.get(message.direction)
    if found is None:
        raise invalid("SS2182", "the sort field has no direction", path / "direction")
    return found


def _key_field(message: Any, env: Env, path: Path, clause: Clause) -> Field:
    """A field of the record as it is, so that it is found again among the output; else a field of its own."""
    if env.block.computed and str(path) in env.block.computed:
        column = env.block.computed[str(path)]
        if not column.plain:
            env.parts.traits |= Traits.PENDING
        return column
    if message.WhichOneof("rex_type") == "selection":
        selection = message.selection
        root = selection.WhichOneof("root_type")
        whole = selection.WhichOneof("reference_type") == "direct_reference"
        # A field of a struct, or an element of a column, is no column of the record.
        whole &= not selection.direct_reference.struct_field.HasField("child")
        if whole and root in (None, "root_reference"):
            at = path / "selection"
            field = env.field(struct_field(selection.direct_reference, at), at)
            # A window that others are ordered by is a column before that, and so is a window of time.
            first = Traits.TIME_WINDOW | (Traits.WINDOW if clause is Clause.OVER else Traits.NONE)
            if not field.traits & first:
                return field
    with env.apart() as own:
        value = apart(message, env, path, clause)
    return value.as_field(own)


def _with_largest_nulls(message: Any, env: Env, path: Path, clause: Clause) -> Field:
    """A list in the order of a producer to which a NULL inside is larger than all else: to Spark it is smaller."""
    with env.apart() as own:
        value = apart(message, env, path, clause)
    if types.kind(value.type) != "list" or types.children(value.type.list.type):
        raise _inner_nulls(value.type, path)
    return Field(None, value.name, sql=_LARGEST_NULLS.build([value.sql]), parts=own)


_LARGEST_NULLS = Template("transform(:x, e -> struct(e IS NULL, e))", ["x"])


def _inner_nulls(type: Any, path: Path) -> UnsupportedError:
    return refuse(
        "SS2199",
        f"NULLs inside of {types.text(type)} are larger than others to the producer, and smaller to Spark",
        path,
        "sort by its parts",
    )
