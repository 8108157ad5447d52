"""https://substrait.io/expressions/field_references/: fields of the record, and of the records around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions.literal import literal
from substrait_sql.lower.expressions.nested import struct_of
from substrait_sql.lower.expressions.references import masks
from substrait_sql.lower.expressions.references.segments import descend
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.field import COPY_LIMIT, Traits
from substrait_sql.select.signals import CloseBlock, TooDeep

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path

# A field of more nodes than this is computed before a lambda rather than in its body.
_SMALL = 4


@lowers("selection")
def selection(message: Any, env: Env, path: Path) -> Value:
    """A direct reference. A missing root type means the record, as 327 real selections of other producers have it."""
    reference = message.WhichOneof("reference_type")
    root = message.WhichOneof("root_type")
    if reference is None:
        raise invalid("SS2123", "the reference is neither direct nor masked", path)
    if reference == "masked_reference":
        return _masked(message, root, env, path)
    segment = message.direct_reference
    if root == "expression":
        return _from_expression(message.expression, segment, env, path)
    ordinal = struct_field(segment, path)
    if root is None or root == "root_reference":
        if segment.struct_field.HasField("child"):
            _require_column(env.field(ordinal, path), env)
        value = _column(ordinal, env, path)
    elif root == "outer_reference":
        value = _outer(message.outer_reference, ordinal, env, path)
    elif root == "lambda_parameter_reference":
        from substrait_sql.lower.expressions.lambda_ import parameter

        value = parameter(message.lambda_parameter_reference, ordinal, env, path / root)
    else:
        raise refuse("SS2122", f"references rooted in a {root} have no SQL yet", path)
    if segment.struct_field.HasField("child"):
        at = path / "direct_reference" / "struct_field" / "child"
        return descend(value, segment.struct_field.child, env, at)
    return value


def struct_field(segment: Any, path: Path) -> int:
    """The ordinal of the top-level field that a reference into a record starts with."""
    kind = segment.WhichOneof("reference_type")
    if kind != "struct_field":
        raise invalid(
            "SS2123",
            f"a reference to a record starts with a struct field, not {kind}",
            path / "direct_reference",
        )
    return int(segment.struct_field.field)


def _column(ordinal: int, env: Env, path: Path) -> Value:
    """A field of the record; one that is a literal is that literal."""
    fields = env.fields
    field = fields[ordinal] if 0 <= ordinal < len(fields) else env.field(ordinal, path)
    if field.literal is not None:
        value = literal(field.literal, env, path)
        if types.same(value.type, field.type):
            return Value(
                value.sql, field.type, value.sql_type, field.name, field.literal, field.subject
            )
    return of_field(field, env)


def _require_column(field: Field, env: Env) -> None:
    """Closes the block where a part is taken of what a subquery finds, which is a column before that.

    ``m.b FROM (SELECT (SELECT named_struct('a', a, 'b', b) FROM …) AS m …)``, not ``(SELECT named_struct(…) …).b``.
    """
    if field.item is None and field.traits & Traits.SUBQUERY:
        raise CloseBlock(env.block)


def of_field(field: Field, env: Env) -> Value:
    """A use of a field of the record. What the body of a lambda uses is a column: it runs once for each element."""
    if env.lambdas and field.parts is not None and field.parts.size > _SMALL:
        raise CloseBlock(env.block)
    if field.item is not None:
        sql = env.parts.column(field.item, field.ordinal)
    elif field.heavy:
        sorts = any(key.field.source is field.source for key in env.block.order)
        if sorts or env.used_elsewhere(field):
            raise CloseBlock(env.block)
        env.moved.add(id(field))
        sql = field.emit(env.parts)
    else:
        sql = field.copy(env.parts)
    return Value.of_field(field, sql)


def _from_expression(inner: Any, segment: Any, env: Env, path: Path) -> Value:
    """A reference into the value of an expression; into a struct that is made on the spot, one of its parts."""
    kind = segment.WhichOneof("reference_type")
    if (
        inner.WhichOneof("rex_type") == "nested"
        and inner.nested.WhichOneof("nested_type") == "struct"
        and kind == "struct_field"
    ):
        fields, ordinal = inner.nested.struct.fields, segment.struct_field.field
        if not 0 <= ordinal < len(fields):
            raise invalid(
                "SS2101", f"field {ordinal} does not exist: the struct has {len(fields)}", path
            )
        if not segment.struct_field.HasField("child"):
            made = path / "expression" / "nested" / "struct"
            return expression(fields[ordinal], env, (made / "fields")[ordinal])
    value = expression(inner, env, path / "expression")
    return descend(value, segment, env, path / "direct_reference")


def _masked(message: Any, root: str | None, env: Env, path: Path) -> Value:
    """A masked reference: a struct of the selected parts, of the record or of an expression's value."""
    mask = message.masked_reference
    at = path / "masked_reference"
    select = masks.as_select(mask)
    if root == "expression":
        value = expression(message.expression, env, path / "expression")
        if env.parts.traits or env.parts.size > COPY_LIMIT:
            raise refuse(
                "SS2121", "a mask needs its value more than once; compute it below first", at
            )
        return masks.masked(value, select, env, at)
    if root not in (None, "root_reference", "outer_reference"):
        raise refuse("SS2122", f"masks of a {root} have no SQL", at)
    parts = []
    for i, item in enumerate(mask.select.struct_items):
        if root == "outer_reference":
            part = _outer(message.outer_reference, item.field, env, path)
        else:
            part = _column(item.field, env, at)
        if item.HasField("child"):
            inside = ((at / "select") / "struct_items")[i]
            part = masks.masked(part, item.child, env, inside / "child")
        parts.append(part)
    return struct_of(parts, False, env, at)


def _outer(message: Any, ordinal: int, env: Env, path: Path) -> Value:
    """A field of the record that the expression around the subquery sees."""
    if message.WhichOneof("outer_reference_type") == "rel_reference":
        host = _anchored(message.rel_reference, env, path)
        field = host.field_of(message.rel_reference, ordinal, path)
    else:
        host = _steps(message.steps_out, env, path)
        field = host.field(ordinal, path)
    if host is not env.outer:
        raise TooDeep(refuse("SS2126", "the reference crosses more than one scope", path))
    if field.item is None or host.block.group is not None:
        raise CloseBlock(host.block)
    sql = env.parts.column(field.item, field.ordinal)
    host.parts.captured.append(env.parts.columns[-1])
    env.parts.traits |= Traits.OUTER
    if types.holds(field.type, "map"):
        env.parts.traits |= Traits.OUTER_MAP
    return Value(sql, field.type, field.sql_type, field.name, None, field.subject)


def _steps(steps: int, env: Env, path: Path) -> Env:
    if steps < 1:
        raise invalid("SS2125", "an outer reference must step out at least once", path)
    host = env.outer
    rest = steps
    while host is not None:
        rest -= not host.lateral
        if not rest:
            break
        host = host.outer
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
