"""The Spark session that cases run in."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@contextmanager
def spark() -> Iterator[SparkSession]:
    """An embedded session of its own, in UTC as Python is."""
    from substrait_sql import local_session

    os.environ["TZ"] = "UTC"
    time.tzset()
    made = local_session(
        "local[2]",
        {"spark.sql.shuffle.partitions": "1", "spark.sql.session.timeZone": "UTC"},
    )
    try:
        yield made
    finally:
        made.stop()
