"""Queries that a plan holds twice, and those that stay so; the rows are worked by hand.

cust: 1 a | 2 b | 3 c (customer_id, name)   orders: 10 1 5 | 11 1 7 | 12 3 NULL (order_id, customer_id, amount)
kv: 1 30 | 2 10 | 3 20
"""

from tests.support.build import (
    DESC,
    R,
    anchored,
    by_anchor,
    count,
    eq,
    exists,
    extreme,
    gt,
    lit,
    lt,
    scalar,
    set_,
    sum_,
)
from tests.support.cases import case
from tests.support.cases.queries.outer import CUSTOMERS, KV, ORDERS
from tests.support.plan_types import type_of

N = None
SPENT = ORDERS.aggregate(lambda r: [r[1]], lambda r: [sum_(r[2]), count()])
CUSTOMER = by_anchor(5, 0, type_of("i64"))


def meets_itself(rows: R, *columns: int) -> R:
    """A query joined to itself by its first column; of both sides these columns."""
    width = len(rows.types)
    return rows.join(rows, "INNER", lambda r: eq(r[0], r[width]), emit=columns)


case(
    "repeated/in_a_join",
    "each side reads columns of its own: the query has those of both",
    meets_itself(SPENT, 0, 1, 5),
    "customer_id spent orders",
    [(1, 12, 2), (3, N, 1)],
)

case(
    "repeated/in_a_subquery",
    "the rows whose sum is the largest one: the subquery reads what the query around it reads",
    SPENT.filter(
        lambda r: eq(r[1], scalar(SPENT.aggregate(None, lambda s: [extreme("max", s[1])])))
    ),
    "customer_id spent orders",
    [(1, 12, 2)],
)

IDS = set_("UNION_DISTINCT", ORDERS.select(lambda r: [r[1]]), KV.select(lambda r: [r[0]]))
PER_ID = IDS.filter(lambda r: gt(r[0], lit(1, "i64")))

case(
    "repeated/one_inside_the_other",
    "the union is read by two queries, of which one is read twice",
    set_("UNION_ALL", PER_ID, PER_ID, IDS.filter(lambda r: lt(r[0], lit(3, "i64")))),
    "id",
    [(2,), (3,), (2,), (3,), (1,), (2,)],
)

case(
    "repeated/a_table_and_its_filter",
    "a table with a condition needs no name",
    meets_itself(ORDERS.filter(lambda r: gt(r[2], lit(5, "i64"))), 0, 4),
    "order_id customer_id",
    [(11, 1)],
)

case(
    "repeated/a_measure_of_a_table",
    "nor does a measure of a whole table",
    CUSTOMERS.filter(
        lambda r: eq(r[0], scalar(KV.aggregate(None, lambda s: [extreme("max", s[0])])))
    ).project(lambda _: [scalar(KV.aggregate(None, lambda s: [extreme("max", s[0])]))]),
    "customer_id name largest",
    [(3, "c", 3)],
)

OWN = ORDERS.filter(lambda r: eq(r[1], CUSTOMER)).aggregate(
    lambda r: [r[1]], lambda r: [extreme("max", r[2])]
)

case(
    "repeated/correlated",
    "what refers to the query around cannot stand in front of it",
    anchored(CUSTOMERS.filter(lambda _: exists(OWN)), 5).project(
        lambda _: [scalar(OWN.select(lambda r: [r[1]]))]
    ),
    "customer_id name largest",
    [(1, "a", 7), (3, "c", N)],
)

FEW = SPENT.sort(lambda r: [(r[0], DESC)]).fetch(1)

case(
    "repeated/limited",
    "which rows a LIMIT picks may be a matter of luck: each copy picks its own",
    meets_itself(FEW.aggregate(lambda r: [r[0]], lambda _: [count()]), 0, 3),
    "customer_id n",
    [(3, 1)],
)


def looked_for(among: R) -> R:
    """The customers that are there, and the keys that are not."""
    there = CUSTOMERS.join(among, "LEFT_SEMI", lambda r: eq(r[0], r[2]), emit=[0])
    return set_("UNION_ALL", there, KV.join(among, "LEFT_ANTI", lambda r: eq(r[0], r[2]), emit=[0]))


SOLD = (
    ORDERS.join(KV, "INNER", lambda r: eq(r[1], r[3]))
    .filter(lambda r: gt(r[4], lit(20, "i64")))
    .select(lambda r: [r[1]])
)

case(
    "repeated/looked_for",
    "a join in which two others look for a match is a query of its own in each",
    looked_for(SOLD),
    "id",
    [(1,), (2,), (3,)],
)

case(
    "repeated/looked_for_in_a_table",
    "one table is no query",
    looked_for(ORDERS.filter(lambda r: gt(r[2], lit(5, "i64"))).select(lambda r: [r[1]])),
    "id",
    [(1,), (2,), (3,)],
)

case(
    "repeated/looked_for_in_some_rows",
    "each copy of a LIMIT picks rows of its own",
    looked_for(SOLD.sort(lambda r: [(r[0], DESC)]).fetch(1)),
    "id",
    [(1,), (2,), (3,)],
)
