"""One kind of subquery in itself, to any depth: what text, time and Spark's plan grow with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

from tests.support import build
from tests.support.build import and_, by_anchor, eq, gt, is_null, lt, not_, or_, table
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.build import Expr, R, Row

ROWS = table("ta", "x:i64? y:i64?")
I64 = type_of("i64?")


def _values(q: R) -> R:
    return q.select(lambda s: [s[1]])


# What holds a query of the rows (x, y), and is a condition of the row around it.
PREDICATES: dict[str, Callable[[R, Row], Expr]] = {
    "scalar": lambda q, r: gt(
        r[1], build.scalar(q.aggregate(measures=lambda s: [build.extreme("max", s[1])]))
    ),
    "exists": lambda q, _: build.exists(q),
    "not_exists": lambda q, _: not_(build.exists(q)),
    "in": lambda q, r: build.in_(_values(q), r[0]),
    "not_in": lambda q, r: not_(build.in_(_values(q), r[0])),
    "in_as_value": lambda q, r: is_null(build.in_(_values(q), r[0])),
    "any": lambda q, r: build.compare(r[0], "LT", "ANY", _values(q)),
    "any_as_value": lambda q, r: is_null(build.compare(r[0], "LT", "ANY", _values(q))),
    "all": lambda q, r: build.compare(r[0], "GE", "ALL", _values(q)),
    "all_as_value": lambda q, r: is_null(build.compare(r[0], "GE", "ALL", _values(q))),
    "unique": lambda q, _: build.unique(q),
    "mark": lambda q, _: build.exists(
        q.join(ROWS, "LEFT_MARK", lambda r: lt(r[0], r[3])).filter(lambda r: is_null(r[2]))
    ),
}
KINDS = [*PREDICATES, "lateral"]


# Stands in each level for the next one: the Python classes of protobuf take no messages as deep as eight of some kinds.
_NEXT = table("next", "x:i64? y:i64?")


def plan(kind: str, depth: int, far: bool) -> str:
    """The kind in itself, as JSON. far: each query refers to the outermost record, too, else to the next one only."""
    levels = [_level(kind, level, level == depth, far) for level in range(depth + 1)]
    tree = json_format.MessageToDict(build.plan((build.set_("UNION_ALL", *levels), "x y")))
    root = tree["relations"][0]["root"]
    *around, inner = root["input"]["set"]["inputs"]
    for each in reversed(around):
        inner = _with(each, inner)
    root["input"] = inner
    return json.dumps(tree)


def _with(node: Any, inner: Any) -> Any:
    """The level with the next one in its place."""
    if isinstance(node, list):
        return [_with(each, inner) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("read", {}).get("namedTable") == {"names": ["next"]}:
        return inner
    return {name: _with(each, inner) for name, each in node.items()}


def _level(kind: str, level: int, last: bool, far: bool) -> R:
    """The rows of one level. Its record has the anchor level + 1, by which those inside name it."""

    def outer(index: int, at: int) -> Expr:
        return by_anchor(at + 1, index, I64)

    def seen(r: Row) -> list[Expr]:
        near = [lt(r[0], outer(0, level - 1))] if level else []
        return near + ([or_(eq(r[1], outer(1, 0)), gt(r[0], outer(0, 0)))] if level and far else [])

    if last:
        return ROWS.filter(lambda r: and_(*seen(r)))
    if kind == "lateral":
        left = ROWS.filter(lambda r: and_(*seen(r))) if level else ROWS
        return build.lateral_join(
            left, _NEXT, "INNER", lambda r: lt(r[0], r[3]), anchor=level + 1
        ).project(lambda _: [], emit=[0, 3])
    return ROWS.filter(lambda r: and_(*seen(r), PREDICATES[kind](_NEXT, r))).anchored(level + 1)
