"""The columns of a relation that are to equal outer values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.plan import build

if TYPE_CHECKING:
    from substrait_sql.schema.functions import Functions


class Key(NamedTuple):
    """A column that is to equal an outer value.

    value: the expression of the outer value. of: what tells it from others. function: the anchor of the comparison.
    type: of the column. outer_type: of the value.
    """

    value: Any
    of: bytes
    function: int
    type: Any
    outer_type: Any


class Pulled(NamedTuple):
    """width: of the relation's own columns. keys: what stands behind them, and is still to be compared."""

    width: int
    keys: tuple[Key, ...] = ()

    def equalities(self, functions: Functions, begin: int, anchors: dict[int, int]) -> list[Any]:
        """The comparisons in a record that has the outer columns in front.

        begin: where the keys are in it. anchors: where the columns of each anchor are.
        """
        found = []
        for i, key in enumerate(self.keys):
            value = build.copied(key.value)
            inner = value
            while inner.WhichOneof("rex_type") == "cast":
                inner = inner.cast.input
            reference = inner.selection
            anchor = reference.outer_reference.rel_reference
            reference.direct_reference.struct_field.field += anchors[anchor] if anchor else 0
            build.aim(reference)
            found.append(same_as(functions, key, build.column(begin + i), value))
        return found


def same_as(functions: Functions, key: Key, left: Any, right: Any) -> Any:
    """The condition that two columns are equal as the key's comparison says."""
    made = build.same(functions, left, right)
    made.scalar_function.function_reference = key.function
    return made
