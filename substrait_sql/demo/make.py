"""How the files of the demo were made: ``python -m substrait_sql.demo.make TPCH_FOLDER``.

TPCH_FOLDER holds customer, orders and lineitem as Parquet files, as ``dbgen`` of DuckDB's tpch
extension makes them at scale 0.01. The plan is what DataFusion makes of TPC-H's third query; the
tables are a few of their rows.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent

QUERY = """
SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority
FROM customer, orders, lineitem
WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey
  AND o_orderdate < DATE '1995-03-15' AND l_shipdate > DATE '1995-03-15'
GROUP BY l_orderkey, o_orderdate, o_shippriority
ORDER BY revenue DESC, o_orderdate
LIMIT 10
"""

# Twelve orders that the query returns, and as many that each of its conditions leaves out.
KEPT = """
WITH facts AS (
  SELECT o_orderkey, o_custkey, c_mktsegment = 'BUILDING' AS b, o_orderdate < DATE '1995-03-15' AS
  d, bool_or(l_shipdate > DATE '1995-03-15') AS s FROM orders JOIN customer ON c_custkey = o_custkey
  JOIN lineitem ON l_orderkey = o_orderkey GROUP BY ALL
), numbered AS (SELECT *, row_number() OVER (PARTITION BY b, d, s ORDER BY o_orderkey) AS n FROM
facts) SELECT o_orderkey, o_custkey FROM numbered WHERE n <= CASE WHEN b AND d AND s THEN 12 ELSE 3
END
"""

CUT = {
    "orders": "FROM orders WHERE o_orderkey IN (SELECT o_orderkey FROM kept) ORDER BY o_orderkey",
    "lineitem": "FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM kept) "
    "ORDER BY l_orderkey, l_linenumber",
    "customer": "FROM customer WHERE c_custkey IN (SELECT o_custkey FROM kept) ORDER BY c_custkey",
}


def main(folder: Path) -> None:
    """Write ``plan.pb`` and ``tables/*.parquet`` beside this file."""
    import duckdb
    from datafusion import SessionContext
    from datafusion.substrait import Producer
    from pyarrow import parquet  # type: ignore[import-untyped]

    tables = duckdb.connect()
    for name in CUT:
        tables.execute(f"CREATE VIEW {name} AS FROM '{folder / name}.parquet'")
    tables.execute(f"CREATE TABLE kept AS {KEPT}")
    context = SessionContext()
    for name, query in CUT.items():
        path = HERE / "tables" / f"{name}.parquet"
        table = tables.execute(query).to_arrow_table()
        parquet.write_table(table, path, compression="zstd", write_statistics=False)
        context.register_parquet(name, str(path))
    optimized = context.sql(QUERY).optimized_logical_plan()
    (HERE / "plan.pb").write_bytes(Producer.to_substrait_plan(optimized, context).encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
