"""What an engine cannot do with a query, or gets wrong: the `lacks` in the metadata of a ``dialect.yaml``.

    lacks:
    - {what: correlated_limit, why: "ACCESSING_OUTER_QUERY_COLUMN_IS_NOT_ALLOWED"}

What is written instead is for the lowering, which asks ``word in dialect.target.lacks``. The words are a closed
vocabulary, and what no folder of a chain lists the engine does as Spark 4.3 does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CORRELATED_ROWS: Final = "correlated_rows"
CORRELATED_LIMIT: Final = "correlated_limit"
CORRELATED_FIELDS: Final = "correlated_fields"
CORRELATED_SUMS: Final = "correlated_sums"
CORRELATED_UNION: Final = "correlated_union"
OUTER_ON_SUBQUERY: Final = "outer_on_subquery"
LISTS_OF_NULLS: Final = "lists_of_nulls"
RECURSION: Final = "recursion"

WORDS: Final[Mapping[str, str]] = {
    CORRELATED_ROWS: "a scalar subquery that refers outwards and is no aggregation over all its rows",
    CORRELATED_LIMIT: "LIMIT, OFFSET and windows in a query that refers outwards",
    CORRELATED_FIELDS: "an outer column in the SELECT list of EXISTS and IN, or of a query inside them",
    CORRELATED_SUMS: "an aggregation that refers outwards below a condition, in EXISTS and IN",
    CORRELATED_UNION: "a set operation in a query that refers outwards",
    OUTER_ON_SUBQUERY: "a subquery in the condition of an outer join",
    LISTS_OF_NULLS: "collect_list RESPECT NULLS",
    RECURSION: "WITH RECURSIVE",
}
"""Each word, and what the engine has not got or gets wrong."""

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["what", "why"],
    "properties": {"what": {"enum": list(WORDS)}, "why": {"type": "string"}},
}
"""What a row holds. why: the evidence, such as the engine's error class."""


def read(rows: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The words of the rows."""
    return frozenset(row["what"] for row in rows)
