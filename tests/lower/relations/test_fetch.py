"""Row counts and offsets that only Spark knows: the errors. Their rows are golden plans (tests/plans/fetch)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import run
from tests.support.build import ASC, Expr, R, extreme, plan, scalar, virtual
from tests.support.build.physical import top_n

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = virtual("x:i64", (1,), (2,), (3,))
NEGATIVE = scalar(virtual("x:i64", (-1,), (-2,)).aggregate(None, lambda r: [extreme("max", r[0])]))


def top(count: Expr | None, offset: Expr | None) -> R:
    return top_n(ROWS, lambda r: [(r[0], ASC)], count, offset, ties=True)


@pytest.mark.spark
@pytest.mark.parametrize(
    "relation",
    [
        ROWS.fetch(NEGATIVE),
        ROWS.fetch(2, NEGATIVE),
        ROWS.fetch(NEGATIVE, NEGATIVE),
        top(NEGATIVE, None),
    ],
)
def test_a_negative_number_of_rows_is_an_error(spark: SparkSession, relation: R) -> None:
    with pytest.raises(Exception, match="number of rows to skip or to keep is negative"):
        run.last_rows(spark, plan((relation, "x")), {})
