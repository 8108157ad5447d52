"""What ``substrait-sql demo`` shows: a plan that another system made, and the tables it reads.

The plan is TPC-H's third query as DataFusion 55 writes it; the tables are a few rows of TPC-H's
data (``substrait_sql/demo/make.py`` made both).
"""

from __future__ import annotations

from substrait_sql.resources import PACKAGE

PLAN = PACKAGE / "demo" / "plan.pb"
"""The plan, binary."""

TABLES = PACKAGE / "demo" / "tables"
"""The folder of its tables: customer, orders and lineitem as Parquet files."""
