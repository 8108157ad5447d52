"""The queries of TPC-H and TPC-DS, and the plans that DataFusion makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import duckdb

from tests.support import tpch

if TYPE_CHECKING:
    from pathlib import Path

    from datafusion import SessionContext


class Suite(NamedTuple):
    """Queries by their name, over the tables of a session. schema: their columns and types, as Spark has them."""

    name: str
    context: SessionContext
    queries: dict[str, str]
    schema: dict[str, dict[str, str]]
    files: dict[str, Path]

    @property
    def short(self) -> str:
        """``h`` or ``ds``."""
        return self.name.partition("-")[2].lower()


def suites(scale: float = 0) -> list[Suite]:
    """TPC-H and TPC-DS. Where nothing but the plans matters, tables without rows will do: scale 0."""
    return [_suite("TPC-H", "tpch", scale), _suite("TPC-DS", "tpcds", scale)]


def _suite(name: str, extension: str, scale: float) -> Suite:
    files = tpch.generated(extension, scale)
    schema = {}
    connection = duckdb.connect()
    for table, path in files.items():
        columns = connection.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
        schema[table] = {column[0]: column[1].replace("VARCHAR", "STRING") for column in columns}
    queries = {f"q{number}": text for number, text in tpch.benchmark(extension).items()}
    return Suite(name, tpch.datafusion_context(files), queries, schema, files)
