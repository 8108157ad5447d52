"""NULLs where the plan says that there are none, found when rows are made.

Spark says of nearly every column that it may hold NULL, of all in Parquet files: that alone tells nothing. But the SQL
counts on what the plan says, so that a NULL there can mean other rows. `execute(check_nulls=True)` makes it an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.strings import in_quotes
from substrait_sql.run.quoting import quote
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Iterable


def checked(sql: str, declared: Iterable[Any], what: str) -> str:
    """The value, or an error in a row where a NULL stands in it that its types rule out; `sql` if they rule out none.

    declared: Substrait types, structs with the names of their fields. what: how to call the value in the message.

    >>> checked("a", [types.i64()], "a of t")
    "CASE WHEN a IS NULL THEN raise_error('a NULL in a of t, where the plan declares none') ELSE a END"
    >>> checked("a", [types.list_(types.i64(), nullable=True)], "a").partition(" THEN")[0]
    'CASE WHEN exists(a, e0 -> e0 IS NULL)'
    >>> checked("a", [types.i64(nullable=True)], "a")
    'a'
    """
    found = dict.fromkeys(_condition(sql, each, 0) for each in declared)
    conditions = " OR ".join(c for c in found if c)
    if not conditions:
        return sql
    message = in_quotes(f"a NULL in {what}, where the plan declares none")
    return f"CASE WHEN {conditions} THEN raise_error({message}) ELSE {sql} END"


def _condition(sql: str, declared: Any, depth: int) -> str:
    """What is true of a value with such a NULL, and may be NULL of any other; empty where none can be."""
    here = [] if types.nullable(declared) else [f"{sql} IS NULL"]
    return " OR ".join(here + _inside(sql, declared, depth))


def _inside(sql: str, declared: Any, depth: int) -> list[str]:
    element = f"e{depth}"
    match types.kind(declared):
        case "struct":
            parts = zip(declared.struct.sql_names, declared.struct.types, strict=False)
            found = [_condition(f"{sql}.{quote(n)}", t, depth) for n, t in parts]
            fields = " OR ".join(f for f in found if f)
            return [f"{sql} IS NOT NULL AND ({fields})"] if fields else []
        case "list":
            inner = _condition(element, declared.list.type, depth + 1)
            return [f"exists({sql}, {element} -> {inner})"] if inner else []
        case "map":
            # The keys of a map of Spark's are never NULL.
            inner = _condition(element, declared.map.value, depth + 1)
            return [f"exists(map_values({sql}), {element} -> {inner})"] if inner else []
    return []
