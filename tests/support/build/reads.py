"""Reads: tables, files, rows of literals, and the masks over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.support.build.base import Expr, Row
from tests.support.build.relations import R, set_emit
from tests.support.plan_types import (
    literal,
    split_names,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def columns_of(text: str) -> tuple[list[str], list[pb.Type]]:
    pairs = [column.rsplit(":", 1) for column in text.split()]
    names = [n for column, _ in pairs for n in split_names(column)[0]]
    return names, [type_of(t) for _, t in pairs]


def read_of(
    columns: str,
    filter: Callable[[Row], Expr] | None,
    mask: Sequence[int | tuple[int, Any]] | None,
    emit: Sequence[int] | None,
    out_types: str = "",
) -> tuple[R, Any]:
    names, types = columns_of(columns)
    out = pb.Rel()
    rel = out.read
    rel.base_schema.names.extend(names)
    rel.base_schema.struct.types.extend(types)
    rel.base_schema.struct.nullability = pb.Type.NULLABILITY_REQUIRED
    if filter is not None:
        rel.filter.CopyFrom(filter(Row(types)).message)
    if mask is not None:
        rel.projection.select.SetInParent()
        for index in mask:
            if isinstance(index, int):
                rel.projection.select.struct_items.add().field = index
            else:
                at, child = index
                rel.projection.select.struct_items.add(field=at, child=child)
        types = [types[i] if isinstance(i, int) else types[i[0]] for i in mask]
    if out_types:
        types = [type_of(t) for t in out_types.split()]
    set_emit(rel, emit)
    return R(out, types if emit is None else [types[i] for i in emit]), rel


def table(
    name: str,
    columns: str,
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int | tuple[int, Any]] | None = None,
    emit: Sequence[int] | None = None,
    best_effort: Callable[[Row], Expr] | None = None,
    out_types: str = "",
) -> R:
    """Read a named table; dots in the name separate its parts.

    A mask lists ordinals, or an ordinal with the mask of what is inside (`mask_struct` and the like); then out_types
    says what comes out.
    """
    out, rel = read_of(columns, filter, mask, emit, out_types)
    if best_effort is not None:
        rel.best_effort_filter.CopyFrom(best_effort(Row(columns_of(columns)[1])).message)
    rel.named_table.names.extend(name.split("."))
    return out


def files(
    columns: str,
    *items: Mapping[str, Any],
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int] | None = None,
) -> R:
    """Read files. An item holds the fields of `FileOrFiles`; a message is a mapping, too, an empty one if need be."""
    out, rel = read_of(columns, filter, mask, None)
    rel.local_files.SetInParent()
    for item in items:
        made = rel.local_files.items.add()
        for name, value in item.items():
            if isinstance(value, dict):
                getattr(made, name).SetInParent()
                for option, setting in value.items():
                    setattr(getattr(made, name), option, setting)
            else:
                setattr(made, name, value)
    return out


def virtual(
    columns: str,
    *rows: tuple[Any, ...],
    filter: Callable[[Row], Expr] | None = None,
    mask: Sequence[int] | None = None,
    emit: Sequence[int] | None = None,
) -> R:
    """Read rows that are written in the plan; a cell is a Python value or an `Expr`."""
    _, types = columns_of(columns)
    out, rel = read_of(columns, filter, mask, emit)
    rel.virtual_table.SetInParent()
    for row in rows:
        made = rel.virtual_table.expressions.add()
        for value, t in zip(row, types, strict=True):
            cell = (
                value
                if isinstance(value, Expr)
                else Expr(pb.Expression(literal=literal(value, t)), t)
            )
            made.fields.append(cell.message)
    return out


Select = pb.Expression.MaskExpression.Select


def mask_struct(*fields: int | tuple[int, Any]) -> Select:
    out = Select()
    out.struct.SetInParent()
    for f in fields:
        at, child = (f, None) if isinstance(f, int) else f
        out.struct.struct_items.add(field=at, child=child)
    return out


def mask_list(*items: int | slice, child: Select | None = None) -> Select:
    out = Select()
    out.list.SetInParent()
    for item in items:
        made = out.list.selection.add()
        if isinstance(item, int):
            made.item.field = item
        else:
            made.slice.start, made.slice.end = item.start or 0, item.stop
    if child is not None:
        out.list.child.CopyFrom(child)
    return out


def mask_map(key: str | None = None, child: Select | None = None) -> Select:
    out = Select()
    out.map.SetInParent()
    if key is not None:
        out.map.key.map_key = key
    if child is not None:
        out.map.child.CopyFrom(child)
    return out
