"""Structs, whose fields producers call by name where Substrait has ordinals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import operators
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.rules import Result, literal_int, literal_text, quoted, refused
from substrait_sql.schema import naming
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node


def field(call: Call, line: Line) -> Result:
    """``get_field(s, 'city')``: ``s.city``; of a map, the value of a key. More names lead further in."""
    found, *keys = call.values
    t = call.types[0]
    for key in keys:
        if ty.kind(t) == "map":
            inside = _atom(found)
            found, t = (
                exp.Bracket(this=inside, expressions=[key]),
                ty.with_nullability(t.map.value, True),
            )
            continue
        name = literal_text(key)
        names = [n.casefold() for n in naming.field_names(t)] if ty.kind(t) == "struct" else []
        if name is None or name.casefold() not in names:
            raise refused(call, "a field that the struct has under no such name")
        found, t = _part(call, found, t, names.index(name.casefold()))
    return found, t


def ordinal(call: Call, line: Line) -> Result:
    """A field by its place, from 0."""
    place = literal_int(call.values[1])
    if place is None or not 0 <= place < len(call.types[0].struct.types):
        raise refused(call, "a field that the struct does not have")
    return _part(call, call.values[0], call.types[0], place)


def _part(call: Call, whole: Node, t: Any, place: int) -> Result:
    names = naming.field_names(t)
    if not naming.distinct(names):
        raise refused(call, "a field of a struct that has two of one name")
    inside = t.struct.types[place]
    yields = ty.with_nullability(inside, True) if ty.nullable(t) else inside
    node = exp.Dot(this=_atom(whole), expression=identifier(names[place]))
    return node, yields


def _atom(node: Node) -> Node:
    return node if operators.precedence(node) >= operators.ATOM else operators.paren(node)


def named(call: Call, line: Line) -> Result:
    """``named_struct('city', x, …)``."""
    names = [literal_text(node) for node in call.values[::2]]
    if len(call.values) % 2 or any(n is None for n in names):
        raise refused(call, "names and values in turn, the names as literals")
    return _made(call, [str(n) for n in names], 1)


def numbered(call: Call, line: Line) -> Result:
    """DataFusion's ``struct(x, …)``, whose fields are ``c0``, ``c1``, …"""
    return _made(call, [f"c{i}" for i in range(len(call.values))], 0)


def _made(call: Call, names: list[str], first: int) -> Result:
    step = first + 1
    values, types = call.values[first::step], call.types[first::step]
    if any(ty.kind(t) is None for t in types):
        raise refused(call, "a struct of a value of unknown type")
    arguments = [x for n, v in zip(names, values, strict=True) for x in (quoted(n), v)]
    yields = naming.with_names(ty.struct(types), names)
    return operators.call("named_struct", *arguments), yields
