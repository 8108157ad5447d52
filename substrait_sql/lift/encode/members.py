"""``x IN (query)`` as a value.

Spark answers TRUE or FALSE there, FALSE also where the answer is unknown: for ``x IN`` as for ``x NOT IN``. A plan's IN
has three answers, its EXISTS has two.
"""

from __future__ import annotations

from functools import reduce

from substrait_sql.lift import operators
from substrait_sql.lift.relations import Filter
from substrait_sql.lift.tree import Expr, Subquery, column


def as_exists(found: Subquery) -> Subquery:
    """The query with a row for each that answers the question. found: of the kind ``found`` or ``missed``."""
    rows = found.query
    pairs = zip(found.values, rows.columns, strict=True)
    equal = [operators.binary("=", value, column(c)) for value, c in pairs]
    if found.kind == "missed":
        equal = [_true_or_unknown(e) for e in equal]
    condition = reduce(lambda a, b: operators.binary("and", a, b), equal)
    return Subquery(found.type, False, "exists", Filter(rows.columns, rows, condition))


def _true_or_unknown(equal: Expr) -> Expr:
    if not equal.nullable:
        return equal
    return operators.binary("or", equal, operators.is_null(equal))
