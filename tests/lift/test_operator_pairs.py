"""Operators between all pairs of types have the type that Spark's analyser gives, or are refused where it refuses.

What is expected is what the analyser says of the same text; `python -m tests.lift.operator_pairs` draws thousands.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.lift import operator_pairs, spark_says
from tests.lift.spark_types import TABLE, table


@pytest.fixture
def every_type(spark: Any) -> Any:
    spark.conf.set("spark.sql.timeType.enabled", "true")
    spark_says.quiet()
    table(spark)
    yield spark
    spark.catalog.dropTempView(TABLE)
    spark.conf.unset("spark.sql.timeType.enabled")


def test_drawn_operators_are_typed_as_spark_types_them(every_type: Any) -> None:
    texts = operator_pairs.drawn(500, seed=2026)
    batches = [texts[i : i + 25] for i in range(0, len(texts), 25)]
    # Whether a result can be NULL is known to differ for some constants; a plan that says it can is right, too.
    found = [d for b in batches for d in operator_pairs.compare(every_type, b, nullability=False)]
    assert found == []
