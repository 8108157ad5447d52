"""Joins: twelve types, four forms and the lateral one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle import functions, values
from tests.oracle.expressions import evaluate, is_true
from tests.oracle.model import Env, Frame, Invalid, Row, RuntimeFailure, Scope, Table, World

Test = Callable[[Row, Row], bool | None]


def kind_of(node: Any) -> str:
    """The type by its name: the numbers of JoinRel and of the physical joins differ."""
    enum = node.DESCRIPTOR.fields_by_name["type"].enum_type
    return str(enum.values_by_number[node.type].name).removeprefix("JOIN_TYPE_")


def join(node: Any, world: World, scope: Scope) -> Table:
    """JoinRel: pairs for which the expression is TRUE; it counts left columns, then right."""
    left, right = _sides(node, world, scope)
    test = _condition(node, "expression", world, scope)
    return _finished(node, _joined(kind_of(node), left, right, test), world, scope)


def physical_join(node: Any, world: World, scope: Scope) -> Table:
    """Hash and merge joins: all keys match AND the residual is TRUE. The nested-loop join: its
    expression is, TRUE if there is none, and it has no filter afterwards."""
    left, right = _sides(node, world, scope)
    tests = [_key(k, world) for k in getattr(node, "keys", ())]
    for name in ("expression", "residual_expression"):
        if name in node.DESCRIPTOR.fields_by_name and node.HasField(name):
            tests.append(_condition(node, name, world, scope))

    def test(a: Row, b: Row) -> bool | None:
        return values.all_true([t(a, b) for t in tests])

    return _finished(node, _joined(kind_of(node), left, right, test), world, scope)


def lateral_join(node: Any, world: World, scope: Scope) -> Table:
    """The right input anew for each left row, which the join's own anchor names in it. It is no
    subquery boundary. Types that need all of the right side make no sense."""
    from tests.oracle.relations import relation

    kind = kind_of(node)
    if kind not in ("INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_SINGLE", "LEFT_MARK"):
        raise Invalid(f"a lateral join of type {kind}")
    left = relation(node.left, world, scope)
    anchor = node.common.rel_anchor
    width, rows = 0, []
    for row in left.rows or [None]:
        seen = (None,) * left.width if row is None else row
        inner = scope.anchored({anchor: seen} if anchor else {})
        right = relation(node.right, world, inner)
        test = _condition(node, "expression", world, inner)
        one = _joined(kind, Table(left.width, [] if row is None else [row]), right, test)
        width = one.width
        rows += one.rows
    return _finished(node, Table(width, rows), world, scope)


def _sides(node: Any, world: World, scope: Scope) -> tuple[Table, Table]:
    from tests.oracle.relations import relation

    return relation(node.left, world, scope), relation(node.right, world, scope)


def _condition(node: Any, name: str, world: World, scope: Scope) -> Test:
    from tests.oracle.relations import anchor_of

    anchors = [anchor_of(node.left), anchor_of(node.right)]
    own = node.common.rel_anchor

    def test(a: Row, b: Row) -> bool | None:
        row = a + b
        names = {own: row, anchors[0]: a, anchors[1]: b}
        known = {n: r for n, r in names.items() if n and n not in scope.anchors}
        found: bool | None = evaluate(getattr(node, name), Env(world, row, scope.anchored(known)))
        return found

    return test


def _key(message: Any, world: World) -> Test:
    """EQ: equal; IS_NOT_DISTINCT_FROM: equal or both NULL; MIGHT_EQUAL: equal or unknown; or a
    function of both columns. Each side counts its own columns."""
    left = message.left.direct_reference.struct_field.field
    right = message.right.direct_reference.struct_field.field
    comparison = message.comparison
    if comparison.WhichOneof("inner_type") == "custom_function_reference":
        name = world.functions[comparison.custom_function_reference]
        return lambda a, b: functions.call(name, None, [a[left], b[right]])
    if comparison.simple not in (1, 2, 3):
        raise Invalid("a join key without a comparison")

    def test(a: Row, b: Row) -> bool | None:
        if comparison.simple == 2:
            return values.key((a[left],)) == values.key((b[right],))
        found = values.equal(a[left], b[right])
        return found is not False if comparison.simple == 3 else found

    return test


def _joined(kind: str, left: Table, right: Table, test: Test) -> Table:
    """The direct output of each type. NULL is no match, but it makes a mark unknown."""
    if kind.startswith("RIGHT"):
        turned = _joined("LEFT" + kind[5:], right, left, lambda b, a: test(a, b))
        if kind in ("RIGHT_SEMI", "RIGHT_ANTI", "RIGHT_MARK"):
            return turned
        w = right.width
        return Table(turned.width, [r[w:] + r[:w] for r in turned.rows])
    found = [[test(a, b) for b in right.rows] for a in left.rows]
    none = (None,) * right.width
    pairs = [
        [a + b for b, f in zip(right.rows, line, strict=True) if f is True]
        for a, line in zip(left.rows, found, strict=True)
    ]
    both = left.width + right.width
    matched = [bool(p) for p in pairs]
    match kind:
        case "INNER":
            return Table(both, [r for p in pairs for r in p])
        case "LEFT" | "LEFT_SINGLE":
            if kind == "LEFT_SINGLE" and any(len(p) > 1 for p in pairs):
                raise RuntimeFailure("a single join with two matches")
            rows = [r for a, p in zip(left.rows, pairs, strict=True) for r in p or [a + none]]
            return Table(both, rows)
        case "OUTER":
            rows = [r for a, p in zip(left.rows, pairs, strict=True) for r in p or [a + none]]
            lonely = [
                (None,) * left.width + b
                for j, b in enumerate(right.rows)
                if not any(line[j] is True for line in found)
            ]
            return Table(both, rows + lonely)
        case "LEFT_SEMI" | "LEFT_ANTI":
            wanted = kind == "LEFT_SEMI"
            kept = [a for a, m in zip(left.rows, matched, strict=True) if m == wanted]
            return Table(left.width, kept)
        case "LEFT_MARK":
            marks = [values.any_true(line) for line in found]
            rows = [(*a, m) for a, m in zip(left.rows, marks, strict=True)]
            return Table(left.width + 1, rows)
    raise Invalid(f"a join of type {kind}")


def _finished(node: Any, table: Table, world: World, scope: Scope) -> Table:
    """The post-join filter stands above the join: it sees the direct output, NULLs and mark too."""
    if "post_join_filter" not in node.DESCRIPTOR.fields_by_name or not node.HasField(
        "post_join_filter"
    ):
        return table
    own = node.common.rel_anchor
    scopes = [scope.anchored({own: r} if own else {}) for r in table.rows]
    frame = Frame(table.rows, scopes, table.groups())
    return table.pick(
        [
            i
            for i, row in enumerate(table.rows)
            if is_true(node.post_join_filter, Env(world, row, scopes[i], frame, i))
        ]
    )
