"""The places of a plan in which an expression may stand: each clause of each relation, each kind of join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.oracle import make
from tests.support import build
from tests.support.build import R, Row, lit
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from tests.support.build import Expr

    # Makes a boolean of a record; the numbers are two of its columns, of a join one of each side.
    Make = Callable[[Row, int, int], Expr]
    Place = Callable[["Draw", Make], R]

KINDS = [
    "INNER",
    "LEFT",
    "RIGHT",
    "OUTER",
    "LEFT_SEMI",
    "LEFT_ANTI",
    "RIGHT_SEMI",
    "RIGHT_ANTI",
    "LEFT_SINGLE",
    "RIGHT_SINGLE",
    "LEFT_MARK",
    "RIGHT_MARK",
]
LATERAL = ["INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_SINGLE", "LEFT_MARK"]


class Draw:
    """Draws tables by name; each is a named or a virtual one."""

    def __init__(self, rng: Random, columns: str, rows: dict[str, list[tuple[Any, ...]]]) -> None:
        self.rng, self.columns, self.tables = rng, columns, rows
        self.anchors = 100

    def next_anchor(self) -> int:
        self.anchors += 1
        return self.anchors

    def table(self, *names: str) -> R:
        """One of the tables."""
        name = self.rng.choice(names)
        if self.rng.random() < 0.2:
            return build.virtual(self.columns, *self.tables[name])
        return build.table(name, self.columns)

    def rows(self) -> R:
        """The rows of a relation with one input."""
        return self.table("na", "na", "na", "nb", "nn", "nz")

    def one(self) -> R:
        """One row at most: what a single join finds."""
        return self.table("nn", "nz", "na").filter(
            lambda r: build.is_same(r[0], lit(self.rng.choice([1, None]), "i64"))
        )


def _filter(draw: Draw, make_: Make) -> R:
    return draw.rows().filter(lambda r: make_(r, 0, 1))


def _project(draw: Draw, make_: Make) -> R:
    return draw.rows().project(lambda r: [make_(r, 0, 1)])


def _case(draw: Draw, make_: Make) -> R:
    def made(r: Row) -> list[Expr]:
        return [build.if_then((make_(r, 0, 1), lit(1, "i64")), otherwise=r[1])]

    return draw.rows().project(made)


def _filter_of_pairs(draw: Draw, make_: Make) -> R:
    return draw.rows().cross(draw.table("nb", "nq")).filter(lambda r: make_(r, 0, 4))


def _having(draw: Draw, make_: Make) -> R:
    groups = draw.rows().aggregate(lambda r: [r[0]], lambda r: [build.sum_(r[1])])
    return groups.filter(lambda r: make_(r, 0, 1))


def _above_fetch(draw: Draw, make_: Make) -> R:
    keys = [build.ASC, build.DESC_FIRST, build.ASC]
    cut = draw.rows().sort(lambda r: list(zip((r[0], r[1], r[2]), keys, strict=True))).fetch(2)
    return cut.filter(lambda r: make_(r, 0, 1))


def _group_key(draw: Draw, make_: Make) -> R:
    return draw.rows().aggregate(lambda r: [make_(r, 0, 1)], lambda _: [build.count()])


def _argument(draw: Draw, make_: Make) -> R:
    return draw.rows().aggregate(lambda r: [r[0]], lambda r: [build.count(make_(r, 0, 1))])


def _measure_filter(draw: Draw, make_: Make) -> R:
    return draw.rows().aggregate(None, lambda r: [build.count(r[0]).where(make_(r, 0, 1))])


def _sort_key(draw: Draw, make_: Make) -> R:
    rest = [build.ASC, build.DESC, build.ASC]
    return (
        draw.rows()
        .sort(
            lambda r: [
                (make_(r, 0, 1), build.ASC_FIRST),
                *zip((r[0], r[1], r[2]), rest, strict=True),
            ]
        )
        .fetch(2)
    )


def _window(part: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        rel = draw.rows()
        found = make_(rel.row, 0, 1)
        out = pb.Expression()
        node = out.window_function
        type_ = type_of("i64")
        argument = found if part == "argument" else rel.row[0]
        make.window_call("count:any", type_, [argument], node)
        node.bounds_type = 2
        for side in (node.lower_bound, node.upper_bound):
            side.unbounded.SetInParent()
        if part == "partition":
            node.partitions.append(found.message)
        if part == "order":
            node.sorts.append(pb.SortField(expr=found.message, direction=build.ASC))
            node.upper_bound.current_row.SetInParent()
        return rel.project(lambda _: [build.Expr(out, type_)])

    return made


def _set(op: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        kept = draw.rows().filter(lambda r: make_(r, 0, 1))
        pair = [kept, draw.table("nb", "na")]
        draw.rng.shuffle(pair)
        return build.set_(op, *pair)

    return made


def _read_filter(draw: Draw, make_: Make) -> R:
    name = draw.rng.choice(["na", "nb", "nn"])
    return build.table(name, draw.columns, lambda r: make_(r, 0, 1))


def _join(form: str, kind: str) -> Place:
    """The condition, alone or beside an equality; of a keyed join the residual one."""

    def made(draw: Draw, make_: Make) -> R:
        left, right = draw.rows(), draw.table("nb", "nb", "nq", "nn", "nz")
        if kind.endswith("SINGLE"):
            left, right = (left, draw.one()) if kind.startswith("LEFT") else (draw.one(), left)
        row = Row(left.types + right.types)
        out, node = make.join(form, kind, left, right)
        found = make_(row, 0, 4)
        if form in ("hash_join", "merge_join"):
            node.keys.append(make.key(0, 0, draw.rng.choice([1, 2, 3])))
            node.residual_expression.CopyFrom(found.message)
            return out
        if draw.rng.random() < 0.3:
            found = build.and_(build.eq(row[0], row[3]), found)
        node.expression.CopyFrom(found.message)
        return out

    return made


def _post_join(form: str, kind: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        left, right = draw.rows(), draw.table("nb", "nq", "nz")
        out, node = make.join(form, kind, left, right)
        both = len(out.types) > len(left.types)
        if form == "hash_join":
            node.keys.append(make.key(0, 0, 1))
        else:
            row = Row(left.types + right.types)
            node.expression.CopyFrom(build.lt(row[0], row[4]).message)
        node.post_join_filter.CopyFrom(make_(Row(out.types), 0, 4 if both else 1).message)
        return out

    return made


def _lateral(kind: str) -> Place:
    """The condition of a lateral join whose right side refers to the left row."""

    def made(draw: Draw, make_: Make) -> R:
        anchor = draw.next_anchor()
        left = draw.rows().anchored(anchor)
        right = draw.one() if kind.endswith("SINGLE") else draw.table("nb", "nq")
        i64 = type_of("i64?")
        right = right.filter(lambda r: build.lt(r[1], build.by_anchor(anchor, 1, i64)))
        return build.lateral_join(left, right, kind, lambda r: make_(r, 0, 4), anchor=anchor)

    return made


PLACES: dict[str, Place] = {
    "filter": _filter,
    "filter of pairs": _filter_of_pairs,
    "filter of groups": _having,
    "filter above fetch": _above_fetch,
    "read filter": _read_filter,
    "project": _project,
    "CASE": _case,
    "group key": _group_key,
    "measure argument": _argument,
    "measure filter": _measure_filter,
    "sort key": _sort_key,
    "window argument": _window("argument"),
    "window partition": _window("partition"),
    "window order": _window("order"),
    "branch of UNION ALL": _set("UNION_ALL"),
    "branch of EXCEPT": _set("MINUS_PRIMARY"),
    **{f"join {k}": _join("join", k) for k in KINDS},
    **{f"nested loop {k}": _join("nested_loop_join", k) for k in KINDS},
    **{f"hash join {k}": _join("hash_join", k) for k in KINDS},
    **{f"merge join {k}": _join("merge_join", k) for k in ("LEFT", "LEFT_ANTI", "LEFT_MARK")},
    **{f"post-join {k}": _post_join("join", k) for k in ("INNER", "LEFT", "OUTER", "LEFT_SEMI")},
    "post-join hash RIGHT": _post_join("hash_join", "RIGHT"),
    **{f"lateral {k}": _lateral(k) for k in LATERAL},
}
PLACES.update({f"merge join {k}": _join("merge_join", k) for k in KINDS})
