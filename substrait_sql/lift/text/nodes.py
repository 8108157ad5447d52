"""Nodes for what sqlglot's parser does not read, of kinds that it has and makes of no text that comes to it here.

Subclasses of our own would say more, but sqlglot's compiled build (`substrait-sql[fast]`) makes no objects of them:
"interpreted classes cannot inherit from compiled". Which parts each one has is in `lift.text.known`.
"""

from __future__ import annotations

from sqlglot import exp

# A query with steps behind it: ``FROM t |> WHERE …``. this: the query in front. steps: in order. It is a query to
# whoever asks; those of UNION, EXCEPT and INTERSECT are of the kinds below this one.
Piped = exp.SetOperation

# One step of a pipe. kind: which one. this: the tree of a SELECT, a join or a set operation that holds its clauses.
# names: columns or an alias. expressions: values to set, or aggregates. keys: what AGGREGATE groups by.
Step = exp.QueryTransform

# PIVOT of all that stands before it. expressions: aggregates. over: columns. values: for which values of them.
Pivoted = exp.Pivot

# UNPIVOT. names: of the columns of values. over: the name of the column of names. values: columns, or tuples.
Unpivoted = exp.UnpivotColumns
