"""When a name needs quotes, and putting them on.

Quotes are left out where every parser mode of the dialect reads the bare word as a name, so that SQL looks as if a
person wrote it. `dialects/spark/reserved.txt` lists the words that fail in some clause under either setting of
``spark.sql.ansi.enforceReservedKeywords``; it was made by running each keyword of Spark 4.3 as alias, column and
table name. It also has those that Spark takes and sqlglot does not, for the tools that read SQL with it.
"""

from __future__ import annotations

import re
from functools import cache

from sqlglot import exp

from substrait_sql.errors import UnsupportedError
from substrait_sql.resources import DIALECTS

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@cache
def _reserved() -> frozenset[str]:
    return frozenset((DIALECTS / "spark" / "reserved.txt").read_text().split())


@cache
def is_safe(name: str) -> bool:
    """Whether the bare word is read as this name."""
    return bool(_PLAIN.match(name)) and name.lower() not in _reserved()


def identifier(name: str) -> exp.Identifier:
    """A name as a node of the tree, quoted if it has to be.

    Raises `UnsupportedError` for a name with ``${`` in it: Spark substitutes variables in the text of a statement
    before it parses, in quoted names too, and a name has no escapes.
    """
    _check(name)
    return exp.Identifier(this=name, quoted=not is_safe(name))


def quote(name: str) -> str:
    """A name as text, quoted if it has to be. Raises as `identifier` does.

    >>> quote("l_orderkey"), quote("order"), quote("a`b")
    ('l_orderkey', '`order`', '`a``b`')
    """
    _check(name)
    return name if is_safe(name) else "`" + name.replace("`", "``") + "`"


def _check(name: str) -> None:
    if "${" in name:
        raise UnsupportedError.of(
            "SS2402",
            f"the name {name!r} holds '${{', which Spark replaces before it reads a statement",
            hint="rename the column or table in the plan",
        )
