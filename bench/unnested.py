"""Plans over TPC-H tables that Spark cannot run correlated, and the SQL that a person would write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    lateral_join,
    lit,
    plan,
    scalar,
    set_,
    sum_,
    table,
)
from tests.support.build.physical import grouping_sets
from tests.support.plan_types import type_of

if TYPE_CHECKING:
    import substrait.proto as pb

MONEY = "dec<15,2>"
CUSTOMER = table("customer", f"c_custkey:i64 c_nationkey:i32 c_acctbal:{MONEY}")
LINEITEM = table("lineitem", f"l_orderkey:i64 l_suppkey:i64 l_quantity:{MONEY}")
NATION = table("nation", "n_nationkey:i32 n_name:str")
ORDERS = table(
    "orders", f"o_custkey:i64 o_totalprice:{MONEY} o_orderstatus:str o_orderpriority:str"
)
PART = table("part", "p_partkey:i64 p_size:i32")
SUPPLIER = table("supplier", f"s_suppkey:i64 s_nationkey:i32 s_acctbal:{MONEY}")


def _padded() -> R:
    """The outer column is below the padded side of an outer join."""
    size = PART.aggregate(lambda p: [p[1]], lambda _: [count()])

    def sold(outer: pb.Type) -> R:
        return LINEITEM.filter(lambda r: eq(r[2], by_anchor(1, 0, outer)))

    joined = SUPPLIER.join(sold(type_of("i32")), "LEFT", lambda r: eq(r[0], r[4]))
    value = scalar(joined.aggregate(None, lambda r: [count(r[3])]))
    return anchored(size.project(lambda _: [value]), 1)


def _over_grouping_sets() -> R:
    """The correlation is below grouping sets."""
    own = CUSTOMER.filter(lambda r: eq(r[1], by_anchor(1, 0, type_of("i32"))))
    sales = own.join(ORDERS, "INNER", lambda r: eq(r[0], r[3]))
    sets = grouping_sets(sales, lambda r: [r[5], r[6]], [[0], [1]], lambda r: [sum_(r[4])])
    best = scalar(sets.aggregate(None, lambda r: [extreme("max", r[2])]))
    return anchored(NATION.project(lambda _: [best]), 1)


def _some_group() -> R:
    """EXISTS over grouping sets of the outer row's orders."""
    own = ORDERS.filter(lambda r: eq(r[0], by_anchor(1, 0, type_of("i64"))))
    sets = grouping_sets(own, lambda r: [r[2], r[3]], [[0], [1]], lambda r: [sum_(r[1])])
    rich = sets.filter(lambda r: gt(r[2], lit(1_000_000, "i64")))
    return anchored(CUSTOMER.filter(lambda _: exists(rich)), 1).aggregate(None, lambda _: [count()])


def _over_an_aggregate() -> R:
    """A count over a group of all rows: Spark gives NULL where it is 1."""
    own = ORDERS.filter(lambda r: eq(r[0], by_anchor(1, 0, type_of("i64"))))
    largest = own.aggregate(None, lambda r: [extreme("max", r[1])])
    small = scalar(largest.aggregate(None, lambda r: [count(r[0])]))
    counted = anchored(CUSTOMER.project(lambda _: [small]), 1)
    return counted.aggregate(lambda r: [r[3]], lambda _: [count()])


def _top_of_a_union() -> R:
    """The three richest of each nation, from two tables: a LATERAL over a UNION."""
    key = type_of("i32")
    customers = CUSTOMER.filter(lambda r: eq(r[1], by_anchor(1, 0, key))).select(
        lambda r: [r[0], r[2]]
    )
    suppliers = SUPPLIER.filter(lambda r: eq(r[1], by_anchor(1, 0, key))).select(
        lambda r: [r[0], r[2]]
    )
    top = set_("UNION_ALL", customers, suppliers).sort(lambda r: [(r[1], DESC), (r[0], DESC)])
    return lateral_join(NATION, top.fetch(3), "INNER", anchor=1)


CASES: list[tuple[str, pb.Plan, str]] = [
    (
        "below a padded side",
        plan((_padded(), "p_size parts sold")),
        """SELECT p_size, parts, coalesce(sold, 0) AS sold
           FROM (SELECT p_size, count(*) AS parts FROM part GROUP BY p_size)
           LEFT JOIN (
             SELECT l_quantity, count(*) AS sold
             FROM lineitem JOIN supplier ON s_suppkey = l_suppkey GROUP BY l_quantity
           ) ON l_quantity = p_size""",
    ),
    (
        "below grouping sets",
        plan((_over_grouping_sets(), "n_nationkey n_name best")),
        """SELECT n_nationkey, n_name, best
           FROM nation LEFT JOIN (
             SELECT c_nationkey, max(total) AS best
             FROM (
               SELECT c_nationkey, sum(o_totalprice) AS total FROM customer JOIN orders ON c_custkey = o_custkey
               GROUP BY c_nationkey, GROUPING SETS ((o_orderstatus), (o_orderpriority))
             ) GROUP BY c_nationkey
           ) ON c_nationkey = n_nationkey""",
    ),
    (
        "EXISTS over grouping sets",
        plan((_some_group(), "n")),
        """SELECT count(*) FROM customer WHERE c_custkey IN (
             SELECT o_custkey FROM orders
             GROUP BY o_custkey, GROUPING SETS ((o_orderstatus), (o_orderpriority))
             HAVING sum(o_totalprice) > 1000000
           )""",
    ),
    (
        "over a group of all rows",
        plan((_over_an_aggregate(), "n customers")),
        """SELECT n, count(*) FROM (
             SELECT CASE WHEN m IS NULL THEN 0L ELSE 1L END AS n
             FROM customer LEFT JOIN (SELECT o_custkey, max(o_totalprice) AS m FROM orders GROUP BY o_custkey)
               ON o_custkey = c_custkey
           ) GROUP BY n""",
    ),
    (
        "LATERAL over a union",
        plan((_top_of_a_union(), "n_nationkey n_name key acctbal")),
        """SELECT n_nationkey, n_name, key, acctbal
           FROM nation JOIN (
             SELECT *, row_number() OVER (PARTITION BY nationkey ORDER BY acctbal DESC, key DESC) AS place
             FROM (
               SELECT c_nationkey AS nationkey, c_custkey AS key, c_acctbal AS acctbal FROM customer
               UNION ALL SELECT s_nationkey, s_suppkey, s_acctbal FROM supplier
             )
           ) ON nationkey = n_nationkey AND place <= 3""",
    ),
]
