"""The tables that drawn statements read, as views, and the texts that values are drawn of."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@cache
def texts() -> dict[str, dict[str, list[str]]]:
    """Literals, calls and aggregates by kind."""
    return _read("templates.yaml")


@cache
def tables() -> dict[str, dict[str, str]]:
    """The columns of each table, and their kinds."""
    return {name: table["columns"] for name, table in _read("tables.yaml")["tables"].items()}


def views(spark: SparkSession) -> None:
    """The tables, as views over rows of literals: no job has to read them."""
    read = _read("tables.yaml")
    for name, table in read["tables"].items():
        columns = table["columns"]
        rows = table["rows"] or [", ".join("NULL" for _ in columns)]
        casts = ", ".join(f"CAST({c} AS {read['types'][kind]}) {c}" for c, kind in columns.items())
        values = ", ".join(f"({row})" for row in rows)
        empty = "" if table["rows"] else " WHERE FALSE"
        spark.sql(
            f"SELECT {casts} FROM VALUES {values} AS t({', '.join(columns)}){empty}"
        ).createOrReplaceTempView(name)


def schema() -> dict[str, dict[str, str]]:
    """The tables as `to_plan` takes them."""
    read = _read("tables.yaml")
    return {
        name: {c: read["types"][kind] for c, kind in table["columns"].items()}
        for name, table in read["tables"].items()
    }


@cache
def _read(name: str) -> Any:
    return yaml.safe_load((Path(__file__).parent / name).read_text(encoding="utf-8"))
