"""Several grouping sets: each is an aggregation of its own, and the last column says which."""

from tests.support.build import ASC, count, eq, gt, if_then, lit, lt, sum_, switch, virtual
from tests.support.build.physical import grouping_sets
from tests.support.cases import DEPT, EMP, case

NOTHING = virtual("a:i64? b:i64?")
BY_DEPT = [(10, 400, 0), (20, 200, 0), (None, 200, 0), (40, 50, 0)]

case(
    "grouping_sets/two_keys",
    "different sets with keys: a key that is NULL and one that is left out are told apart",
    grouping_sets(EMP, lambda r: [r[2], r[3]], [[0], [1]], lambda _: [count()]),
    "dept salary n g",
    [
        (10, None, 2, 0),
        (20, None, 2, 0),
        (None, None, 1, 0),
        (40, None, 1, 0),
        (None, 100, 1, 1),
        (None, 300, 1, 1),
        (None, 200, 2, 1),
        (None, None, 1, 1),
        (None, 50, 1, 1),
    ],
)
case(
    "grouping_sets/order_of_sets",
    "the number is that of the declared set, whatever the order of keys and sets",
    grouping_sets(
        EMP.filter(lambda r: eq(r[2], lit(10, "i64"))),
        lambda r: [r[2], r[3]],
        [[1], [1, 0], [0]],
        lambda r: [count(), sum_(r[0])],
    ),
    "dept salary n ids g",
    [
        (None, 100, 1, 1, 0),
        (None, 300, 1, 2, 0),
        (10, 100, 1, 1, 1),
        (10, 300, 1, 2, 1),
        (10, None, 2, 3, 2),
    ],
)
case(
    "grouping_sets/rollup",
    "groups, and a total",
    grouping_sets(EMP, lambda r: [r[2]], [[0], []], lambda r: [sum_(r[3])]),
    "dept total g",
    [*BY_DEPT, (None, 850, 1)],
)
case(
    "grouping_sets/rollup_of_two",
    "groups, subtotals, and a total; over a filtered input, which is shared",
    grouping_sets(
        EMP.filter(lambda r: gt(r[3], lit(90, "i64"))),
        lambda r: [r[2], r[3]],
        [[0, 1], [0], []],
        lambda _: [count()],
    ),
    "dept salary n g",
    [
        (10, 100, 1, 0),
        (10, 300, 1, 0),
        (20, 200, 1, 0),
        (None, 200, 1, 0),
        (10, None, 2, 1),
        (20, None, 1, 1),
        (None, None, 1, 1),
        (None, None, 4, 2),
    ],
)
case(
    "grouping_sets/empty_input",
    "over no row: none for the set with a key, one for the set without",
    grouping_sets(NOTHING, lambda r: [r[0]], [[0], []], lambda r: [count(), sum_(r[1])]),
    "a n total g",
    [(None, 0, None, 1)],
)
case(
    "grouping_sets/two_empty_sets",
    "a set without keys has one row, each time it is declared",
    grouping_sets(NOTHING, lambda _: [], [[], []], lambda _: [count()]),
    "n g",
    [(0, 0), (0, 1)],
)
case(
    "grouping_sets/duplicates",
    "a set that is declared twice has its rows twice, under two numbers",
    grouping_sets(EMP, lambda r: [r[2]], [[0], [0]], lambda r: [sum_(r[3])]),
    "dept total g",
    [*BY_DEPT, *((d, t, 1) for d, t, _ in BY_DEPT)],
)
case(
    "grouping_sets/duplicates_in_another_order",
    "{a, b} and {b, a} are one set, declared twice",
    grouping_sets(DEPT, lambda r: [r[0], r[1]], [[0, 1], [1, 0], [1]], lambda _: [count()]),
    "id name n g",
    [
        *((i, n, 1, g) for i, n in [(10, "ops"), (20, "dev"), (30, "law")] for g in (0, 1)),
        *((None, n, 1, 2) for n in ("ops", "dev", "law")),
    ],
)
case(
    "grouping_sets/duplicates_but_for_a_constant",
    "{a} twice is one SELECT where nobody asks for the number; {a, 'x'} has the same groups, and 'x' in them",
    grouping_sets(
        EMP,
        lambda r: [r[2], lit("x", "string")],
        [[0], [0, 1], [0]],
        lambda r: [sum_(r[3])],
        emit=[0, 1, 2],
    ),
    "dept mark total",
    [(d, mark, t) for mark in (None, "x", None) for d, t, _ in BY_DEPT],
)
case(
    "grouping_sets/measure_over_key",
    "a measure sees the key's own values where the set leaves the key out",
    grouping_sets(EMP, lambda r: [r[2], r[3]], [[0], [1]], lambda r: [sum_(r[2]), count(r[3])]),
    "dept salary depts salaries g",
    [
        (10, None, 20, 2, 0),
        (20, None, 40, 1, 0),
        (None, None, None, 1, 0),
        (40, None, 40, 1, 0),
        (None, 100, 10, 1, 1),
        (None, 300, 10, 1, 1),
        (None, 200, 20, 2, 1),
        (None, None, 20, 0, 1),
        (None, 50, 40, 1, 1),
    ],
)
case(
    "grouping_sets/computed_key",
    "keys that are computed, one of them a mere number",
    grouping_sets(
        EMP,
        lambda r: [gt(r[3], lit(150, "i64")), lit(7, "i32")],
        [[0], [1], []],
        lambda _: [count()],
    ),
    "rich seven n g",
    [
        (True, None, 3, 0),
        (False, None, 2, 0),
        (None, None, 1, 0),
        (None, 7, 6, 1),
        (None, None, 6, 2),
    ],
)
case(
    "grouping_sets/repeated_key",
    "one column as two keys",
    grouping_sets(DEPT, lambda r: [r[0], r[0]], [[0], [1]], lambda _: [count()]),
    "a b n g",
    [(i, None, 1, 0) for i in (10, 20, 30)] + [(None, i, 1, 1) for i in (10, 20, 30)],
)
case(
    "grouping_sets/without_measures",
    "the distinct keys of each set; the set without keys has its one row over no row, too",
    grouping_sets(NOTHING, lambda r: [r[0]], [[0], []]),
    "a g",
    [(None, 1)],
)
case(
    "grouping_sets/having",
    "filters above see the rows of all sets: keys that are left out are NULL",
    grouping_sets(EMP, lambda r: [r[2], r[3]], [[0], [1]], lambda _: [count()])
    .filter(lambda r: gt(r[2], lit(1, "i64")))
    .filter(lambda r: gt(r[0], lit(5, "i64"))),
    "dept salary n g",
    [(10, None, 2, 0), (20, None, 2, 0)],
)
case(
    "grouping_sets/having_of_a_dropped_key",
    "a condition on a measure, another on a key that is not returned: Spark finds that in a derived table only",
    grouping_sets(EMP, lambda r: [r[2], r[3]], [[0], [1]], lambda _: [count()])
    .filter(lambda r: gt(r[2], lit(1, "i64")))
    .filter(lambda r: gt(r[0], lit(5, "i64")))
    .select(lambda r: [r[2]]),
    "n",
    [(2,), (2,)],
)
case(
    "grouping_sets/having_of_a_filter",
    "a measure with a filter compared with a key: Spark finds neither of their columns in HAVING",
    grouping_sets(
        EMP,
        lambda r: [r[2], r[0]],
        [[0], [1]],
        lambda r: [count().where(gt(r[3], lit(100, "i64")))],
    )
    .filter(lambda r: lt(r[2], r[0]))
    .select(lambda r: [r[0], r[2]]),
    "dept n",
    [(10, 1), (20, 1), (40, 0)],
)
case(
    "grouping_sets/number_above",
    "the number is a column like others; sorted by a key",
    grouping_sets(EMP, lambda r: [r[2], r[3]], [[1], [0]], lambda _: [count()])
    .filter(lambda r: eq(r[3], lit(1, "i32")))
    .sort(lambda r: [(r[0], ASC)])
    .select(lambda r: [r[0], r[2], r[3]]),
    "dept n g",
    [(10, 2, 1), (20, 2, 1), (40, 1, 1), (None, 1, 1)],
    ordered=True,
)
case(
    "grouping_sets/switch_above_a_total",
    "Isthmus' grouping(dept): the number of the set is read above the total of no rows",
    grouping_sets(EMP, lambda r: [r[2]], [[0], []]).select(
        lambda r: [
            r[0],
            switch(r[1], (lit(0, "i32"), lit(0, "i64")), otherwise=lit(1, "i64")),
        ]
    ),
    "dept grouping",
    [(10, 0), (20, 0), (None, 0), (40, 0), (None, 1)],
)
case(
    "grouping_sets/switch_above_its_groups",
    "grouped by the number itself: what a bit of it asks stands below those groups",
    grouping_sets(EMP, lambda r: [r[2]], [[0], []])
    .aggregate(lambda r: [r[1]], lambda _: [count()])
    .select(
        lambda r: [
            r[1],
            if_then((eq(r[0], lit(0, "i32")), lit(0, "i8")), otherwise=lit(1, "i8")),
        ]
    ),
    "groups grouping",
    [(4, 0), (1, 1)],
)
case(
    "grouping_sets/one_key_twice",
    "two keys are one column: sets of either have one aggregation, over an input that others read as well",
    grouping_sets(
        EMP.filter(lambda r: eq(r[2], lit(10, "i64"))).project(lambda r: [r[2]]),
        lambda r: [r[2], r[4]],
        [[1], [], [0, 1]],
        lambda _: [count()],
    ),
    "dept same n g",
    [(None, 10, 2, 0), (None, None, 2, 1), (10, 10, 2, 2)],
)
case(
    "grouping_sets/emit",
    "columns in another order, some left out",
    grouping_sets(EMP, lambda r: [r[2]], [[0], []], lambda r: [sum_(r[3])], emit=[2, 0]),
    "g dept",
    [(0, 10), (0, 20), (0, None), (0, 40), (1, None)],
)
