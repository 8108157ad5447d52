"""Data sources of our own, written in Python, for what Spark has no reader for."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError
from substrait_sql.run.tables.sources import condition
from substrait_sql.run.workers import as_this_python

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource

_MODULES = {
    "substrait_sql_iceberg": "substrait_sql.run.files.iceberg",
    "substrait_sql_arrow": "substrait_sql.run.files.arrow",
}
# What each needs: the files, the package, and how to install that.
_PACKAGES = {
    "substrait_sql_iceberg": ("Iceberg", "pyiceberg", "pip install 'substrait-sql[iceberg]'"),
    "substrait_sql_arrow": ("Arrow", "pyarrow", "pip install pyarrow"),
}

_THERE = "DATA_SOURCE_ALREADY_EXISTS"


def check_package(using: str, path: str) -> None:
    """Raises `ExecutionError` SS4017 if the package is missing that a data source needs. path: the node of the plan."""
    kind, package, install = _PACKAGES[using]
    if importlib.util.find_spec(package) is None:
        message = f"reading {kind} files needs {package}"
        raise ExecutionError.of("SS4017", message, path, hint=install)


def register(spark: SparkSession, using: str, path: str) -> None:
    """Make the data source of that name known to a session. path: the node of a plan that needs it.

    Raises `ExecutionError` SS4017 if a package is missing.
    """
    importlib.import_module(_MODULES[using]).register(spark, path)


def make_known(
    spark: SparkSession, source: type[DataSource], modules: Sequence[ModuleType], path: str
) -> None:
    """Register a class. Its modules travel to Spark's workers as a whole: they have not this package.

    Raises `ExecutionError` SS4017 without the package that it needs.
    """
    check_package(source.name(), path)
    from pyspark import cloudpickle

    for each in modules:
        cloudpickle.register_pickle_by_value(each)  # type: ignore[no-untyped-call]
    try:
        with as_this_python(spark):
            _register(spark, source)
    finally:
        for each in modules:
            cloudpickle.unregister_pickle_by_value(each)  # type: ignore[no-untyped-call]


def _register(spark: SparkSession, source: type[DataSource]) -> None:
    """Registers it, also while another thread or process does the same in this session.

    Spark looks first for one of Python's by that name, which it would replace, then for one of Java's, which it
    refuses to. One of Python's that comes between the two looks is refused as if it were Java's.
    """
    try:
        spark.dataSource.register(source)
    except Exception as error:
        if condition(error) != _THERE:
            raise
        spark.dataSource.register(source)
