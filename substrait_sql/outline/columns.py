"""The relations of a tree and their columns, as far as the plan itself tells them.

The lowering knows the columns better, but only of what it can lower; this fills the gaps, so that
also a plan without SQL is shown with the names of its columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import InvalidPlanError
from substrait_sql.plan.scopes import placed_inputs
from substrait_sql.plan.shapes import COPY, MARK, PASSING, Added, Generated, Passed, parts_of
from substrait_sql.schema import types
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.outline.notation import Notation
    from substrait_sql.plan.habits import Habits
    from substrait_sql.plan.shapes import Part
    from substrait_sql.wire.path import Path

_MAKES_COLUMNS = frozenset({"project", "aggregate", "set", "window", "expand"})


class Column(NamedTuple):
    """A column. name: empty where nothing names it. type: None where it is unknown."""

    name: str
    type: Any


@dataclass(slots=True, eq=False)
class Node:
    """A relation. kind: the member of ``Rel.rel_type``, None for an empty one.

    role: the field of the relation above that it stands in. direct: the columns before any emit. columns: those that
    the relation above sees.
    """

    kind: str | None
    message: Any
    path: Path
    role: str = ""
    inputs: list[Node] = field(default_factory=list)
    direct: list[Column] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)

    @property
    def common(self) -> Any:
        """The ``RelCommon``, None for a relation without one."""
        has_one = self.message is not None and "common" in self.message.DESCRIPTOR.fields_by_name
        return self.message.common if has_one else None

    @property
    def emits(self) -> bool:
        """Whether the output is picked out of the columns."""
        common = self.common
        return common is not None and common.WhichOneof("emit_kind") == "emit"

    @property
    def record(self) -> list[Column]:
        """What the expressions of the relation see."""
        if self.kind in ("read", "update"):
            schema = self.message.base_schema if self.kind == "read" else self.message.table_schema
            return schema_columns(schema)
        return [c for i in self.inputs for c in i.columns]


class Knowledge(NamedTuple):
    """What is known of the whole plan. lowered: columns by the path of their relation."""

    notation: Notation
    lowered: Mapping[str, list[tuple[str, Any]]]
    habits: Habits
    shared: dict[int, list[Column]]


def tree(message: Any, path: Path, known: Knowledge) -> Node:
    """Return the relation with all those below it. Subqueries are trees of their own."""
    root = _node(message, path)
    nodes, stack = [], [root]
    while stack:
        node = stack.pop()
        nodes.append(node)
        node.inputs = _inputs(node)
        stack.extend(node.inputs)
    # Backwards, every relation comes after its inputs.
    for node in reversed(nodes):
        node.direct = _direct(node, known)
        node.columns = _columns(node, known)
    return root


def node_key(path: str) -> str:
    """Return a path as `Knowledge.lowered` has it.

    The path of an argument may name the field ``value`` or leave it out.
    """
    return path.replace("].value.", "].")


def _node(message: Any, path: Path, role: str = "") -> Node:
    kind = message.WhichOneof("rel_type")
    inner = getattr(message, kind) if kind else None
    return Node(kind, inner if hasattr(inner, "DESCRIPTOR") else None, path / (kind or ""), role)


def _inputs(node: Node) -> list[Node]:
    """Return the relations in the fields of a relation, in the order of the protobuf."""
    if node.message is None:
        return []
    return [_node(rel, at, name) for name, rel, at in placed_inputs(node.message, node.path)]


def nests_deeper(message: Any, bound: int) -> bool:
    """Whether more relations than that stand below each other."""
    stack = [(_node(message, ROOT), 1)]
    while stack:
        node, depth = stack.pop()
        if depth > bound:
            return True
        stack.extend((below, depth + 1) for below in _inputs(node))
    return False


def schema_columns(schema: Any) -> list[Column]:
    """Return the top-level columns of a ``NamedStruct``, whose names are depth first."""
    declared = list(schema.struct.types)
    if not declared:
        return [Column(n, None) for n in schema.names]
    return [Column(n, t) for n, t in zip(top_names(schema.names, declared), declared, strict=True)]


def top_names(names: Sequence[str], declared: Sequence[Any]) -> list[str]:
    """Which of the names, depth first, are of the top level; empty ones where they run out."""
    found, at = [], 0
    for t in declared:
        found.append(names[at] if at < len(names) else "")
        at += types.field_count(t) if t is not None else 1
    return found


def _direct(node: Node, known: Knowledge) -> list[Column]:
    """Return the columns before any emit, as far as the plan says which there are."""
    if node.kind == "reference":
        return known.shared.get(node.message.subtree_ordinal, [])
    try:
        parts = parts_of(node.kind, node.message, known.habits) or ()
    except InvalidPlanError:
        return []
    return [column for part in parts for column in _part(node, part, known)]


def _part(node: Node, part: Part, known: Knowledge) -> list[Column]:
    """Return a part of the columns."""
    if isinstance(part, Passed):
        found = next((i for i in node.inputs if i.role == part.field), None)
        return list(part.picked(found.columns)) if found is not None else []
    if isinstance(part, Generated):
        return [Column(part.name, None)]
    if isinstance(part, Added):
        type = types.boolean(nullable=True) if part is MARK else types.i32()
        return [Column("" if part is COPY else part.name, type)]
    record = node.record
    match part.field:
        case "base_schema":
            return record
        case "projection":
            return _picked(record, [item.field for item in part.members])
        case "measures":
            return [_call(m.measure, record, known) for m in part.members]
        case "window_functions":
            return [_call(f, record, known) for f in part.members]
        case "fields":
            return [_expanded(f, record, known) for f in part.members]
    return [_of(e, record, known) for e in part.members]


def _expanded(message: Any, record: list[Column], known: Knowledge) -> Column:
    if message.WhichOneof("field_type") == "consistent_field":
        return _of(message.consistent_field, record, known)
    found = [_of(e, record, known) for e in message.switching_field.duplicates]
    named = next((c for c in found if c.name), None)
    return named or (found[0] if found else Column("", None))


def _of(message: Any, record: list[Column], known: Knowledge) -> Column:
    """Return the column that an expression makes."""
    match message.WhichOneof("rex_type"):
        case "selection":
            return _selected(message.selection, record)
        case "scalar_function":
            return _call(message.scalar_function, record, known)
        case "window_function":
            return _call(message.window_function, record, known)
        case "cast":
            return Column(_of(message.cast.input, record, known).name, message.cast.type)
    return Column("", None)


def _selected(selection: Any, record: list[Column]) -> Column:
    segment = selection.direct_reference
    plain = (
        selection.WhichOneof("root_type") in (None, "root_reference")
        and segment.WhichOneof("reference_type") == "struct_field"
        and not segment.struct_field.HasField("child")
    )
    return _picked(record, [segment.struct_field.field])[0] if plain else Column("", None)


def _call(function: Any, record: list[Column], known: Knowledge) -> Column:
    """Name a call as the lowering does it: ``sum_l_quantity``."""
    subject = ""
    for argument in function.arguments:
        if argument.value.WhichOneof("rex_type") == "selection":
            subject = _selected(argument.value.selection, record).name
            break
    name = known.notation.function(function.function_reference)
    has_type = function.HasField("output_type")
    return Column(
        f"{name}_{subject}" if subject else name, function.output_type if has_type else None
    )


def _picked(columns: list[Column], ordinals: Sequence[int]) -> list[Column]:
    nothing = Column("", None)
    return [columns[i] if 0 <= i < len(columns) else nothing for i in ordinals]


def _columns(node: Node, known: Knowledge) -> list[Column]:
    """Return the output: what the lowering says, and what the plan says where it says nothing."""
    columns = node.direct
    common = node.common
    if node.emits:
        columns = _picked(columns, common.emit.output_mapping)
    if common is not None and len(common.hint.output_names) == len(columns):
        columns = [
            Column(n or c.name, c.type)
            for n, c in zip(common.hint.output_names, columns, strict=True)
        ]
    lowered = known.lowered.get(node_key(str(node.path))) if known.lowered else None
    if lowered is None:
        return columns
    if len(lowered) != len(columns):
        return [Column(n, t) for n, t in lowered]
    return [
        Column(n or c.name, c.type if types.kind(t) is None else t)
        for (n, t), c in zip(lowered, columns, strict=True)
    ]


def name_by_root(node: Node, names: Sequence[str]) -> None:
    """Give the root's names to the relation that makes the columns, and to those between.

    A sort above a sum reads ``revenue desc`` then, as in the SQL that the plan was made of. What
    only passes columns of its inputs on keeps theirs.
    """
    chain = [node]
    while chain[-1].kind in PASSING and not chain[-1].emits and chain[-1].inputs:
        chain.append(chain[-1].inputs[0])
    if chain[-1].kind not in _MAKES_COLUMNS:
        return
    declared = [c.type for c in node.columns]
    top = top_names(names, declared)
    if len(names) < len(top) or not all(top):
        return
    for link in chain:
        if len(link.columns) == len(top):
            link.columns = [Column(n, c.type) for n, c in zip(top, link.columns, strict=True)]
