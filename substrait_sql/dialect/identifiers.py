"""When a name needs quotes, and putting them on.

Quotes are left out where every parser mode of the dialect reads the bare word as a name, so that SQL looks as if a
person wrote it. Which words need them, and what the quotes are, the folder of the dialect says (`reserved`, `quotes`):
`dialects/spark/reserved.txt` lists the words that fail in some clause under either setting of
``spark.sql.ansi.enforceReservedKeywords``; it was made by running each keyword of Spark 4.3 as alias, column and
table name. It also has those that Spark takes and sqlglot does not, for the tools that read SQL with it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sqlglot import exp

from substrait_sql.errors import UnsupportedError

# Names that Spark takes for functions, and one for the number of the grouping set, where no column of FROM is called
# so; in ORDER BY where none of the select list is. They go before what a list has named so far and the queries around.
WORDS = {
    "current_date": "current_date", "current_timestamp": "current_timestamp",
    "current_user": "current_user", "user": "current_user", "session_user": "current_user",
    "current_time": "current_time", "localtime": "localtime", "grouping__id": "grouping__id",
}  # fmt: skip
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_REMEMBERED = 2**14


class Names:
    """How a dialect writes names.

    quotes: what stands before and behind a name, one character or two; the latter is doubled inside. reserved: the
    words that need them, in lower case; None where nobody has said, and every name has them.
    """

    def __init__(self, quotes: str, reserved: frozenset[str] | None) -> None:
        self.quotes = quotes[0] + quotes[-1]
        self._reserved = reserved
        # The same few names are written over and over.
        self.text = lru_cache(_REMEMBERED)(self._text)

    def is_safe(self, name: str) -> bool:
        """Whether the bare word is read as this name."""
        return (
            self._reserved is not None
            and bool(_PLAIN.match(name))
            and name.lower() not in self._reserved
        )

    def in_quotes(self, name: str) -> str:
        """The name in quotes, whatever it is."""
        opening, closing = self.quotes[0], self.quotes[1]
        return opening + name.replace(closing, closing * 2) + closing

    def quote(self, name: str) -> str:
        """A name as text, quoted if it has to be. Raises as `identifier` does.

        >>> names = Names("`", frozenset({"order"}))
        >>> names.quote("l_orderkey"), names.quote("order"), names.quote("a`b")
        ('l_orderkey', '`order`', '`a``b`')
        >>> Names("[]", frozenset()).quote("a]b")
        '[a]]b]'
        """
        _check(name)
        return self.text(name)

    def _text(self, name: str) -> str:
        return name if self.is_safe(name) else self.in_quotes(name)


def identifier(name: str) -> exp.Identifier:
    """A name as a node of the tree. Nothing is said of quotes: the printer knows when its dialect needs them.

    Raises `UnsupportedError` for a name with ``${`` in it: Spark substitutes variables in the text of a statement
    before it parses, in quoted names too, and a name has no escapes.
    """
    _check(name)
    return exp.Identifier(this=name)


def _check(name: str) -> None:
    if "${" in name:
        raise UnsupportedError.of(
            "SS2402",
            f"the name {name!r} holds '${{', which Spark replaces before it reads a statement",
            hint="rename the column or table in the plan",
        )
