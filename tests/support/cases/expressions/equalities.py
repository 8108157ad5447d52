"""Equalities with outer values below what Spark minds; the rows are worked by hand.

cust: 1 a | 2 b | 3 c (customer_id, name)   orders: 10 1 5 | 11 1 7 | 12 3 NULL (order_id, customer_id, amount)
kv: 1 30 | 2 10 | 3 20   employees: 10·n in department n, for n from 1 to 7   departments and audit_records: see `outer`
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
    is_same,
    lateral_join,
    not_,
    scalar,
    set_,
    sum_,
)
from tests.support.build.physical import grouping_sets
from tests.support.cases import case
from tests.support.cases.queries.outer import AUDIT, CUSTOMERS, DEPARTMENTS, EMPLOYEES, KV, ORDERS
from tests.support.plan_types import type_of

N = None
BUDGET = by_anchor(5, 1, type_of("i32?"))
CUSTOMER = by_anchor(5, 0, type_of("i64"))


def own_orders() -> R:
    return ORDERS.filter(lambda r: eq(r[1], CUSTOMER))


def per_customer(rows: R) -> R:
    """Each customer with the value of a query over all rows."""
    return anchored(CUSTOMERS.project(lambda _: [scalar(rows)]), 5)


def in_two_sets(rows: R, first: int, second: int) -> R:
    sets = [[0], [1]]
    return grouping_sets(rows, lambda r: [r[first], r[second]], sets, lambda r: [sum_(r[second])])


case(
    "outer/equality_below_grouping_sets",
    "the customer is a key of each set; without orders, or with an amount of NULL, there is no largest sum",
    per_customer(in_two_sets(own_orders(), 0, 2).aggregate(None, lambda r: [extreme("max", r[2])])),
    "customer_id name largest",
    [(1, "a", 7), (2, "b", N), (3, "c", N)],
)

case(
    "outer/equality_with_null",
    "a budget of NULL equals no amount: there is no group, so the department stays",
    anchored(
        DEPARTMENTS.filter(
            lambda _: not_(exists(in_two_sets(AUDIT.filter(lambda r: eq(BUDGET, r[2])), 1, 2)))
        ),
        5,
    ),
    "dept_id budget_limit",
    [(1, 100), (4, 100), (5, N), (6, 100), (7, 1000)],
)

case(
    "outer/equality_or_both_null",
    "the same, null-safely: a group of the departments with that very budget, itself for each",
    anchored(
        DEPARTMENTS.filter(
            lambda _: exists(in_two_sets(DEPARTMENTS.filter(lambda r: is_same(BUDGET, r[1])), 0, 1))
        ),
        5,
    ),
    "dept_id budget_limit",
    [(1, 100), (2, 50), (3, 10), (4, 100), (5, N), (6, 100), (7, 1000)],
)

LARGEST = own_orders().aggregate(None, lambda r: [extreme("max", r[2])])
HOW_MANY = own_orders().aggregate(None, lambda r: [count(r[2])])

case(
    "outer/count_over_the_largest",
    "the group of all rows is there without orders, too: its NULL is not counted, so it may as well be left out",
    per_customer(LARGEST.aggregate(None, lambda r: [count(r[0])])),
    "customer_id name n",
    [(1, "a", 1), (2, "b", 0), (3, "c", 0)],
)

case(
    "outer/count_over_a_count",
    "here it is counted: a count of no rows is 0, and no NULL",
    per_customer(HOW_MANY.aggregate(None, lambda r: [count(r[0])])),
    "customer_id name n",
    [(1, "a", 1), (2, "b", 1), (3, "c", 1)],
)

PADDED = KV.join(own_orders(), "LEFT", lambda r: eq(r[0], r[3]))

case(
    "outer/padding_that_is_not_counted",
    "a padded row has no amount to count, so the join may be an inner one",
    per_customer(PADDED.aggregate(None, lambda r: [count(r[4])])),
    "customer_id name n",
    [(1, "a", 2), (2, "b", 0), (3, "c", 0)],
)

case(
    "outer/padding_that_is_counted",
    "the same rows, padded ones among them",
    per_customer(PADDED.aggregate(None, lambda _: [count()])),
    "customer_id name n",
    [(1, "a", 4), (2, "b", 3), (3, "c", 3)],
)

IDS = set_(
    "UNION_ALL",
    own_orders().select(lambda r: [r[0]]),
    EMPLOYEES.filter(lambda r: eq(r[1], CUSTOMER)).select(lambda r: [r[0]]),
)

case(
    "lateral/equality_below_a_union",
    "the two largest numbers of orders and employees: the customer is a column of both branches, and partitions them",
    lateral_join(CUSTOMERS, IDS.sort(lambda r: [(r[0], DESC)]).fetch(2), "INNER", anchor=5),
    "customer_id name id",
    [(1, "a", 11), (1, "a", 10), (2, "b", 20), (3, "c", 30), (3, "c", 12)],
)

case(
    "lateral/equality_in_one_branch",
    "one branch of the union is about every employee: the equality stays where it is",
    lateral_join(
        CUSTOMERS,
        set_(
            "UNION_ALL",
            own_orders().select(lambda r: [r[0]]),
            EMPLOYEES.select(lambda r: [r[0]]),
        )
        .sort(lambda r: [(r[0], DESC)])
        .fetch(7, 6),
        "INNER",
        anchor=5,
    ),
    "customer_id name id",
    [(1, "a", 11), (1, "a", 10), (1, "a", 10), (2, "b", 10), (3, "c", 12), (3, "c", 10)],
)
