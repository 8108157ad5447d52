"""Detached subtrees are put back in their places, and PR #977 is told apart from them.

A detached subtree is a trick of the encoding: an ordinal stands for an entry of a table of the same
``PlanRel`` or ``ExtendedExpression``. Every entry is used at most once, by its own container,
without cycles, and is no ordinal itself.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.unknown_fields import UnknownFieldSet

from substrait_sql.errors import InvalidPlanError
from substrait_sql.wire.deep import parse
from substrait_sql.wire.depth import MAX_DEPTH, too_deep
from substrait_sql.wire.descriptors import Variant, message
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.path import Path
from substrait_sql.wire.upgrades.walk import Context, upgrades

_ORDINALS = {
    "substrait.Expression": ("detached_expression_ordinal", "detached_expressions"),
    "substrait.Rel": ("detached_rel_ordinal", "detached_rels"),
}
_TABLES = ("detached_expressions", "detached_rels")


def attach(plan: Any, context: Context) -> None:
    """Put the detached subtrees of a plan of the history classes in their places."""
    if plan.DESCRIPTOR.name == "ExtendedExpression":
        _attach_container(plan, Path(), context)
        return
    root = Path() / "relations"
    for i, container in enumerate(plan.relations):
        _read_field_three(container, plan, root[i], context)
        _attach_container(container, root[i], context)


def _attach_container(container: Any, path: Path, context: Context) -> None:
    tables = {name: list(getattr(container, name)) for name in _TABLES}
    if not any(tables.values()):
        return
    context.seen("detached subtrees", 105, path)
    used: set[tuple[str, int]] = set()
    stack = [(v, p, 2) for v, p in _children(container, path) if not p.step_is(_TABLES)]
    while stack:
        node, where, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise too_deep()
        names = _ORDINALS.get(node.DESCRIPTOR.full_name)
        if names is not None and node.HasField(names[0]):
            _replace(node, names, tables[names[1]], used, where)
        stack.extend((v, p, depth + 1) for v, p in _children(node, where))
    for name, entries in tables.items():
        if any((name, i) not in used for i in range(len(entries))):
            context.note("SS1105", f"entries of {name} that nothing refers to are left out", path)
        container.ClearField(name)


def _replace(
    node: Any, names: tuple[str, str], entries: list[Any], used: set[tuple[str, int]], path: Path
) -> None:
    field, table = names
    ordinal = getattr(node, field)
    problem = ""
    if ordinal >= len(entries):
        problem = f"{field} {ordinal} is out of range: {table} has {len(entries)} entries"
    elif (table, ordinal) in used:
        problem = f"entry {ordinal} of {table} is referred to more than once, or contains itself"
    elif entries[ordinal].HasField(field):
        problem = f"entry {ordinal} of {table} is an ordinal itself"
    if problem:
        raise InvalidPlanError.of("SS1009", problem, path)
    used.add((table, ordinal))
    node.CopyFrom(entries[ordinal])


@upgrades("Expression", "Rel")
def ordinal_without_table(node: Any, path: Path, context: Context) -> None:
    """Return what is still an ordinal after the tables were used up has no entry."""
    field, table = _ORDINALS[node.DESCRIPTOR.full_name]
    if node.HasField(field):
        problem = f"{field} {getattr(node, field)} is out of range: there is no {table}"
        raise InvalidPlanError.of("SS1009", problem, path)


class _Step(Path):
    """A path that knows whether it is inside one of the tables."""

    __slots__ = ()

    def step_is(self, names: tuple[str, ...]) -> bool:
        """Whether the last field is one of ``names``."""
        field = self.parent.step if self.step.startswith("[") and self.parent else self.step
        return field in names


def _children(node: Any, path: Path) -> list[tuple[Any, _Step]]:
    found: list[tuple[Any, _Step]] = []
    for field, value in node.ListFields():
        if field.message_type is None:
            continue
        if is_repeated(field):
            found.extend((v, _Step(path / field.name, f"[{i}]")) for i, v in enumerate(value))
        else:
            found.append((value, _Step(path, field.name)))
    return found


def _read_field_three(container: Any, plan: Any, path: Path, context: Context) -> None:
    """``PlanRel.3`` holds detached expressions since 0.105.

    In the draft of PR #977 it held declarations.

    They are declarations if every entry is one in full, the plan detaches nothing, and it is older
    than 0.105 or uses the draft's bindings.
    """
    raw = list(container.raw_field_3)
    if not raw:
        return
    container.ClearField("raw_field_3")
    declarations = [_declaration(entry) for entry in raw]
    may_be_draft = (context.minor is not None and context.minor < 105) or _has(
        plan, "outer_reference_bindings"
    )
    if (
        None not in declarations
        and may_be_draft
        and not _has(container, "detached_expression_ordinal")
    ):
        for declaration in declarations:
            container.outer_reference_declarations.add().CopyFrom(declaration)
        context.note(
            "SS1103",
            "the relation's field 3 is read as PR #977's outer reference declarations",
            path,
        )
        return
    table = path / "detached_expressions"
    expression = message("Expression", Variant.HISTORY)
    for i, entry in enumerate(raw):
        try:
            container.detached_expressions.append(parse(expression, entry))
        except ProtobufError:
            raise InvalidPlanError.of("SS1009", "the entry is no expression", table[i]) from None


def _declaration(entry: bytes) -> Any:
    """Return the bytes as an outer reference declaration, or None."""
    try:
        made: Any = parse(message("PlanRel.OuterReferenceDeclaration", Variant.HISTORY), entry)
    except ProtobufError:
        return None
    whole = made.outer_reference.WhichOneof(
        "root_type"
    ) == "outer_reference" and made.type.WhichOneof("kind")
    return made if whole and not _has_unknown(made) else None


def _has_unknown(root: Any) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        if len(UnknownFieldSet(node)):
            return True
        stack.extend(v for v, _ in _children(node, Path()))
    return False


def _has(root: Any, name: str) -> bool:
    """Whether a field of that name is set anywhere below."""
    stack = [root]
    while stack:
        node = stack.pop()
        for field, value in node.ListFields():
            if field.name == name:
                return True
            if field.message_type is not None:
                stack.extend(value if is_repeated(field) else [value])
    return False
