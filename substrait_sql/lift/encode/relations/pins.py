"""The condition by which Spark draws the rows of a common table expression once, which a plan has no use for.

`to_sql` writes ``rand() >= 0`` into a shared query that might give other rows another time. A shared relation of a plan
says that by itself.
"""

from __future__ import annotations

from substrait_sql.lift import operators
from substrait_sql.lift.tree import Call, Cast, Expr, Literal


def without_pin(condition: Expr) -> Expr | None:
    """The condition without such parts, None where nothing is left of it."""
    if _is_pin(condition):
        return None
    if not isinstance(condition, Call) or condition.name != "and":
        return condition
    left, right = condition.arguments
    kept = [x for x in (without_pin(left), without_pin(right)) if x is not None]
    if len(kept) < 2:
        return kept[0] if kept else None
    same = kept[0] is left and kept[1] is right
    return condition if same else operators.binary("and", *kept)


def _is_pin(found: Expr) -> bool:
    if not isinstance(found, Call) or found.name != ">=":
        return False
    drawn, least = found.arguments
    least = least.value if isinstance(least, Cast) else least
    is_rand = isinstance(drawn, Call) and drawn.name == "rand" and not drawn.arguments
    return is_rand and isinstance(least, Literal) and least.value == 0
