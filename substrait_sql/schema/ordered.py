"""Which values have an order in Spark."""

from __future__ import annotations

from typing import Any

from substrait_sql.schema.types import holds


def is_orderable(t: Any) -> bool:
    """Whether Spark sorts and compares such values: no maps, no intervals of months and days, though it groups them."""
    return t is None or not (holds(t, "map") or holds(t, "interval_compound"))
