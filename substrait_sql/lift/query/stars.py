"""``*``, ``t.*``, ``s.*`` of a struct, with EXCEPT."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.dispatch import part
from substrait_sql.lift.expressions.references import name_parts
from substrait_sql.lift.near import near, these
from substrait_sql.lift.problems import Unknown, is_open
from substrait_sql.lift.scope import field_of
from substrait_sql.lift.tree import Call, Column, Expr
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context

# A column, its name, and the name of its table.
Starred = tuple[Expr, str, tuple[str, ...]]


def is_star(node: Any) -> bool:
    """Whether a node of a select list stands for several columns."""
    inside = node.unnest()
    return isinstance(inside, exp.Star) or (
        isinstance(inside, exp.Column) and isinstance(inside.this, exp.Star)
    )


@part
def expanded(node: Any, cx: Context) -> list[tuple[Expr, str]]:
    """The columns that a star stands for, with their names."""
    node = node.unnest()
    star = node if isinstance(node, exp.Star) else node.this
    if star.args.get("replace") or star.args.get("rename"):
        raise Misused("Spark's * knows EXCEPT only")
    found = _columns(node, cx)
    dropped = _excepted(star)
    found = _without(found, [name_parts(each) for each in dropped])
    if dropped and not found:
        raise Misused("* EXCEPT leaves no column")
    return [(e, n) for e, n, _ in found]


def _excepted(star: Any) -> Sequence[Any]:
    found = star.args.get("except_") or ()
    return found if isinstance(found, (list, tuple)) else [found]


def _columns(node: Any, cx: Context) -> list[Starred]:
    if isinstance(node, exp.Star):
        scope: Any = cx.scope
        around = scope.outer
        if not scope.columns and around is None:
            raise Misused("* wants a FROM that has columns")
        if not scope.columns and around.lateral and _excepted(node):
            # Spark looks further out where there is no such column here.
            scope = around
        shown = [v for v in scope.columns if not v.hidden]
        return [(v.column, v.attribute.name, v.qualifier) for v in shown]
    parts = [p.name for p in node.parts[:-1]]
    scope = cx.scope
    while scope is not None:
        table = scope.qualified(parts)
        if table:
            return [(v.column, v.attribute.name, v.qualifier) for v in table]
        scope = scope.outer
    struct = replace(cx.scope, aliases={}).resolve(parts)
    if struct is None or struct.type.kind != "struct":
        if struct is None and is_open(v.attribute for v in cx.scope.columns):
            raise Unknown
        tables = {v.table: "" for v in cx.scope.columns if v.table}
        hint = near(".".join(parts), tables) or these("tables", list(tables))
        raise Misused(f"there is no table and no struct {'.'.join(parts)}", "SS5004", hint)
    return [(field_of(struct, f.name), f.name, ()) for f in struct.type.fields]


def _without(found: list[Starred], dropped: Sequence[list[str]]) -> list[Starred]:
    """The columns without those named, structs without the fields that are."""
    gone: set[int] = set()
    trimmed: dict[int, list[list[str]]] = {}
    for parts in dropped:
        whole = [i for i, item in enumerate(found) if _means(item, parts)]
        fields = [
            (i, n)
            for i, item in enumerate(found)
            for n in range(1, len(parts))
            if _means(item, parts[:n])
        ]
        if not whole and not fields:
            hint = near(parts[-1], [name for _, name, _ in found])
            raise Misused(f"* EXCEPT ({'.'.join(parts)}): there is no such column", "SS5004", hint)
        if len({id(v.attribute.twin or v.attribute) for v in _read(found, whole)}) > 1:
            raise Misused(
                f"* EXCEPT ({'.'.join(parts)}) is ambiguous: several columns have the name"
            )
        # Another spelling of a name is another one here.
        if gone & set(whole) and not any(
            p != parts and _folded(p) == _folded(parts) for p in dropped
        ):
            raise Misused(f"* EXCEPT names {'.'.join(parts)} twice")
        if set(whole) & trimmed.keys() or gone & {i for i, _ in fields[: not whole]}:
            raise Misused(f"* EXCEPT names {'.'.join(parts)} and a part of it")
        gone |= set(whole)
        for place, width in [] if whole else fields[:1]:
            trimmed.setdefault(place, []).append(parts[width:])
    return [
        (_trimmed(value, trimmed[i]) if i in trimmed else value, name, qualifier)
        for i, (value, name, qualifier) in enumerate(found)
        if i not in gone
    ]


def _read(found: list[Starred], places: Sequence[int]) -> list[Column]:
    return [value for i in places if isinstance(value := found[i][0], Column)]


def _folded(parts: Sequence[str]) -> list[str]:
    return [part.casefold() for part in parts]


def _means(item: Starred, parts: Sequence[str]) -> bool:
    *qualifier, name = (p.casefold() for p in parts)
    own = [q.casefold() for q in item[2]]
    return item[1].casefold() == name and (not qualifier or own[-len(qualifier) :] == qualifier)


def _trimmed(value: Expr, paths: Sequence[Sequence[str]]) -> Expr:
    """The struct without some of its fields, which may lie in structs within."""
    if value.type.kind != "struct":
        raise Misused(f"{str(value.type).upper()} has no field {paths[0][0]}")
    within: dict[str, list[Sequence[str]]] = {}
    for path in paths:
        within.setdefault(path[0].casefold(), []).append(path[1:])
    names = {f.name.casefold() for f in value.type.fields}
    for name in within.keys() - names:
        raise Misused(f"* EXCEPT: the struct has no field {name}")
    fields: list[t.Field] = []
    parts: list[Expr] = []
    for each in value.type.fields:
        inner = field_of(value, each.name)
        rest = within.get(each.name.casefold())
        if rest is not None and not all(rest):
            if len(rest) > 1:
                raise Misused(f"* EXCEPT names {each.name} and a part of it")
            continue
        inner = inner if rest is None else _trimmed(inner, rest)
        fields.append(t.Field(each.name, inner.type, each.nullable))
        parts.append(inner)
    if not parts:
        raise Misused("* EXCEPT leaves no field of a struct")
    # Of a NULL Spark makes a struct of NULLs.
    return Call(t.struct(fields), False, "struct", tuple(parts))
