"""TPC-H and TPC-DS made at test time: data, queries and rows by DuckDB, plans by DataFusion."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    from datafusion import SessionContext

CACHE = Path(__file__).parents[2] / ".cache"
# The functions of DuckDB's extensions that make tables.
GENERATORS = {"tpch": "dbgen", "tpcds": "dsdgen"}


def _generator(extension: str) -> duckdb.DuckDBPyConnection:
    import duckdb
    from duckdb_extensions import import_extension

    import_extension(extension)
    connection = duckdb.connect()
    connection.execute(f"LOAD {extension}")
    return connection


def tables(scale: float) -> dict[str, Path]:
    """The eight tables as Parquet files, written once per scale and checkout."""
    return generated("tpch", scale)


def generated(extension: str, scale: float) -> dict[str, Path]:
    """The tables of a benchmark, ``tpch`` or ``tpcds``, as Parquet files, written once per scale and checkout."""
    folder = CACHE / extension / f"sf{scale:g}"
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        # made aside and moved in one step: an interrupted run leaves no half-written folder behind
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        connection = _generator(extension)
        connection.execute(f"CALL {GENERATORS[extension]}(sf={scale:g})")
        for (name,) in connection.execute("SHOW TABLES").fetchall():
            connection.execute(f"COPY {name} TO '{made / name}.parquet' (FORMAT parquet)")
        connection.close()
        try:
            made.rename(folder)
        except OSError:  # another run was quicker
            shutil.rmtree(made)
    return {path.stem: path for path in sorted(folder.glob("*.parquet"))}


def benchmark(extension: str) -> dict[int, str]:
    """The texts of its queries, by number."""
    rows = _generator(extension).execute(f"SELECT query_nr, query FROM {extension}_queries()")
    return {number: text.strip().rstrip(";") for number, text in sorted(rows.fetchall())}


@cache
def queries() -> dict[int, str]:
    """The 22 query texts, by number."""
    return benchmark("tpch")


class Oracle:
    """DuckDB over Parquet files: the rows that a query should return."""

    def __init__(self, files: dict[str, Path]) -> None:
        import duckdb

        self._connection = duckdb.connect()
        for name, path in files.items():
            self._connection.execute(f"CREATE VIEW {name} AS SELECT * FROM '{path}'")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run the query."""
        return self._connection.execute(sql).fetchall()


def datafusion_context(files: dict[str, Path], string_views: bool = True) -> SessionContext:
    """A DataFusion session that knows the tables; string views are its default for Parquet text."""
    from datafusion import SessionConfig, SessionContext

    views = "datafusion.execution.parquet.schema_force_view_types"
    context = SessionContext(SessionConfig().set(views, str(string_views).lower()))
    for name, path in files.items():
        context.register_parquet(name, str(path))
    return context


def datafusion_plan(context: SessionContext, sql: str, optimised: bool = True) -> bytes:
    """The plan that DataFusion's own producer makes of the query."""
    from datafusion import substrait

    frame = context.sql(sql)
    plan = frame.optimized_logical_plan() if optimised else frame.logical_plan()
    return substrait.Producer.to_substrait_plan(plan, context).encode()
