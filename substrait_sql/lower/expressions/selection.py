"""https://substrait.io/expressions/field_references/: fields of the record, and of the records around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lower.context import CloseBlock, Env, invalid, refuse
from substrait_sql.lower.expressions import expression, lowers
from substrait_sql.lower.field import Traits
from substrait_sql.lower.values import Value

if TYPE_CHECKING:
    from substrait_sql.lower.field import Field
    from substrait_sql.wire.path import Path


@lowers("selection")
def selection(message: Any, env: Env, path: Path) -> Value:
    """A direct reference. A missing root type means the record, as 327 real selections of other producers have it."""
    if message.WhichOneof("reference_type") != "direct_reference":
        raise refuse("SS2121", "masked references have no SQL yet", path)
    root = message.WhichOneof("root_type")
    segment = message.direct_reference
    if root == "expression":
        return _from_expression(message, env, path)
    ordinal = struct_field(segment, path)
    if root is None or root == "root_reference":
        return of_field(env.field(ordinal, path), env)
    if root == "outer_reference":
        return _outer(message.outer_reference, ordinal, env, path)
    raise refuse("SS2122", f"references rooted in a {root} have no SQL yet", path)


def struct_field(segment: Any, path: Path) -> int:
    """The ordinal of a reference to a whole top-level field."""
    kind = segment.WhichOneof("reference_type")
    path = path / "direct_reference" if kind != "struct_field" else path
    if kind != "struct_field":
        raise invalid(
            "SS2123", f"a reference to a record starts with a struct field, not {kind}", path
        )
    if segment.struct_field.HasField("child"):
        raise refuse(
            "SS2124", "references into nested values have no SQL yet", path / "struct_field"
        )
    return int(segment.struct_field.field)


def of_field(field: Field, env: Env) -> Value:
    """A use of a field of the record."""
    if field.heavy:
        if env.visible_after or id(field) in env.moved:
            raise CloseBlock(env.block)
        env.moved.add(id(field))
        sql = field.emit(env.parts)
    else:
        sql = field.copy(env.parts)
    return Value(sql, field.type, field.sql_type, field.name, None, field.subject)


def _from_expression(message: Any, env: Env, path: Path) -> Value:
    """A reference into the value of an expression: field 0 of a struct of one is the expression itself."""
    inner = message.expression
    ordinal = struct_field(message.direct_reference, path)
    if (
        inner.WhichOneof("rex_type") != "nested"
        or inner.nested.WhichOneof("nested_type") != "struct"
    ):
        raise refuse("SS2124", "references into nested values have no SQL yet", path)
    fields = inner.nested.struct.fields
    if not 0 <= ordinal < len(fields):
        raise invalid(
            "SS2101", f"field {ordinal} does not exist: the struct has {len(fields)}", path
        )
    return expression(fields[ordinal], env, path / "expression")


def _outer(message: Any, ordinal: int, env: Env, path: Path) -> Value:
    """A field of the record that the expression around the subquery sees."""
    if message.WhichOneof("outer_reference_type") == "rel_reference":
        host = _anchored(message.rel_reference, env, path)
    else:
        host = _steps(message.steps_out, env, path)
    if host is not env.outer:
        raise refuse(
            "SS2126",
            "the reference crosses more than one subquery boundary, which has no SQL yet",
            path / "outer_reference",
        )
    field = host.field(ordinal, path)
    if field.item is None or host.block.group is not None:
        raise CloseBlock(host.block)
    sql = env.parts.column(field.item, field.ordinal)
    host.parts.captured.append(env.parts.columns[-1])
    env.parts.traits |= Traits.OUTER
    return Value(sql, field.type, field.sql_type, field.name, None, field.subject)


def _steps(steps: int, env: Env, path: Path) -> Env:
    if steps < 1:
        raise invalid("SS2125", "an outer reference must step out at least once", path)
    host: Env | None = env
    for _ in range(steps):
        host = host.outer if host is not None else None
    if host is None:
        raise invalid(
            "SS2125",
            f"the reference steps out {steps} times, of fewer enclosing subqueries",
            path / "outer_reference",
        )
    return host


def _anchored(anchor: int, env: Env, path: Path) -> Env:
    """The record of the relation with this anchor, which is the hosting relation or its input (both are written)."""
    host = env.outer
    while host is not None:
        if anchor in host.anchors:
            return host
        host = host.outer
    raise invalid(
        "SS2127",
        f"no relation around this subquery has rel_anchor {anchor}",
        path / "outer_reference",
        "the anchored relation must host the subquery, or be the input of the relation that does",
    )
