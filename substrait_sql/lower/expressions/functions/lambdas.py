"""What is known of the parameters of a lambda by the function that takes it: their names, and what Spark gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.schema import naming, types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.value import Value

# What they are called in Spark's own examples, more or less.
USUAL: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("transform", "filter"), ("x", "i")),
    **dict.fromkeys(("aggregate", "reduce"), ("acc", "x")),
    **dict.fromkeys(("map_filter", "transform_keys", "transform_values"), ("k", "v")),
    "map_zip_with": ("k", "x", "y"),
}


def held(callee: str, given: Sequence[Value]) -> tuple[Any, ...]:
    """The types that Spark has for the parameters of a lambda, None where it is the declared one.

    given: the arguments before the lambda.
    """
    if not given:
        return ()
    before = [v.sql_type for v in given]
    if callee in ("aggregate", "reduce"):
        return _accumulated(given[1]) if len(given) > 1 else None, _element(before[0])
    if callee == "zip_with":
        return tuple(map(_element, before))
    if callee == "array_sort":
        return _element(before[0]), _element(before[0])
    if callee == "map_zip_with":
        return _of_map(before[0], "key"), *(_of_map(t, "value") for t in before)
    if types.kind(before[-1]) == "map":
        return _of_map(before[-1], "key"), _of_map(before[-1], "value")
    return (_element(before[-1]),)


def _accumulated(start: Value) -> Any:
    """The type of what is accumulated: a struct has the names that it begins with, all else is declared."""
    kind = start.sql_type
    if kind is None or not types.holds(kind, "struct"):
        return None
    return naming.said(kind) if naming.same_values(kind, start.type) else None


def _element(kind: Any) -> Any:
    return kind.list.type if types.kind(kind) == "list" else None


def _of_map(kind: Any, part: str) -> Any:
    return getattr(kind.map, part) if types.kind(kind) == "map" else None
