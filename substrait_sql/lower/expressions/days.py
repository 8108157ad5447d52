"""Texts of a day of the calendar, which are written as dates: ``DATE '2020-02-29'``."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from substrait_sql.lower.expressions.times import typed_string
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.value import Value


def is_day(value: Value) -> bool:
    """Whether the value is the text of a day of the calendar: then it is a date literal and needs no cast."""
    if value.literal is None or not value.sql.is_string:
        return False
    try:
        return dt.date.fromisoformat(value.sql.name).isoformat() == value.sql.name
    except ValueError:
        return False


def read_days(values: Sequence[Value]) -> bool:
    """Writes texts that are compared with a date as dates, which is what Spark reads them as; whether there are any.

    values: a date is among them.
    """
    texts = [v for v in values if types.kind(v.type) == "string" and is_day(v)]
    for value in texts:
        value.sql, value.sql_type = typed_string("DATE", value.sql.name), types.date()
    return bool(texts)
