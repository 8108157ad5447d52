"""The queries of TPC-H and TPC-DS, and the plans that DataFusion makes of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb
from duckdb_extensions import import_extension

from tests.support import tpch

if TYPE_CHECKING:
    from datafusion import SessionContext


class Suite(NamedTuple):
    """Queries by their name, over the tables of a session. schema: their columns and types, as Spark has them."""

    name: str
    context: SessionContext
    queries: dict[str, str]
    schema: dict[str, dict[str, str]]


def suites() -> list[Suite]:
    """TPC-H, and TPC-DS over tables without rows: nothing but the plans matters here."""
    return [
        _suite("TPC-H", "tpch", "CALL dbgen(sf=0)"),
        _suite("TPC-DS", "tpcds", "CALL dsdgen(sf=0)"),
    ]


def _suite(name: str, extension: str, generate: str) -> Suite:
    import_extension(extension)
    connection = duckdb.connect()
    connection.execute(f"LOAD {extension}")
    connection.execute(generate)
    folder = Path(tempfile.mkdtemp())
    files = {}
    schema = {}
    for (table,) in connection.execute("SHOW TABLES").fetchall():
        files[table] = folder / f"{table}.parquet"
        connection.execute(f"COPY {table} TO '{files[table]}' (FORMAT parquet)")
        columns = connection.execute(f"DESCRIBE {table}").fetchall()
        schema[table] = {column[0]: column[1].replace("VARCHAR", "STRING") for column in columns}
    rows = connection.execute(f"SELECT query_nr, query FROM {extension}_queries()").fetchall()
    queries = {f"q{number}": text.strip().rstrip(";") for number, text in sorted(rows)}
    return Suite(name, tpch.datafusion_context(files), queries, schema)
