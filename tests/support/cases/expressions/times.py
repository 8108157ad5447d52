"""Times of day, and arguments that are enums."""

from __future__ import annotations

import datetime as dt

import substrait.proto as pb

from tests.support.build import URN, Expr, anchor, lit
from tests.support.cases import T1, case
from tests.support.plan_types import short_name, type_of


def extract(component: str, value: Expr) -> Expr:
    function = pb.Expression.ScalarFunction(
        function_reference=anchor(URN + "datetime", f"extract:req_{short_name(value.type)}"),
        arguments=[
            pb.FunctionArgument(enum=component),
            pb.FunctionArgument(value=value.message),
        ],
        output_type=type_of("i64"),
    )
    return Expr(pb.Expression(scalar_function=function), type_of("i64"))


NOON = lit(dt.time(12, 34, 56, 789000), "pt<6>")

case(
    "literal/time",
    "a time of day, whose type Spark has switched off by default",
    T1.select(lambda r: [extract("HOUR", NOON), extract("subsecond", NOON)]).fetch(count=1),
    "hour subsecond",
    [(12, 789000)],
)
