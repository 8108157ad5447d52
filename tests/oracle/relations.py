"""Relations: one function per kind, and the emit that all share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.oracle import aggregates, joins, sets, sorting, windows
from tests.oracle.expressions import evaluate, is_true
from tests.oracle.model import (
    Env,
    Frame,
    Invalid,
    NotCovered,
    Row,
    RuntimeFailure,
    Scope,
    Table,
    World,
)


def relation(rel: Any, world: World, scope: Scope) -> Table:
    """1.0: the relation's direct output, then its emit: columns dropped, repeated, reordered."""
    kind = rel.WhichOneof("rel_type")
    if kind not in RELATIONS:
        raise NotCovered(f"relations of kind {kind}")
    node = getattr(rel, kind)
    out = RELATIONS[kind](node, world, scope)
    if kind == "reference" or node.common.WhichOneof("emit_kind") != "emit":
        return out
    mapping = list(node.common.emit.output_mapping)
    if not all(0 <= i < out.width for i in mapping):
        raise Invalid("emit names a column that is not there")
    return Table(len(mapping), [tuple(r[i] for i in mapping) for r in out.rows], out.order)


def anchor_of(rel: Any) -> int:
    """The relation's anchor, 0 if it has none; a reference has no common part."""
    kind = rel.WhichOneof("rel_type")
    return 0 if kind == "reference" else getattr(rel, kind).common.rel_anchor


def environments(
    node: Any, table: Table, world: World, scope: Scope, anchors: Sequence[int] = ()
) -> list[Env]:
    """2.2: each record as the relation's expressions see it. An anchor of the relation itself, or
    of its input, names that record in subqueries."""
    names = [a for a in (*anchors, node.common.rel_anchor) if a]
    scopes = [scope.anchored(dict.fromkeys(names, row)) for row in table.rows]
    frame = Frame(table.rows, scopes, table.groups())
    return [
        Env(world, row, s, frame, i)
        for i, (row, s) in enumerate(zip(table.rows, scopes, strict=True))
    ]


def _input(node: Any, world: World, scope: Scope) -> tuple[Table, list[Env]]:
    table = relation(node.input, world, scope)
    return table, environments(node, table, world, scope, [anchor_of(node.input)])


def _read(node: Any, world: World, scope: Scope) -> Table:
    """1.1: scan by the base schema, then the filter, then the best-effort filter (applied), then
    the mask, in the order it lists. Both filters count the columns of the base schema."""
    kind = node.WhichOneof("read_type")
    width = len(node.base_schema.struct.types)
    if kind == "named_table":
        rows = _named(node, world)
    elif kind == "virtual_table":
        env = Env(world, (), scope)
        rows = [
            tuple(evaluate(f, env) for f in row.fields) for row in node.virtual_table.expressions
        ]
    else:
        raise NotCovered(f"reads of {kind}")
    table = Table(width, rows)
    for name in ("filter", "best_effort_filter"):
        if node.HasField(name):
            envs = environments(node, table, world, scope)
            condition = getattr(node, name)
            table = table.pick([e.index for e in envs if is_true(condition, e)])
    if not node.HasField("projection"):
        return table
    items = node.projection.select.struct_items
    if any(i.HasField("child") for i in items):
        raise NotCovered("masks into nested columns")
    return Table(len(items), [tuple(row[i.field] for i in items) for row in table.rows])


def _named(node: Any, world: World) -> list[Row]:
    """The base schema picks columns by name, never by position."""
    name = ".".join(node.named_table.names).lower()
    if name not in world.tables:
        raise NotCovered(f"there is no table {name}")
    columns, rows = world.tables[name]
    there = [c.lower() for c in columns]
    picked = [there.index(n.lower()) for n in node.base_schema.names]
    return [tuple(row[i] for i in picked) for row in rows]


def _filter(node: Any, world: World, scope: Scope) -> Table:
    """1.2: the rows for which the condition is TRUE, in their order."""
    table, envs = _input(node, world, scope)
    return table.pick([e.index for e in envs if is_true(node.condition, e)])


def _project(node: Any, world: World, scope: Scope) -> Table:
    """1.3: all columns of the input, then the expressions. Window functions end the order."""
    table, envs = _input(node, world, scope)
    rows = [e.row + tuple(evaluate(x, e) for x in node.expressions) for e in envs]
    kept = None if any(windows.inside(x) for x in node.expressions) else table.order
    return Table(table.width + len(node.expressions), rows, kept)


def _sort(node: Any, world: World, scope: Scope) -> Table:
    """1.4: the rows in order. Clustered fields only promise that equal values are neighbours."""
    table, envs = _input(node, world, scope)
    return _sorted(table, envs, node.sorts)


def _sorted(table: Table, envs: list[Env], sorts: Any) -> Table:
    count = sorting.leading(sorts)
    indices, groups = sorting.ordering(sorts[:count], envs)
    return Table(table.width, [table.rows[i] for i in indices], groups if count else None)


def _number(message: Any, env: Env, otherwise: int | None) -> int | None:
    """1.5: NULL counts as unset; a negative number is an error."""
    found = evaluate(message, env)
    if found is None:
        return otherwise
    if found < 0:
        raise RuntimeFailure("a negative count or offset")
    return int(found)


def _bounds(offset: Any, count: Any, env: Env) -> tuple[int, int | None]:
    start = (_number(offset, env, 0) or 0) if offset is not None else 0
    return start, _number(count, env, None) if count is not None else None


def _fetch(node: Any, world: World, scope: Scope) -> Table:
    """1.5: skip offset rows (none if unset), return count rows (all if unset), in their order."""
    table, _ = _input(node, world, scope)
    offset = node.offset_expr if node.HasField("offset_expr") else None
    count = node.count_expr if node.HasField("count_expr") else None
    start, many = _bounds(offset, count, Env(world, (), scope))
    return _cut(table, start, many)


def _cut(table: Table, start: int, many: int | None) -> Table:
    end = len(table.rows) if many is None else min(start + many, len(table.rows))
    if start < end:
        sorting.require_same(table.rows, table.groups(), start)
        sorting.require_same(table.rows, table.groups(), end)
    return table.pick(range(start, end))


def _top_n(node: Any, world: World, scope: Scope) -> Table:
    """1.10: sorted, then cut as fetch does. WITH_TIES adds the rows equal to the last one in all
    sort fields; a count of zero returns none."""
    table, envs = _input(node, world, scope)
    count = sorting.leading(node.sorts)
    if count < len(node.sorts) and node.mode == 2:
        raise NotCovered("ties of clustered rows")
    table = _sorted(table, envs, node.sorts)
    offset = node.offset if node.HasField("offset") else None
    many_expr = node.count if node.HasField("count") else None
    start, many = _bounds(offset, many_expr, Env(world, (), scope))
    if node.mode == 2 and many and start + many < len(table.rows):
        groups = table.groups()
        many += sum(g == groups[start + many - 1] for g in groups[start + many :])
    return _cut(table, start, many)


def _cross(node: Any, world: World, scope: Scope) -> Table:
    """1.8: every left row with every right row."""
    left, right = (relation(r, world, scope) for r in (node.left, node.right))
    rows = [a + b for a in left.rows for b in right.rows]
    return Table(left.width + right.width, rows)


def _expand(node: Any, world: World, scope: Scope) -> Table:
    """1.12: each row as often as the longest switching field has duplicates (once without any);
    a shorter field is NULL there; input columns beyond the fields stay; then the index."""
    table, envs = _input(node, world, scope)
    times = max((len(f.switching_field.duplicates) for f in node.fields), default=0) or 1
    rest = table.width - len(node.fields)
    rows = []
    for env in envs:
        for n in range(times):
            made = [_expanded(f, n, env) for f in node.fields]
            rows.append((*made, *env.row[len(node.fields) :], n))
    return Table(len(node.fields) + max(rest, 0) + 1, rows)


def _expanded(f: Any, n: int, env: Env) -> Any:
    if f.WhichOneof("field_type") == "consistent_field":
        return evaluate(f.consistent_field, env)
    duplicates = f.switching_field.duplicates
    return evaluate(duplicates[n], env) if n < len(duplicates) else None


def _exchange(node: Any, world: World, scope: Scope) -> Table:
    """1.13: the rows move between machines; as rows nothing happens."""
    return relation(node.input, world, scope)


def _reference(node: Any, world: World, scope: Scope) -> Table:
    """1.14: the output of that relation of the plan; a root's names do not matter. What it shares
    stands at no depth, so that only anchors reach out of it."""
    ordinal = node.subtree_ordinal
    if ordinal in world.open_references or not 0 <= ordinal < len(world.plan.relations):
        raise Invalid("a reference to itself, or to nothing")
    target = world.plan.relations[ordinal]
    kind = target.WhichOneof("rel_type")
    world.open_references.append(ordinal)
    try:
        rel = target.root.input if kind == "root" else target.rel
        return relation(rel, world, Scope((), scope.anchors))
    finally:
        world.open_references.pop()


RELATIONS: dict[str | None, Callable[[Any, World, Scope], Table]] = {
    "read": _read,
    "filter": _filter,
    "project": _project,
    "sort": _sort,
    "fetch": _fetch,
    "top_n": _top_n,
    "aggregate": aggregates.aggregate,
    "set": sets.combine,
    "cross": _cross,
    "join": joins.join,
    "hash_join": joins.physical_join,
    "merge_join": joins.physical_join,
    "nested_loop_join": joins.physical_join,
    "lateral_join": joins.lateral_join,
    "window": windows.window_relation,
    "expand": _expand,
    "exchange": _exchange,
    "reference": _reference,
}


def roots(plan: Any, tables: Any) -> list[Table]:
    """The result of each root of a plan."""
    return [
        relation(entry.root.input, World(plan, tables), Scope())
        for entry in plan.relations
        if entry.WhichOneof("rel_type") == "root"
    ]
