"""Nodes of sqlglot's tree that sqlglot does not have, for what its parser does not read."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp

from substrait_sql.tree.releases import WITH

# A query is an expression by itself before sqlglot 30.
_QUERY: Any = (
    exp.Query
    if issubclass(exp.Query, exp.Expression)
    else type("Query", (exp.Expression, exp.Query), {})
)


class Piped(_QUERY):  # type: ignore[misc]
    """A query with steps behind it: ``FROM t |> WHERE …``. this: the query in front. steps: in order."""

    arg_types: ClassVar[dict[str, bool]] = {WITH: False, "this": True, "steps": True}


class Step(exp.Expression):
    """One step of a pipe.

    kind: which one. this: the tree of a SELECT, a join or a set operation that holds its clauses. names: columns or an
    alias. expressions: values to set, or aggregates. keys: what AGGREGATE groups by.
    """

    arg_types: ClassVar[dict[str, bool]] = {
        "kind": True, "this": False, "names": False, "expressions": False, "keys": False,
    }  # fmt: skip


class Pivoted(exp.Expression):
    """PIVOT of all that stands before it. expressions: aggregates. over: columns. values: for which values of them."""

    arg_types: ClassVar[dict[str, bool]] = {
        "expressions": True,
        "over": True,
        "values": True,
        "alias": False,
    }


class Unpivoted(exp.Expression):
    """UNPIVOT. names: of the columns of values. over: the name of the column of names. values: columns, or tuples."""

    arg_types: ClassVar[dict[str, bool]] = {
        "names": True,
        "over": True,
        "values": True,
        "nulls": False,
        "alias": False,
    }
