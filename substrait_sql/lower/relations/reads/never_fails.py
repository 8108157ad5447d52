"""Whether an expression can fail at run time, judged by the plan alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.wire.path import Path


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
            name = cx.functions.get(call.function_reference, path)
            if call.options or not cx.dialect.facts("scalar", name).never_fails:
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
