"""Columns that a file has as texts, under the plan's types: a text that is no value of its type is an error.

Spark's cast rounds digits away, takes the day of a moment, and drops the zone where a type has none.
"""

from __future__ import annotations

import re

_DECIMAL = re.compile(r"DECIMAL\((\d+), ?(\d+)\)")
_MOST_DIGITS = 38
_FINER = "{x} RLIKE '[.][0-9]{{6}}[0-9]*[1-9]'"
_ZONED = "{x} RLIKE ':[0-9.]*[ ]*[-+a-zA-Z]'"
_LOST = {
    "DATE": "trim({x}) RLIKE '[ T]'",
    "TIMESTAMP": _FINER,
    "TIMESTAMP_NTZ": f"({_FINER} OR {_ZONED})",
}


def value_of(column: str, sql_type: str) -> str:
    """The text of a column as a value of a type, in Spark SQL. column: in backticks."""
    cast = f"CAST({column} AS {sql_type})"
    lost = _lost(column, sql_type)
    if not lost:
        return cast
    said = f"concat('not of type {sql_type}: ', {column})"
    return f"CASE WHEN {lost} THEN raise_error({said}) ELSE {cast} END"


def _lost(column: str, sql_type: str) -> str:
    """The condition that a cast would take something away; empty where it takes all or fails."""
    decimal = _DECIMAL.fullmatch(sql_type)
    if decimal is None:
        return _LOST.get(sql_type, "").format(x=column)
    whole = int(decimal[1]) - int(decimal[2])
    longest = f"DECIMAL({_MOST_DIGITS}, {_MOST_DIGITS - whole})"
    return f"CAST({column} AS {longest}) <> CAST({column} AS {sql_type})"
