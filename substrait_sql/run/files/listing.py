"""How Spark lists files: with one task for each path by default, up to 10,000, which take longer than the listing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from substrait_sql.run.settings import applied

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

_TASKS = "spark.sql.sources.parallelPartitionDiscovery.parallelism"
_FEW = "64"


@contextmanager
def few_tasks(spark: SparkSession) -> Iterator[None]:
    """Files that are listed within are listed by some tasks; by as many as the session says where it does."""
    if spark.conf.get(_TASKS, None) is not None:
        yield
        return
    with applied(spark, {_TASKS: _FEW}):
        yield
