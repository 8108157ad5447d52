"""What may be NULL inside of types."""

from __future__ import annotations

from typing import Any

from substrait_sql.schema import types


def takes(wanted: Any, given: Any) -> bool:
    """Whether all values of a type are values of another: the same one, but that more of its parts may be NULL.

    Outer nullability does not count.
    """
    if types.same(wanted, given):
        return True
    left, right = types.children(wanted), types.children(given)
    if (
        types.kind(wanted) != types.kind(given)
        or types.parameters(wanted) != types.parameters(given)
        or not left
    ):
        return False
    if types.kind(wanted) == "struct" and types.names(wanted) != types.names(given):
        return False
    return len(left) == len(right) and all(
        takes(x, y) and (types.nullable(x) or not types.nullable(y))
        for x, y in zip(left, right, strict=True)
    )
