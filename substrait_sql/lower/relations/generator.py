"""Rows made of the elements of a value: ``FROM t, LATERAL explode(t.tags) AS tags_element(tag)``.

`plan.generators` says what a plan has for them.

https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-tvf.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import call
from substrait_sql.errors import invalid
from substrait_sql.lower.relation import relation
from substrait_sql.lower.relations.joins.combine import operand
from substrait_sql.plan.join_types import JoinType
from substrait_sql.schema import types
from substrait_sql.select.block import Block, Join
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.generated import Generated
from substrait_sql.select.output_names import unique

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Context, Env
    from substrait_sql.plan.generators import Generator
    from substrait_sql.wire.path import Path

# What cannot stand in the arguments of a function in FROM, and what would be another value than that of the row.
_APART = Traits.SUBQUERY | Traits.IMPURE | Traits.OUTER
# The same of a function that is all that FROM has: it sees the query around.
_ALONE = Traits.SUBQUERY | Traits.IMPURE


class _Made(NamedTuple):
    """A generated column: its declared type, and that of what the SQL yields."""

    type: Any
    held: Any


def generated(message: Any, made: Generator, cx: Context, path: Path, outer: Env | None) -> Block:
    """The rows of the input beside those that are generated of each."""
    block = relation(message.input, cx, path / "input", outer)
    alone = block.item is None and not block.says
    if not alone:
        block = operand(block, JoinType.INNER, 0)
    kept = len(block.fields) - made.arguments
    at = path / "detail"
    if kept < 0:
        raise invalid(
            "SS2084", f"the input has fewer than {made.arguments} columns, its arguments", at
        )
    if hold(block.fields[kept:], _ALONE if alone else _APART):
        block, alone = block.close(), False
    arguments = block.fields[kept:]
    columns = _columns(made, arguments, at)
    known = arguments[0].sql_type is not None
    parts = Parts()
    name = f"{made.name}_outer" if made.outer and made.name != "json_tuple" else made.name
    function = call(name, *(f.copy(parts) for f in arguments))
    item = _item(made, function, arguments[0].subject, alone, parts)
    block.fields = block.fields[:kept] + [
        Field(c.type, n, sql_type=c.held if known else None, item=item, ordinal=i)
        for i, (n, c) in enumerate(zip(made.columns, columns, strict=True))
    ]
    if alone:
        block.item = item
    else:
        block.joins.append(Join("CROSS", item, [], captured=parts.columns))
    return block


def _item(
    made: Generator, function: exp.Expression, subject: str, alone: bool, arguments: Parts
) -> Generated:
    taken: set[str] = set()
    names = [unique(name or "element", taken) for name in made.columns]
    base = f"{subject}_element" if subject else "element"
    alias = exp.TableAlias(columns=[identifier(n) for n in names])
    kind = exp.Table if alone else exp.Lateral
    return Generated(base, names, kind(this=function, alias=alias), arguments)


def _columns(made: Generator, arguments: Sequence[Field], at: Path) -> list[_Made]:
    """The columns that are generated. Raises SS2084 where they are not those that the plan has names for."""
    if made.name == "json_tuple":
        text = types.string(nullable=True)
        found = [_Made(text, text)] * (made.arguments - 1)
    else:
        if made.arguments != 1:
            raise invalid("SS2084", f"{made.name} takes one argument, not {made.arguments}", at)
        found = _elements(made, arguments[0], at)
    if len(found) != len(made.columns):
        raise invalid(
            "SS2084", f"{made.name} makes {len(found)} columns here, not {len(made.columns)}", at
        )
    return [_padded(c) for c in found] if made.outer else found


def _padded(column: _Made) -> _Made:
    return _Made(*(types.with_nullability(t, True) for t in column))


def _elements(made: Generator, value: Field, at: Path) -> list[_Made]:
    """The columns of an element of a list or a map."""
    declared, held = value.type, value.sql_type if value.sql_type is not None else value.type
    kind = types.kind(declared)
    if kind != types.kind(held) or kind not in ("list", "map"):
        raise invalid(
            "SS2084", f"{made.name} makes rows of a list, not of {types.text(declared)}", at
        )
    if made.name == "inline":
        return _fields(declared, held, at)
    place = types.i32()
    first = [_Made(place, place)] if made.name == "posexplode" else []
    if kind == "list":
        return [*first, _Made(declared.list.type, held.list.type)]
    return [
        *first,
        _Made(declared.map.key, held.map.key),
        _Made(declared.map.value, held.map.value),
    ]


def _fields(declared: Any, held: Any, at: Path) -> list[_Made]:
    """The fields of the structs in a list; a struct that is NULL has NULLs."""
    if types.kind(declared) != "list" or types.kind(declared.list.type) != "struct":
        raise invalid("SS2084", f"inline makes rows of structs, not of {types.text(declared)}", at)
    nullable = types.nullable(declared.list.type)
    pairs = zip(declared.list.type.struct.types, held.list.type.struct.types, strict=True)
    return [
        _Made(*(types.with_nullability(t, nullable or types.nullable(d)) for t in (d, h)))
        for d, h in pairs
    ]
