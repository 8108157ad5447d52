"""Values that are known when a plan runs: the variables of the execution, and parameters that the plan binds."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

from tests.support.build import (
    Expr,
    R,
    add,
    cast,
    eq,
    gt,
    like,
    lit,
    parameter,
    subtract,
    variable,
    virtual,
)
from tests.support.cases import EMP, case

if TYPE_CHECKING:
    from collections.abc import Callable

T = True
ONE = virtual("one:i32", (1,))


def bind(**values: Expr) -> Callable[[dict[str, Any]], None]:
    """The plan with these values bound to its parameters: ``p3`` is anchor 3."""

    def edit(tree: dict[str, Any]) -> None:
        tree["parameterBindings"] = [
            {
                "parameterAnchor": int(name[1:]),
                "value": json_format.MessageToDict(value.message.literal),
            }
            for name, value in values.items()
        ]

    return edit


def now(precision: int = 6) -> Expr:
    return variable("current_timestamp", precision)


LONG_AGO = lit(dt.datetime(2020, 1, 1, tzinfo=dt.UTC), "ptstz<6>")

case(
    "expression/current_time",
    "one value for the whole plan: two readings are equal, and later than the day this was written",
    ONE.select(
        lambda _: [
            eq(now(), now()),
            gt(now(), LONG_AGO),
            eq(variable("current_date"), cast(now(), "date")),
        ]
    ),
    "same later today",
    [(T, T, T)],
)
case(
    "expression/current_time_in_seconds",
    "the declared precision: what is finer is cut off",
    ONE.select(lambda _: [like(cast(now(0), "str"), "____-__-__ __:__:__")]),
    "whole",
    [(T,)],
)
case(
    "expression/current_timezone",
    "the zone that dates and times of the query are in, which rendered plans set to UTC",
    ONE.select(lambda _: [variable("current_timezone")]),
    "zone",
    [("UTC",)],
)


def less(r: R) -> R:
    """Salary minus a parameter: as text the sign of a negative one would begin a comment."""
    return r.select(lambda r: [r[0], subtract(r[3], parameter(1, "i64"))])


case(
    "expression/parameter",
    "bound to -5: 100 - -5, where the text of -5 must not begin a comment",
    less(EMP.filter(lambda r: eq(r[2], parameter(0, "i64?")))),
    "id more",
    [(1, 105), (2, 305)],
    edit_json=bind(p0=lit(10, "i64?"), p1=lit(-5, "i64")),
)
case(
    "expression/parameter_null",
    "bound to NULL: nothing is equal to it",
    EMP.select(lambda r: [r[0], eq(r[2], parameter(7, "i64?"))]),
    "id x",
    [(i, None) for i in range(1, 7)],
    edit_json=bind(p7=lit(None, "i64?")),
)
case(
    "fetch/parameter",
    "a bound count is a number like any other",
    EMP.fetch(parameter(3, "i64"), offset=add(parameter(4, "i64"), lit(3, "i64"))).select(
        lambda r: [lit(1, "i32")]
    ),
    "x",
    # Rows 5 and 6 of six.
    [(1,), (1,)],
    edit_json=bind(p3=lit(9, "i64"), p4=lit(1, "i64")),
)
