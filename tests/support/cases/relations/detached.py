"""Subtrees that the encoding keeps apart: an ordinal stands for an entry of a table of the same relation."""

from __future__ import annotations

from typing import Any

from tests.support.build import add, gt, lit, scalar, sum_
from tests.support.cases import EMP, Result, case


def _detach_rel(tree: dict[str, Any]) -> None:
    """The input of the filter as an entry."""
    entry = tree["relations"][0]
    project = entry["root"]["input"]["project"]
    found = project["input"]["filter"]["input"]
    project["input"]["filter"]["input"] = {"detachedRelOrdinal": 1}
    entry["detachedRels"] = [{"read": {"namedTable": {"names": ["never"]}}}, found]


def _detach_expression(tree: dict[str, Any]) -> None:
    """The condition of the filter as an entry, and an argument inside it as another."""
    entry = tree["relations"][0]
    project = entry["root"]["input"]["project"]
    condition = project["input"]["filter"]["condition"]
    argument = condition["scalarFunction"]["arguments"][1]["value"]
    condition["scalarFunction"]["arguments"][1]["value"] = {"detachedExpressionOrdinal": 0}
    project["input"]["filter"]["condition"] = {"detachedExpressionOrdinal": 1}
    entry["detachedExpressions"] = [argument, condition]


def _detach_both(tree: dict[str, Any]) -> None:
    """The relation of a subquery, inside an expression that is detached itself."""
    entry = tree["relations"][0]
    project = entry["root"]["input"]["project"]
    condition = project["input"]["filter"]["condition"]
    subquery = condition["scalarFunction"]["arguments"][1]["value"]["subquery"]["scalar"]
    entry["detachedRels"] = [subquery["input"]]
    subquery["input"] = {"detachedRelOrdinal": 0}
    entry["detachedExpressions"] = [condition]
    project["input"]["filter"]["condition"] = {"detachedExpressionOrdinal": 0}


def _of_each_root(tree: dict[str, Any]) -> None:
    """Each root has a table of its own: one ordinal stands for two relations."""
    for entry in tree["relations"]:
        project = entry["root"]["input"]["project"]
        entry["detachedRels"] = [project["input"]]
        project["input"] = {"detachedRelOrdinal": 0}


RICH = EMP.filter(lambda r: gt(r[3], add(lit(100, "i64"), lit(100, "i64")))).select(
    lambda r: [r[0]]
)
BEST = EMP.filter(
    lambda r: gt(
        add(r[3], r[3]),
        scalar(
            EMP.filter(lambda e: gt(e[0], lit(4, "i64"))).aggregate(None, lambda e: [sum_(e[3])])
        ),
    )
).select(lambda r: [r[0]])

case(
    "detached/relation",
    "an input that stands apart; an entry that nothing refers to is left out",
    RICH,
    "id",
    [(2,)],
    edit_json=_detach_rel,
    minor_version=107,
)
case(
    "detached/expression",
    "an expression that stands apart, and one inside it",
    RICH,
    "id",
    [(2,)],
    edit_json=_detach_expression,
    minor_version=107,
)
case(
    "detached/relation_in_expression",
    "a relation below an expression, both apart: twice the salary against 250",
    BEST,
    "id",
    [(2,), (3,), (5,)],
    edit_json=_detach_both,
    minor_version=107,
)
case(
    "detached/of_each_root",
    "the same ordinal in two roots is two relations",
    (
        Result(
            EMP.filter(lambda r: gt(r[0], lit(5, "i64"))).select(lambda r: [r[0]]), "id", [(6,)]
        ),
        Result(
            EMP.filter(lambda r: gt(r[3], lit(200, "i64"))).select(lambda r: [r[1]]),
            "name",
            [("bob",)],
        ),
    ),
    edit_json=_of_each_root,
    minor_version=107,
)
