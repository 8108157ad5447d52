"""Whether rows are those that the oracle expects, in an order that it allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from tests.oracle.model import Table
from tests.support import rows


def difference(got: Sequence[Sequence[Any]], want: Table) -> str:
    """ "" or what differs. Where there is an order, rows of one rank may come in any."""
    found = rows.difference(got, want.rows)
    if found or want.order is None:
        return found
    start = 0
    for _, members in groupby(want.order):
        end = start + len(list(members))
        found = rows.difference(got[start:end], want.rows[start:end])
        if found:
            return f"out of order, rows {start} to {end - 1}: {found}"
        start = end
    return ""


def equal(value: Any) -> Any:
    """The value in a form that JSON can hold."""
    return value if isinstance(value, (int, str, bool, type(None))) else str(value)
