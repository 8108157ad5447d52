"""``x IS NOT NULL`` beside what is never TRUE of a NULL says nothing, and DuckDB writes it with each filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from tests.support import run
from tests.support.build import (
    Expr,
    Row,
    and_,
    eq,
    gt,
    is_not_null,
    is_null,
    is_same,
    like,
    lit,
    lte,
    ne,
    not_,
    one_of,
    or_,
    plan,
    table,
    virtual,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

FIVE = lit(5, "i64")
FALSE = lit(False, "bool")
# Of columns x, y, s; whether the test goes.
BESIDE: dict[str, tuple[Callable[[Row], Expr], bool]] = {
    "equal": (lambda r: eq(r[0], FIVE), True),
    "equal, turned round": (lambda r: eq(FIVE, r[0]), True),
    "of two columns": (lambda r: gt(r[1], r[0]), True),
    "not equal": (lambda r: ne(r[0], FIVE), True),
    "at most": (lambda r: lte(r[0], FIVE), True),
    "a list": (lambda r: one_of(r[0], FIVE), True),
    "of another column": (lambda r: eq(r[1], FIVE), False),
    "of a NULL, too": (lambda r: is_same(r[0], FIVE), False),
    "one of two": (lambda r: or_(eq(r[0], FIVE), eq(r[1], FIVE)), False),
    "both of two": (lambda r: or_(eq(r[0], FIVE), one_of(r[0], r[1]), gt(r[1], r[0])), True),
    "both of two, one inside": (lambda r: or_(eq(r[0], FIVE), or_(gt(r[0], r[1]), FALSE)), False),
    "two of three, nested": (
        lambda r: or_(or_(eq(r[0], FIVE), is_null(r[1])), gt(r[0], r[1])),
        False,
    ),
    "the test for it": (lambda r: is_null(r[1]), False),
    "not": (lambda r: not_(is_null(r[1])), False),
}


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("first", [True, False])
def test_beside(name: str, first: bool) -> None:
    beside, goes = BESIDE[name]

    def condition(r: Row) -> Expr:
        parts = [is_not_null(r[0]), beside(r)]
        return and_(*(parts if first else reversed(parts)))

    text = substrait_sql.to_sql(
        plan((table("t", "x:i64? y:i64? s:str?").filter(condition), "x y s"))
    )
    assert ("x IS NOT NULL" not in text) == goes


def test_of_texts() -> None:
    source = table("t", "s:str?").filter(lambda r: and_(like(r[0], "a%"), is_not_null(r[0])))
    assert substrait_sql.to_sql(plan((source, "s"))).endswith("WHERE\n  s LIKE 'a%'")


@pytest.mark.spark
def test_rows(spark: SparkSession) -> None:
    """And what is no condition keeps its test."""
    source = virtual("x:i64? y:i64?", (5, 1), (None, 5), (7, None), (5, None))
    kept = source.filter(lambda r: and_(is_not_null(r[0]), gt(r[0], FIVE)))
    both = source.filter(lambda r: and_(eq(r[0], FIVE), is_not_null(r[0]), is_not_null(r[1])))
    either = source.filter(lambda r: and_(is_not_null(r[0]), or_(eq(r[0], FIVE), gt(r[0], r[1]))))
    column = source.select(lambda r: [and_(is_not_null(r[0]), eq(r[0], FIVE))])
    assert run.last_rows(spark, plan((kept, "x y")), {}) == [(7, None)]
    assert run.last_rows(spark, plan((both, "x y")), {}) == [(5, 1)]
    assert run.last_rows(spark, plan((either, "x y")), {}) == [(5, 1), (5, None)]
    found = [row[0] for row in run.last_rows(spark, plan((column, "b")), {})]
    assert found == [True, False, False, True]
