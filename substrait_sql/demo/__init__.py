"""What ``substrait-sql demo`` shows: a plan that another system made, and the tables it reads.

The plan is TPC-H's third query as DataFusion 55 writes it; the tables are a few rows of TPC-H's
data (``substrait_sql/demo/make.py`` made both).
"""

from __future__ import annotations

from pathlib import Path

PLAN = Path(__file__).parent / "plan.pb"
"""The plan, binary."""

TABLES = Path(__file__).parent / "tables"
"""The folder of its tables: customer, orders and lineitem as Parquet files."""
