"""Outer columns that a relation's record is given: each once, wherever below it has been computed already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.unnest.columns import become, re_emit, shift_record
from substrait_sql.plan import build
from substrait_sql.plan.scopes import is_outer, node_of
from substrait_sql.plan.shapes import PASSING
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.plan.widths import Widths

# How many relations down a column is looked for.
_DEEPEST = 12


def widen_input(rel: Any, added: Sequence[Any], widths: Widths) -> list[int]:
    """Puts outer columns behind those of a relation's input, for its expressions to see. Returns where each stands.

    The columns of a join's record stand behind its right side.
    """
    kind = rel.WhichOneof("rel_type")
    node = getattr(rel, kind)
    if not hasattr(node, "input") and not hasattr(node, "right"):
        raise refuse("SS2231", f"an outer reference through a {kind} has no SQL", ROOT)
    side = node.right if hasattr(node, "right") else node.input
    direct = widths.direct(rel)
    begin = widths.of(node.left) if hasattr(node, "right") else 0
    # Behind what stays where it is: the columns that a projection adds, the mark of a mark join.
    last = widths.passed(rel)
    places = append(side, added, widths)
    more = widths.direct(rel) - direct
    if more:
        re_emit(rel, direct, lambda i: i if i < last else i + more)
    return [begin + place for place in places]


def widen_left(rel: Any, added: Sequence[Any], widths: Widths) -> list[int]:
    """Puts outer columns behind those of a lateral join's left side. Returns where each stands."""
    node = rel.lateral_join
    direct, width = widths.direct(rel), widths.of(node.left)
    left = build.copied(node.left)
    places = append(left, added, widths)
    more = widths.of(left) - width
    if more:
        shift_record(node, lambda i: i if i < width else i + more, widths)
        become(node.left, left)
        re_emit(rel, direct, lambda i: i if i < width else i + more)
    return places


def append(side: Any, added: Sequence[Any], widths: Widths) -> list[int]:
    """Puts outer columns behind those of a relation. Returns where each stands.

    One that the relation returns is there, one that it has and drops is returned, and a projection has the rest.
    """
    there = _returned(side, widths, _DEEPEST)
    below = _direct(side, widths, _DEEPEST)
    keys = [_key(each) for each in added]
    width = widths.of(side)
    behind = [key for key in keys if key not in there and key in below]
    rest = [each for each, key in zip(added, keys, strict=True) if key not in {*there, *below}]
    places = {**there, **{key: width + i for i, key in enumerate(behind)}}
    if behind:
        re_emit(side, widths.direct(side), lambda i: i, [below[key] for key in behind])
    if rest:
        width += len(behind)
        places |= {_key(each): width + i for i, each in enumerate(rest)}
        _project(side, rest, width)
    return [places[key] for key in keys]


def _project(side: Any, added: Sequence[Any], width: int) -> None:
    """Puts a projection on top of a relation, whose name it takes over."""
    anchor = getattr(getattr(node_of(side), "common", None), "rel_anchor", 0)
    made = build.project(side, added, range(width + len(added)))
    made.project.common.rel_anchor = anchor
    become(side, made)


def _key(expression: Any) -> bytes:
    return bytes(expression.SerializeToString(deterministic=True))


def _returned(rel: Any, widths: Widths, depth: int) -> dict[bytes, int]:
    """The outer columns that a relation returns as they are, and where."""
    direct = _direct(rel, widths, depth)
    if not direct:
        return {}
    common = node_of(rel).common
    if common.WhichOneof("emit_kind") != "emit":
        return direct
    places = {d: i for i, d in reversed(list(enumerate(common.emit.output_mapping)))}
    return {key: places[d] for key, d in direct.items() if d in places}


def _direct(rel: Any, widths: Widths, depth: int) -> dict[bytes, int]:
    """The outer columns that a relation has before its emit."""
    kind = rel.WhichOneof("rel_type")
    if not depth or kind not in (*PASSING, "project"):
        return {}
    node = getattr(rel, kind)
    found = _returned(node.input, widths, depth - 1)
    if kind == "project":
        if node.common.WhichOneof("emit_kind") != "emit":
            return {}
        width = widths.of(node.input)
        for i, each in enumerate(node.expressions):
            if each.WhichOneof("rex_type") == "selection" and is_outer(each.selection):
                found.setdefault(_key(each), width + i)
    return found
