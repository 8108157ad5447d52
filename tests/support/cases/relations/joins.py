"""Joins over keys with NULLs and duplicates.

l(k, a): (1,a) (2,b) (2,c) (NULL,d) (3,e)        r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40)
"""

from tests.support.build import (
    Expr,
    R,
    Row,
    and_,
    count,
    eq,
    gt,
    gte,
    is_null,
    is_same,
    lit,
    lt,
    ne,
    or_,
    virtual,
)
from tests.support.cases import DEPT, EMP, RIGHT, L, Result, case


def keys(r: Row) -> Expr:
    return eq(r[0], r[2])


MATCHED = [
    (2, "b", 2, 20),
    (2, "b", 2, 21),
    (2, "c", 2, 20),
    (2, "c", 2, 21),
    (3, "e", 3, None),
]
LEFT_ONLY = [(1, "a", None, None), (None, "d", None, None)]
RIGHT_ONLY = [(None, None, None, 99), (None, None, 4, 40)]
BOTH = "k a k2 b"
EMPTY = virtual("k:i64? b:i64?")

case("join/inner", "NULL keys match nothing", L.join(RIGHT, "INNER", keys), BOTH, MATCHED)
case("join/left", "", L.join(RIGHT, "LEFT", keys), BOTH, MATCHED + LEFT_ONLY)
case("join/right", "", L.join(RIGHT, "RIGHT", keys), BOTH, MATCHED + RIGHT_ONLY)
case("join/outer", "", L.join(RIGHT, "OUTER", keys), BOTH, MATCHED + LEFT_ONLY + RIGHT_ONLY)
case(
    "join/left_semi",
    "each left row once, however often it matches",
    L.join(RIGHT, "LEFT_SEMI", keys),
    "k a",
    [(2, "b"), (2, "c"), (3, "e")],
)
case(
    "join/left_anti",
    "a NULL key matches nothing, so its row stays",
    L.join(RIGHT, "LEFT_ANTI", keys),
    "k a",
    [(1, "a"), (None, "d")],
)
case(
    "join/right_semi",
    "",
    L.join(RIGHT, "RIGHT_SEMI", keys),
    "k b",
    [(2, 20), (2, 21), (3, None)],
)
GROUPS = RIGHT.aggregate(lambda r: [r[0]], lambda _: [count()])
case(
    "join/semi_of_groups",
    "what a row is compared with is one match at most: an inner join",
    L.join(GROUPS, "LEFT_SEMI", lambda r: and_(keys(r), eq(r[0], r[3]))),
    "k a",
    [(2, "b"), (2, "c")],
)
case(
    "join/right_semi_of_groups",
    "",
    GROUPS.join(L, "RIGHT_SEMI", lambda r: and_(keys(r), lt(r[1], r[2]))),
    "k a",
    [(3, "e")],
)
case(
    "join/semi_in_groups",
    "nothing but whether there is such a group",
    L.join(GROUPS, "LEFT_SEMI", lambda r: and_(keys(r), gt(r[3], lit(1, "i64")))),
    "k a",
    [(2, "b"), (2, "c")],
)
case(
    "join/semi_of_groups_of_more",
    "two groups of one key: each left row is there once",
    L.join(
        RIGHT.aggregate(lambda r: [r[0], r[1]], lambda _: [count()]),
        "LEFT_SEMI",
        lambda r: and_(keys(r), gt(r[0], r[4])),
    ),
    "k a",
    [(2, "b"), (2, "c"), (3, "e")],
)
case(
    "join/semi_of_groups_null_safe",
    "NULL's group matches NULL",
    L.join(GROUPS, "LEFT_SEMI", lambda r: and_(is_same(r[0], r[2]), ne(r[0], r[3]))),
    "k a",
    [(3, "e")],
)
case(
    "join/semi_of_groups_either",
    "a key that only may be compared: two groups match a row",
    L.join(GROUPS, "LEFT_SEMI", lambda r: or_(keys(r), gt(r[3], lit(1, "i64")))),
    "k a",
    [(1, "a"), (2, "b"), (2, "c"), (None, "d"), (3, "e")],
)


def with_groups(members: R) -> R:
    """Rows with a member, beside the groups of their key: of NULL there is a group, and nothing equals it."""
    return (
        L.join(members, "LEFT_SEMI", keys)
        .join(GROUPS, "INNER", lambda r: and_(eq(r[0], r[2]), gte(r[0], r[3])))
        .select(lambda r: [r[1], r[3]])
    )


case(
    "join/semi_beside_groups",
    "what is looked up in a table is asked of the groups as well, if it is their key: IN goes below them, a join not",
    (
        Result(
            with_groups(RIGHT.filter(lambda r: gt(r[1], lit(20, "i64")))),
            "a n",
            [("b", 2), ("c", 2)],
        ),
        Result(with_groups(RIGHT), "a n", [("b", 2), ("c", 2), ("e", 1)]),
        Result(with_groups(RIGHT.filter(lambda r: gt(r[1], lit(99, "i64")))), "a n", []),
        Result(with_groups(EMPTY), "a n", []),
    ),
)
case(
    "join/semi_beside_groups_padded",
    "the rows of a later right join that have no match are padded after the semi join, and stay",
    L.join(RIGHT.filter(lambda r: gt(r[1], lit(20, "i64"))), "LEFT_SEMI", keys)
    .join(GROUPS, "INNER", lambda r: and_(eq(r[0], r[2]), gte(r[0], r[3])))
    .join(RIGHT, "RIGHT", lambda r: eq(r[0], r[4]))
    .select(lambda r: [r[1], r[3], r[5]]),
    "a n b",
    [
        ("b", 2, 20),
        ("c", 2, 20),
        ("b", 2, 21),
        ("c", 2, 21),
        (None, None, None),
        (None, None, 99),
        (None, None, 40),
    ],
)
case("join/right_anti", "", L.join(RIGHT, "RIGHT_ANTI", keys), "k b", [(None, 99), (4, 40)])
case(
    "join/null_safe",
    "IS NOT DISTINCT FROM matches NULL with NULL",
    L.join(RIGHT, "INNER", lambda r: is_same(r[0], r[2])),
    BOTH,
    [*MATCHED, (None, "d", None, 99)],
)
case(
    "join/inequality",
    "l.k < r.k",
    L.join(RIGHT, "INNER", lambda r: lt(r[0], r[2]), emit=[1, 3]),
    "a b",
    [
        ("a", 20),
        ("a", 21),
        ("a", None),
        ("a", 40),
        ("b", None),
        ("b", 40),
        ("c", None),
        ("c", 40),
        ("e", 40),
    ],
)
case(
    "join/on_true",
    "a literal condition: every pair",
    L.join(RIGHT, "INNER", lambda _: lit(True, "bool")).aggregate(None, lambda _: [count()]),
    "n",
    [(25,)],
)
case(
    "join/left_on_null",
    "a condition that is never true pads every row",
    L.join(RIGHT, "LEFT", lambda _: lit(None, "bool?")),
    BOTH,
    [(k, a, None, None) for k, a in [(1, "a"), (2, "b"), (2, "c"), (None, "d"), (3, "e")]],
)
case(
    "join/on_or",
    "a condition that is no equality of keys",
    L.join(
        RIGHT,
        "INNER",
        lambda r: or_(
            and_(eq(r[0], lit(1, "i64")), eq(r[3], lit(99, "i64"))), eq(r[2], lit(4, "i64"))
        ),
        emit=[1, 3],
    ),
    "a b",
    [("a", 99), ("a", 40), ("b", 40), ("c", 40), ("d", 40), ("e", 40)],
)
case(
    "join/left_extra_condition",
    "a condition on the right side in ON pads; it does not drop",
    L.join(RIGHT, "LEFT", lambda r: and_(keys(r), eq(r[3], lit(20, "i64")))),
    BOTH,
    [(2, "b", 2, 20), (2, "c", 2, 20), (3, "e", None, None), *LEFT_ONLY],
)
case(
    "join/left_condition_on_left",
    "a condition on the left side in ON pads too",
    L.join(RIGHT, "LEFT", lambda r: and_(keys(r), eq(r[1], lit("b", "str")))),
    BOTH,
    [
        (2, "b", 2, 20),
        (2, "b", 2, 21),
        (1, "a", None, None),
        (2, "c", None, None),
        (None, "d", None, None),
        (3, "e", None, None),
    ],
)
case(
    "join/inner_post_filter",
    "a filter after the join",
    L.join(RIGHT, "INNER", keys, post=lambda r: gt(r[3], lit(20, "i64"))),
    BOTH,
    [(2, "b", 2, 21), (2, "c", 2, 21)],
)
case(
    "join/left_post_filter",
    "the post-join filter sees padded rows and drops them",
    L.join(RIGHT, "LEFT", keys, post=lambda r: eq(r[3], lit(20, "i64"))),
    BOTH,
    [(2, "b", 2, 20), (2, "c", 2, 20)],
)
case(
    "join/left_post_filter_is_null",
    "the rows that found nothing",
    L.join(RIGHT, "LEFT", keys, post=lambda r: is_null(r[2])),
    BOTH,
    LEFT_ONLY,
)
case(
    "join/outer_post_filter",
    "only what the left side lacks",
    L.join(RIGHT, "OUTER", keys, post=lambda r: is_null(r[1])),
    BOTH,
    RIGHT_ONLY,
)
case(
    "join/anti_post_filter",
    "the filter sees the left columns, after the join",
    L.join(RIGHT, "LEFT_ANTI", keys, post=lambda r: eq(r[1], lit("a", "str"))),
    "k a",
    [(1, "a")],
)
case(
    "join/post_filter_then_emit",
    "the post-join filter reads a column that the emit drops",
    L.join(RIGHT, "RIGHT", keys, post=lambda r: is_null(r[1]), emit=[3]),
    "b",
    [(99,), (40,)],
)
case(
    "join/anti_not_equal",
    "no pair may be true: a NULL key has none",
    L.join(RIGHT, "LEFT_ANTI", lambda r: ne(r[0], r[2])),
    "k a",
    [(None, "d")],
)
case(
    "join/semi_right_condition",
    "a semi join's condition reads the dropped side",
    L.join(RIGHT, "LEFT_SEMI", lambda r: and_(keys(r), gt(r[3], lit(20, "i64")))),
    "k a",
    [(2, "b"), (2, "c")],
)
case(
    "join/left_empty",
    "nothing on the right",
    L.join(EMPTY, "LEFT", keys, emit=[1, 3]),
    "a b",
    [("a", None), ("b", None), ("c", None), ("d", None), ("e", None)],
)
case(
    "join/anti_empty",
    "nothing on the right: every row stays",
    L.join(EMPTY, "LEFT_ANTI", keys),
    "k a",
    [(1, "a"), (2, "b"), (2, "c"), (None, "d"), (3, "e")],
)
case("join/semi_empty", "", L.join(EMPTY, "LEFT_SEMI", keys), "k a", [])
case(
    "join/self",
    "a table with itself",
    EMP.join(EMP, "INNER", lambda r: and_(eq(r[2], r[6]), lt(r[0], r[4])), emit=[1, 5]),
    "a b",
    [("ann", "bob"), ("cid", "dan")],
)
case(
    "join/three_tables",
    "people, their department, its head",
    EMP.join(DEPT, "INNER", lambda r: eq(r[2], r[4])).join(
        EMP, "INNER", lambda r: eq(r[6], r[7]), emit=[1, 5, 8]
    ),
    "name dept head",
    [("ann", "ops", "bob"), ("bob", "ops", "bob")],
)
case(
    "join/right_nested",
    "the right side is a join itself",
    EMP.join(
        DEPT.join(EMP, "LEFT", lambda r: eq(r[2], r[3]), emit=[0, 1, 4]),
        "LEFT",
        lambda r: eq(r[2], r[4]),
        emit=[0, 5, 6],
    ),
    "id dept head",
    [
        (1, "ops", "bob"),
        (2, "ops", "bob"),
        (3, "dev", None),
        (4, "dev", None),
        (5, None, None),
        (6, None, None),
    ],
)
case(
    "join/filtered_right",
    "a filter below a left join pads",
    L.join(RIGHT.filter(lambda r: gt(r[1], lit(20, "i64"))), "LEFT", keys),
    BOTH,
    [(2, "b", 2, 21), (2, "c", 2, 21), (3, "e", None, None), *LEFT_ONLY],
)
case(
    "join/filtered_left_of_right_join",
    "a filter below a right join pads",
    L.filter(lambda r: eq(r[1], lit("b", "str"))).join(RIGHT, "RIGHT", keys),
    BOTH,
    [(2, "b", 2, 20), (2, "b", 2, 21), (None, None, 3, None), *RIGHT_ONLY],
)
case(
    "join/filtered_inputs_of_outer",
    "filters below a full join pad on both sides",
    L.filter(lambda r: eq(r[1], lit("b", "str"))).join(
        RIGHT.filter(lambda r: eq(r[1], lit(40, "i64"))), "OUTER", keys
    ),
    BOTH,
    [(2, "b", None, None), (None, None, 4, 40)],
)
case(
    "join/filter_above_left",
    "a filter above a left join drops padded rows",
    L.join(RIGHT, "LEFT", keys).filter(lambda r: gt(r[3], lit(0, "i64"))),
    BOTH,
    MATCHED[:4],
)
case(
    "join/computed_right_column",
    "a constant below a left join is padded with NULL",
    L.join(RIGHT.project(lambda _: [lit(1, "i32")], emit=[0, 2]), "LEFT", keys, emit=[1, 3]),
    "a found",
    [("a", None), ("b", 1), ("b", 1), ("c", 1), ("c", 1), ("d", None), ("e", 1)],
)
case(
    "join/of_aggregate",
    "an aggregate on one side",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).join(
        DEPT, "INNER", lambda r: eq(r[0], r[2]), emit=[3, 1]
    ),
    "name n",
    [("ops", 2), ("dev", 2)],
)
case(
    "join/semi_of_semi",
    "one semi join above another",
    EMP.join(DEPT, "LEFT_SEMI", lambda r: eq(r[2], r[4])).join(
        DEPT, "LEFT_SEMI", lambda r: eq(r[0], r[6])
    ),
    "id name dept salary",
    [(2, "bob", 10, 300)],
)
case(
    "join/inner_above_left",
    "an inner join above a left join",
    L.join(RIGHT, "LEFT", keys).join(
        virtual("b:i64?", (20,), (None,)), "INNER", lambda r: eq(r[3], r[4])
    ),
    BOTH + " b2",
    [(2, "b", 2, 20, 20), (2, "c", 2, 20, 20)],
)
case(
    "cross/pairs",
    "every pair",
    virtual("a:i32", (1,), (2,)).cross(virtual("b:str", ("x",), ("y",), ("x",))),
    "a b",
    [(1, "x"), (1, "y"), (1, "x"), (2, "x"), (2, "y"), (2, "x")],
)
case("cross/empty", "", DEPT.cross(EMPTY), "id name head k b", [])
case(
    "cross/self_filtered",
    "a cross product and a filter: an inner join by hand",
    EMP.cross(DEPT).filter(lambda r: eq(r[2], r[4]), emit=[0, 5]),
    "id dept",
    [(1, "ops"), (2, "ops"), (3, "dev"), (4, "dev")],
)
