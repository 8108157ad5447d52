"""Where producers depart from the specification: the table, a row for each deviation of each producer.

A row is data; `producers` reads it. `python -m tests.tools.producers --write` prints it into docs/producers/.
"""

from __future__ import annotations

from substrait_sql.plan.deviations import datafusion, duckdb, ibis, others
from substrait_sql.plan.deviations.row import Deviation, Version

__all__ = ["DEVIATIONS", "UNVERSIONED", "Deviation", "Version"]

UNVERSIONED: dict[str, Version] = {"duckdb": (0, 53), "datafusion": (1, 0)}
"""The version that a plan without one is taken to be of; any other is older than all that say one."""

DEVIATIONS: tuple[Deviation, ...] = (*datafusion.ROWS, *duckdb.ROWS, *ibis.ROWS, *others.ROWS)
