"""Types that few plans have: UUIDs, intervals and times of day as columns, types under names of the plan's own."""

from __future__ import annotations

import datetime as dt
from typing import Any

import substrait.proto as pb

from tests.support.build import ASC, Expr, call, gt, lit, lt, virtual
from tests.support.cases import case
from tests.support.cases.expressions.times import extract

T, F, N = True, False, None
LOW = "00000000-0000-0000-0000-00000000000a"
HIGH = "ffffffff-0000-0000-0000-0000000000ab"

IDS = virtual("id:uuid? n:i32", (HIGH, 1), (LOW, 2), (None, 3))
case(
    "literal/uuid",
    "text in lower case, ordered as the bytes are",
    IDS.sort(lambda r: [(r[0], ASC)]).project(
        lambda r: [gt(r[0], lit("0A000000-0000-0000-0000-000000000000", "uuid"))]
    ),
    "id n later",
    [(LOW, 2, F), (HIGH, 1, T), (None, 3, N)],
    ordered=True,
)

SPANS = virtual(
    "m:iyear? d:iday<6>?", ((1, 2), (1, 3600, 500000)), ((0, -1), (-1, 0, 0)), (None, None)
)
START = lit(dt.datetime(2020, 1, 31), "pts<6>")
case(
    "literal/intervals",
    "columns of intervals, added to the last day of a month and compared",
    SPANS.select(
        lambda r: [
            call("datetime", "add:pts_iyear", "pts<6>?", START, r[0]),
            call("datetime", "add:pts_iday", "pts<6>?", START, r[1]),
            lt(r[0], lit((1, 1), "iyear")),
            r[1],
        ]
    ),
    "months days less d",
    [
        # 14 months on from 2020-01-31 is 2021-03-31; one back is 2019-12-31.
        (
            dt.datetime(2021, 3, 31),
            dt.datetime(2020, 2, 1, 1, 0, 0, 500000),
            F,
            dt.timedelta(1, 3600, 500000),
        ),
        (dt.datetime(2019, 12, 31), dt.datetime(2020, 1, 30), T, dt.timedelta(-1)),
        (None, None, N, None),
    ],
)


def compound(months: int, days: int, seconds: int, subseconds: int = 0) -> Expr:
    out = pb.Expression()
    interval = out.literal.interval_compound
    interval.interval_year_to_month.months = months
    day = interval.interval_day_to_second
    day.days, day.seconds, day.subseconds, day.precision = days, seconds, subseconds, 3
    t = pb.Type()
    t.interval_compound.precision = 3
    t.interval_compound.nullability = pb.Type.NULLABILITY_REQUIRED
    return Expr(out, t)


def later(interval: Expr) -> Expr:
    """DataFusion's ``+``: no extension of Substrait's own takes such an interval."""
    return call(
        "extension:substrait-sql:datafusion", "add:pts_icompound", "pts<6>", START, interval
    )


case(
    "literal/compound_interval",
    "months first, then days, then time: a month from 2020-01-31 is 2020-02-29",
    virtual("one:i32", (1,)).select(
        lambda _: [
            later(compound(1, 1, 0)),
            later(compound(1, 1, 3604, 500)),
            later(compound(-1, -1, -1)),
            later(compound(14, 0, 0)),
            later(compound(0, 1, 3600)),
        ]
    ),
    "days time back months no_months",
    [
        (
            dt.datetime(2020, 3, 1),
            dt.datetime(2020, 3, 1, 1, 0, 4, 500000),
            # 2019-12-31, less a day, less a second.
            dt.datetime(2019, 12, 29, 23, 59, 59),
            dt.datetime(2021, 3, 31),
            dt.datetime(2020, 2, 1, 1),
        )
    ],
)

TIMES = virtual("t:pt<6>?", (dt.time(12, 34, 56, 789000),), (dt.time(0, 0),), (None,))
case(
    "literal/times",
    "a column of times of day",
    TIMES.select(lambda r: [extract("HOUR", r[0]), gt(r[0], lit(dt.time(12, 0), "pt<6>"))]),
    "hour afternoon",
    [(12, T), (0, F), (None, N)],
)


def money(tree: dict[str, Any]) -> None:
    """The column's type by a name of the plan's own: alias 0, of a type whose nullability does not count."""
    tree["typeAliases"] = [
        {"type": {"i64": {"nullability": "NULLABILITY_REQUIRED"}}},
        {
            "typeAliasAnchor": 4,
            "type": {"list": {"type": {"alias": {"nullability": "NULLABILITY_NULLABLE"}}}},
        },
    ]
    read = tree["relations"][0]["root"]["input"]["filter"]["input"]["read"]
    types = read["baseSchema"]["struct"]["types"]
    types[0] = {"alias": {"nullability": "NULLABILITY_NULLABLE"}}
    types[1] = {"alias": {"typeAliasReference": 4, "nullability": "NULLABILITY_REQUIRED"}}


LISTS = virtual("a:i64? l:list<i64?>", (1, [2, None]), (None, [3]), (-1, []))
case(
    "read/type_aliases",
    "anchor 0 is one; a nullable use of a required type; an alias inside of another",
    LISTS.filter(lambda r: gt(r[0], lit(-5, "i64"))),
    "a l",
    [(1, [2, None]), (-1, [])],
    edit_json=money,
)
