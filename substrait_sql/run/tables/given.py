"""The tables that a caller gives: DataFrames of Spark and paths as they are, those of pandas and Arrow as Spark's."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.run.files.arrow_types import plain
from substrait_sql.run.quoting import times
from substrait_sql.run.settings import applied
from substrait_sql.run.spark_errors import ours
from substrait_sql.run.tables.sources import Ambiguous, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

_ACCEPTED = "give a DataFrame of Spark or pandas, a table of Arrow, or the path of a file or folder"


class Given(Mapping[str, Table]):
    """The tables by name. Those of pandas and Arrow become Spark's when they are first asked for.

    Raises `ExecutionError`: SS4004 for what is no table, SS4017 for a pandas DataFrame without pyarrow.
    """

    def __init__(self, spark: SparkSession, tables: Mapping[str, Any]) -> None:
        self._spark = spark
        self._tables = dict(tables)
        for name, table in self._tables.items():
            _check(name, table)

    def __getitem__(self, name: str) -> Table:
        table = self._tables[name]
        if not (_is_spark(table) or isinstance(table, (str, os.PathLike, Ambiguous))):
            table = self._tables[name] = _frame(self._spark, name, table)
        found: Table = table
        return found

    @property
    def paths(self) -> dict[str, Table]:
        """Those of them that are paths."""
        return {n: t for n, t in self._tables.items() if isinstance(t, (str, os.PathLike))}

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def _check(name: Any, table: Any) -> None:
    if not isinstance(name, str):
        hint = "give the table by its name, such as {'orders': …}"
        raise ExecutionError.of("SS4004", f"{name!r} is no name of a table", hint=hint)
    if _is_spark(table) or isinstance(table, (str, os.PathLike, Ambiguous)):
        return
    if not hasattr(table, "__arrow_c_stream__"):
        kind = f"{type(table).__module__}.{type(table).__qualname__}".removeprefix("builtins.")
        message = f"the table {name!r} is given as a {kind}, which is none"
        raise ExecutionError.of("SS4004", message, hint=_ACCEPTED)
    if importlib.util.find_spec("pyarrow") is None:
        message = f"giving the table {name!r} as a DataFrame of pandas needs pyarrow"
        raise ExecutionError.of("SS4017", message, hint="pip install pyarrow")


def _is_spark(table: Any) -> bool:
    from pyspark.sql import DataFrame

    return isinstance(table, DataFrame)


def _frame(spark: SparkSession, name: str, table: Any) -> DataFrame:
    """A table of Arrow, or one that can be had as such, as Spark's."""
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql.pandas.types import from_arrow_schema

    try:
        # A table of pandas has its index only where it has a name, which makes it a column.
        data = table if isinstance(table, pa.Table) else pa.table(table)
        data = plain(data)
        # Times without a zone have none in Spark either, whatever its session takes them for.
        schema = from_arrow_schema(data.schema, prefer_timestamp_ntz=True)
        with applied(spark, times() if "time" in map(_type_name, schema.fields) else {}):
            return spark.createDataFrame(data, schema)
    except Exception as error:
        what = f"the table {name!r} cannot be had as one of Spark's"
        hint = "Spark holds times of microseconds, decimals of 38 digits, columns of one type each"
        raise ours(error, "SS4004", what, hint=hint) from error


def _type_name(field: Any) -> str:
    name: str = field.dataType.typeName()
    return name
