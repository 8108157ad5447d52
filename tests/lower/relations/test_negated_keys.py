"""A key that rows are grouped by, denied above: Spark finds it only as it is written in GROUP BY."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.support import rows, run
from tests.support.build import (
    and_,
    call,
    count,
    eq,
    is_not_null,
    is_null,
    lit,
    not_,
    one_of,
    plan,
    virtual,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build.base import Expr, Row

ROWS = [(1, 2), (1, 1), (None, 1), (3, None), (2, 2)]
KEYS: dict[str, tuple[Callable[[Row], Expr], dict[bool | None, int]]] = {
    "a <> b": (
        lambda r: call("comparison", "not_equal:any_any", "bool?", r[0], r[1]),
        {True: 1, False: 2, None: 2},
    ),
    "a = b": (lambda r: eq(r[0], r[1]), {True: 2, False: 1, None: 2}),
    "a IS NULL": (lambda r: is_null(r[0]), {True: 1, False: 4}),
    "a IS NOT NULL": (lambda r: is_not_null(r[0]), {True: 4, False: 1}),
    "a IN (1, 3)": (
        lambda r: one_of(r[0], lit(1, "i32"), lit(3, "i32")),
        {True: 3, False: 1, None: 1},
    ),
}
DENIED = {True: False, False: True, None: None}


@pytest.mark.spark
@pytest.mark.parametrize("key", KEYS)
def test_a_denied_key(key: str, spark: SparkSession) -> None:
    made, counts = KEYS[key]
    groups = virtual("a:i32? b:i32?", *ROWS).aggregate(lambda r: [made(r)], lambda r: [count()])
    shown = groups.project(lambda r: [not_(r[0]), is_not_null(not_(r[0]))])
    for rel, names, want in (
        (shown, "k n d e", [(k, n, DENIED[k], k is not None) for k, n in counts.items()]),
        (groups.filter(lambda r: not_(r[0])), "k n", [(False, counts[False])]),
        (
            groups.filter(lambda r: and_(not_(not_(r[0])), is_not_null(r[0]))),
            "k n",
            [(True, counts[True])],
        ),
    ):
        assert not rows.difference(run.last_rows(spark, plan((rel, names)), {}), want)


def test_the_text() -> None:
    made, _ = KEYS["a <> b"]
    groups = virtual("a:i32? b:i32?", *ROWS).aggregate(lambda r: [made(r)], lambda r: [count()])
    sql = substrait_sql.to_sql(plan((groups.filter(lambda r: not_(r[0])), "k n")))
    assert sql.split("HAVING")[1].strip() == "NOT (a <> b)"
