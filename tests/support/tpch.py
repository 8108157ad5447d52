"""TPC-H made at test time: data, queries and rows by DuckDB, plans by DataFusion."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb
    from datafusion import SessionContext

CACHE = Path(__file__).parents[2] / ".cache" / "tpch"
TABLES = (
    "customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier",
)  # fmt: skip


def _generator() -> duckdb.DuckDBPyConnection:
    import duckdb
    from duckdb_extensions import import_extension

    import_extension("tpch")
    connection = duckdb.connect()
    connection.execute("LOAD tpch")
    return connection


def tables(scale: float) -> dict[str, Path]:
    """The eight tables as Parquet files, written once per scale and checkout."""
    folder = CACHE / f"sf{scale:g}"
    if not folder.is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        # made aside and moved in one step: an interrupted run leaves no half-written folder behind
        made = Path(tempfile.mkdtemp(dir=CACHE))
        connection = _generator()
        connection.execute(f"CALL dbgen(sf={scale:g})")
        for name in TABLES:
            connection.execute(f"COPY {name} TO '{made / name}.parquet' (FORMAT parquet)")
        connection.close()
        try:
            made.rename(folder)
        except OSError:  # another run was quicker
            shutil.rmtree(made)
    return {name: folder / f"{name}.parquet" for name in TABLES}


@cache
def queries() -> dict[int, str]:
    """The 22 query texts, by number."""
    connection = _generator()
    rows = connection.execute("SELECT query_nr, query FROM tpch_queries() ORDER BY 1").fetchall()
    return {number: text.strip().rstrip(";") for number, text in rows}


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
