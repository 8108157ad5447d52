"""Expressions at random, typed, over the columns that are in sight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import substrait.proto as pb

from tests.oracle import make
from tests.support import build
from tests.support.build import Expr, R, lit
from tests.support.plan_types import nullable, short_name, type_of

if TYPE_CHECKING:
    from tests.oracle.draw import Draw

LITERALS = {
    "i64": [0, 1, 2, 3, -1, None],
    "i32": [0, 1, 2],
    "str": ["a", "b", "B", "", None],
    "bool": [True, False, None],
}
COMPARISONS = ("EQ", "NE", "LT", "GT", "LE", "GE")
DIRECTIONS = [build.ASC, build.ASC_FIRST, build.DESC, build.DESC_FIRST]


@dataclass
class Level:
    """A record in sight: the columns of a relation's input. anchor: its number once it is used."""

    types: list[pb.Type]
    anchor: int | None = None

    def columns(self, kind: str) -> list[int]:
        return [i for i, t in enumerate(self.types) if short_name(t) == kind]


class Expressions:
    """Draws expressions. here: the record itself; around: those of the subqueries around it,
    outermost first; beside: left rows of lateral joins."""

    def __init__(
        self, draw: Draw, here: Level, around: list[Level], beside: list[Level], windows: bool
    ) -> None:
        self.draw, self.rng = draw, draw.rng
        self.here, self.around, self.beside, self.windows = here, around, beside, windows

    def any_of(self, kinds: tuple[str, ...] = ("i64", "str", "bool"), depth: int = 1) -> Expr:
        return self.of(self.rng.choice(kinds), depth)

    def of(self, kind: str, depth: int) -> Expr:
        """An expression of the type i64, i32, str or bool."""
        rng: Random = self.rng
        if depth <= 0 or rng.random() < 0.35:
            return self.leaf(kind)
        made: Callable[[int], Expr] = getattr(self, "_" + kind, None) or (lambda _: self.leaf(kind))
        return made(depth - 1)

    def leaf(self, kind: str) -> Expr:
        rng = self.rng
        outer = [(level, i) for level in self.around + self.beside for i in level.columns(kind)]
        if outer and rng.random() < 0.4:
            return self._outer(*rng.choice(outer))
        own = self.here.columns(kind)
        if own and rng.random() < 0.85:
            return build.Row(self.here.types)[rng.choice(own)]
        return lit(rng.choice(LITERALS[kind]), kind)

    def _outer(self, level: Level, index: int) -> Expr:
        near = [n for n, other in enumerate(reversed(self.around), 1) if other is level]
        use_anchor = self.draw.allows("anchor") and self.rng.random() < 0.3
        if not near or use_anchor:
            if level.anchor is None:
                level.anchor = self.draw.next_anchor()
            return build.by_anchor(level.anchor, index, level.types[index])
        return build.Row(level.types).outer(index, near[0])

    # --- by type --------------------------------------------------------------------------------

    def _bool(self, depth: int) -> Expr:
        rng = self.rng
        choice = rng.randrange(12)
        if choice <= 3:
            kind = rng.choice(["i64", "i64", "str", "bool"])
            compare = rng.choice([build.eq, build.eq, build.ne, build.lt, build.gte, build.is_same])
            return compare(self.of(kind, depth), self.of(kind, depth))
        if choice == 4:
            test = rng.choice([build.is_null, build.is_not_null])
            return test(self.any_of(depth=depth))
        if choice <= 6:
            join = rng.choice([build.and_, build.or_])
            return join(self.of("bool", depth), self.of("bool", depth))
        if choice == 7:
            return build.not_(self.of("bool", depth))
        if choice == 8:
            kind = rng.choice(["i64", "str"])
            options = [self.leaf(kind) for _ in range(rng.randrange(4))]
            return build.one_of(self.of(kind, depth), *options)
        if choice == 9:
            return self._conditional("bool", depth)
        return self._predicate(depth)

    def _i64(self, depth: int) -> Expr:
        rng = self.rng
        choice = rng.randrange(8)
        if choice <= 2:
            operation = rng.choice([build.add, build.subtract, build.multiply])
            return operation(self.of("i64", depth), self.of("i64", depth))
        if choice == 3:
            return build.coalesce(self.of("i64", depth), self.of("i64", depth))
        if choice == 4:
            return self._conditional("i64", depth)
        if choice == 5 and self.windows:
            return self.window()
        if choice == 6 and self.draw.allows("scalar"):
            return self._scalar()
        if choice == 7 and self.here.columns("i32"):
            own = build.Row(self.here.types)[rng.choice(self.here.columns("i32"))]
            return build.cast(own, "i64" if "?" not in _text(own.type) else "i64?")
        return self.leaf("i64")

    def _str(self, depth: int) -> Expr:
        rng = self.rng
        choice = rng.randrange(4)
        if choice < 2 and not self.draw.allows("text_function"):
            choice += 2
        if choice == 0:
            return build.upper(self.of("str", depth))
        if choice == 1:
            a, b = self.of("str", depth), self.of("str", depth)
            return build.call("string", "concat:str", build.mirror([a, b], "str"), a, b)
        if choice == 2:
            return build.coalesce(self.of("str", depth), self.of("str", depth))
        return self._conditional("str", depth)

    def _conditional(self, kind: str, depth: int) -> Expr:
        rng = self.rng
        if rng.random() < 0.7:
            otherwise = self.of(kind, depth) if rng.random() < 0.7 else None
            return build.if_then(
                (self.of("bool", depth), self.of(kind, depth)), otherwise=otherwise
            )
        match = self.of("i64", depth)
        arms = [(lit(v, "i64"), self.of(kind, depth)) for v in rng.sample([0, 1, 2, 3], 2)]
        return build.switch(match, *arms, otherwise=self.of(kind, depth))

    # --- subqueries -----------------------------------------------------------------------------

    def _inner(self) -> R:
        """A relation inside a subquery: this record is one boundary out."""
        return self.draw.relation(
            self.rng.choice([0, 1, 1, 2]), [*self.around, self.here], self.beside
        )

    def _predicate(self, depth: int) -> Expr:
        rng, draw = self.rng, self.draw
        found = draw.choose(["exists", "in", "unique", "any_all"])
        if found is None or draw.subqueries <= 0:
            return self.leaf("bool")
        draw.subqueries -= 1
        if found == "exists":
            return build.exists(self._inner())
        if found == "unique":
            return build.unique(self._inner())
        kind = rng.choice(["i64", "str"])
        inner = self._one_column(kind)
        if found == "in":
            return build.in_(inner, self.of(kind, depth))
        return build.compare(
            self.of(kind, depth),
            COMPARISONS[rng.randint(1, 6) - 1],
            ("ANY", "ALL")[rng.randint(1, 2) - 1],
            inner,
        )

    def _one_column(self, kind: str) -> R:
        inner = self._inner()
        level = Level(inner.types)
        inside = Expressions(
            self.draw, level, [*self.around, self.here], self.beside, windows=False
        )
        out = inner.select(lambda _: [inside.of(kind, 1)])
        return self.draw.mark(out, level)

    def _scalar(self) -> Expr:
        """One row: an aggregation without keys, or a fetch of one."""
        rng, draw = self.rng, self.draw
        if draw.subqueries <= 0:
            return self.leaf("i64")
        draw.subqueries -= 1
        inner = self._one_column("i64")
        if rng.random() < 0.2:
            return build.scalar(inner.sort(lambda r: [(r[0], build.DESC)]).fetch(1))
        measure = rng.choice([build.sum_, build.count, lambda a: build.extreme("max", a)])
        return build.scalar(inner.aggregate(None, lambda r: [measure(r[0])]))

    # --- windows --------------------------------------------------------------------------------

    def window(self) -> Expr:
        out = pb.Expression()
        node = out.window_function
        type_ = self.window_into(node)
        row = build.Row(self.here.types)
        columns = list(range(len(self.here.types)))
        for i in self.rng.sample(columns, self.rng.randrange(min(2, len(columns)) + 1)):
            node.partitions.append(row[i].message)
        for key, direction in self.sorts(everything=self.rng.random() < 0.7):
            node.sorts.append(pb.SortField(expr=key.message, direction=direction))
        if node.bounds_type == 2 and not self._range_fits(node):
            del node.sorts[1:]
            for side in ("lower_bound", "upper_bound"):
                node.ClearField(side)
                getattr(node, side).current_row.SetInParent()
        return Expr(out, type_)

    def _range_fits(self, node: pb.Expression.WindowFunction) -> bool:
        """A RANGE offset takes one key, and a number."""
        kinds = {node.lower_bound.WhichOneof("kind"), node.upper_bound.WhichOneof("kind")}
        if not kinds & {"preceding", "following"}:
            return True
        if len(node.sorts) != 1:
            return False
        index = node.sorts[0].expr.selection.direct_reference.struct_field.field
        return short_name(self.here.types[index]) == "i64"

    def window_into(self, node: pb.Expression.WindowFunction) -> pb.Type:
        """Fill in function and bounds; the output type."""
        rng = self.rng
        name, type_, args = self._window_function()
        t = type_of(type_)
        make.window_call(name, t, args, node)
        node.bounds_type = rng.choice([1, 1, 2])
        lower = rng.choice(["", "unbounded", "preceding", "preceding", "current_row", "following"])
        upper = rng.choice(["", "unbounded", "preceding", "following", "current_row"])
        make.bound(node.lower_bound, lower, self._offset())
        make.bound(node.upper_bound, upper, self._offset())
        if name.startswith(("sum", "max", "count:any")) and rng.random() < 0.2:
            node.invocation = pb.AggregateFunction.AGGREGATION_INVOCATION_DISTINCT
        return t

    def _offset(self) -> Expr:
        """How far a frame reaches: always as far, or as a column says."""
        near, own = lit(self.rng.randrange(3), "i64"), self.here.columns("i64")
        if not own or self.rng.random() < 0.7:
            return near
        column = build.Row(self.here.types)[self.rng.choice(own)]
        far = lit(self.rng.randrange(3), "i64")
        return build.if_then((build.gt(column, lit(1, "i64")), near), otherwise=far)

    def _rows_away(self) -> Expr:
        """How many rows before or after: as a column says, some rows NULL."""
        near = lit(self.rng.randrange(-1, 3), "i32?")
        own = self.here.columns("i64")
        if not own:
            return near
        column = build.Row(self.here.types)[self.rng.choice(own)]
        far = lit(self.rng.choice([None, 0, 1, 3]), "i32?")
        return build.if_then((build.gt(column, lit(1, "i64")), near), otherwise=far)

    def _window_function(self) -> tuple[str, str, list[Expr]]:
        own = self.here.columns("i64")
        value = build.Row(self.here.types)[self.rng.choice(own)] if own else lit(1, "i64")
        return self.rng.choice(
            [
                ("row_number:", "i64?", []),
                ("rank:", "i64?", []),
                ("dense_rank:", "i64?", []),
                ("sum:i64", "i64?", [value]),
                ("sum:i64", "i64?", [value]),
                ("max:i64", "i64?", [value]),
                ("count:any", "i64", [value]),
                ("count:", "i64", []),
                ("lag:any", "i64?", [value]),
                ("lead:any", "i64?", [value]),
                ("lag:any_i32", "i64?", [value, self._rows_away()]),
                ("lead:any_i32_any", "i64?", [value, self._rows_away(), lit(7, "i64?")]),
                ("first_value:any", "i64?", [value]),
                ("last_value:any", "i64?", [value]),
            ]
        )

    def sorts(self, everything: bool = True) -> list[tuple[Expr, int]]:
        """Columns to sort by, all of them in any order, or a few."""
        columns = list(range(len(self.here.types)))
        self.rng.shuffle(columns)
        if not everything:
            columns = columns[: self.rng.randrange(1, 3)]
        row = build.Row(self.here.types)
        return [(row[i], self.rng.choice(DIRECTIONS)) for i in columns]


def _text(type_: pb.Type) -> str:
    return short_name(type_) + ("?" if nullable(type_) == type_ else "")
