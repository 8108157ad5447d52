"""https://substrait.io/expressions/field_references/#masked-references: values with parts of them left out.

A mask keeps the structure, also that of a struct or list of one: the prose of the specification unwraps those unless
``maintain_singular_struct`` is set, but no implementation does, and a read would lose its record.
What it selects stands in listed order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call, unless_null
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.context import Context, Env
from substrait_sql.lower.expressions.references.segments import list_element, struct_field
from substrait_sql.lower.value import Value
from substrait_sql.schema import naming, types
from substrait_sql.tree.copies import clone
from substrait_sql.wire.descriptors import message

if TYPE_CHECKING:
    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


def read_mask(mask: Any, block: Block, cx: Context, path: Path) -> list[Field]:
    """The masked fields of a record, in the order in which the mask lists them (the rule since 0.108)."""
    env = Env(cx, block)
    found = []
    items = (path / "select") / "struct_items"
    for i, item in enumerate(mask.select.struct_items):
        at = items[i]
        field = env.field(item.field, at)
        if item.HasField("child"):
            column = Value(field.copy(env.parts), field.type, field.sql_type, field.name)
            field = masked(column, item.child, env, at / "child").as_field(env.take())
        found.append(field)
    return found


def masked(value: Value, select: Any, env: Env, path: Path, depth: int = 0) -> Value:
    """A value under a mask; it must be one that may stand in the text more than once."""
    kind = select.WhichOneof("type")
    if kind is None:
        return value
    if value.type is None or types.kind(value.type) != kind:
        raise invalid("SS2129", f"a mask of a {kind} over {types.text(value.type)}", path / kind)
    return _MASKS[kind](value, getattr(select, kind), env, path / kind, depth)


def as_select(mask: Any) -> Any:
    """The mask of a struct as the mask of a part: the same message one level down."""
    out: Any = message("Expression.MaskExpression.Select")()
    out.struct.CopyFrom(mask.select)
    return out


def _struct(value: Value, select: Any, env: Env, path: Path, depth: int) -> Value:
    """``named_struct('city', addr.city)``, NULL where the struct is."""
    names, parts = [], []
    known = naming.field_names(value.sql_type if value.sql_type is not None else value.type)
    for i, item in enumerate(select.struct_items):
        at = (path / "struct_items")[i]
        part = struct_field(_again(value, env), item.field, env, at)
        # The field itself is no more nullable for standing in a struct that is: that one is NULL as a whole.
        part.type = value.type.struct.types[item.field]
        if item.HasField("child"):
            part = masked(part, item.child, env, at / "child", depth)
        names.append(known[item.field])
        parts.append(part)
    if not naming.distinct(names) or not _has_names(value):
        names = [f"f{i}" for i in range(len(parts))]
    arguments = [a for n, p in zip(names, parts, strict=True) for a in (string_literal(n), p.sql)]
    nullable = types.nullable(value.type)
    type = types.struct([p.type for p in parts], nullable=nullable)
    sql_type = types.struct([p.sql_type or p.type for p in parts], nullable=nullable)
    if _has_names(value):
        sql_type = naming.with_names(sql_type, names)
    node = _unless_null(value, call("named_struct", *arguments), env)
    return Value(node, type, None if types.same(type, sql_type) else sql_type, value.name)


def _has_names(value: Value) -> bool:
    return value.sql_type is not None and bool(value.sql_type.struct.sql_names)


def _list(value: Value, select: Any, env: Env, path: Path, depth: int) -> Value:
    """Elements and slices one after the other, as one list: ``concat(array(get(l, 2)), slice(l, 1, 2))``."""
    if not select.selection:
        raise refuse("SS2194", "what a list mask means that selects nothing is not specified", path)
    pieces: list[exp.Expression] = []
    single: list[exp.Expression] = []
    for i, item in enumerate(select.selection):
        at = (path / "selection")[i]
        kind = item.WhichOneof("type")
        if kind == "item":
            single.append(list_element(_again(value, env), item.item.field, at).sql)
            continue
        if kind is None:
            raise invalid("SS2123", "the item of a list mask is empty", at)
        if single:
            pieces.append(call("array", *single))
            single = []
        pieces.append(_slice(value, item.slice.start, item.slice.end, env))
    if single:
        pieces.append(call("array", *single))
    picked = any(p.this == "array" for p in pieces)
    node = pieces[0] if len(pieces) == 1 else call("concat", *pieces)
    element = value.type.list.type
    if picked:
        node = _unless_null(value, node, env)
        # There may be no such element.
        element = types.with_nullability(element, True)
    actual = value.sql_type.list.type if value.sql_type is not None else element
    type = types.list_(element, nullable=types.nullable(value.type))
    sql_type = types.list_(
        types.with_nullability(actual, types.nullable(element)), nullable=types.nullable(value.type)
    )
    whole = Value(node, type, None if types.same(type, sql_type) else sql_type, value.name)
    if not select.HasField("child"):
        return whole
    return _each(whole, "list", "transform", ("x",), select.child, env, path, depth)


def _slice(value: Value, start: int, end: int, env: Env) -> exp.Expression:
    """From start up to end, without it; both may count back from the end of the list.

    Spark's own ``slice`` counts from 1, takes a length, and fails on a length below 0.
    """
    if start >= 0 and end >= 0:
        return call(
            "slice", _again(value, env).sql, _number(start + 1), _number(max(end - start, 0))
        )
    first = _position(value, start, env)
    last = _position(value, end, env)
    length = exp.Sub(this=last, expression=clone(first, env.parts.columns))
    at = exp.Add(this=first, expression=_number(1))
    return call("slice", _again(value, env).sql, at, call("greatest", length, _number(0)))


def _position(value: Value, index: int, env: Env) -> exp.Expression:
    if index >= 0:
        return _number(index)
    size = call("size", _again(value, env).sql)
    return call("greatest", exp.Sub(this=size, expression=_number(-index)), _number(0))


def _map(value: Value, select: Any, env: Env, path: Path, depth: int) -> Value:
    """The entry of a key stays a map of one: ``map_filter(m, (k, v) -> k = 'EUR')``."""
    kind = select.WhichOneof("select")
    if kind == "expression":
        raise refuse(
            "SS2195",
            "the specification names expressions over map keys, but gives them no syntax",
            path / "expression",
        )
    node = value.sql
    if kind == "key":
        if types.kind(value.type.map.key) not in ("string", "varchar", "fixed_char"):
            raise invalid("SS2129", f"a text key for a {types.text(value.type)}", path / "key")
        is_key = exp.EQ(this=_name("k"), expression=string_literal(select.key.map_key))
        node = call(
            "map_filter", node, exp.Lambda(this=is_key, expressions=[_name("k"), _name("v")])
        )
    whole = Value(node, value.type, value.sql_type, value.name)
    if not select.HasField("child"):
        return whole
    return _each(whole, "map", "transform_values", ("k", "v"), select.child, env, path, depth)


_MASKS = {"struct": _struct, "list": _list, "map": _map}


def _each(
    whole: Value,
    kind: str,
    function: str,
    parameters: tuple[str, ...],
    child: Any,
    env: Env,
    path: Path,
    depth: int,
) -> Value:
    """The mask of the children, over each element of a list or value of a map."""
    mark = str(depth + 1) if depth else ""
    names = [_name(p + mark) for p in parameters]

    def inner(type: Any) -> Any:
        if type is None:
            return None
        return type.list.type if kind == "list" else type.map.value

    element = Value(names[-1], inner(whole.type), inner(whole.sql_type))
    found = masked(element, child, env, path / "child", depth + 1)
    node = call(function, whole.sql, exp.Lambda(this=found.sql, expressions=names))

    def around(type: Any) -> Any:
        nullable = types.nullable(whole.type)
        if kind == "list":
            return types.list_(type, nullable=nullable)
        key = (whole.sql_type if whole.sql_type is not None else whole.type).map.key
        return types.map_(key, type, nullable=nullable)

    type = naming.bare(around(found.type))
    sql_type = around(found.sql_type if found.sql_type is not None else found.type)
    return Value(node, type, None if types.same(type, sql_type) else sql_type, whole.name)


def _again(value: Value, env: Env) -> Value:
    """The value once more."""
    sql = clone(value.sql, env.parts.columns)
    return Value(sql, value.type, value.sql_type, value.name)


def _unless_null(value: Value, node: exp.Expression, env: Env) -> exp.Expression:
    if not types.nullable(value.type):
        return node
    return unless_null(_again(value, env).sql, node)


def _number(value: int) -> exp.Expression:
    return exp.Literal(this=str(value), is_string=False)


def _name(text: str) -> exp.Expression:
    return exp.Identifier(this=text, quoted=False)
