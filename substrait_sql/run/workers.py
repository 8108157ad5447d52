"""Which Python the workers of Spark run, which read data sources of ours.

Spark starts them as ``python3`` of the PATH, unless ``PYSPARK_PYTHON`` says otherwise when its session starts. For a
script of a virtual environment that is not activated, that is another Python, without the packages of this one.
"""

from __future__ import annotations

import os
import sys
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from substrait_sql.run.settings import is_connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_VARIABLE = "PYSPARK_PYTHON"
_CHOSEN = "spark.pyspark.python"
_RELEASE = "{}.{}".format(*sys.version_info)
# Reads all that it is given first: Spark takes a pipe that nobody reads for an error.
_ASK = """cat > /dev/null; "$0" -c 'import sys; print("{}.{}".format(*sys.version_info))' 2> /dev/null || echo none"""
_LACKING = (
    "ModuleNotFoundError",
    "PYTHON_VERSION_MISMATCH",
    "Cannot run program",
    "Python worker failed to connect back",
    "Python worker exited unexpectedly",
)

# Whether the workers of a cluster have this Python.
_HAVE: weakref.WeakKeyDictionary[SparkContext, bool] = weakref.WeakKeyDictionary()


@contextmanager
def as_this_python(spark: SparkSession) -> Iterator[None]:
    """What is sent to workers within runs on the Python that somebody chose; on this one if nobody did.

    A cluster runs its own if its workers do not have this Python under its path. So does a Connect server.
    """
    if is_connect(spark):
        yield
        return
    context = spark.sparkContext
    before = context.pythonExec
    context.pythonExec = _chosen(spark) or (sys.executable if _has_this(context) else before)
    try:
        yield
    finally:
        context.pythonExec = before


def _chosen(spark: SparkSession) -> str | None:
    """The Python that the session or the environment names. Of the former only spark-submit takes note by itself."""
    return spark.conf.get(_CHOSEN, None) or os.environ.get(_VARIABLE)


def _has_this(context: SparkContext) -> bool:
    """Whether workers find this Python under its path: they run beside it, or say so."""
    if str(context.master).startswith("local"):
        return True
    if context not in _HAVE:
        _HAVE[context] = _answers(context) == {_RELEASE}
    return _HAVE[context]


def _answers(context: SparkContext) -> set[str]:
    """What workers of a cluster say of the Python under this path: its release or ``none``."""
    count = context.defaultParallelism
    java: Any = context._jsc
    try:
        asked = java.parallelize(list(range(count)), count)
        return set(asked.pipe(["sh", "-c", _ASK, sys.executable]).collect())
    except Exception:
        # Machines without a shell are none that would have it.
        return set()


def hint(error: BaseException) -> str:
    """What to do about an error of workers that lack a package or do not start; empty for any other error."""
    if not any(sign in str(error) for sign in _LACKING):
        return ""
    return (
        f"Spark's Python workers must be a Python {_RELEASE} that has the packages, too: set PYSPARK_PYTHON to one "
        "that is on all machines before the session starts, for a Connect server before that starts"
    )
