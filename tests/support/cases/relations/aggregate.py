"""Aggregates: keys ++ measures; one row over nothing without keys, none with them."""

from decimal import Decimal

from tests.support.build import (
    ASC,
    DESC,
    DESC_FIRST,
    Measure,
    R,
    Row,
    add,
    aggregate_call,
    count,
    eq,
    exists,
    extreme,
    gt,
    lit,
    multiply,
    scalar,
    sum_,
    virtual,
)
from tests.support.build.physical import in_phase, sorted_
from tests.support.cases import DEPT, EMP, RIGHT, L, case

NOTHING = virtual("a:i64? b:i64?")
# k, v, w: of k = 1 one v is known where w is above 0, of k = 2 none.
NOTES = virtual("k:i64 v:i64? w:i64", (1, None, 1), (1, 7, 1), (1, 8, 0), (2, 9, 0), (2, None, 1))


def empty_grouping(rel: R) -> R:
    """Spell the grouping over no columns out, instead of leaving it away."""
    rel.message.aggregate.groupings.add()
    return rel


case(
    "aggregate/global",
    "no grouping: one row",
    EMP.aggregate(None, lambda r: [count(), count(r[3]), sum_(r[3]), extreme("min", r[3])]),
    "n known total least",
    [(6, 5, 850, 50)],
)
case(
    "aggregate/any_value_of_some",
    "a value that is not NULL among the rows of the filter",
    NOTES.aggregate(
        lambda r: [r[0]],
        lambda r: [
            aggregate_call(
                "aggregate_generic", "any_value:any", "i64?", r[1], ignore_nulls="TRUE"
            ).where(gt(r[2], lit(0, "i64")))
        ],
    ),
    "k v",
    [(1, 7), (2, None)],
)
case(
    "aggregate/global_empty",
    "no grouping over no rows: still one row, counts 0, the rest NULL",
    NOTHING.aggregate(None, lambda r: [count(), count(r[0]), sum_(r[0]), extreme("max", r[1])]),
    "n known total most",
    [(0, 0, None, None)],
)
case(
    "aggregate/global_filtered_to_nothing",
    "the same after a filter that keeps nothing",
    EMP.filter(lambda r: gt(r[0], lit(100, "i64"))).aggregate(
        None, lambda r: [count(), sum_(r[3])]
    ),
    "n total",
    [(0, None)],
)
case(
    "aggregate/explicit_empty_grouping",
    "one grouping over no columns is no grouping",
    empty_grouping(NOTHING.aggregate(None, lambda _: [count()])),
    "n",
    [(0,)],
)
case(
    "aggregate/grouped_empty",
    "a grouping over no rows: no row",
    NOTHING.aggregate(lambda r: [r[0]], lambda _: [count()]),
    "a n",
    [],
)
case(
    "aggregate/null_key",
    "NULL keys form one group",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])]),
    "dept n total",
    [(10, 2, 400), (20, 2, 200), (None, 1, 200), (40, 1, 50)],
)
case(
    "aggregate/two_keys",
    "keys in the declared order",
    EMP.aggregate(lambda r: [r[3], r[2]], lambda _: [count()]),
    "salary dept n",
    [(100, 10, 1), (300, 10, 1), (200, 20, 1), (None, 20, 1), (200, None, 1), (50, 40, 1)],
)
case(
    "aggregate/distinct_rows",
    "keys without measures: distinct",
    EMP.aggregate(lambda r: [r[3]]),
    "salary",
    [(100,), (300,), (200,), (None,), (50,)],
)
case(
    "aggregate/key_expression",
    "a computed key, with NULL as its third value",
    EMP.aggregate(lambda r: [gt(r[3], lit(150, "i64"))], lambda _: [count()]),
    "rich n",
    [(True, 3), (False, 2), (None, 1)],
)
case(
    "aggregate/measure_filter",
    "a measure's filter leaves the others alone; NULL excludes",
    EMP.aggregate(
        None,
        lambda r: [
            count(),
            count().where(gt(r[3], lit(100, "i64"))),
            sum_(r[3]).where(eq(r[2], lit(10, "i64"))),
            sum_(r[3]).where(eq(r[0], lit(99, "i64"))),
        ],
    ),
    "n rich ops none",
    [(6, 3, 400, None)],
)
case(
    "aggregate/measure_filter_grouped",
    "a group whose rows are all filtered away stays",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count().where(gt(r[3], lit(150, "i64")))]),
    "dept rich",
    [(10, 1), (20, 1), (None, 1), (40, 0)],
)
case(
    "aggregate/distinct_measures",
    "distinct arguments, and NULL is none",
    EMP.aggregate(
        None,
        lambda r: [
            count(r[3], distinct=True),
            sum_(r[3], distinct=True),
            count(r[2], distinct=True),
        ],
    ),
    "salaries total depts",
    [(4, 650, 3)],
)
case(
    "aggregate/distinct_and_filter",
    "distinct after the filter",
    EMP.aggregate(None, lambda r: [sum_(r[3], distinct=True).where(gt(r[0], lit(2, "i64")))]),
    "total",
    [(250,)],
)
case(
    "aggregate/measure_expression",
    "a measure over an expression",
    EMP.aggregate(None, lambda r: [sum_(multiply(r[3], lit(2, "i64")))]),
    "total",
    [(1700,)],
)
case(
    "aggregate/having",
    "a filter above an aggregate sees keys and measures",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])]).filter(
        lambda r: gt(r[1], lit(1, "i64"))
    ),
    "dept n total",
    [(10, 2, 400), (20, 2, 200)],
)
case(
    "aggregate/having_on_key",
    "a filter above an aggregate, on the key",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).filter(lambda r: gt(r[0], lit(15, "i64"))),
    "dept n",
    [(20, 2), (40, 1)],
)
case(
    "aggregate/having_twice",
    "two filters above an aggregate",
    EMP.aggregate(lambda r: [r[2]], lambda r: [count(), sum_(r[3])])
    .filter(lambda r: gt(r[1], lit(1, "i64")))
    .filter(lambda r: gt(r[2], lit(200, "i64"))),
    "dept n total",
    [(10, 2, 400)],
)
case(
    "aggregate/project_above",
    "arithmetic over measures",
    EMP.aggregate(lambda r: [r[2]], lambda r: [sum_(r[3]), count()]).select(
        lambda r: [r[0], add(r[1], r[2])]
    ),
    "dept x",
    [(10, 402), (20, 202), (None, 201), (40, 51)],
)
case(
    "aggregate/of_aggregate",
    "an aggregate over an aggregate",
    EMP.aggregate(lambda r: [r[2]], lambda _: [count()]).aggregate(
        lambda r: [r[1]], lambda r: [count(), extreme("max", r[0])]
    ),
    "n groups highest",
    [(2, 2, 20), (1, 2, 40)],
)
case(
    "aggregate/sum_of_distinct",
    "a sum over distinct rows is not a distinct sum over rows",
    EMP.aggregate(lambda r: [r[2], r[3]]).aggregate(None, lambda r: [sum_(r[1]), count()]),
    "total n",
    [(850, 6)],
)
case(
    "aggregate/over_limit",
    "a limit below an aggregate",
    EMP.sort(lambda r: [(r[0], DESC)]).fetch(3).aggregate(None, lambda r: [count(), sum_(r[3])]),
    "n total",
    [(3, 250)],
)
case(
    "aggregate/over_left_join",
    "counting a padded column",
    L.join(RIGHT, "LEFT", lambda r: eq(r[0], r[2])).aggregate(
        lambda r: [r[1]], lambda r: [count(), count(r[2]), count(r[3])]
    ),
    "a n matched known",
    [("a", 1, 0, 0), ("b", 2, 2, 2), ("c", 2, 2, 2), ("d", 1, 0, 0), ("e", 1, 1, 0)],
)
case(
    "aggregate/average",
    "the mean of the values that are there",
    virtual("x:fp64?", (1.0,), (2.0,), (None,)).aggregate(
        None, lambda r: [aggregate_call("arithmetic", "avg:fp64", "fp64?", r[0])]
    ),
    "mean",
    [(1.5,)],
)
case(
    "aggregate/decimal_sum",
    "a sum of decimals keeps the scale and has 38 digits",
    virtual("x:dec<10,2>?", ("1.10",), ("2.25",), (None,)).aggregate(
        None, lambda r: [sum_(r[0]), extreme("max", r[0])]
    ),
    "total most",
    [(Decimal("3.35"), Decimal("2.25"))],
)
case(
    "aggregate/any_value",
    "any value of a group in which all are the same",
    DEPT.aggregate(
        lambda r: [r[0]],
        lambda r: [aggregate_call("aggregate_generic", "any_value:any", "str?", r[1])],
    ),
    "id name",
    [(10, "ops"), (20, "dev"), (30, "law")],
)
MOST = DEPT.aggregate(None, lambda r: [extreme("max", r[0]), count()])
ANY = ("aggregate_generic", "any_value:any")

case(
    "aggregate/any_value_of_one_row",
    "of the one row of totals, also of no rows",
    MOST.aggregate(None, lambda r: [aggregate_call(*ANY, "i64?", r[1])]).cross(
        NOTHING.aggregate(None, lambda r: [extreme("max", r[0])]).aggregate(
            None, lambda r: [aggregate_call(*ANY, "i64?", r[0])]
        )
    ),
    "n most",
    [(3, None)],
)
case(
    "aggregate/any_value_of_a_wider_type",
    "declared as a wider number, it is one: the sum has more digits than the total has room for",
    virtual("a:i32?", (2**31 - 1,), (None,))
    .aggregate(None, lambda r: [extreme("max", r[0])])
    .aggregate(None, lambda r: [aggregate_call(*ANY, "i64?", r[0])])
    .select(lambda r: [add(r[0], r[0])]),
    "twice",
    [(2**32 - 2,)],
)
case(
    "aggregate/any_value_of_no_row",
    "of totals that are filtered away: a row of NULL, and of a filter of its own as well",
    MOST.filter(lambda r: gt(r[1], lit(3, "i64")))
    .aggregate(None, lambda r: [aggregate_call(*ANY, "i64?", r[1])])
    .cross(
        MOST.aggregate(
            None,
            lambda r: [
                aggregate_call(*ANY, "i64?", r[1]).where(gt(r[1], lit(3, "i64"))),
                aggregate_call(*ANY, "i64?", r[1]),
            ],
        )
    ),
    "n filtered all",
    [(None, None, 3)],
)
case(
    "aggregate/any_value_but_null",
    "NULL only where there is nothing else",
    virtual("g:i32 x:str?", (1, None), (1, "a"), (2, None)).aggregate(
        lambda r: [r[0]],
        lambda r: [
            aggregate_call("aggregate_generic", "any_value:any", "str?", r[1], ignore_nulls="TRUE")
        ],
    ),
    "g x",
    [(1, "a"), (2, None)],
)
case(
    "aggregate/overflow",
    "a sum that stops at the end of its range, and one that starts anew",
    virtual("x:i64", (2**63 - 1,), (1,)).aggregate(
        None,
        lambda r: [
            aggregate_call("arithmetic", "sum:i64", "i64?", r[0], overflow="SATURATE"),
            aggregate_call("arithmetic", "sum:i64", "i64?", r[0], overflow="SILENT"),
        ],
    ),
    "saturated silent",
    [(2**63 - 1, -(2**63))],
)
case(
    "aggregate/global_with_nothing_asked",
    "the one row of a global aggregate, whose measures nobody reads",
    EMP.aggregate(None, lambda _: [count()]).select(lambda _: [lit(7, "i64")]),
    "seven",
    [(7,)],
)


def joined(r: Row, distinct: bool = False) -> Measure:
    return aggregate_call(
        "string", "string_agg:str_str", "str?", r[1], lit(",", "str"), distinct=distinct
    )


case(
    "aggregate/ordered_text",
    "text in an order of its own; NULL is left out",
    EMP.aggregate(None, lambda r: [sorted_(joined(r), (r[3], DESC_FIRST), (r[0], ASC))]),
    "names",
    [("dan,bob,cid,eve,ann",)],
)
case(
    "aggregate/ordered_text_filtered",
    "ordered, and filtered",
    EMP.aggregate(
        lambda r: [r[2]],
        lambda r: [sorted_(joined(r), (r[0], DESC)).where(gt(r[3], lit(60, "i64"))), count()],
    ),
    "dept names n",
    [(10, "bob,ann", 2), (20, "cid", 2), (None, "eve", 1), (40, None, 1)],
)
case(
    "aggregate/ordered_text_distinct",
    "distinct values, in their own order",
    virtual("id:i64 s:str", (1, "b"), (2, "a"), (3, "b")).aggregate(
        None, lambda r: [sorted_(joined(r, distinct=True), (r[1], DESC))]
    ),
    "names",
    [("b,a",)],
)
TEXTS = virtual(
    "k:i64 s:str? n:i64", (1, "b", 3), (1, "a", 3), (2, "b", 1), (2, None, 2), (3, None, 2)
)
case(
    "aggregate/ordered_text_distinct_beside_another",
    "distinct values in their own order, beside a count of distinct values; NULL over none",
    TEXTS.aggregate(
        lambda r: [r[0]],
        lambda r: [sorted_(joined(r, distinct=True), (r[1], DESC)), count(r[2], distinct=True)],
    ),
    "k names n",
    [(1, "b,a", 1), (2, "b", 2), (3, None, 1)],
)
case(
    "aggregate/ordered_text_beside_several_distinct",
    "text in an order of its own beside counts of distinct values of two columns, where Spark has no WITHIN GROUP",
    TEXTS.aggregate(
        lambda r: [r[0]],
        lambda r: [
            sorted_(joined(r), (r[2], DESC), (r[1], ASC)),
            count(r[1], distinct=True),
            count(r[2], distinct=True),
        ],
    ),
    "k names texts n",
    [(1, "a,b", 2, 1), (2, "b", 1, 2), (3, None, 0, 1)],
)
case(
    "aggregate/ordered_text_beside_some_distinct",
    "text of some rows in order beside a count of distinct values of others",
    TEXTS.aggregate(
        None,
        lambda r: [
            sorted_(joined(r), (r[1], ASC)).where(gt(r[2], lit(1, "i64"))),
            count(r[2], distinct=True).where(gt(r[0], lit(1, "i64"))),
        ],
    ),
    "names n",
    [("a,b", 2)],
)
case(
    "aggregate/ordered_text_distinct_filtered",
    "distinct values of some rows",
    TEXTS.aggregate(
        None,
        lambda r: [sorted_(joined(r, distinct=True), (r[1], ASC)).where(gt(r[2], lit(1, "i64")))],
    ),
    "names",
    [("a,b",)],
)
case(
    "aggregate/first_in_order",
    "the value of the first row, NULL if that is NULL",
    EMP.aggregate(
        lambda r: [r[2]],
        lambda r: [
            sorted_(
                aggregate_call("aggregate_generic", "any_value:any", "i64?", r[3]), (r[0], DESC)
            ),
            count(),
        ],
    ),
    "dept last n",
    [(10, 300, 2), (20, None, 2), (None, 200, 1), (40, 50, 1)],
)
case(
    "aggregate/order_without_effect",
    "a sum is the same in any order",
    EMP.aggregate(None, lambda r: [sorted_(sum_(r[3]), (r[0], DESC))]),
    "total",
    [(850,)],
)
case(
    "aggregate/two_phases",
    "partial sums, counts and extremes, put together",
    EMP.aggregate(
        lambda r: [r[2]],
        lambda r: [
            in_phase(sum_(r[3]), "INITIAL_TO_INTERMEDIATE"),
            in_phase(count(r[3]), "INITIAL_TO_INTERMEDIATE"),
            in_phase(extreme("min", r[3]), "INITIAL_TO_INTERMEDIATE"),
        ],
    ).aggregate(
        None,
        lambda r: [
            in_phase(sum_(r[1]), "INTERMEDIATE_TO_RESULT"),
            in_phase(count(r[2]), "INTERMEDIATE_TO_RESULT"),
            in_phase(extreme("min", r[3]), "INTERMEDIATE_TO_RESULT"),
        ],
    ),
    "total n least",
    [(850, 5, 50)],
)
case(
    "aggregate/two_phases_over_nothing",
    "over no part the count is 0",
    NOTHING.aggregate(
        lambda r: [r[0]], lambda r: [in_phase(count(r[1]), "INITIAL_TO_INTERMEDIATE")]
    ).aggregate(None, lambda r: [in_phase(count(r[1]), "INTERMEDIATE_TO_RESULT")]),
    "n",
    [(0,)],
)
case(
    "aggregate/average_in_phases",
    "the state of an average is nothing that SQL can hand on",
    EMP.aggregate(
        None,
        lambda r: [
            in_phase(
                aggregate_call("arithmetic", "avg:i64", "i64?", r[3]), "INITIAL_TO_INTERMEDIATE"
            )
        ],
    ),
    "state",
    [(170,)],
)
case(
    "aggregate/subquery_in_measure",
    "a subquery inside an aggregate, one as a filter, and one as a key",
    EMP.aggregate(
        lambda r: [exists(DEPT.filter(lambda d: eq(d[0], r.outer(2))))],
        lambda r: [
            sum_(scalar(DEPT.aggregate(None, lambda d: [count()]))),
            count().where(exists(DEPT.filter(lambda d: eq(d[2], r.outer(0))))),
        ],
    ),
    "known depts heads",
    [(True, 12, 1), (False, 6, 1)],
)
case(
    "aggregate/literal_key",
    "a key that is a number is no ordinal",
    EMP.aggregate(lambda r: [lit(1, "i32"), r[2]], lambda _: [count()]),
    "one dept n",
    [(1, 10, 2), (1, 20, 2), (1, None, 1), (1, 40, 1)],
)
COPIES = virtual(
    "k:i64? v:i64?", (1, 5), (1, 5), (1, None), (1, None), (2, None), (None, 5), (None, 6)
)
ONCE = COPIES.aggregate(lambda r: [r[0], r[1]])

case(
    "aggregate/count_of_distinct_rows",
    "the other key's values, without copies and NULLs",
    ONCE.aggregate(lambda r: [r[0]], lambda r: [count(r[1])]),
    "k n",
    [(1, 1), (2, 0), (None, 2)],
)
case(
    "aggregate/count_of_distinct_values",
    "of all rows one number, of no rows 0",
    COPIES.aggregate(lambda r: [add(r[1], lit(1, "i64"))])
    .aggregate(None, lambda r: [count(r[0])])
    .cross(
        COPIES.filter(lambda r: gt(r[1], lit(9, "i64")))
        .aggregate(lambda r: [r[1]])
        .aggregate(None, lambda r: [count(r[0])])
    ),
    "n none",
    [(2, 0)],
)
case(
    "aggregate/count_of_distinct_pairs",
    "a value counts as often as it stands beside another one",
    ONCE.aggregate(None, lambda r: [count(r[1])]),
    "n",
    [(3,)],
)
case(
    "aggregate/count_all_distinct_rows",
    "the row of NULL counts too",
    ONCE.aggregate(lambda r: [r[0]], lambda _: [count()]),
    "k n",
    [(1, 2), (2, 1), (None, 2)],
)
case(
    "aggregate/count_and_sum_of_distinct_rows",
    "a measure more is over the distinct rows as well",
    ONCE.aggregate(lambda r: [r[0]], lambda r: [count(r[1]), sum_(r[1])]),
    "k n s",
    [(1, 1, 5), (2, 0, None), (None, 2, 11)],
)
case(
    "aggregate/count_of_few_distinct_rows",
    "of the first ones, not of all",
    ONCE.sort(lambda r: [(r[0], ASC), (r[1], ASC)])
    .fetch(2)
    .aggregate(lambda r: [r[0]], lambda r: [count(r[1])]),
    "k n",
    [(1, 1)],
)
case(
    "aggregate/count_of_a_key",
    "the keys may stand behind what is counted",
    ONCE.aggregate(lambda r: [r[1]], lambda r: [count(r[0])]),
    "v n",
    [(5, 1), (6, 0), (None, 2)],
)
