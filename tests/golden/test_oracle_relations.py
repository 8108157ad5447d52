"""The oracle against rows worked by hand, where no plan of tests/plans says anything yet.

Names such as RR-6 are those of acceptance cases worked by hand from the specification.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import make, relations
from tests.oracle.model import RuntimeFailure, Table, Undetermined
from tests.support import build
from tests.support.build import R, lit, physical, virtual

A = virtual("a:i64?", (1,), (5,), (7,), (None,))
B = virtual("a:i64", (5,))
C = virtual("c:i64", (100,))
T2 = virtual("k:i64 v:i64", (1, 30), (2, 10), (3, 20))


def run(root: R, *shared: R) -> Table:
    return relations.roots(make.plan(root, shared), {})[0]


def rows(root: R, *shared: R) -> list[tuple[Any, ...]]:
    """The rows; sorted by their text, as only some results have an order."""
    return sorted(run(root, *shared).rows, key=repr)


def same(got: list[tuple[Any, ...]], *want: tuple[Any, ...]) -> None:
    assert got == sorted(want, key=repr)


def _shared_above() -> R:
    return B.filter(lambda r: build.gt(r[0], build.by_anchor(7, 0, A.types[0])))


def _twice(op: str, inner: R, left: R) -> R:
    """Project[7](left, [Scalar(Set(op, Project(C, [Scalar(inner)]), Ref))])."""
    middle = C.select(lambda _: [build.scalar(inner)])
    both = build.set_(op, middle, build.reference(1, B))
    return build.anchored(left.project(lambda _: [build.scalar(both)]), 7)


@pytest.mark.parametrize(
    ("op", "values"),
    [
        ("MINUS_PRIMARY", [None, None, None, None]),  # RR-1
        ("INTERSECTION_MULTISET", [5, None, None, None]),  # RR-2
        ("UNION_DISTINCT", [5, None, None, None]),  # RR-3
    ],
)
def test_anchors_reach_into_shared_relations(op: str, values: list[Any]) -> None:
    root = _twice(op, build.reference(1, B), A)
    same(rows(root, _shared_above()), *zip([1, 5, 7, None], values, strict=True))


def _larger(anchor: int) -> Any:
    inner = T2.filter(lambda r: build.gt(r[1], build.by_anchor(anchor, 1, r.types[1])))
    return build.scalar(inner.aggregate(None, lambda _: [build.count()]))


def test_anchor_on_the_host_or_on_its_input() -> None:
    """RR-6, RR-7: the anchor names the record before the host's emit."""
    want = [(0, 1), (2, 2), (1, 3)]
    on_host = build.anchored(T2.project(lambda _: [_larger(7)], emit=[2, 0]), 7)
    same(rows(on_host), *want)
    on_input = build.anchored(T2, 7).project(lambda _: [_larger(7)], emit=[2, 0])
    same(rows(on_input), *want)


def test_lateral_left_join() -> None:
    """RR-8."""
    customers = virtual("id:i64 name:str", (1, "a"), (2, "b"), (3, "c"))
    orders = virtual("id:i64 customer:i64 amount:i64?", (10, 1, 5), (11, 1, 7), (12, 3, None))
    right = orders.filter(lambda r: build.eq(r[1], build.by_anchor(5, 0, r.types[1])))
    out, node = make.join("lateral_join", "LEFT", customers, right)
    node.expression.CopyFrom(lit(True, "bool").message)
    got = rows(build.anchored(out, 5))
    nothing = (2, "b", None, None, None)
    same(got, (1, "a", 10, 1, 5), (1, "a", 11, 1, 7), nothing, (3, "c", 12, 3, None))


def test_shared_relation_joined_with_itself() -> None:
    """R-1, R-2."""
    left, right = virtual("a:i64", (1,), (2,), (2,)), virtual("b:i64", (2,), (3,))
    shared = left.join(right, "INNER", lambda r: build.eq(r[0], r[1]))
    ref = build.reference(1, shared)
    same(rows(build.set_("UNION_ALL", ref, ref), shared), *[(2, 2)] * 4)
    joined = ref.join(ref, "INNER", lambda r: build.eq(r[0], r[2]), emit=[0])
    same(rows(joined, shared), *[(2,)] * 4)


L = virtual("x:i64?", (1,), (2,), (None,))


def _joined(form: str, kind: str, right: R, simple: int = 1) -> list[tuple[Any, ...]]:
    out, node = make.join(form, kind, L, right)
    if hasattr(node, "keys"):
        node.keys.append(make.key(0, 0, simple))
    else:
        row = build.Row(L.types + right.types)
        node.expression.CopyFrom(build.eq(row[0], row[1]).message)
    return rows(out)


FORMS = ["join", "hash_join", "merge_join", "nested_loop_join"]
# x = 1, 2, NULL against y = 1, 3: NULL = y is unknown.
TYPES = {
    "INNER": [(1, 1)],
    "LEFT": [(1, 1), (2, None), (None, None)],
    "RIGHT": [(1, 1), (None, 3)],
    "OUTER": [(1, 1), (2, None), (None, None), (None, 3)],
    "LEFT_SEMI": [(1,)],
    "LEFT_ANTI": [(2,), (None,)],
    "RIGHT_SEMI": [(1,)],
    "RIGHT_ANTI": [(3,)],
    "LEFT_SINGLE": [(1, 1), (2, None), (None, None)],
    "RIGHT_SINGLE": [(1, 1), (None, 3)],
    "LEFT_MARK": [(1, True), (2, False), (None, None)],
    "RIGHT_MARK": [(1, True), (3, None)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", TYPES)
def test_join_types(form: str, kind: str) -> None:
    same(_joined(form, kind, virtual("y:i64?", (1,), (3,))), *TYPES[kind])


def test_single_joins_fail_on_a_second_match() -> None:
    with pytest.raises(RuntimeFailure):
        _joined("join", "LEFT_SINGLE", virtual("y:i64?", (1,), (1,)))


def test_marks_of_an_empty_side_are_false() -> None:
    same(_joined("join", "LEFT_MARK", virtual("y:i64?")), (1, False), (2, False), (None, False))


def test_key_comparisons() -> None:
    right = virtual("y:i64?", (1,), (None,))
    same(_joined("hash_join", "INNER", right, 2), (1, 1), (None, None))
    might = [(1, 1), (1, None), (2, None), (None, 1), (None, None)]
    same(_joined("hash_join", "INNER", right, 3), *might)


def test_fetch_through_equal_rows_is_open() -> None:
    pairs = virtual("a:i64 b:i64", (1, 1), (1, 2), (2, 3))
    by_first = pairs.sort(lambda r: [(r[0], build.ASC)])
    with pytest.raises(Undetermined):
        run(by_first.fetch(1))
    same(rows(by_first.fetch(2)), (1, 1), (1, 2))


def test_top_n_with_ties() -> None:
    """1.10: the offset counts rows; ties are those of the last row returned; none for zero."""
    numbers = virtual("a:i64", (1,), (2,), (2,), (2,), (3,))
    key = [(numbers.row[0], build.ASC)]
    same(rows(physical.top_n(numbers, lambda _: key, 2, ties=True)), (1,), (2,), (2,), (2,))
    same(rows(physical.top_n(numbers, lambda _: key, 1, 2, ties=True)), (2,), (2,))
    same(rows(physical.top_n(numbers, lambda _: key, 0, ties=True)))


def test_grouping_sets() -> None:
    """1.6: keys a set lacks are NULL, the last column is the set's number, empty sets have a row."""
    table = virtual("a:i64? b:i64", (1, 10), (None, 20), (1, 30))
    sets = [[0], [], []]
    made = physical.grouping_sets(table, lambda r: [r[0]], sets, lambda r: [build.sum_(r[1])])
    same(rows(made), (1, 40, 0), (None, 20, 0), (None, 60, 1), (None, 60, 2))
    empty = virtual("a:i64? b:i64")
    made = physical.grouping_sets(empty, lambda r: [r[0]], sets, lambda r: [build.sum_(r[1])])
    same(rows(made), (None, None, 1), (None, None, 2))


def test_minus_multiset_keeps_what_some_input_lacks() -> None:
    one, two, three = (virtual("x:i64", *((v,) for v in vs)) for vs in ((1, 1, 2, 3), (1, 2), (2,)))
    same(rows(build.set_("MINUS_MULTISET", one, two, three)), (1,), (1,), (3,))


def test_expand_pads_the_shorter_field() -> None:
    table = virtual("a:i64 b:i64", (1, 10))
    fields: list[Any] = [[table.row[0], lit(7, "i64")], [table.row[1]]]
    same(rows(physical.expand(table, lambda _: fields)), (1, 10, 0), (7, None, 1))


def _windowed(name: str, bounds: tuple[str, int, str, int], kind: int, direction: int) -> list[Any]:
    table = virtual("a:i64?", (1,), (2,), (2,), (5,), (None,))
    out, node = table._wrap("window", [*table.types, build.lit(1, "i64").type], None)
    node.sorts.add(expr=table.row[0].message, direction=direction)
    call = node.window_functions.add()
    make.window_call(name, build.lit(None, "i64").type, [table.row[0]], call)
    call.bounds_type = kind
    make.bound(call.lower_bound, bounds[0], build.lit(bounds[1], "i64"))
    make.bound(call.upper_bound, bounds[2], build.lit(bounds[3], "i64"))
    return [v for _, v in sorted(run(out).rows, key=lambda r: (r[0] is None, r[0] or 0))]


def test_window_frames() -> None:
    """2.4: RANGE follows values in the declared direction, NULL its peers; an empty frame is NULL."""
    near = ("preceding", 1, "current_row", 0)
    assert _windowed("sum:i64", near, 2, build.ASC) == [1, 5, 5, 5, None]
    assert _windowed("sum:i64", near, 2, build.DESC) == [5, 4, 4, 5, None]
    assert _windowed("sum:i64", near, 1, build.ASC) == [1, 3, 4, 7, 5]
    assert _windowed("sum:i64", ("", 0, "", 0), 1, build.ASC) == [10] * 5
    beyond = ("following", 2, "following", 1)
    assert _windowed("count:any", beyond, 1, build.ASC) == [0] * 5


def test_three_valued_predicates() -> None:
    some, none = virtual("y:i64?", (1,), (None,)), virtual("y:i64?")

    def of(make_test: Any) -> list[Any]:
        return [r[0] for r in run(virtual("x:i64", (1,), (2,)).select(make_test)).rows]

    assert of(lambda r: [build.in_(some, r[0])]) == [True, None]
    assert of(lambda r: [build.compare(r[0], "EQ", "ALL", some)]) == [None, False]
    assert of(lambda r: [build.compare(r[0], "EQ", "ALL", none)]) == [True, True]
    assert of(lambda r: [build.compare(r[0], "EQ", "ANY", none)]) == [False, False]
    twice = virtual("y:i64?", (None,), (None,), (3,))
    assert of(lambda _: [build.unique(twice)]) == [True, True]
