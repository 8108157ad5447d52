"""Order and limits: NULLs stand where the plan says; order survives until it has been used."""

from typing import Any

from tests.support.build import (
    ASC,
    ASC_FIRST,
    CLUSTERED,
    DESC,
    DESC_FIRST,
    R,
    add,
    count,
    eq,
    gt,
    is_not_null,
    lit,
    set_,
    subtract,
    sum_,
    virtual,
)
from tests.support.cases import DEPT, EMP, T1, T3, case


def by(direction: Any) -> R:
    """Sort by salary, ties by id; only the ids."""
    return EMP.sort(lambda r: [(r[3], direction), (r[0], ASC)]).select(lambda r: [r[0]])


def ids(*values: int) -> list[tuple[int]]:
    return [(v,) for v in values]


BY_ID = EMP.sort(lambda r: [(r[0], ASC)])

case("sort/asc_nulls_first", "", by(ASC_FIRST), "id", ids(4, 6, 1, 3, 5, 2), ordered=True)
case("sort/asc_nulls_last", "", by(ASC), "id", ids(6, 1, 3, 5, 2, 4), ordered=True)
case("sort/desc_nulls_first", "", by(DESC_FIRST), "id", ids(4, 2, 3, 5, 1, 6), ordered=True)
case("sort/desc_nulls_last", "", by(DESC), "id", ids(2, 3, 5, 1, 6, 4), ordered=True)
case(
    "sort/clustered",
    "equal values stand together; which group comes first is free",
    EMP.sort(lambda r: [(r[2], CLUSTERED)]).select(lambda r: [r[0]]),
    "id",
    ids(1, 2, 3, 4, 5, 6),
)
case(
    "sort/two_keys",
    "each key has its own direction",
    EMP.sort(lambda r: [(r[2], DESC), (r[3], ASC_FIRST)]).select(lambda r: [r[0]]),
    "id",
    ids(6, 4, 3, 1, 2, 5),
    ordered=True,
)
case(
    "sort/expression",
    "sorted by a computed value",
    EMP.sort(lambda r: [(subtract(lit(0, "i64"), r[3]), ASC), (r[0], DESC)]).select(
        lambda r: [r[0]]
    ),
    "id",
    ids(2, 5, 3, 1, 6, 4),
    ordered=True,
)
case(
    "sort/then_filter",
    "a filter keeps the order below it",
    EMP.sort(lambda r: [(r[3], DESC)])
    .filter(lambda r: is_not_null(r[2]))
    .select(lambda r: [r[0], r[3]]),
    "id salary",
    [(2, 300), (3, 200), (1, 100), (6, 50), (4, None)],
    ordered=True,
)
case(
    "sort/then_project",
    "a projection keeps the order below it, by a column it drops",
    DEPT.sort(lambda r: [(r[0], DESC)]).select(lambda r: [r[1]]),
    "name",
    [("law",), ("dev",), ("ops",)],
    ordered=True,
)
case(
    "sort/of_sort",
    "the upper sort decides",
    DEPT.sort(lambda r: [(r[1], ASC)]).sort(lambda r: [(r[0], DESC)]).select(lambda r: [r[0]]),
    "id",
    ids(30, 20, 10),
    ordered=True,
)
case(
    "sort/by_measure",
    "sorted by a measure, then by the key",
    EMP.aggregate(lambda r: [r[2]], lambda r: [sum_(r[3])]).sort(
        lambda r: [(r[1], DESC), (r[0], ASC_FIRST)]
    ),
    "dept total",
    [(10, 400), (None, 200), (20, 200), (40, 50)],
    ordered=True,
)
case(
    "sort/of_union",
    "sorted after a union",
    set_("UNION_ALL", T1, T3).sort(lambda r: [(r[0], DESC_FIRST)]),
    "x",
    [(None,), (None,), (None,), (5,), (3,), (2,), (1,), (1,), (1,)],
    ordered=True,
)
case(
    "sort/of_distinct",
    "sorted after distinct",
    T1.aggregate(lambda r: [r[0]]).sort(lambda r: [(r[0], ASC_FIRST)]),
    "x",
    [(None,), (1,), (2,), (3,)],
    ordered=True,
)


def pick(rel: R) -> R:
    return rel.select(lambda r: [r[0]])


case("fetch/count", "", pick(BY_ID.fetch(2)), "id", ids(1, 2), ordered=True)
case("fetch/offset", "no count: all the rest", pick(BY_ID.fetch(None, 4)), "id", ids(5, 6), True)
case("fetch/offset_and_count", "", pick(BY_ID.fetch(2, 3)), "id", ids(4, 5), ordered=True)
case("fetch/zero", "a count of 0 is no row", pick(BY_ID.fetch(0)), "id", [])
case(
    "fetch/null_count",
    "a count of NULL is all rows",
    pick(BY_ID.fetch(lit(None, "i64?"), 4)),
    "id",
    ids(5, 6),
    ordered=True,
)
case(
    "fetch/null_offset",
    "an offset of NULL is 0",
    pick(BY_ID.fetch(2, lit(None, "i64?"))),
    "id",
    ids(1, 2),
    ordered=True,
)
case("fetch/nothing_set", "all rows", pick(BY_ID.fetch()), "id", ids(1, 2, 3, 4, 5, 6), True)
case("fetch/offset_beyond", "", pick(BY_ID.fetch(5, 6)), "id", [])
case("fetch/count_beyond", "", pick(BY_ID.fetch(100, 4)), "id", ids(5, 6), ordered=True)
case(
    "fetch/count_expression",
    "a computed count",
    pick(BY_ID.fetch(add(lit(1, "i64"), lit(2, "i64")))),
    "id",
    ids(1, 2, 3),
    ordered=True,
)
case(
    "fetch/count_i32",
    "a count of another integer type",
    pick(BY_ID.fetch(lit(2, "i32"), lit(1, "i32"))),
    "id",
    ids(2, 3),
    ordered=True,
)
case(
    "fetch/of_fetch",
    "the upper one counts what the lower one leaves",
    pick(BY_ID.fetch(4).fetch(5, 1)),
    "id",
    ids(2, 3, 4),
    ordered=True,
)
case(
    "fetch/of_fetch_offsets",
    "offsets add up",
    pick(BY_ID.fetch(None, 1).fetch(2, 2)),
    "id",
    ids(4, 5),
    ordered=True,
)
case(
    "fetch/then_filter",
    "a filter above a limit does not move below it",
    pick(BY_ID.fetch(3).filter(lambda r: gt(r[3], lit(150, "i64")))),
    "id",
    ids(2, 3),
    True,
)
case(
    "fetch/after_filter",
    "",
    pick(BY_ID.filter(lambda r: gt(r[3], lit(150, "i64"))).fetch(2)),
    "id",
    ids(2, 3),
    True,
)
case(
    "fetch/after_filter_and_project",
    "the limit sees the order of the sort far below",
    EMP.sort(lambda r: [(r[3], DESC), (r[0], ASC)])
    .filter(lambda r: gt(r[0], lit(1, "i64")))
    .select(lambda r: [r[1]])
    .fetch(2, 1),
    "name",
    [("cid",), ("eve",)],
    ordered=True,
)
case(
    "fetch/sort_limit_sort",
    "the top three, then in another order",
    EMP.sort(lambda r: [(r[3], DESC), (r[0], ASC)])
    .fetch(3)
    .sort(lambda r: [(r[1], DESC)])
    .select(lambda r: [r[1]]),
    "name",
    [("eve",), ("cid",), ("bob",)],
    ordered=True,
)
case(
    "fetch/sort_limit_sort_limit",
    "two top-n steps",
    EMP.sort(lambda r: [(r[3], DESC), (r[0], ASC)])
    .fetch(3)
    .sort(lambda r: [(r[0], DESC)])
    .fetch(1)
    .select(lambda r: [r[0]]),
    "id",
    ids(5),
    ordered=True,
)
case(
    "fetch/in_union",
    "each input has its own limit",
    set_("UNION_ALL", pick(BY_ID.fetch(1)), pick(BY_ID.fetch(1, 5))),
    "id",
    ids(1, 6),
)
case(
    "fetch/of_union",
    "one limit above both inputs, after a sort",
    set_("UNION_ALL", T1, T3).sort(lambda r: [(r[0], DESC)]).fetch(2),
    "x",
    ids(5, 3),
    True,
)
case(
    "fetch/under_join",
    "a limit on one side of a join",
    BY_ID.fetch(3).join(DEPT, "INNER", lambda r: eq(r[2], r[4]), emit=[1, 5]),
    "name dept",
    [("ann", "ops"), ("bob", "ops"), ("cid", "dev")],
)
case(
    "fetch/under_distinct",
    "distinct above a limit",
    BY_ID.fetch(4).aggregate(lambda r: [r[2]]),
    "dept",
    [(10,), (20,)],
)
case(
    "fetch/of_distinct",
    "a limit above distinct",
    EMP.aggregate(lambda r: [r[2]]).sort(lambda r: [(r[0], ASC)]).fetch(2),
    "dept",
    [(10,), (20,)],
    ordered=True,
)
case(
    "fetch/after_having",
    "group, filter, sort, limit",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])])
    .filter(lambda r: gt(r[2], lit(100, "i64")))
    .sort(lambda r: [(r[2], DESC), (r[0], ASC)])
    .fetch(2),
    "dept n total",
    [(10, 2, 400), (20, 2, 200)],
    ordered=True,
)
case(
    "fetch/without_order",
    "which rows is open; all of them are equal here",
    virtual("x:i32", (7,), (7,), (7,)).fetch(2),
    "x",
    [(7,), (7,)],
)


def _integers(**values: int) -> Any:
    """Write offset and count as the integers they were before 0.63."""

    def edit(tree: dict[str, Any]) -> None:
        fetch = tree["relations"][0]["root"]["input"]["fetch"]
        fetch.pop("countExpr", None)
        fetch.pop("offsetExpr", None)
        fetch.update({k: str(v) for k, v in values.items()})

    return edit


case(
    "fetch/legacy_integers",
    "offset and count as integers, in JSON",
    BY_ID.fetch(1),
    "id name dept salary",
    [(2, "bob", 10, 300), (3, "cid", 20, 200)],
    ordered=True,
    minor_version=53,
    edit_json=_integers(offset=1, count=2),
)
case(
    "fetch/legacy_all",
    "a count of -1 was all rows",
    BY_ID.fetch(1),
    "id name dept salary",
    [(6, None, 40, 50)],
    ordered=True,
    minor_version=53,
    edit_json=_integers(offset=5, count=-1),
)


def _binary_integers(rel: R) -> R:
    """Add the retired fields 3 (offset) and 4 (count), which today's bindings only keep as
    unknown fields."""
    rel.message.fetch.MergeFromString(b"\x18\x01\x20\x02")
    return rel


case(
    "fetch/legacy_integers_binary",
    "offset 1 and count 2 as integers, in binary form",
    _binary_integers(BY_ID.fetch()),
    "id name dept salary",
    [(2, "bob", 10, 300), (3, "cid", 20, 200)],
    ordered=True,
    minor_version=53,
    binary=True,
)
NUMBER = EMP.aggregate(None, lambda _: [count()])
TOTAL = DEPT.aggregate(None, lambda r: [sum_(r[2])])
case(
    "fetch/of_one_row",
    "one row is not more after any LIMIT, nor is a pair of such",
    NUMBER.fetch(5).cross(TOTAL.fetch(3)).fetch(2),
    "n total",
    [(6, 7)],
)
case("fetch/none_of_one_row", "no row of one", NUMBER.fetch(0), "n", [])
case("fetch/behind_one_row", "what comes behind one row", NUMBER.fetch(1, 1), "n", [])
case(
    "fetch/of_groups",
    "a group is a row, and there may be several",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).sort(lambda r: [(r[0], ASC)]).fetch(1),
    "dept n",
    [(10, 2)],
    ordered=True,
)
case(
    "fetch/of_two_rows_apart",
    "two rows that do not match are two, each with NULLs",
    NUMBER.join(TOTAL, "OUTER", lambda r: eq(r[0], r[1]))
    .sort(lambda r: [(r[0], DESC_FIRST)])
    .fetch(1),
    "n total",
    [(None, 7)],
    ordered=True,
)
