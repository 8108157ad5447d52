"""Windows that have no rows: errors at run time, and refusals. Their rows are golden plans (tests/plans/window)."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from tests.support import build, rows, run
from tests.support.build import ASC, R, add, gt, lit, plan, sum_, virtual
from tests.support.build.physical import RANGE, ROWS, over, row_number, sum_over
from tests.support.cases.expressions.lambdas import called, function

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS_OF = virtual("id:i64 n:i64?", (1, 0), (2, -1))
WITHOUT = virtual("id:i64 n:i64?", (1, 0), (2, None))


@pytest.mark.spark
@pytest.mark.parametrize("bounds", [ROWS, RANGE])
@pytest.mark.parametrize("source", [ROWS_OF, WITHOUT])
def test_an_offset_that_is_negative_or_null_is_an_error(
    spark: SparkSession, source: R, bounds: int
) -> None:
    relation = source.select(
        lambda r: [
            sum_over(r[0], (r[0], ASC), lower=("preceding", r[1]), upper="current", bounds=bounds)
        ]
    )
    with pytest.raises(Exception, match="offset of a window frame is negative or NULL"):
        run.last_rows(spark, plan((relation, "s")), {})


def test_a_distinct_that_no_set_of_values_gives_is_refused() -> None:
    relation = virtual("x:fp64?", (1.0,)).select(
        lambda r: [over("arithmetic", "std_dev:fp64", "fp64?", r[0], distinct=True)]
    )
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(plan((relation, "s")))
    assert refused.value.code == "SS2171"


def test_a_sum_that_would_lose_digits_is_refused() -> None:
    relation = virtual("x:dec<38,10>?").select(
        lambda r: [over("arithmetic_decimal", "sum:dec", "dec<38,10>?", r[0], distinct=True)]
    )
    with pytest.raises(substrait_sql.UnsupportedError, match="lose digits"):
        substrait_sql.to_sql(plan((relation, "s")))


@pytest.mark.spark
def test_a_product_of_distinct_values_overflows_in_its_type(spark: SparkSession) -> None:
    relation = virtual("x:i8", (100,), (2,)).select(
        lambda r: [over("arithmetic", "product:i8", "i8", r[0], distinct=True)]
    )
    with pytest.raises(Exception, match="overflow"):
        run.last_rows(spark, plan((relation, "p")), {})


@pytest.mark.parametrize("kind", ["struct<i32?,i32?>", "list<list<i32>>"])
def test_distinct_values_of_several_parts_are_counted_or_refused(kind: str) -> None:
    """Spark's approximate count hashes what is inside one after another, and passes over NULLs."""
    values = build.table("t", f"x(a,b):{kind}?" if kind.startswith("struct") else f"x:{kind}?")
    counted = values.aggregate(
        None,
        lambda r: [
            build.aggregate_call("aggregate_approx", "approx_count_distinct:any", "i64", r[0])
        ],
    )
    with pytest.raises(substrait_sql.UnsupportedError, match="approx_count_distinct"):
        substrait_sql.to_sql(plan((counted, "n")))


BY_FUNCTION = "arithmetic/subtract:i64_i64"


@pytest.mark.spark
def test_a_comparison_function_that_gives_null_is_an_error(spark: SparkSession) -> None:
    relation = virtual("x:i64?", (1,), (None,), (2,)).sort(lambda r: [(r[0], BY_FUNCTION)])
    with pytest.raises(Exception, match="comparison function of a sort gives NULL"):
        run.last_rows(spark, plan((relation, "x")), {})


def test_a_comparison_that_is_no_number_puts_nothing_in_order() -> None:
    relation = virtual("x:i64", (1,), (2,)).sort(lambda r: [(r[0], "comparison/lt:any_any")])
    with pytest.raises(substrait_sql.InvalidPlanError) as refused:
        substrait_sql.to_sql(plan((relation, "x")))
    assert refused.value.code == "SS2184"


def test_there_is_no_distance_in_an_order_by_a_function() -> None:
    relation = virtual("x:i64", (1,), (2,)).select(
        lambda r: [sum_over(r[0], (r[0], BY_FUNCTION), lower=-1, upper=1, bounds=RANGE)]
    )
    with pytest.raises(substrait_sql.InvalidPlanError) as refused:
        substrait_sql.to_sql(plan((relation, "s")))
    assert refused.value.code == "SS2173"


@pytest.mark.parametrize(("lower", "upper"), [(3, 1), (1, 2), (-2, -1)])
def test_a_range_beside_a_constant_is_refused(lower: int, upper: int) -> None:
    """All rows have the same key, and none of them is that far away; no key is written."""
    relation = virtual("x:i64", (1,), (2,)).select(
        lambda r: [sum_over(r[0], (lit(7, "i64"), ASC), lower=lower, upper=upper, bounds=RANGE)]
    )
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(plan((relation, "s")))
    assert refused.value.code == "SS2175"


def test_a_range_around_a_constant_is_all_rows() -> None:
    relation = virtual("x:i64", (1,), (2,)).select(
        lambda r: [sum_over(r[0], (lit(7, "i64"), ASC), lower=-1, upper=1, bounds=RANGE)]
    )
    assert "sum(x) OVER () AS s" in substrait_sql.to_sql(plan((relation, "s")))


@pytest.mark.spark
@pytest.mark.parametrize("upper", [1, ("following", lit(1.5, "fp64"))], ids=["integer", "double"])
def test_what_cannot_move_is_in_an_empty_range(upper: Any, spark: SparkSession) -> None:
    """NaN and the infinities are the same whatever is added to them, and a NULL is its peers."""
    keys = (math.nan, math.nan, math.inf, -math.inf, None, 1.0, 2.0)
    relation = virtual("x:fp64? n:i64", *((key, 1) for key in keys)).select(
        lambda r: [
            r[0],
            sum_over(r[1], (r[0], ASC), lower=3, upper=upper, bounds=RANGE),
        ]
    )
    got = run.last_rows(spark, plan((relation, "x s")), {})
    assert sorted(map(str, got)) == sorted(
        map(
            str,
            [
                *[(math.nan, 2)] * 2,
                *((math.inf, 1), (-math.inf, 1), (None, 1), (1.0, None), (2.0, None)),
            ],
        )
    )


def test_a_moving_range_needs_one_key() -> None:
    relation = virtual("id:i64 n:i64", (1, 0)).select(
        lambda r: [
            sum_over(
                r[0],
                (r[0], ASC),
                (r[1], ASC),
                lower=("preceding", r[1]),
                upper=("following", lit(1, "i64")),
                bounds=RANGE,
            )
        ]
    )
    with pytest.raises(substrait_sql.InvalidPlanError) as refused:
        substrait_sql.to_sql(plan((relation, "s")))
    assert refused.value.code == "SS2173"


LEFT_SIDE, RIGHT_SIDE = virtual("a:i64", (1,), (2,)), virtual("b:i64", (1,), (2,), (3,))


def first_two(r: build.Row) -> build.Expr:
    """The first two of all pairs of rows; numbered among the matches of each left row they would be more."""
    number = over("arithmetic", "row_number:", "i64", order=[(r[1], ASC)])
    return build.call("comparison", "lte:any_any", "bool", number, lit(2, "i64"))


@pytest.mark.parametrize("kind", ["LEFT", "LEFT_SEMI", "LEFT_MARK", "LEFT_SINGLE"])
def test_a_window_over_all_pairs_is_in_no_condition_of_an_outer_join(kind: str) -> None:
    for relation in (
        LEFT_SIDE.join(RIGHT_SIDE, kind, first_two),
        build.lateral_join(LEFT_SIDE, RIGHT_SIDE, kind, first_two, anchor=1),
    ):
        with pytest.raises(substrait_sql.UnsupportedError) as refused:
            substrait_sql.to_sql(plan((relation, " ".join("abc"[: len(relation.types)]))))
        assert refused.value.code == "SS2048"


def test_a_lateral_join_numbers_all_pairs_as_a_join_does() -> None:
    plain = LEFT_SIDE.join(RIGHT_SIDE, "INNER", first_two)
    lateral = build.lateral_join(LEFT_SIDE, RIGHT_SIDE, "INNER", first_two, anchor=1)
    texts = [substrait_sql.to_sql(plan((relation, "a b"))) for relation in (plain, lateral)]
    assert texts[0] == texts[1]
    assert "WHERE\n  row_number <= 2" in texts[0]


INT = 2**31
SHIFTED: list[tuple[int, int, str | None, int | None]] = [
    # group, id, value, offset
    (1, 1, "a", 0),
    (1, 2, None, 1),
    (1, 3, "c", -1),
    (1, 4, "d", None),
    (1, 5, "e", 2),
    (1, 6, None, 5),
    (1, 7, "g", 7),
    (2, 8, "h", -INT),
    (2, 9, "i", INT - 1),
    (2, 10, None, 1),
    (2, 11, "k", -2),
]


def shifted(row: tuple[int, int, str | None, int | None], sign: int, default: str | None) -> Any:
    """The value so many rows before or after in the row's group, by the specification."""
    group = [r for r in SHIFTED if r[0] == row[0]]
    if row[3] is None:
        return None
    at = group.index(row) + sign * row[3]
    return group[at][2] if 0 <= at < len(group) else default


@pytest.mark.spark
def test_lag_and_lead_by_a_column(spark: SparkSession) -> None:
    """Spark's own want a constant: a value of the array of the partition's rows is the same."""
    source = virtual("g:i64 id:i64 x:str? n:i32?", *SHIFTED)

    def calls(r: build.Row) -> list[build.Expr]:
        def of(name: str, *args: build.Expr) -> build.Expr:
            kinds = "_".join(["any", *["i32", "any"][: len(args) - 1]])
            return over(
                "arithmetic", f"{name}:{kinds}", "str?", *args, by=[r[0]], order=[(r[1], ASC)]
            )

        doubled = build.call("arithmetic", "add:i32_i32", "i32", lit(1, "i32"), lit(1, "i32"))
        upper = build.call("string", "upper:str", "str?", r[2])
        return [
            *(of(name, r[2], r[3]) for name in ("lag", "lead")),
            *(of(name, r[2], r[3], lit("z", "str?")) for name in ("lag", "lead")),
            of("lag", r[2], r[3], upper),
            of("lag", r[2], doubled),
            of("lag", r[2], lit(2, "i32")),
        ]

    names = "g id x n lag lead lag_z lead_z lag_x lag_two two"
    want = [
        (
            *r,
            shifted(r, -1, None),
            shifted(r, 1, None),
            shifted(r, -1, "z"),
            shifted(r, 1, "z"),
            shifted(r, -1, r[2].upper() if r[2] else None),
            *two(r),
        )
        for r in SHIFTED
    ]
    found = run.last_rows(spark, plan((source.project(calls), names)), {})
    assert not rows.difference(found, want)
    kept = source.filter(lambda r: build.is_null(calls(r)[2]), emit=[1])
    found = run.last_rows(spark, plan((kept, "id")), {})
    assert not rows.difference(found, [(r[1],) for r in want if r[6] is None])


def two(row: tuple[int, int, str | None, int | None]) -> list[str | None]:
    """The value two rows before, twice."""
    group = [r for r in SHIFTED if r[0] == row[0]]
    at = group.index(row) - 2
    return [group[at][2] if at >= 0 else None] * 2


# The value of each row, the default, their type.
DEFAULTS = [
    ("5.00", "1.50", "dec<5,2>"),
    ("0.00", "1.75", "dec<5,2>"),
    ("0.000", "0.125", "dec<3,3>"),
    (5, 3_000_000_000, "i64"),
    (7, -1, "i16"),
    (2.0, 0.5, "fp64"),
]


@pytest.mark.spark
@pytest.mark.parametrize("source", ["arithmetic", "datafusion"])
@pytest.mark.parametrize("name", ["lag", "lead"])
def test_a_default_beside_a_literal(spark: SparkSession, name: str, source: str) -> None:
    """A literal is written shorter than its type, and Spark makes the default of what is written."""
    shapes = {
        "arithmetic": (f"{name}:any_i32_any", "i32"),
        "datafusion": (f"{name}:any_i64_any", "i64"),
    }
    shape, offset = shapes[source]
    relation = virtual("id:i64", (1,), (2,), (3,)).project(
        lambda r: [
            over(
                source,
                shape,
                f"{kind}?",
                lit(x, kind),
                lit(2, offset),
                lit(y, kind),
                order=[(r[0], ASC)],
            )
            for x, y, kind in DEFAULTS
        ]
    )
    values = [Decimal(x) if isinstance(x, str) else x for x, _, _ in DEFAULTS]
    defaults = [Decimal(y) if isinstance(y, str) else y for _, y, _ in DEFAULTS]
    order = (defaults, defaults, values) if name == "lag" else (values, defaults, defaults)
    found = run.last_rows(spark, plan((relation, "id " + " ".join("abcdef"))), {})
    assert not rows.difference(found, [(i, *row) for i, row in enumerate(order, 1)])


def _sums(source: R) -> R:
    """By ``k + 1``: the key and the sum of ``v``."""
    return source.aggregate(lambda r: [add(r[0], lit(1, "i64"))], lambda r: [sum_(r[1])])


GROUPED = _sums(virtual("k:i64? v:i64?", (1, 2), (1, 3), (2, 5), (None, 7)))
# Sums by k + 1: 2 is 5, 3 is 5, NULL is 7; numbers in the order of the key, NULL last.
BESIDE_KEYS = {
    "beside": (GROUPED.select(lambda r: [add(r[0], row_number((r[0], ASC)))]), [None, 3, 5]),
    "a column": (
        GROUPED.select(lambda r: [r[0], row_number((r[0], ASC))]).select(lambda r: [add(r[0], r[1])]),
        [None, 3, 5],
    ),
    "a measure": (GROUPED.select(lambda r: [add(r[1], row_number((r[0], ASC)))]), [6, 7, 10]),
    "made of both": (
        GROUPED.select(lambda r: [add(add(r[0], r[1]), sum_over(r[0], by=[r[1]]))]), [None, 12, 13]
    ),
    "within": (GROUPED.select(lambda r: [sum_over(add(r[0], r[1]), by=[r[0]])]), [None, 7, 8]),
}  # fmt: skip


@pytest.mark.spark
@pytest.mark.parametrize("name", BESIDE_KEYS)
def test_a_computed_key_beside_a_window(spark: SparkSession, name: str) -> None:
    """Spark takes what is made of both for a column that is no key."""
    relation, expected = BESIDE_KEYS[name]
    found = [row[0] for row in run.last_rows(spark, plan((relation, "x")), {})]
    assert sorted(map(str, found)) == sorted(map(str, expected))


@pytest.mark.spark
def test_a_filter_on_a_window_with_a_lambda(spark: SparkSession) -> None:
    source = virtual("k:i64", (1,), (2,), (3,))
    plus_one = function("i64", body=lambda p: add(p, lit(1, "i64")))
    kept = source.filter(
        lambda r: gt(sum_over(called(plus_one, r[0]), (r[0], ASC), lower=None), lit(4, "i64"))
    )
    # 9 each: a window without bounds is about all rows.
    assert sorted(run.last_rows(spark, plan((kept, "k")), {})) == [(1,), (2,), (3,)]
