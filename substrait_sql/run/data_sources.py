"""Data sources of our own, written in Python, for what Spark has no reader for."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from types import ModuleType

    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource

_MODULES = {
    "substrait_sql_iceberg": "substrait_sql.run.iceberg",
    "substrait_sql_arrow": "substrait_sql.run.arrow",
}


def register(spark: SparkSession, using: str, path: str) -> None:
    """Make the data source of that name known to a session. path: the node of a plan that needs it.

    Raises `ExecutionError` SS4017 if a package is missing.
    """
    importlib.import_module(_MODULES[using]).register(spark, path)


def make_known(
    spark: SparkSession,
    source: type[DataSource],
    module: ModuleType,
    package: str,
    extra: str,
    path: str,
) -> None:
    """Register a class of a module, which travels to Spark's workers as a whole: they have not this package.

    package: what it needs, which is in our ``extra``. Raises `ExecutionError` SS4017 without it.
    """
    if importlib.util.find_spec(package) is None:
        raise ExecutionError.of(
            "SS4017",
            f"reading {extra.capitalize()} files needs {package}",
            path,
            hint=f"pip install 'substrait-sql[{extra}]'",
        )
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    try:
        spark.dataSource.register(source)
    finally:
        cloudpickle.unregister_pickle_by_value(module)  # type: ignore[no-untyped-call]
