"""The keys of physical joins, what goes with them, and the hints that they become.

l(k, a): (1,a) (2,b) (2,c) (NULL,d) (3,e)        r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40)
"""

from tests.support.build import count, eq, gt, is_null, lit, lt
from tests.support.cases import DEPT, EMP, RIGHT, L, case
from tests.support.cases.relations.joins import BOTH, EMPTY, LEFT_ONLY, MATCHED, RIGHT_ONLY

N = None

case(
    "hash_join/build_right",
    "the side to build, as a hint",
    L.hash_join(RIGHT, "INNER", (0, 0), build="RIGHT"),
    BOTH,
    MATCHED,
)
case(
    "hash_join/build_left",
    "",
    L.hash_join(RIGHT, "LEFT", (0, 0), build="LEFT"),
    BOTH,
    MATCHED + LEFT_ONLY,
)
case(
    "hash_join/build_right_of_right_semi",
    "the inputs change places; Spark cannot build the kept side, so there is no hint",
    L.hash_join(RIGHT, "RIGHT_SEMI", (0, 0), build="RIGHT"),
    "k b",
    [(2, 20), (2, 21), (3, N)],
)
case(
    "hash_join/build_left_of_right_anti",
    "",
    L.hash_join(RIGHT, "RIGHT_ANTI", (0, 0), build="LEFT"),
    "k b",
    [(N, 99), (4, 40)],
)
case(
    "hash_join/build_same_table",
    "the hint names the alias",
    EMP.hash_join(
        EMP, "INNER", (2, 2), residual=lambda r: lt(r[0], r[4]), build="RIGHT", emit=[1, 5]
    ),
    "a b",
    [("ann", "bob"), ("cid", "dan")],
)
case(
    "hash_join/build_derived",
    "the hint names a derived table",
    EMP.hash_join(
        EMP.aggregate(lambda r: [r[2]], lambda _: [count()]),
        "LEFT_SEMI",
        (2, 0),
        residual=lambda r: gt(r[5], lit(1, "i64")),
        build="RIGHT",
        emit=[0],
    ),
    "id",
    [(1,), (2,), (3,), (4,)],
)
case(
    "hash_join/not_distinct",
    "NULL is NULL's match",
    L.hash_join(RIGHT, "INNER", (0, 0, "IS_NOT_DISTINCT_FROM")),
    BOTH,
    [*MATCHED, (N, "d", N, 99)],
)
case(
    "hash_join/might_equal",
    "NULL may be anything's match",
    L.hash_join(RIGHT, "INNER", (0, 0, "MIGHT_EQUAL")),
    BOTH,
    [
        *MATCHED,
        *[(N, "d", 2, 20), (N, "d", 2, 21), (N, "d", 3, N), (N, "d", N, 99), (N, "d", 4, 40)],
        *[(1, "a", N, 99), (2, "b", N, 99), (2, "c", N, 99), (3, "e", N, 99)],
    ],
)
case(
    "hash_join/custom_comparison",
    "keys compared by lt",
    L.hash_join(RIGHT, "LEFT_ANTI", (0, 0, "lt:any_any")),
    "k a",
    [(N, "d")],
)
case(
    "hash_join/two_keys",
    "an equality and a comparison that takes NULL for equal",
    EMP.hash_join(EMP, "INNER", (2, 2), (3, 3, "IS_NOT_DISTINCT_FROM"), emit=[0, 4]),
    "id id2",
    [(1, 1), (2, 2), (3, 3), (4, 4), (6, 6)],
)
case(
    "hash_join/residual",
    "the residual expression is part of the condition: it pads",
    L.hash_join(RIGHT, "LEFT", (0, 0), residual=lambda r: eq(r[3], lit(20, "i64"))),
    BOTH,
    [(2, "b", 2, 20), (2, "c", 2, 20), (3, "e", N, N), *LEFT_ONLY],
)
case(
    "hash_join/residual_and_post_filter",
    "the post-join filter is not: it drops",
    L.hash_join(
        RIGHT,
        "LEFT",
        (0, 0),
        residual=lambda r: eq(r[3], lit(20, "i64")),
        post=lambda r: is_null(r[3]),
    ),
    BOTH,
    [(3, "e", N, N), *LEFT_ONLY],
)
case(
    "hash_join/mark_residual",
    "",
    L.hash_join(RIGHT, "LEFT_MARK", (0, 0), residual=lambda r: gt(r[3], lit(20, "i64"))),
    "k a m",
    [(1, "a", N), (2, "b", True), (2, "c", True), (N, "d", N), (3, "e", N)],
)
case(
    "merge_join/residual",
    "",
    L.merge_join(RIGHT, "RIGHT", (0, 0), residual=lambda r: gt(r[3], lit(20, "i64"))),
    BOTH,
    [(2, "b", 2, 21), (2, "c", 2, 21), (N, N, 2, 20), (N, N, 3, N), *RIGHT_ONLY],
)
case(
    "merge_join/three_tables",
    "each join has its own hint",
    EMP.merge_join(DEPT, "INNER", (2, 0)).merge_join(EMP, "INNER", (6, 0), emit=[1, 5, 8]),
    "name dept head",
    [("ann", "ops", "bob"), ("bob", "ops", "bob")],
)
case(
    "nested_loop_join/no_expression",
    "every pair",
    L.nested_loop_join(RIGHT, "INNER").aggregate(None, lambda _: [count()]),
    "n",
    [(25,)],
)
case(
    "nested_loop_join/left_no_expression",
    "no rows on the right pad all the same",
    L.nested_loop_join(EMPTY, "LEFT", emit=[1, 3]),
    "a b",
    [("a", N), ("b", N), ("c", N), ("d", N), ("e", N)],
)
