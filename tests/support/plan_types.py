"""Substrait types written as text, and what else the builder of plans needs of them."""

from __future__ import annotations

import struct

from substrait_sql.testing.cases.types import (
    USER_DEFINED,
    is_nullable,
    literal,
    nullable,
    short_name,
    spark_type,
    type_of,
)

__all__ = [
    "USER_DEFINED",
    "fp32",
    "is_nullable",
    "literal",
    "nullable",
    "short_name",
    "spark_type",
    "split_names",
    "type_of",
]


def split_names(text: str) -> list[list[str]]:
    """Split ``id addr(city,zip)`` into a list per column: its name, then those of the fields inside."""
    return [column.rstrip(")").replace("(", ",").split(",") for column in text.split()]


def fp32(value: float) -> float:
    """Return the nearest 32-bit float, as the wire and Spark hold it."""
    (out,) = struct.unpack("<f", struct.pack("<f", value))
    return float(out)
