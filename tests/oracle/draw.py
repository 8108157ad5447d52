"""Plans at random, over three small tables, of every relation that the package lowers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import substrait.proto as pb

from tests.oracle import make
from tests.oracle.draw_expressions import Expressions, Level
from tests.support import build
from tests.support.build import Expr, Measure, R, physical
from tests.support.plan_types import short_name

COLUMNS = "k:i64? s:str? b:bool?"
TABLES: dict[str, tuple[list[str], list[tuple[Any, ...]]]] = {
    "ta": (
        ["k", "s", "b"],
        [
            (1, "a", True),
            (2, None, False),
            (2, "b", None),
            (None, "b", True),
            (2, "b", None),
            (3, "B", False),
        ],
    ),
    "tb": (
        ["k", "s", "b"],
        [(2, "b", True), (None, None, None), (None, None, None), (3, "", True), (-1, "a", False)],
    ),
    "tc": (["k", "s", "b"], []),
}
KINDS = ["INNER", "OUTER", "LEFT", "RIGHT", "LEFT_SEMI", "LEFT_ANTI", "RIGHT_SEMI", "RIGHT_ANTI"]
RARE_KINDS = ["LEFT_SINGLE", "RIGHT_SINGLE", "LEFT_MARK", "RIGHT_MARK"]
LATERAL_KINDS = ["INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_SINGLE", "LEFT_MARK"]
SET_OPS = [
    "MINUS_PRIMARY",
    "MINUS_PRIMARY_ALL",
    "INTERSECTION_PRIMARY",
    "INTERSECTION_MULTISET",
    "INTERSECTION_MULTISET_ALL",
    "UNION_DISTINCT",
    "UNION_ALL",
]

# Relations and expressions, and how often they are drawn among those of their kind.
RELATIONS = {
    "filter": 6, "project": 7, "sort": 2, "fetch": 3, "aggregate": 4, "join": 6, "cross": 1,
    "set": 3, "emit": 2, "virtual": 1, "reference": 2, "rare_join": 3, "minus_multiset": 1,
    "top_n": 2, "grouping_sets": 2, "hash_join": 2, "merge_join": 1, "nested_loop_join": 1,
    "lateral_join": 2, "window": 2, "expand": 1, "exchange": 1,
}  # fmt: skip
PREDICATES = {"exists": 3, "in": 3, "unique": 1, "any_all": 2}
FEATURES = (*RELATIONS, *PREDICATES, "scalar", "anchor", "window_expression", "text_function")
WIDEST = 6


class Draw:
    """Draws one plan. allowed: the features that may occur. subqueries: how many there are at most."""

    def __init__(
        self, rng: Random, allowed: frozenset[str] = frozenset(FEATURES), subqueries: int = 3
    ) -> None:
        self.rng, self.allowed = rng, allowed
        self.shared: list[R] = []
        self.anchors = 0
        self.subqueries = subqueries

    def allows(self, feature: str) -> bool:
        return feature in self.allowed

    def choose(self, names: Sequence[str]) -> str | None:
        weights = {**RELATIONS, **PREDICATES}
        there = [n for n in names if self.allows(n)]
        return self.rng.choices(there, [weights[n] for n in there])[0] if there else None

    def next_anchor(self) -> int:
        self.anchors += 1
        return self.anchors

    def plan(self, depth: int) -> pb.Plan:
        root = self.relation(depth, [], [])
        while not root.types:
            root = self.relation(depth, [], [])
        return make.plan(root, self.shared)

    # --- relations ------------------------------------------------------------------------------

    def relation(self, depth: int, around: list[Level], beside: list[Level]) -> R:
        """A relation of at most that depth."""
        if depth <= 0 or (self.rng.random() < 0.1 and depth < 3):
            return self.table()
        kind = self.choose(list(RELATIONS)) or "filter"
        return self.of(kind, depth, around, beside)

    def of(self, kind: str, depth: int, around: list[Level], beside: list[Level]) -> R:
        step: Callable[..., R] = getattr(self, "_" + kind)
        return self.narrow(step(lambda: self.relation(depth - 1, around, beside), around, beside))

    def table(self) -> R:
        name = self.rng.choice(["ta", "ta", "ta", "tb", "tb", "tb", "tc"])
        mask = self.rng.choice([None, None, [2, 0], [1, 0, 2]])
        condition = None
        if self.rng.random() < 0.15:
            found = self.simple(build.table(name, COLUMNS), 2)
            condition = lambda _: found  # noqa: E731
        # One that is best effort may be passed over: a filter that says the same makes the rows certain.
        best_effort = condition if self.rng.random() < 0.3 else None
        return build.table(name, COLUMNS, condition, mask, best_effort=best_effort)

    def simple(self, rel: R, depth: int) -> Expr:
        """A condition over a relation's output that refers to nothing else."""
        _, e = self.inside(rel, [], [])
        self.subqueries, kept = 0, self.subqueries
        found = e.of("bool", depth)
        self.subqueries = kept
        return found

    def narrow(self, rel: R) -> R:
        """Few enough columns, at random an emit that drops, repeats and reorders."""
        node = getattr(rel.message, rel.message.WhichOneof("rel_type"))
        wide = len(rel.types) > WIDEST
        if not hasattr(node, "common") or not rel.types or node.common.HasField("emit"):
            return rel
        if not wide and self.rng.random() < 0.7:
            return rel
        mapping = [
            self.rng.randrange(len(rel.types)) for _ in range(self.rng.randint(1, min(4, WIDEST)))
        ]
        out = pb.Rel()
        out.CopyFrom(rel.message)
        build.set_emit(getattr(out, out.WhichOneof("rel_type")), mapping)
        return R(out, [rel.types[i] for i in mapping])

    def mark(self, rel: R, level: Level) -> R:
        """The relation with its anchor, if something inside refers to it by one."""
        return rel if level.anchor is None else build.anchored(rel, level.anchor)

    def inside(
        self, rel: R, around: list[Level], beside: list[Level], windows: bool = False
    ) -> tuple[Level, Expressions]:
        level = Level(rel.types)
        allowed = windows and self.allows("window_expression")
        return level, Expressions(self, level, around, beside, allowed)

    def _filter(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = inner()
        level, e = self.inside(rel, around, beside)
        return self.mark(rel.filter(lambda _: e.of("bool", 3)), level)

    def _project(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = inner()
        level, e = self.inside(rel, around, beside, windows=True)
        made = [e.any_of(depth=2) for _ in range(self.rng.randint(1, 2))]
        return self.mark(rel.project(lambda _: made), level)

    def _emit(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        return self._project(inner, around, beside)

    def _sort(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        _, e = self.inside(rel, around, beside)
        keys = e.sorts(everything=self.rng.random() < 0.6)
        if self.rng.random() < 0.15:
            keys[-1] = (keys[-1][0], build.CLUSTERED)
        return rel.sort(lambda _: keys)

    def visible(self, rel: R) -> R:
        """A relation with a column at least."""
        return rel if rel.types else self.table()

    def _fetch(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        _, e = self.inside(rel, around, beside)
        sorted_ = rel.sort(lambda _: e.sorts())
        if self.rng.random() < 0.3:
            level, e2 = self.inside(sorted_, around, beside)
            sorted_ = self.mark(sorted_.filter(lambda _: e2.of("bool", 2)), level)
        null, sum_ = build.lit(None, "i64"), build.add(build.lit(1, "i64"), build.lit(2, "i64"))
        offset = self.rng.choice([None, None, 0, 1, 2, null])
        return sorted_.fetch(self.rng.choice([None, 0, 1, 2, 2, 3, 3, null, sum_]), offset)

    def _top_n(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        _, e = self.inside(rel, around, beside)
        ties = self.rng.random() < 0.6
        offset = self.rng.choice([None, 0, 1])
        sorts = e.sorts(not ties)
        return physical.top_n(rel, lambda _: sorts, self.rng.randrange(4), offset, ties)

    def _measures(self, rel: R, e: Expressions, least: int) -> list[Measure]:
        out = []
        for _ in range(self.rng.randint(least, 2)):
            number, value = e.of("i64", 1), e.any_of(depth=1)
            distinct = self.rng.random() < 0.25
            measure = self.rng.choice(
                [
                    build.count(),
                    build.count(value, distinct=distinct),
                    build.sum_(number, distinct=distinct),
                    build.extreme("min", number),
                    build.extreme("max", number),
                ]
            )
            out.append(measure.where(e.of("bool", 1)) if self.rng.random() < 0.2 else measure)
        return out

    def _keys(self, rel: R, e: Expressions) -> list[Expr]:
        return [e.any_of(depth=self.rng.choice([0, 0, 1])) for _ in range(self.rng.randrange(3))]

    def _aggregate(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = inner()
        level, e = self.inside(rel, around, beside)
        keys = self._keys(rel, e)
        measures = self._measures(rel, e, 0 if keys else 1)
        return self.mark(rel.aggregate(lambda _: keys, lambda _: measures), level)

    def _grouping_sets(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        level, e = self.inside(rel, around, beside)
        keys = [e.any_of(depth=0) for _ in range(self.rng.randint(1, 2))]
        everything = list(range(len(keys)))
        others = [
            sorted(self.rng.sample(everything, self.rng.randrange(len(keys) + 1)))
            for _ in range(self.rng.randint(1, 2))
        ]
        sets = [everything, *others]
        self.rng.shuffle(sets)
        measures = self._measures(rel, e, 1)
        return self.mark(
            physical.grouping_sets(rel, lambda _: keys, sets, lambda _: measures), level
        )

    # --- two inputs -----------------------------------------------------------------------------

    def _on(self, left: R, right: R, around: Any, beside: Any) -> tuple[Level, Expr]:
        """Mostly an equality of two columns, at times anything."""
        both = R(pb.Rel(), left.types + right.types)
        level, e = self.inside(both, around, beside)
        pairs = same_kind(left, right)
        if not pairs or self.rng.random() < 0.2:
            return level, e.of("bool", 2)
        i, j = self.rng.choice(pairs)
        row = both.row
        equal = self.rng.choice([build.eq, build.eq, build.is_same, build.lt])
        on = equal(row[i], row[len(left.types) + j])
        return level, build.and_(on, e.of("bool", 2)) if self.rng.random() < 0.3 else on

    def _join(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        return self._joined("join", self.rng.choice(KINDS), inner, around, beside)

    def _rare_join(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        return self._joined("join", self.rng.choice(RARE_KINDS), inner, around, beside)

    def _nested_loop_join(self, inner: Callable[[], R], around: Any, beside: Any) -> R:
        kind = self.rng.choice(KINDS + RARE_KINDS)
        return self._joined("nested_loop_join", kind, inner, around, beside)

    def _joined(self, form: str, kind: str, inner: Any, around: Any, beside: Any) -> R:
        left, right = inner(), inner()
        level, on = self._on(left, right, around, beside)
        out, node = make.join(form, kind, left, right)
        if form != "nested_loop_join" or self.rng.random() < 0.85:
            node.expression.CopyFrom(on.message)
        self._post(out, node, around, beside)
        return self.mark(out, level)

    def _post(self, out: R, node: Any, around: Any, beside: Any) -> None:
        if hasattr(node, "post_join_filter") and self.rng.random() < 0.2:
            node.post_join_filter.CopyFrom(self.simple(out, 2).message)

    def _hash_join(self, inner: Any, around: Any, beside: Any) -> R:
        return self._keyed("hash_join", inner, around, beside)

    def _merge_join(self, inner: Any, around: Any, beside: Any) -> R:
        return self._keyed("merge_join", inner, around, beside)

    def _keyed(self, form: str, inner: Any, around: Any, beside: Any) -> R:
        left, right = inner(), inner()
        pairs = same_kind(left, right)
        if not pairs:
            left = right = self.table()
            pairs = same_kind(left, right)
        out, node = make.join(form, self.rng.choice(KINDS + RARE_KINDS), left, right)
        for i, j in self.rng.sample(pairs, self.rng.randint(1, min(2, len(pairs)))):
            node.keys.append(make.key(i, j, self.rng.choice([1, 1, 2, 3])))
        if self.rng.random() < 0.4:
            level, on = self._on(left, right, around, beside)
            node.residual_expression.CopyFrom(on.message)
            out = self.mark(out, level)
            node = getattr(out.message, form)
        self._post(out, node, around, beside)
        return out

    def _lateral_join(self, inner: Any, around: Any, beside: Any) -> R:
        left = inner()
        level = Level(left.types)
        right = self.relation(self.rng.choice([1, 1, 2]), around, [*beside, level])
        out, node = make.join("lateral_join", self.rng.choice(LATERAL_KINDS), left, right)
        node.expression.CopyFrom(self.simple(R(pb.Rel(), left.types + right.types), 1).message)
        if level.anchor is None:
            level.anchor = self.next_anchor()
        return self.mark(out, level)

    def _cross(self, inner: Any, around: Any, beside: Any) -> R:
        return inner().cross(inner())

    def _set(self, inner: Any, around: Any, beside: Any) -> R:
        return self._combined(self.rng.choice(SET_OPS), inner)

    def _minus_multiset(self, inner: Any, around: Any, beside: Any) -> R:
        return self._combined("MINUS_MULTISET", inner)

    def _combined(self, op: str, inner: Any) -> R:
        """Inputs of the same columns: what there is of each type is put in the first one's order."""
        rels = [inner() for _ in range(self.rng.choice([2, 2, 3]))]
        kinds = [short_name(t) for t in rels[0].types][:3] or ["i64"]
        return build.set_(op, *(self.shaped(r, kinds) for r in rels))

    def shaped(self, rel: R, kinds: list[str]) -> R:
        def make_columns(row: build.Row) -> list[Expr]:
            out = []
            for kind in kinds:
                own = [i for i, t in enumerate(rel.types) if short_name(t) == kind]
                fallback = build.lit({"str": "b", "bool": True}.get(kind, 2), kind)
                out.append(row[self.rng.choice(own)] if own else fallback)
            return out

        return rel.select(make_columns)

    # --- others ---------------------------------------------------------------------------------

    def _virtual(self, inner: Any, around: Any, beside: Any) -> R:
        rows = [
            (self.rng.choice([1, 2, None]), self.rng.choice(["a", "b", None]))
            for _ in range(self.rng.randrange(4))
        ]
        return build.virtual("v:i64? w:str?", *rows)

    def _reference(self, inner: Any, around: Any, beside: Any) -> R:
        """One of the shared relations, at times a new one: it stands in no scope."""
        if not self.shared or self.rng.random() < 0.4:
            made = self.relation(2, [], [])
            self.shared.append(self.visible(made))
        index = self.rng.randrange(len(self.shared))
        return build.reference(index + 1, self.shared[index])

    def _window(self, inner: Any, around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        e = Expressions(self, Level(rel.types), around, beside, windows=True)
        call = e.window().message.window_function
        return make.window(rel, call)

    def _expand(self, inner: Any, around: Any, beside: Any) -> R:
        rel = self.visible(inner())
        level, e = self.inside(rel, around, beside)
        times = self.rng.randint(1, 3)
        fields: list[list[Expr] | Expr] = []
        for i, t in enumerate(rel.types):
            switching = [e.of(short_name(t), 1) for _ in range(times)]
            fields.append(switching if self.rng.random() < 0.5 else rel.row[i])
        for t in rel.types[: self.rng.randint(0, 2)]:
            fields.append([e.of(short_name(t), 1) for _ in range(times)])
        return self.mark(physical.expand(rel, lambda _: fields), level)

    def _exchange(self, inner: Any, around: Any, beside: Any) -> R:
        return physical.exchange(inner(), "round_robin", 3)


def same_kind(left: R, right: R) -> list[tuple[int, int]]:
    """Pairs of columns of one type."""
    return [
        (i, j)
        for i, a in enumerate(left.types)
        for j, b in enumerate(right.types)
        if short_name(a) == short_name(b)
    ]


def supported(renders: Callable[[pb.Plan], bool]) -> frozenset[str]:
    """The features that occur in a plan that is rendered, of a few that are drawn with it."""
    base = frozenset({"filter", "project", "join"})
    found = {"window_expression", "emit", "scalar", "text_function"}
    for feature in FEATURES:
        for seed in range(12):
            draw = Draw(Random(seed), base | {feature})
            if feature in RELATIONS:
                made = draw.of(feature, 1, [], [])
                if made.types and renders(make.plan(made, draw.shared)):
                    found.add(feature)
                    break
            elif feature in PREDICATES:
                here = draw.table()
                e = Expressions(draw, Level(here.types), [], [], windows=False)
                test = e._predicate(0)
                if test.message.WhichOneof("rex_type") == "subquery" and renders(
                    make.plan(here.filter(lambda _, t=test: t), draw.shared)
                ):
                    found.add(feature)
                    break
    return frozenset(found) | {"anchor"}
