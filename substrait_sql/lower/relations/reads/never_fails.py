"""Whether an expression can fail at run time, judged by the plan alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path

# What these compute is there for every row: https://substrait.io/extensions/, whichever file declares them.
_TOTAL = frozenset(
    {
        "equal", "not_equal", "lt", "lte", "gt", "gte", "between", "is_null", "is_not_null", "is_distinct_from",
        "is_not_distinct_from", "is_true", "is_not_true", "is_false", "is_not_false", "is_nan", "is_finite",
        "is_infinite", "nullif", "coalesce", "least", "greatest", "and", "or", "not", "and_not", "xor",
        "starts_with", "ends_with", "contains", "char_length", "octet_length",
    }
)  # fmt: skip


def never_fails(message: Any, cx: Context, path: Path) -> bool:
    """Whether the expression has a value, or NULL, in whatever row it is computed. In doubt it has not.

    A best-effort filter may be evaluated in rows that the read's own filter drops: Spark does not promise an order.
    """
    stack = [message]
    while stack:
        each = stack.pop()
        kind = each.WhichOneof("rex_type")
        if kind == "scalar_function":
            call = each.scalar_function
            if call.options or not _is_total(call.function_reference, cx, path):
                return False
            stack.extend(a.value for a in call.arguments)
        elif kind == "singular_or_list":
            stack += [each.singular_or_list.value, *each.singular_or_list.options]
        elif kind == "selection":
            if each.selection.WhichOneof("root_type") not in (None, "root_reference"):
                return False
        elif kind != "literal":
            return False
    return True


def _is_total(anchor: int, cx: Context, path: Path) -> bool:
    return cx.functions.get(anchor, path).standard in _TOTAL
