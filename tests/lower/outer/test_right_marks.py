"""The mark of a right side behind which a column of a query further out is put: found by drawing plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import run
from tests.support.build import and_, count, eq, exists, plan, scalar, table, virtual

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOST = virtual("b:bool?", (True,), (False,), (None,))
LEFT = virtual("a:i64", (1,), (2,), (3,))
RIGHT = virtual("g:i64", (1,), (2,), (2,))
KNOWN = table("known", "k:i64 b:bool")


@pytest.mark.spark
@pytest.mark.parametrize("filtered", ["inside", "above"])
def test_rows(filtered: str, spark: SparkSession) -> None:
    """Of the right rows, those count that have a left row and a known one of their number and the host's value."""

    def counted(h):  # type: ignore[no-untyped-def]
        marked = LEFT.join(
            RIGHT,
            "RIGHT_MARK",
            lambda r: exists(
                KNOWN.filter(
                    lambda k: and_(
                        eq(k[0], r.outer(1)), eq(k[1], h.outer(0, 2)), eq(k[0], r.outer(0))
                    )
                )
            ),
            post=(lambda r: r[1]) if filtered == "inside" else None,
        )
        rows = marked if filtered == "inside" else marked.filter(lambda r: r[1])
        return scalar(rows.aggregate(None, lambda _: [count()]))

    made = plan((HOST.project(lambda h: [counted(h)]), "b n"))
    known = spark.createDataFrame([(1, True), (2, False)], "k BIGINT, b BOOLEAN")
    got = run.last_rows(spark, made, {"known": known})
    assert sorted(got, key=str) == [(False, 2), (None, 0), (True, 1)]
