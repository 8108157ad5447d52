"""Where NULLs stand goes without saying of a key that has none, and of no other.

r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40). l(k, a): (1,a) (2,b) (2,c) (NULL,d) (3,e).
"""

from tests.support.build import (
    ASC,
    DESC_FIRST,
    add,
    and_,
    call,
    cast,
    coalesce,
    count,
    eq,
    gt,
    is_not_null,
    is_null,
    lit,
    lt,
    not_,
    or_,
    set_,
    sum_,
    table,
)
from tests.support.build.physical import grouping_sets, row_number, sum_over
from tests.support.cases import RIGHT, L, case

N = None
TWO, TEN, THIRTY = (lit(n, "i64") for n in (2, 10, 30))

case(
    "sort/key_compared",
    "a column that WHERE compares is never NULL where the SELECT sorts by it",
    RIGHT.filter(lambda r: and_(gt(r[0], TWO), is_not_null(r[0])))
    .sort(lambda r: [(add(r[0], TWO), DESC_FIRST), (r[0], ASC)])
    .select(lambda r: [r[0], r[1]]),
    "k b",
    [(4, 40), (3, N)],
    ordered=True,
)
case(
    "sort/key_compared_or_null",
    "a comparison beside OR says nothing, nor does IS NULL, IS NOT DISTINCT FROM, or what is denied twice",
    RIGHT.filter(
        lambda r: and_(
            or_(gt(r[1], THIRTY), is_null(r[1])),
            not_(not_(or_(is_null(r[0]), gt(r[0], TWO)))),
            not_(is_not_null(call("comparison", "nullif:any_any", "i64?", r[1], r[1]))),
        )
    )
    .sort(lambda r: [(r[1], ASC), (r[0], DESC_FIRST)])
    .select(lambda r: [r[0], r[1]]),
    "k b",
    [(4, 40), (N, 99), (3, N)],
    ordered=True,
)
case(
    "sort/key_padded",
    "the outer join gives rows in which the other table's columns are NULL, whatever that table is asked for below",
    L.join(RIGHT.filter(lambda r: gt(r[1], TEN)), "LEFT", lambda r: eq(r[0], r[2]))
    .sort(lambda r: [(r[3], ASC), (r[1], ASC)])
    .select(lambda r: [r[1], r[3]]),
    "a b",
    [("b", 20), ("c", 20), ("b", 21), ("c", 21), ("a", N), ("d", N), ("e", N)],
    ordered=True,
)
case(
    "sort/key_joined",
    "an inner join matches no NULL, and an outer one after it that keeps those rows pads none of them",
    L.join(RIGHT, "INNER", lambda r: eq(r[0], r[2]))
    .join(table("dept", "id:i64 name:str head:i64?"), "LEFT", lambda r: eq(r[3], r[4]))
    .sort(lambda r: [(r[0], ASC), (r[2], DESC_FIRST), (r[4], ASC), (r[3], ASC), (r[1], ASC)])
    .select(lambda r: [r[0], r[1], r[3], r[4]]),
    "k a b id",
    [(2, "b", 20, 20), (2, "c", 20, 20), (2, "b", 21, N), (2, "c", 21, N), (3, "e", N, N)],
    ordered=True,
)
case(
    "sort/key_joined_then_padded",
    "the same where the outer join keeps the other side",
    L.join(RIGHT, "INNER", lambda r: eq(r[0], r[2]))
    .join(table("dept", "id:i64 name:str head:i64?"), "RIGHT", lambda r: eq(r[3], r[4]))
    .sort(lambda r: [(r[0], ASC), (r[4], DESC_FIRST), (r[1], ASC)])
    .select(lambda r: [r[0], r[1], r[4]]),
    "k a id",
    [(2, "b", 20), (2, "c", 20), (N, N, 30), (N, N, 10)],
    ordered=True,
)
case(
    "sort/key_measured",
    "counts are never NULL; the sum over a group is where all of its values are, or the group has no rows",
    RIGHT.aggregate(lambda r: [r[0]], lambda r: [count(r[1]), sum_(r[1])])
    .sort(lambda r: [(r[1], DESC_FIRST), (r[2], DESC_FIRST), (r[0], ASC)])
    .select(lambda r: [r[0], r[1], r[2]]),
    "k n s",
    [(2, 2, 41), (N, 1, 99), (4, 1, 40), (3, 0, N)],
    ordered=True,
)
case(
    "sort/key_summed",
    "a sum of values that are none of them NULL, in groups that have rows, has a value",
    RIGHT.filter(lambda r: gt(r[1], lit(20, "i64")))
    .aggregate(lambda r: [r[0]], lambda r: [sum_(r[1])])
    .sort(lambda r: [(r[1], DESC_FIRST)])
    .select(lambda r: [r[0], r[1]]),
    "k s",
    [(N, 99), (4, 40), (2, 21)],
    ordered=True,
)
case(
    "sort/key_of_grouping_sets",
    "a key that WHERE compares is NULL in the rows of a set without it",
    grouping_sets(
        RIGHT.filter(lambda r: gt(r[0], lit(1, "i64"))),
        lambda r: [r[0]],
        [[0], []],
        lambda _: [count()],
    )
    .sort(lambda r: [(r[1], DESC_FIRST), (r[0], ASC)])
    .select(lambda r: [r[0], r[1]]),
    "k n",
    [(N, 4), (2, 2), (3, 1), (4, 1)],
    ordered=True,
)
case(
    "sort/key_of_a_frame",
    "a sum over the rows before has none in the first of them; a number has",
    RIGHT.filter(lambda r: is_not_null(r[1]))
    .select(
        lambda r: [
            r[1],
            sum_over(r[1], (r[1], ASC), bounds=1, lower=-1, upper=-1),
            row_number((r[1], DESC_FIRST)),
        ]
    )
    .sort(lambda r: [(r[1], ASC), (r[2], ASC)])
    .select(lambda r: [r[0], r[1], r[2]]),
    "b before place",
    [(21, 20, 3), (40, 21, 2), (99, 40, 1), (20, N, 4)],
    ordered=True,
)
case(
    "sort/key_of_union",
    "of a union each input has to have a value",
    set_(
        "UNION_ALL",
        RIGHT.filter(lambda r: gt(r[0], TWO)).select(lambda r: [r[0], coalesce(r[1], TWO)]),
        RIGHT.filter(lambda r: lt(r[1], THIRTY)).select(lambda r: [r[1], r[1]]),
        RIGHT.filter(lambda r: is_null(r[0])).select(lambda r: [r[0], TEN]),
    )
    .sort(lambda r: [(r[0], ASC), (r[1], ASC)])
    .select(lambda r: [r[0], r[1]]),
    "x y",
    [(3, 2), (4, 40), (20, 20), (21, 21), (N, 10)],
    ordered=True,
)
case(
    "sort/key_cast",
    "a cast that gives NULL for what it cannot convert",
    L.filter(lambda r: is_not_null(r[1]))
    .select(lambda r: [r[1], cast(r[1], "i64?", "RETURN_NULL"), cast(r[1], "vchar<4>?")])
    .sort(lambda r: [(r[1], ASC), (r[2], DESC_FIRST)])
    .select(lambda r: [r[0], r[1]]),
    "a n",
    [("e", N), ("d", N), ("c", N), ("b", N), ("a", N)],
    ordered=True,
)
