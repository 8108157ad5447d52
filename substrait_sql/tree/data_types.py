"""Types as sqlglot reads them, where Spark's word is another one."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

_TIME = exp.DataType.Type.TIME


def with_times(node: Any) -> Any:
    """The type with TIME by its own name, which sqlglot prints as TIMESTAMP; the node itself if there is none."""
    if not any(each.this == _TIME for each in node.find_all(exp.DataType)):
        return node
    found = node.copy()
    for each in list(found.find_all(exp.DataType)):
        if each.this == _TIME:
            digits = ", ".join(e.name for e in each.expressions)
            named = exp.DataType(
                this=exp.DataType.Type.USERDEFINED, kind=f"TIME({digits})" if digits else "TIME"
            )
            if each is found:
                return named
            each.replace(named)
    return found
