"""Subqueries drawn at random that find their rows by equalities with outer values, deep below what Spark minds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait.proto as pb

from tests.oracle import make
from tests.support.build import (
    ASC,
    DESC,
    Expr,
    R,
    Row,
    anchored,
    and_,
    by_anchor,
    coalesce,
    count,
    eq,
    exists,
    extreme,
    gt,
    in_,
    is_null,
    is_same,
    lateral_join,
    lit,
    not_,
    physical,
    plan,
    scalar,
    set_,
    sum_,
    table,
)
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    from random import Random

_TABLES = ("ta", "tb", "tc")
_COLUMNS = "k:i64? s:str? b:bool?"
_ANCHOR = 70
_SETS = (
    "UNION_ALL",
    "UNION_DISTINCT",
    "MINUS_PRIMARY",
    "MINUS_PRIMARY_ALL",
    "INTERSECTION_MULTISET",
    "INTERSECTION_PRIMARY",
)
_JOINS = (
    "INNER",
    "LEFT",
    "LEFT",
    "RIGHT",
    "OUTER",
    "LEFT_SEMI",
    "LEFT_ANTI",
    "RIGHT_SEMI",
    "RIGHT_ANTI",
    "LEFT_MARK",
    "RIGHT_MARK",
)
_LATERAL = ("INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_MARK")


class Keyed:
    """One plan. The host is a table of the columns k, s and b; every relation inside has some of their types."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def plan(self, depth: int) -> pb.Plan:
        """A host with one subquery, or a lateral join."""
        host = table(self.rng.choice(_TABLES), _COLUMNS)
        inner = self.relation(depth)
        match self.rng.randrange(6):
            case 0:
                root = host.filter(lambda _: exists(inner))
            case 1:
                root = host.filter(lambda _: not_(exists(inner)))
            case 2:
                place, needle = self.needle(inner, host.row)
                one = inner.select(lambda r: [r[place]])
                root = host.filter(lambda _: in_(one, needle))
            case 3:
                kind = self.rng.choice(_LATERAL)
                root = lateral_join(host, inner, kind, self.on(host), anchor=_ANCHOR)
                return plan((root, " ".join(f"c{i}" for i in range(len(root.types)))))
            case _:
                one = inner.aggregate(None, lambda r: [self.measure(r)])
                root = host.project(lambda _: [scalar(one)])
        root = anchored(root, _ANCHOR)
        return plan((root, " ".join(f"c{i}" for i in range(len(root.types)))))

    def on(self, host: R) -> Any:
        """The condition of a lateral join."""
        if self.rng.random() < 0.6:
            return None
        return lambda r: coalesce(gt(r[0], lit(1, "i64")), lit(True, "bool"))

    def outer(self, place: int) -> Expr:
        """A column of the host."""
        return by_anchor(_ANCHOR, place, type_of(("i64?", "str?", "bool?")[place]))

    def relation(self, depth: int) -> R:
        """A relation that may refer to the host."""
        if depth <= 0:
            return self.leaf()
        step = self.rng.choice(
            (
                self.filtered,
                self.projected,
                self.grouped,
                self.grouped,
                self.over_sets,
                self.joined,
                self.joined,
                self.combined,
                self.cut,
                self.numbered,
            )
        )
        return step(depth - 1)

    def leaf(self) -> R:
        """A table, mostly only the rows that equal an outer value."""
        rows = table(self.rng.choice(_TABLES), _COLUMNS)
        if self.rng.random() < 0.15:
            return rows
        return rows.filter(self.equality)

    def equality(self, r: Row) -> Expr:
        """A column of the row is an outer value, or two are, or there is more to it."""
        place = self.rng.choice((0, 0, 0, 1, 2))
        compare = is_same if self.rng.random() < 0.2 else eq
        sides = [r[self.rng.choice(self.like(r, self.outer(place)) or [0])], self.outer(place)]
        if not self.like(r, self.outer(place)):
            return lit(True, "bool")
        self.rng.shuffle(sides)
        made = compare(*sides)
        if self.rng.random() < 0.2:
            made = and_(made, self.condition(r))
        return made

    def like(self, r: Row, value: Expr) -> list[int]:
        """The columns of that value's type."""
        kind = value.type.WhichOneof("kind")
        return [i for i, t in enumerate(r.types) if t.WhichOneof("kind") == kind]

    def needle(self, rel: R, r: Row) -> tuple[int, Expr]:
        """A column of a relation, and one of a row that it may be compared with."""
        pairs = [(i, r[j]) for j in range(3) for i in self.like(rel.row, r[j])]
        return self.rng.choice(pairs) if pairs else (0, Expr(r[0].message, rel.types[0]))

    def value(self, r: Row) -> Expr:
        """A column of the row, or of the host."""
        if self.rng.random() < 0.25:
            return self.outer(self.rng.randrange(3))
        return r[self.rng.randrange(len(r.types))]

    def condition(self, r: Row) -> Expr:
        """Something about the row, and perhaps about the host."""
        one = self.value(r)
        others = self.like(r, one)
        if not others or self.rng.random() < 0.2:
            return is_null(one) if self.rng.random() < 0.5 else not_(is_null(one))
        return self.rng.choice((eq, gt, is_same))(one, r[self.rng.choice(others)])

    def measure(self, r: Row) -> Any:
        """A measure over the row."""
        numbers = [i for i, t in enumerate(r.types) if t.WhichOneof("kind") == "i64"]
        if not numbers or self.rng.random() < 0.4:
            return count() if self.rng.random() < 0.4 else count(self.value(r))
        made = r[self.rng.choice(numbers)]
        return self.rng.choice((sum_, lambda e: extreme("max", e), count))(made)

    def filtered(self, depth: int) -> R:
        """A condition, or an equality above other things."""
        below = self.relation(depth)
        return below.filter(self.equality if self.rng.random() < 0.5 else self.condition)

    def projected(self, depth: int) -> R:
        """Columns in another order, and perhaps one of the host's."""
        below = self.relation(depth)
        values = [self.value(below.row) for _ in range(self.rng.randint(1, 3))]
        return below.select(lambda _: values)

    def grouped(self, depth: int) -> R:
        """An aggregation, mostly of all rows."""
        below = self.relation(depth)
        keys = self.rng.choice((0, 0, 1, 2))
        return below.aggregate(
            (lambda r: [self.value(r) for _ in range(keys)]) if keys else None,
            lambda r: [self.measure(r) for _ in range(self.rng.randint(1, 2))],
        )

    def over_sets(self, depth: int) -> R:
        """Grouping sets, some with one of all rows."""
        below = self.relation(depth)
        keys = [self.value(below.row) for _ in range(2)]
        sets = self.rng.choice(([[0], [1]], [[0, 1], [0]], [[0], [1], []]))
        sets = sets if {i for s in sets for i in s} == {0, 1} else [[0, 1], [0]]
        return physical.grouping_sets(below, lambda _: keys, sets, lambda r: [self.measure(r)])

    def joined(self, depth: int) -> R:
        """A join whose other side may refer to the host, too."""
        left, right = self.relation(depth), self.relation(self.rng.randint(0, max(0, depth - 1)))
        if self.rng.random() < 0.5:
            left, right = right, left
        row = Row(left.types + right.types)
        return left.join(right, self.rng.choice(_JOINS), lambda _: self.condition(row))

    def combined(self, depth: int) -> R:
        """A set operation over rows of one type."""
        branches = []
        for _ in range(2):
            below = self.relation(self.rng.randint(0, depth))
            numbers = self.like(below.row, lit(1, "i64"))
            branches.append(
                below.select(lambda r, n=numbers: [r[n[-1]] if n else lit(7, "i64"), self.outer(1)])  # type: ignore[misc]
            )
        return set_(self.rng.choice(_SETS), *branches)

    def cut(self, depth: int) -> R:
        """The first rows in a total order."""
        below = self.relation(depth)
        direction = self.rng.choice((ASC, DESC))
        keys = [(below.row[i], direction) for i in range(len(below.types))]
        if self.rng.random() < 0.3:
            return physical.top_n(below, lambda _: keys, self.rng.randint(1, 3))
        return below.sort(lambda _: keys).fetch(self.rng.randint(1, 3), self.rng.choice((None, 1)))

    def numbered(self, depth: int) -> R:
        """A window over all rows."""
        below = self.relation(depth)
        call = pb.Expression.WindowFunction()
        make.window_call("count:any", type_of("i64"), [below.row[0]], call)
        everything = Expr(pb.Expression(), call.output_type)
        make.bound(call.lower_bound, "unbounded", everything)
        make.bound(call.upper_bound, "unbounded", everything)
        call.bounds_type = pb.Expression.WindowFunction.BOUNDS_TYPE_ROWS
        if self.rng.random() < 0.5:
            call.partitions.append(below.row[len(below.types) - 1].message)
        return make.window(below, call)
