"""Which Python the workers of Spark run, which read data sources of ours.

Spark starts them as ``python3`` of the PATH, unless ``PYSPARK_PYTHON`` says otherwise when its session starts. For a
script of a virtual environment that is not activated, that is another Python, without the packages of this one.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from substrait_sql.run.settings import is_connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

_VARIABLE = "PYSPARK_PYTHON"
_CHOSEN = "spark.pyspark.python"


def is_local(spark: SparkSession) -> bool:
    """Whether the workers of a session run on this machine, as processes beside this one."""
    return not is_connect(spark) and str(spark.sparkContext.master).startswith("local")


@contextmanager
def as_this_python(spark: SparkSession) -> Iterator[None]:
    """What is sent to workers within runs on this Python, if they are on this machine and nobody chose another."""
    chosen = os.environ.get(_VARIABLE) or not is_local(spark) or spark.conf.get(_CHOSEN, None)
    if chosen:
        yield
        return
    context = spark.sparkContext
    before = context.pythonExec
    context.pythonExec = sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def hint(error: BaseException) -> str:
    """What to do about an error of workers that lack a package; empty for any other error."""
    if "ModuleNotFoundError" not in str(error) and "PYTHON_VERSION_MISMATCH" not in str(error):
        return ""
    return (
        "Spark's Python workers need it, too: set PYSPARK_PYTHON to a Python that has it before the session starts, "
        "on a cluster or a Connect server for its own"
    )
