"""Casts of structs, lists and maps: part by part, each as a cast of its own would be.

Spark's CAST does the same where all parts take nothing but a CAST. With TRY_CAST a part that cannot be converted is
NULL, not the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import call, unless_null
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import fits
from substrait_sql.lower.expressions.casts.conversions import convert, plain, rule
from substrait_sql.lower.expressions.references.segments import atom
from substrait_sql.schema import naming, types
from substrait_sql.tree.copies import clone

if TYPE_CHECKING:
    from substrait_sql.lower.expressions.casts.conversions import Conversion


@rule("list", "list")
def _list(node: exp.Expression, c: Conversion) -> exp.Expression:
    """``transform(l, x -> left(x, 2))``, or one CAST of the list."""
    inner = _part(c, c.source.list.type, c.target.list.type)
    name = _name("x")
    element = convert(name, inner)
    if element is name:
        return node
    if _is_cast_of(element, name):
        return plain(node, c)
    return call("transform", node, exp.Lambda(this=element, expressions=[_name("x")]))


@rule("map", "map")
def _map(node: exp.Expression, c: Conversion) -> exp.Expression:
    """As for a list. Two keys may become one, which Spark's CAST of a map makes one entry of, in silence."""
    keys = _part(c, c.source.map.key, c.target.map.key)
    values = _part(c, c.source.map.value, c.target.map.value)
    key, value = _name("k"), _name("v")
    new_key, new_value = convert(key, keys), convert(value, values)
    apart = _may_meet(keys.source, keys.target)
    if new_key is not key and c.or_null and apart:
        raise refuse("SS2139", "a key of a map that cannot be converted cannot be NULL", c.path)
    if new_key is key and new_value is value:
        return node
    if not apart and all(
        new is old or _is_cast_of(new, old) for new, old in ((new_key, key), (new_value, value))
    ):
        return plain(node, c)
    if new_key is not key:
        node = call("transform_keys", node, _of_entry(new_key))
    if new_value is not value:
        node = call("transform_values", node, _of_entry(new_value))
    return node


def _of_entry(body: exp.Expression) -> exp.Expression:
    return exp.Lambda(this=body, expressions=[_name("k"), _name("v")])


def _may_meet(source: Any, target: Any) -> bool:
    """Whether two keys may become one, or one none at all."""
    whole = types.kind(source) in _WHOLE and types.kind(target) == "string"
    return not (types.same(source, target) or fits(source, target) or whole)


_WHOLE = ("bool", "i8", "i16", "i32", "i64", "date", "uuid")


@rule("struct", "struct")
def _struct(node: exp.Expression, c: Conversion) -> exp.Expression:
    """``named_struct('f0', left(s.f0, 2), …)``, NULL where the struct is; or one CAST of it."""
    before, after = list(c.source.struct.types), list(c.target.struct.types)
    if len(before) != len(after):
        raise invalid(
            "SS2146",
            f"a cast of a struct of {len(before)} fields to one of {len(after)}",
            c.path,
        )
    names = naming.field_names(c.source)
    stand_in = _name("x")
    inner = [_part(c, a, b) for a, b in zip(before, after, strict=True)]
    made = [convert(stand_in, part) for part in inner]
    if all(m is stand_in or _is_cast_of(m, stand_in) for m in made):
        return plain(node, c)
    if not naming.distinct(names):
        node = exp.Cast(this=node, to=c.cx.type_node(naming.bare(c.source), c.path))
        names = naming.field_names(naming.bare(c.source))
    arguments: list[exp.Expression] = []
    for i, part in enumerate(inner):
        field = exp.Dot(this=atom(clone(node)), expression=identifier(names[i]))
        arguments += [string_literal(naming.field_names(c.target)[i]), convert(field, part)]
    found = call("named_struct", *arguments)
    return unless_null(node, found) if types.nullable(c.source) else found


def _part(c: Conversion, source: Any, target: Any) -> Conversion:
    """The conversion of a part. One that may fail cannot be NULL where the type has none."""
    if (
        c.or_null
        and not types.nullable(target)
        and not (types.same(source, target) or fits(source, target))
    ):
        raise refuse(
            "SS2139",
            f"a {types.text(source)} inside that cannot be converted cannot be NULL in {types.text(target)}",
            c.path,
            "make the part of the type nullable",
        )
    return c.of(source, target)


def _is_cast_of(made: exp.Expression, name: exp.Expression) -> bool:
    return isinstance(made, (exp.Cast, exp.TryCast)) and made.this is name


def _name(text: str) -> exp.Expression:
    return exp.Identifier(this=text, quoted=False)
