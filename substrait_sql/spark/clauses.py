"""What of an expression Spark (as of 4.3) does not take in a clause: that is a column of a derived table first.

The evidence is Spark's error class, as its own list of errors has it, or what came out instead.
"""

from __future__ import annotations

from enum import Enum

from substrait_sql.select.field import Traits

_WINDOW, _SUBQUERY, _OUTER = Traits.WINDOW, Traits.SUBQUERY, Traits.OUTER


class Clause(Enum):
    """A place in a SELECT: what it does not take, and what Spark says to each of that."""

    CONDITION = (
        _WINDOW,
        """WHERE, HAVING, ON.
        window: INVALID_WHERE_CONDITION, UNSUPPORTED_EXPR_FOR_OPERATOR; SQL computes it later""",
    )
    GROUPED = (
        _SUBQUERY | _WINDOW | Traits.IMPURE | _OUTER,
        """A key of GROUP BY, and what an aggregate is called on, with its FILTER and its order.
        subquery: an internal error for `max((SELECT …))` inside a scalar subquery
        window: WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE, INVALID_AGGREGATE_FILTER.CONTAINS_WINDOW_FUNCTION
        impure: AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION
        outer: CORRELATED_REFERENCE, AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES""",
    )
    MEASURES = (
        _OUTER,
        """A SELECT list or HAVING with measures in it, or GROUP BY.
        outer: CORRELATED_REFERENCE; with HAVING an internal error, ATTRIBUTE_NOT_FOUND""",
    )
    OVER = (
        _WINDOW | _OUTER,
        """What a window function is called on, its partitions and its order.
        window: UNSUPPORTED_EXPR_FOR_WINDOW
        outer: CORRELATED_REFERENCE""",
    )
    PARTITION = (
        _WINDOW,
        """What is collected of the rows of a partition, so in a column of its own, with outer columns in it.
        window: UNSUPPORTED_EXPR_FOR_WINDOW""",
    )
    SORT = (
        _SUBQUERY | _WINDOW | _OUTER | Traits.TIME_WINDOW,
        """ORDER BY.
        time window: UNRESOLVED_COLUMN for the column that it is called on, where it is not returned
        subquery: UNSUPPORTED_CORRELATED_SCALAR_SUBQUERY, UNSUPPORTED_IN_EXISTS_SUBQUERY
        window: its columns are not found where it is not returned, beside other windows
        outer: CORRELATED_REFERENCE""",
    )
    COMPARED = (
        _SUBQUERY | _WINDOW | Traits.IMPURE,
        """What the comparison function of a sort is called on: in a lambda, and in a window.
        subquery: HIGHER_ORDER_FUNCTION
        window: UNSUPPORTED_EXPR_FOR_WINDOW
        impure: it is written twice, and would be two values""",
    )
    LAMBDA = (
        Traits.AGGREGATE | _WINDOW | _SUBQUERY,
        """The body of a lambda.
        aggregate, window: an internal error
        subquery: HIGHER_ORDER_FUNCTION""",
    )
    CALLED_WITH = (
        _SUBQUERY,
        """What a function with a lambda is called on.
        subquery: HIGHER_ORDER_FUNCTION""",
    )

    def __init__(self, forbids: int, evidence: str) -> None:
        self.forbids = forbids
        self.evidence = evidence
