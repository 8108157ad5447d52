"""What is wrong with outer references is said, with a code and a place; what Spark can do is left alone."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import substrait_sql
from tests.support.build import (
    R,
    anchored,
    and_,
    bound_reference,
    by_anchor,
    count,
    declares,
    eq,
    exists,
    gt,
    lateral_join,
    plan,
    reference,
    scalar,
    set_,
)
from tests.support.cases.queries.outer import (
    AUDIT,
    CUSTOMERS,
    DEPARTMENTS,
    EMPLOYEES,
    KV,
    ORDERS,
    TABLE_A,
    TABLE_B,
    X_TAKES,
    X,
    outer,
    own_orders,
    records,
)
from tests.support.plan_types import type_of

I64 = type_of("i64")


def made(
    *roots: Any, declared: dict[int, list[tuple[int, int, str]]] | None = None
) -> dict[str, Any]:
    from google.protobuf import json_format

    tree: dict[str, Any] = json_format.MessageToDict(plan(*roots))
    declares(declared or {})(tree)
    return tree


def refused(tree: dict[str, Any]) -> substrait_sql.InvalidPlanError:
    with pytest.raises(substrait_sql.InvalidPlanError) as found:
        substrait_sql.to_sql(json.dumps(tree))
    return found.value


def host(bound: R) -> tuple[R, str]:
    return EMPLOYEES.filter(lambda _: exists(bound)), "emp_id dept_id salary"


SALARY = EMPLOYEES.row[2]
ID = EMPLOYEES.row[0]


@pytest.mark.parametrize(
    ("bindings", "declared", "code"),
    [
        ([ID], X_TAKES, "SS2073"),
        ([ID, SALARY, SALARY], X_TAKES, "SS2073"),
        ([], X_TAKES, "SS2073"),
        ([SALARY, SALARY], X_TAKES, "SS2236"),
        ([ID, SALARY, ID], [*X_TAKES, (2, 1, "i64")], "SS2078"),
        ([ID], X_TAKES[:1], "SS2077"),
        ([ID, SALARY], [], "SS2073"),
    ],
    ids=[
        "too few",
        "too many",
        "none",
        "another type",
        "a declaration of nothing",
        "a reference that is not declared",
        "bindings without declarations",
    ],
)
def test_parameters_must_fit(bindings: list[Any], declared: list[Any], code: str) -> None:
    error = refused(made(X, host(records(0, *bindings)), declared={0: declared}))
    assert error.code == code
    assert error.path.startswith("relations[") or code in ("SS2073", "SS2077")


def test_bindings_for_a_subtree_that_is_not_there() -> None:
    assert refused(made(host(bound_reference(7, EMPLOYEES, ID)))).code == "SS2071"


def test_a_binding_outside_of_any_subquery() -> None:
    whole = bound_reference(0, X, AUDIT.row[0], AUDIT.row[2])
    error = refused(made(X, (whole, "a b c"), declared={0: X_TAKES}))
    assert error.code == "SS2125"


def test_a_subtree_may_not_count_steps() -> None:
    x = TABLE_B.filter(lambda r: gt(r[0], outer(0, "i64?")))
    root = TABLE_A.project(lambda _: [scalar(reference(0, x))])
    error = refused(made(x, (root, "a s")))
    assert error.code == "SS2077"
    assert "rel_reference" in str(error)


def test_a_subtree_that_reads_itself() -> None:
    inner = TABLE_B.filter(lambda r: exists(reference(0, TABLE_B)))
    error = refused(made(inner, (TABLE_A.project(lambda _: [scalar(reference(0, inner))]), "a s")))
    assert error.code == "SS2072"


def test_bound_subtrees_that_read_each_other() -> None:
    ring = EMPLOYEES.filter(
        lambda r: and_(eq(r[0], outer(0, "i64")), exists(bound_reference(0, EMPLOYEES, r[0])))
    )
    error = refused(made(ring, host(bound_reference(0, ring, ID)), declared={0: [(0, 1, "i64")]}))
    assert error.code == "SS2072"


def test_a_subtree_of_a_negative_ordinal() -> None:
    """Such ordinals are ours, for what a rewriting makes: a plan may not name one, however deep it stands."""
    below = set_("UNION_ALL", reference(-1, ORDERS), ORDERS)
    root = anchored(CUSTOMERS.filter(lambda _: exists(_padded(5, below))), 5)
    assert refused(made((root, "customer_id name"))).code == "SS2071"
    padded = _padded(5).cross(reference(-1, KV))
    root = anchored(CUSTOMERS.filter(lambda _: exists(padded)), 5)
    assert refused(made((root, "customer_id name"))).code == "SS2071"


def test_an_anchor_that_nobody_has() -> None:
    root = TABLE_A.project(
        lambda _: [scalar(TABLE_B.filter(lambda r: gt(r[0], by_anchor(9, 0, I64))))]
    )
    error = refused(made((root, "a s")))
    assert error.code == "SS2127"
    assert "rel_anchor 9" in str(error)


def test_a_lateral_join_of_another_type() -> None:
    tree = made((lateral_join(CUSTOMERS, own_orders(), "INNER", anchor=5), "a b c d e"))
    tree["relations"][0]["root"]["input"]["lateralJoin"]["type"] = "JOIN_TYPE_RIGHT"
    assert refused(tree).code == "SS2235"


def test_copies_are_bounded() -> None:
    """Subtrees that use the next one twice double with every step."""
    x: list[R] = [TABLE_B.filter(lambda r: gt(r[0], by_anchor(7, 0, I64)))]
    for n in range(14):
        x.append(set_("UNION_ALL", reference(n, TABLE_B), reference(n, TABLE_B)))
    root = anchored(TABLE_A.project(lambda _: [scalar(reference(14, TABLE_B))]), 7)
    with pytest.raises(substrait_sql.UnsupportedError) as found:
        substrait_sql.to_sql(plan(*x, (root, "a s")))
    assert found.value.code == "SS2076"


# --- the forms that stay as they are ---


def test_what_spark_can_do_is_left_alone() -> None:
    sql = substrait_sql.to_sql(
        plan(
            (
                DEPARTMENTS.project(
                    lambda d: [
                        scalar(
                            EMPLOYEES.filter(lambda e: eq(e[1], d.outer(0))).aggregate(
                                None, lambda _: [count()]
                            )
                        )
                    ]
                ),
                "dept_id budget_limit n",
            )
        )
    )
    assert "WITH" not in sql
    assert "DISTINCT" not in sql


def _padded(anchor: int, inner: R = ORDERS) -> R:
    """Refers outwards from below the padded side of an outer join, where Spark takes no outer column."""
    below = inner.filter(lambda r: gt(r[0], by_anchor(anchor, 0, I64)))
    return KV.join(below, "LEFT", lambda r: eq(r[0], r[2]))


def test_what_it_cannot_do_says_why() -> None:
    root = anchored(CUSTOMERS.filter(lambda _: exists(_padded(5))), 5)
    sql = substrait_sql.to_sql(plan((root, "customer_id name")))
    assert sql.count("the outer values of a subquery that Spark cannot run once per row") == 1
    assert "IS NOT DISTINCT FROM cust.customer_id" in sql


@pytest.mark.parametrize("steps", [2, 3, 6])
def test_text_grows_with_depth_and_no_faster(steps: int) -> None:
    """A reference across many scopes is carried through each of them once."""

    def nested(depth: int) -> R:
        if depth == 0:
            return KV.filter(lambda r: gt(r[1], by_anchor(5, 0, I64)))
        return KV.filter(lambda _: exists(nested(depth - 1)))

    root = anchored(CUSTOMERS.filter(lambda _: exists(nested(steps))), 5)
    sql = substrait_sql.to_sql(plan((root, "customer_id name")))
    assert sql.count("EXISTS(") == steps + 1
    assert len(sql) < 400 * (steps + 2)


def test_a_deep_nest_that_spark_cannot_run_takes_no_time() -> None:
    """Each level is tried once or twice, not once more for every level around it."""

    def nested(depth: int) -> R:
        inner = _padded(100 + depth)
        if depth == 0:
            return inner
        return anchored(inner.filter(lambda _: exists(nested(depth - 1))), 99 + depth)

    root = anchored(KV.filter(lambda _: exists(nested(6))), 106)
    started = time.monotonic()
    sql = substrait_sql.to_sql(plan((root, "k v")))
    assert time.monotonic() - started < 20
    assert sql.count("LEFT JOIN") >= 7
