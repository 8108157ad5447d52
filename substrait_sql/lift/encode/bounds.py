"""https://substrait.io/expressions/window_functions/#window-function-signatures: where a frame begins and ends."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from substrait_sql.lift.tree import Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable

    from substrait_sql.lift.tree import Expr


def bound(out: Any, found: Expr | int | None, value: Callable[[Expr], Any]) -> None:
    """Fills the message of a bound. found: as `tree.Frame` has it. value: makes messages of expressions.

    Raises `Misused` for a distance that is no constant.
    """
    if found is None:
        out.unbounded.SetInParent()
        return
    if not isinstance(found, int):
        distance = found.value if isinstance(found, Literal) else None
        if not isinstance(distance, (int, float, Decimal)) or not isinstance(found, Literal):
            raise Misused("a plan has no word for a RANGE whose distance is computed")
        if found.type.kind not in t.INTEGRAL:
            side = out.preceding if distance < 0 else out.following
            side.offset_expr.CopyFrom(value(replace(found, value=abs(distance))))
            return
        found = int(distance)
    if found == 0:
        out.current_row.SetInParent()
    elif found < 0:
        out.preceding.offset = -found
    else:
        out.following.offset = found
