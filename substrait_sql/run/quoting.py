"""Names and settings of the engine that statements run on, where it is we who write them: that is Spark.

The dialect of a plan may write names in another way; what `selectExpr` and the like are given is read by Spark itself,
in the session as it is. Names in backticks are names under any of its settings.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from substrait_sql.dialect.dialect import Dialect, load

if TYPE_CHECKING:
    from collections.abc import Mapping


@cache
def _engine() -> Dialect:
    return load("spark")


def quote(name: str) -> str:
    """A name as text, quoted if it has to be.

    >>> quote("l_orderkey"), quote("order")
    ('l_orderkey', '`order`')
    """
    return _engine().names.quote(name)


def times() -> Mapping[str, str]:
    """The settings under which there are times of day."""
    return _engine().settings.times
