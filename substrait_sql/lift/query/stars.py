"""``*``, ``t.*``, ``s.*`` of a struct, with EXCEPT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.dispatch import part
from substrait_sql.lift.expressions.references import name_parts
from substrait_sql.lift.scope import field_of
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.tree import Expr


def is_star(node: Any) -> bool:
    """Whether a node of a select list stands for several columns."""
    return isinstance(node, exp.Star) or (
        isinstance(node, exp.Column) and isinstance(node.this, exp.Star)
    )


@part
def expanded(node: Any, cx: Context) -> list[tuple[Expr, str]]:
    """The columns that a star stands for, with their names."""
    star = node if isinstance(node, exp.Star) else node.this
    if star.args.get("replace") or star.args.get("rename"):
        raise Misused("Spark's * knows EXCEPT only")
    found = _columns(node, cx)
    dropped = star.args.get("except_") or ()
    for each in dropped if isinstance(dropped, (list, tuple)) else [dropped]:
        found = _without(found, name_parts(each), node)
    if dropped and not found:
        raise Misused("* EXCEPT leaves no column")
    return [(e, n) for e, n, _ in found]


def _columns(node: Any, cx: Context) -> list[tuple[Expr, str, tuple[str, ...]]]:
    if isinstance(node, exp.Star):
        shown = [v for v in cx.scope.columns if not v.hidden]
        if not cx.scope.columns:
            raise Misused("* wants a FROM")
        return [(v.column, v.attribute.name, v.qualifier) for v in shown]
    parts = [p.name for p in node.parts[:-1]]
    scope: Any = cx.scope
    while scope is not None:
        table = scope.qualified(parts)
        if table:
            return [(v.column, v.attribute.name, v.qualifier) for v in table]
        scope = scope.outer
    struct = cx.scope.resolve(parts)
    if struct is None or struct.type.kind != "struct":
        raise Misused(f"there is no table and no struct {'.'.join(parts)}")
    return [(field_of(struct, f.name), f.name, ()) for f in struct.type.fields]


def _without(
    found: list[tuple[Expr, str, tuple[str, ...]]], parts: list[str], node: Any
) -> list[tuple[Expr, str, tuple[str, ...]]]:
    wanted = [p.casefold() for p in parts]
    qualifier, name = wanted[:-1], wanted[-1]
    rest = [
        item
        for item in found
        if item[1].casefold() != name
        or (qualifier and [q.casefold() for q in item[2]][-len(qualifier) :] != qualifier)
    ]
    if len(rest) == len(found):
        raise Misused(f"* EXCEPT ({'.'.join(parts)}): there is no such column")
    return rest
