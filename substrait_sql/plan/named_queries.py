"""Common table expressions that a text reads once: a mark on a relation that says the name, and what becomes of it.

Substrait has no word for them; a subtree that is shared is one that is read twice, and few consumers know those. So the
relation stands where it is read, with an optimization that everybody else passes over: a ``google.protobuf.Struct``
with the name (https://substrait.io/extensions/#advanced-extensions). Read back, it is a shared subtree of one use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.plan import structs
from substrait_sql.wire.inside import within

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY = "common_table_expression"


def mark(relation: Any, name: str) -> None:
    """Says that a relation is a common table expression of this name; nothing where it has no place for that."""
    node = getattr(relation, relation.WhichOneof("rel_type"))
    if "common" in node.DESCRIPTOR.fields_by_name:
        structs.write(node.common.hint.advanced_extension.optimization.add(), {_KEY: name})


def is_marked(relation: Any) -> bool:
    """Whether a relation has such a mark."""
    return bool(_name(relation))


def as_subtrees(plan: Any) -> None:
    """Makes subtrees of the relations with a mark, in place; those that refer outwards stay where they are."""
    if _KEY.encode() not in plan.SerializeToString():
        return
    marked = [rel for entry in plan.relations for rel in _marked(entry)]
    for rel in reversed(marked):
        name = _name(rel)
        if _refers_outside(rel):
            continue
        own = plan.relations.add().rel
        own.CopyFrom(rel)
        _common(own).hint.alias = name
        rel.Clear()
        rel.reference.subtree_ordinal = len(plan.relations) - 1


def _marked(entry: Any) -> Iterator[Any]:
    for each in within(entry):
        if each.DESCRIPTOR.name == "Rel" and _name(each):
            yield each


def _common(relation: Any) -> Any:
    return getattr(relation, relation.WhichOneof("rel_type")).common


def _name(relation: Any) -> str:
    kind = relation.WhichOneof("rel_type")
    node = getattr(relation, kind) if kind else None
    if node is None or "common" not in node.DESCRIPTOR.fields_by_name:
        return ""
    for each in node.common.hint.advanced_extension.optimization:
        # An optimization of another kind may be passed over.
        name = structs.read(each).get(_KEY)
        if isinstance(name, str) and name:
            return name
    return ""


def _refers_outside(relation: Any) -> bool:
    meant: set[int] = set()
    hosts: set[int] = set()
    for each in within(relation):
        if each.DESCRIPTOR.name == "OuterReference":
            if not each.rel_reference:
                return True
            meant.add(each.rel_reference)
        elif each.DESCRIPTOR.name == "RelCommon" and each.rel_anchor:
            hosts.add(each.rel_anchor)
    return not meant <= hosts
