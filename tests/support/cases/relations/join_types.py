"""The join types that look a row's matches up, and every type in each of the four join relations.

l(k, a): (1,a) (2,b) (2,c) (NULL,d) (3,e)        r(k, b): (2,20) (2,21) (3,NULL) (NULL,99) (4,40)
"""

from tests.support.build import (
    and_,
    count,
    eq,
    exists,
    extreme,
    gt,
    is_null,
    lit,
    lt,
    ne,
    not_,
    set_,
    virtual,
)
from tests.support.cases import DEPT, EMP, RIGHT, L, case
from tests.support.cases.relations.joins import BOTH, EMPTY, LEFT_ONLY, MATCHED, RIGHT_ONLY, keys

N = None
# No key twice: (2,21) (NULL,99) (4,40), and (1,a) (2,c) (NULL,d) (3,e).
RIGHT_ONCE = RIGHT.filter(lambda r: ne(r[1], lit(20, "i64")))
LEFT_ONCE = L.filter(lambda r: ne(r[1], lit("b", "str")))
LEFT_MARKS = [(1, "a", N), (2, "b", True), (2, "c", True), (N, "d", N), (3, "e", True)]
LEFT_SINGLES = [
    (1, "a", N, N),
    (2, "b", 2, 21),
    (2, "c", 2, 21),
    (N, "d", N, N),
    (3, "e", N, N),
]
RIGHT_SINGLES = [
    (2, "c", 2, 20),
    (2, "c", 2, 21),
    (3, "e", 3, N),
    (N, N, N, 99),
    (N, N, 4, 40),
]

# --- each type in each physical join, whose numbers differ from the logical join's ----------------

for _kind, _left, _right, _columns, _rows in [
    ("INNER", L, RIGHT, BOTH, MATCHED),
    ("OUTER", L, RIGHT, BOTH, MATCHED + LEFT_ONLY + RIGHT_ONLY),
    ("LEFT", L, RIGHT, BOTH, MATCHED + LEFT_ONLY),
    ("RIGHT", L, RIGHT, BOTH, MATCHED + RIGHT_ONLY),
    ("LEFT_SEMI", L, RIGHT, "k a", [(2, "b"), (2, "c"), (3, "e")]),
    ("RIGHT_SEMI", L, RIGHT, "k b", [(2, 20), (2, 21), (3, N)]),
    ("LEFT_ANTI", L, RIGHT, "k a", [(1, "a"), (N, "d")]),
    ("RIGHT_ANTI", L, RIGHT, "k b", [(N, 99), (4, 40)]),
    ("LEFT_SINGLE", L, RIGHT_ONCE, BOTH, LEFT_SINGLES),
    ("RIGHT_SINGLE", LEFT_ONCE, RIGHT, BOTH, RIGHT_SINGLES),
    ("LEFT_MARK", L, RIGHT, "k a m", LEFT_MARKS),
    (
        "RIGHT_MARK",
        L,
        RIGHT,
        "k b m",
        [(2, 20, True), (2, 21, True), (3, N, True), (N, 99, N), (4, 40, N)],
    ),
]:
    _name = _kind.lower()
    case(f"hash_join/{_name}", "", _left.hash_join(_right, _kind, (0, 0)), _columns, _rows)
    case(f"merge_join/{_name}", "", _left.merge_join(_right, _kind, (0, 0)), _columns, _rows)
    case(
        f"nested_loop_join/{_name}",
        "",
        _left.nested_loop_join(_right, _kind, keys),
        _columns,
        _rows,
    )
    if _kind.endswith(("SINGLE", "MARK")):
        case(f"join/{_name}", "", _left.join(_right, _kind, keys), _columns, _rows)

# --- mark -----------------------------------------------------------------------------------------

case(
    "join/mark_no_null_key",
    "no NULL on the right: FALSE is possible",
    L.join(RIGHT.filter(lambda r: gt(r[0], lit(0, "i64"))), "LEFT_MARK", keys),
    "k a m",
    [(1, "a", False), (2, "b", True), (2, "c", True), (N, "d", N), (3, "e", True)],
)
case(
    "join/mark_empty",
    "no rows on the other side: FALSE, whatever the key",
    L.join(EMPTY, "LEFT_MARK", keys),
    "k a m",
    [(k, a, False) for k, a in [(1, "a"), (2, "b"), (2, "c"), (N, "d"), (3, "e")]],
)
case(
    "join/mark_not_null",
    "no operand can be NULL, nor can the mark",
    virtual("x:i64", (1,), (2,)).join(
        virtual("y:i64", (2,), (3,)), "LEFT_MARK", lambda r: eq(r[0], r[1])
    ),
    "x m",
    [(1, False), (2, True)],
)
case(
    "join/mark_two_conditions",
    "FALSE beats NULL within a pair, TRUE beats NULL among pairs",
    L.join(RIGHT, "LEFT_MARK", lambda r: and_(keys(r), gt(r[3], lit(20, "i64")))),
    "k a m",
    [(1, "a", N), (2, "b", True), (2, "c", True), (N, "d", N), (3, "e", N)],
)
case(
    "join/mark_on_true",
    "",
    L.join(RIGHT, "LEFT_MARK", lambda _: lit(True, "bool"), emit=[1, 2]),
    "a m",
    [(a, True) for a in "abcde"],
)
case(
    "join/mark_on_null",
    "",
    L.join(RIGHT, "LEFT_MARK", lambda _: lit(N, "bool?"), emit=[1, 2]),
    "a m",
    [(a, N) for a in "abcde"],
)
case(
    "join/mark_inequality",
    "5 is above all, 0 below some",
    virtual("x:i64?", (5,), (0,), (N,)).join(
        virtual("y:i64?", (1,), (4,)), "LEFT_MARK", lambda r: lt(r[0], r[1])
    ),
    "x m",
    [(5, False), (0, True), (N, N)],
)
case(
    "join/mark_post_filter",
    "the post-join filter sees the mark; emit drops it",
    L.join(RIGHT, "LEFT_MARK", keys, post=lambda r: r[2], emit=[0, 1]),
    "k a",
    [(2, "b"), (2, "c"), (3, "e")],
)
case(
    "join/mark_post_filter_is_null",
    "",
    L.join(RIGHT, "LEFT_MARK", keys, post=lambda r: is_null(r[2])),
    "k a m",
    [(1, "a", N), (N, "d", N)],
)
case(
    "join/mark_filter_not",
    "a filter for those that certainly match nothing",
    L.join(RIGHT.filter(lambda r: gt(r[0], lit(0, "i64"))), "LEFT_MARK", keys).filter(
        lambda r: not_(r[2])
    ),
    "k a m",
    [(1, "a", False)],
)
case(
    "join/mark_of_mark",
    "each mark is a column of its own",
    L.join(RIGHT, "LEFT_MARK", keys).join(
        virtual("y:i64?", (1,)), "LEFT_MARK", lambda r: eq(r[0], r[3]), emit=[1, 2, 3]
    ),
    "a m n",
    [("a", N, True), ("b", True, False), ("c", True, False), ("d", N, N), ("e", True, False)],
)
case(
    "join/mark_reads_mark",
    "the second condition reads the first mark",
    L.join(RIGHT, "LEFT_MARK", keys).join(
        virtual("y:bool", (True,)), "LEFT_MARK", lambda r: eq(r[2], r[3]), emit=[1, 3]
    ),
    "a m",
    [("a", N), ("b", True), ("c", True), ("d", N), ("e", True)],
)
case(
    "join/mark_above_union",
    "two copies of each row",
    set_("UNION_ALL", L, L).join(RIGHT, "LEFT_MARK", keys),
    "k a m",
    LEFT_MARKS + LEFT_MARKS,
)
case(
    "join/mark_above_aggregate",
    "departments of employees, among those with a head",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).join(
        DEPT.filter(lambda d: gt(d[2], lit(0, "i64"))), "LEFT_MARK", lambda r: eq(r[0], r[2])
    ),
    "dept n m",
    [(10, 2, True), (20, 2, False), (N, 1, N), (40, 1, False)],
)
case(
    "join/mark_same_table",
    "employees who earn less than another one of their department",
    EMP.join(EMP, "LEFT_MARK", lambda r: and_(eq(r[2], r[6]), lt(r[3], r[7])), emit=[0, 4]),
    "id m",
    # bob earns most. cid may earn less than dan, dan's own salary is not known, nor is eve's department.
    [(1, True), (2, False), (3, N), (4, N), (5, N), (6, N)],
)
case(
    "join/mark_limited_side",
    "only the two highest b are looked at: 99 of NULL, and 40 of 4",
    L.join(RIGHT.sort(lambda r: [(r[1], 4)]).fetch(2), "LEFT_MARK", keys, emit=[1, 2]),
    "a m",
    [(a, N) for a in "abcde"],
)

# --- single ---------------------------------------------------------------------------------------

case(
    "join/single_null_match",
    "a match whose columns are NULL is a match",
    L.join(RIGHT.filter(lambda r: is_null(r[1])), "LEFT_SINGLE", keys, emit=[1, 2, 3]),
    "a k b",
    [("a", N, N), ("b", N, N), ("c", N, N), ("d", N, N), ("e", 3, N)],
)
case(
    "join/single_unread",
    "the other side decides nothing but whether there is an error",
    L.join(RIGHT_ONCE, "LEFT_SINGLE", keys, emit=[1]),
    "a",
    [("a",), ("b",), ("c",), ("d",), ("e",)],
)
case(
    "join/single_unread_found",
    "a column of the other side has the name of the field that the check adds",
    L.join(
        virtual("k:i64? found:i64?", (1, 5), (9, None)),
        "LEFT_SINGLE",
        lambda r: eq(r[0], r[2]),
        emit=[1],
    ),
    "a",
    [("a",), ("b",), ("c",), ("d",), ("e",)],
)
case(
    "join/single_counted",
    "",
    L.join(RIGHT_ONCE, "LEFT_SINGLE", keys).aggregate(None, lambda _: [count()]),
    "n",
    [(5,)],
)
case(
    "join/single_aggregate",
    "an uncorrelated single row, as a decorrelated scalar subquery",
    L.join(
        RIGHT.aggregate(None, lambda r: [extreme("max", r[1])]),
        "LEFT_SINGLE",
        lambda _: lit(True, "bool"),
    ).filter(lambda r: lt(r[0], lit(3, "i64"))),
    "k a top",
    [(1, "a", 99), (2, "b", 99), (2, "c", 99)],
)
case(
    "join/single_inequality",
    "above 2 there is only 4, above 9 nothing",
    virtual("x:i64?", (2,), (3,), (9,), (N,)).join(
        virtual("y:i64", (1,), (4,)), "LEFT_SINGLE", lambda r: lt(r[0], r[1])
    ),
    "x y",
    [(2, 4), (3, 4), (9, N), (N, N)],
)
case(
    "join/single_post_filter",
    "the filter sees the padded columns",
    L.join(RIGHT_ONCE, "LEFT_SINGLE", keys, post=lambda r: is_null(r[3]), emit=[1]),
    "a",
    [("a",), ("d",), ("e",)],
)
case(
    "join/single_above_union",
    "",
    set_("UNION_ALL", L, L).join(RIGHT_ONCE, "LEFT_SINGLE", keys),
    BOTH,
    LEFT_SINGLES + LEFT_SINGLES,
)
case(
    "join/semi_of_single",
    "the looked-up side is a single join of which nothing is read but the key",
    RIGHT.join(
        L.join(RIGHT_ONCE, "LEFT_SINGLE", keys, emit=[0]),
        "LEFT_SEMI",
        lambda r: eq(r[0], r[2]),
    ),
    "k b",
    [(2, 20), (2, 21), (3, N)],
)
case(
    "join/single_then_join",
    "its columns are join keys of the next",
    L.join(RIGHT_ONCE, "LEFT_SINGLE", keys).join(
        virtual("b:i64", (21,)), "INNER", lambda r: eq(r[3], r[4])
    ),
    "k a k2 b b2",
    [(2, "b", 2, 21, 21), (2, "c", 2, 21, 21)],
)

# --- conditions of other kinds --------------------------------------------------------------------

case(
    "join/outer_inequality",
    "a full join without an equality",
    L.join(RIGHT, "OUTER", lambda r: gt(r[0], r[2])),
    BOTH,
    # Only 3 is above another key: above both 2s.
    [
        *[(3, "e", 2, 20), (3, "e", 2, 21)],
        *[(1, "a", N, N), (2, "b", N, N), (2, "c", N, N), (N, "d", N, N)],
        *[(N, N, 3, N), (N, N, N, 99), (N, N, 4, 40)],
    ],
)
case(
    "join/outer_condition_on_left",
    "a condition about one side pads in a full join",
    L.join(RIGHT, "OUTER", lambda r: eq(r[1], lit("z", "str")), emit=[1, 3]),
    "a b",
    [
        *[("a", N), ("b", N), ("c", N), ("d", N), ("e", N)],
        *[(N, 20), (N, 21), (N, N), (N, 99), (N, 40)],
    ],
)
case(
    "join/outer_on_true",
    "",
    L.join(EMPTY, "OUTER", lambda _: lit(True, "bool"), emit=[1, 3]),
    "a b",
    [("a", N), ("b", N), ("c", N), ("d", N), ("e", N)],
)
case(
    "join/outer_on_false",
    "",
    virtual("x:i64", (1,)).join(virtual("y:i64", (1,)), "OUTER", lambda _: lit(False, "bool")),
    "x y",
    [(1, N), (N, 1)],
)
case(
    "join/anti_on_null",
    "never true: every row stays",
    L.join(RIGHT, "LEFT_ANTI", lambda _: lit(N, "bool?"), emit=[1]),
    "a",
    [("a",), ("b",), ("c",), ("d",), ("e",)],
)
case(
    "join/right_condition_on_right",
    "a condition on the kept side in ON pads",
    L.join(RIGHT, "RIGHT", lambda r: and_(keys(r), eq(r[3], lit(21, "i64")))),
    BOTH,
    [(2, "b", 2, 21), (2, "c", 2, 21), (N, N, 2, 20), (N, N, 3, N), *RIGHT_ONLY],
)
case(
    "join/inner_on_exists_of_both",
    "a subquery about both sides: its test is a WHERE",
    L.join(
        RIGHT,
        "INNER",
        lambda r: exists(EMP.filter(lambda e: and_(eq(e[0], r.outer(0)), eq(e[0], r.outer(2))))),
    ),
    BOTH,
    MATCHED,
)
case(
    "join/left_on_exists",
    "a subquery about the padded side",
    L.join(
        RIGHT,
        "LEFT",
        lambda r: and_(keys(r), not_(exists(EMP.filter(lambda e: eq(e[2], r.outer(3)))))),
    ),
    BOTH,
    # Somebody is in department 20, nobody in 21 or NULL.
    [(2, "b", 2, 21), (2, "c", 2, 21), (3, "e", 3, N), *LEFT_ONLY],
)
case(
    "join/outer_on_exists",
    "",
    L.join(
        RIGHT,
        "OUTER",
        lambda r: and_(keys(r), exists(EMP.filter(lambda e: eq(e[2], r.outer(3))))),
    ),
    BOTH,
    [
        *[(2, "b", 2, 20), (2, "c", 2, 20), (3, "e", N, N), *LEFT_ONLY],
        *[(N, N, 2, 21), (N, N, 3, N), *RIGHT_ONLY],
    ],
)
