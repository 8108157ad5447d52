"""The places of a plan in which an expression may stand: each clause of each relation, each kind of join.

Those within other expressions are in `places_inside`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.oracle import make
from tests.support import build
from tests.support.build import R, Row, lit, physical
from tests.support.places_inside import INSIDE
from tests.support.plan_types import is_nullable, type_of

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


OPS = [
    "UNION_ALL",
    "UNION_DISTINCT",
    "MINUS_PRIMARY",
    "MINUS_PRIMARY_ALL",
    "MINUS_MULTISET",
    "INTERSECTION_PRIMARY",
    "INTERSECTION_MULTISET",
    "INTERSECTION_MULTISET_ALL",
]


class Nowhere(Row):
    """What an expression sees where there is no record: a number or NULL for each column that is asked for."""

    def __init__(self, rng: Random) -> None:
        super().__init__([type_of("i64?"), type_of("i64?"), type_of("bool?")])
        self.rng = rng

    def __getitem__(self, index: int) -> Expr:
        if index == 2:
            return lit(self.rng.choice([True, None]), "bool?")
        return lit(self.rng.choice([1, 2, 5, None]), "i64?")

    def outer(self, index: int, steps: int = 1) -> Expr:
        return self[index]


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


def _set(op: str) -> Place:
    """An input of a set operation, as a filter of it or as a column."""

    def made(draw: Draw, make_: Make) -> R:
        rows, other = draw.rows(), draw.table("nb", "na")
        if draw.rng.random() < 0.5:
            kept = rows.filter(lambda r: make_(r, 0, 1))
        else:
            kept = rows.select(lambda r: [r[0], r[1], make_(r, 0, 1)])
        pair = [kept, other]
        draw.rng.shuffle(pair)
        return build.set_(op, *pair)

    return made


def _above_set(op: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        both = build.set_(op, draw.rows(), draw.table("nb", "na", "nz"))
        if draw.rng.random() < 0.5:
            return both.filter(lambda r: make_(r, 0, 1))
        return both.project(lambda r: [make_(r, 0, 1)])

    return made


def _read_filter(draw: Draw, make_: Make) -> R:
    name = draw.rng.choice(["na", "nb", "nn"])
    return build.table(name, draw.columns, lambda r: make_(r, 0, 1))


def _cell(draw: Draw, make_: Make) -> R:
    """A cell of a virtual table: there is no record yet."""
    cells = [make_(Nowhere(draw.rng), 0, 1) for _ in range(2)]
    optional = "?" if any(is_nullable(c.type) for c in cells) else ""
    rows = [(build.lit(i, "i64"), cell) for i, cell in enumerate(cells)]
    return build.virtual(f"n:i64 p:bool{optional}", *rows)


def _sorted(draw: Draw) -> R:
    keys = [build.ASC, build.DESC_FIRST, build.ASC]
    return draw.rows().sort(lambda r: list(zip((r[0], r[1], r[2]), keys, strict=True)))


def _one_or_two(draw: Draw, make_: Make, row: Row) -> Expr:
    """How many rows: one or two; all of them for a third answer, which is NULL."""
    found = make_(row, 0, 1)
    if draw.rng.random() < 0.5:
        return build.if_then((found, lit(1, "i64")), otherwise=lit(2, "i64"))
    return build.if_then((found, lit(1, "i64")), (build.not_(found), lit(2, "i64")))


def _fetch(part: str) -> Place:
    """The count or offset of a fetch: no record, the same for all rows."""

    def made(draw: Draw, make_: Make) -> R:
        many = _one_or_two(draw, make_, Nowhere(draw.rng))
        return _sorted(draw).fetch(**{part: many})

    return made


def _top_n(part: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        rel = draw.rows()
        directions = [build.ASC, build.DESC, build.ASC_FIRST]
        keys = list(zip((rel.row[0], rel.row[1], rel.row[2]), directions, strict=True))
        if part == "key":
            keys.insert(0, (make_(rel.row, 0, 1), build.DESC))
        out = physical.top_n(rel, lambda _: keys, 2, ties=draw.rng.random() < 0.3)
        if part != "key":
            many = _one_or_two(draw, make_, Nowhere(draw.rng))
            getattr(out.message.top_n, part).CopyFrom(many.message)
        return out

    return made


def _grouping_set(draw: Draw, make_: Make) -> R:
    rel = draw.rows()
    keys = [make_(rel.row, 0, 1), rel.row[0]]
    sets = draw.rng.choice([[[0], [1]], [[0, 1], []], [[0], [0, 1], []]])
    return physical.grouping_sets(rel, lambda _: keys, sets, lambda _: [build.count()])


def _expand(part: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        rel = draw.rows()
        found, row = make_(rel.row, 0, 1), rel.row
        if part == "consistent":
            return physical.expand(rel, lambda _: [[row[0], row[1]], row[1], found])
        return physical.expand(rel, lambda _: [row[0], row[1], [row[2], found]])

    return made


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


def _join_input(kind: str) -> Place:
    """An input of a join, as a column of it or as a filter; the join is about that column, too."""

    def made(draw: Draw, make_: Make) -> R:
        sides = [draw.rows(), draw.table("nb", "nq", "nz")]
        at = draw.rng.randrange(2)
        changed = sides[at]
        if draw.rng.random() < 0.5:
            sides[at] = changed.filter(lambda r: make_(r, 0, 1))
        else:
            sides[at] = changed.select(lambda r: [r[0], r[1], make_(r, 0, 1)])
        left, right = sides
        about = draw.rng.choice([(0, 3, build.lt), (1, 4, build.lt), (2, 5, build.eq)])

        def on(r: Row) -> Expr:
            return about[2](r[about[0]], r[about[1]])

        out, node = make.join("join", kind, left, right)
        node.expression.CopyFrom(on(Row(left.types + right.types)).message)
        return out

    return made


def _post_join(form: str, kind: str) -> Place:
    def made(draw: Draw, make_: Make) -> R:
        left, right = draw.rows(), draw.table("nb", "nq", "nz")
        if kind.endswith("SINGLE"):
            left, right = (left, draw.one()) if kind.startswith("LEFT") else (draw.one(), left)
        out, node = make.join(form, kind, left, right)
        both = len(out.types) > 4
        if form in ("hash_join", "merge_join"):
            node.keys.append(make.key(0, 0, 1))
        else:
            row = Row(left.types + right.types)
            node.expression.CopyFrom(build.lt(row[0], row[4]).message)
        node.post_join_filter.CopyFrom(make_(Row(out.types), 0, 4 if both else 1).message)
        return out

    return made


def _lateral(kind: str, part: str = "condition") -> Place:
    """A lateral join whose right side refers to the left row: its condition, the filter above it, or its right side."""

    def made(draw: Draw, make_: Make) -> R:
        anchor = draw.next_anchor()
        left = draw.rows().anchored(anchor)
        right = draw.one() if kind.endswith("SINGLE") else draw.table("nb", "nq")
        i64 = type_of("i64?")
        right = right.filter(lambda r: build.lt(r[1], build.by_anchor(anchor, 1, i64)))
        if part == "right side":
            right = right.filter(lambda r: make_(r, 0, 1))
        on = None if part == "condition" else (lambda r: build.lt(r[0], r[4]))
        out = build.lateral_join(left, right, kind, on or (lambda r: make_(r, 0, 4)), anchor=anchor)
        if part == "filter":
            seen = Row(build.join_types(kind, left.types, right.types))
            found = make_(seen, 0, 4 if len(seen.types) > 4 else 1)
            out.message.lateral_join.post_join_filter.CopyFrom(found.message)
        return out

    return made


PLACES: dict[str, Place] = {
    "filter": _filter,
    "filter of pairs": _filter_of_pairs,
    "filter of groups": _having,
    "filter above fetch": _above_fetch,
    "read filter": _read_filter,
    "virtual cell": _cell,
    "project": _project,
    **INSIDE,
    "group key": _group_key,
    "grouping set key": _grouping_set,
    "measure argument": _argument,
    "measure filter": _measure_filter,
    "sort key": _sort_key,
    "fetch count": _fetch("count"),
    "fetch offset": _fetch("offset"),
    **{f"top-N {part}": _top_n(part) for part in ("key", "count", "offset")},
    **{f"expand {part}": _expand(part) for part in ("consistent", "switching")},
    **{f"branch of {op}": _set(op) for op in OPS},
    **{f"above {op}": _above_set(op) for op in OPS},
    **{f"join {k}": _join("join", k) for k in KINDS},
    **{f"nested loop {k}": _join("nested_loop_join", k) for k in KINDS},
    **{f"hash join {k}": _join("hash_join", k) for k in KINDS},
    **{f"merge join {k}": _join("merge_join", k) for k in KINDS},
    **{f"input of {k}": _join_input(k) for k in KINDS if not k.endswith("SINGLE")},
    **{f"post-join {k}": _post_join("join", k) for k in KINDS},
    **{f"post-join hash {k}": _post_join("hash_join", k) for k in KINDS},
    **{f"post-join merge {k}": _post_join("merge_join", k) for k in ("OUTER", "RIGHT_MARK")},
    **{f"lateral {k}": _lateral(k) for k in LATERAL},
    **{f"lateral {k} right side": _lateral(k, "right side") for k in LATERAL if "SIN" not in k},
    **{f"lateral {k} filter": _lateral(k, "filter") for k in LATERAL},
}
