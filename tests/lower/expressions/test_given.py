"""Values that are known when a plan runs: parameters from outside, and the current time."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy
import pandas  # type: ignore[import-untyped]
import pytest

import substrait_sql
from substrait_sql import ExecutionError, InvalidPlanError, UnsupportedError
from substrait_sql.run.parameters import checked
from tests.support.build import plan, variable
from tests.support.cases import EMP
from tests.support.cases.expressions.given import ONE, less, parameter
from tests.support.run import collect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TIME = ONE.select(lambda _: [variable("current_timestamp")])
ZONE = ONE.select(lambda _: [variable("current_timezone")])


def test_two_results_have_no_common_time() -> None:
    document = plan((TIME, "a"), (ONE, "x"), (TIME, "b"))
    with pytest.raises(UnsupportedError, match="SS2189") as refused:
        substrait_sql.to_sql(document)
    assert refused.value.path.startswith("relations[2]")
    assert [d.code for d in substrait_sql.check(document)] == ["SS2189"]
    substrait_sql.to_sql(plan((TIME, "a"), (ZONE, "b")))


def test_a_parameter_has_one_value() -> None:
    document = plan((EMP.fetch(parameter(3, "i64")).select(lambda r: [r[0]]), "id"))
    for value in (1, 2):
        document.parameter_bindings.add(parameter_anchor=3).value.i64 = value
    with pytest.raises(InvalidPlanError, match="SS2185 .*two values"):
        substrait_sql.to_sql(document)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("i64", 5.7), ("i64", True), ("i64?", "5.7"), ("i8", float("nan")), ("i64", None),
        ("decimal<9,2>", Decimal("1.255")), ("decimal?<9,2>", 0.125), ("varchar<3>", "four"),
        ("fixedbinary<2>", b"abc"), ("date", dt.datetime(2020, 1, 1, 12)),
        ("date", "2020-01-01 12:00:00"), ("uuid", "x"),
        ("i64", "x"), ("i64", ""), ("i64", "1e3"), ("i64", "5.0"), ("i8", 128), ("i8", "-129"), ("i64", 2**63),
        ("decimal<3,1>", "123"), ("decimal<3,1>", Decimal("100.0")), ("decimal<9,2>", "x"), ("fp64", "1,5"),
        ("fp32?", ""), ("boolean", "maybe"), ("date", "today"), ("date", "2023-02-29"), ("date", "29.2.2024"),
        ("precision_timestamp<6>", "2020-01-01 00:00:00.1234567"), ("precision_time<6>", "12:30:00.0000001"),
        ("precision_timestamp<3>", dt.datetime(2020, 1, 1, 0, 0, 0, 123)), ("decimal<9,2>", Decimal("NaN")),
        ("precision_timestamp<6>", "2020-01-01 00:00:00+05:00"), ("precision_timestamp<6>", pandas.NaT),
        ("precision_timestamp<9>", pandas.Timestamp(1)), ("fp64", 2**53 + 1), ("fp64", "1e400"), ("fp64", 10**400),
        ("string", "\ud800"),
        ("precision_timestamp<6>", "noon"), ("precision_timestamp_tz?<6>", "now"), ("precision_time<6>", "12"),
    ],
)  # fmt: skip
def test_a_value_of_another_type(type_: str, value: Any) -> None:
    with pytest.raises(ExecutionError, match="SS4018 parameter 3 "):
        checked("p3", value, type_)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("i64", -5), ("i64", "5"), ("i64", 5.0), ("i64?", None), ("decimal<9,2>", Decimal("1.250")),
        ("decimal<9,2>", "1.25"), ("varchar<3>", "abc"), ("date", dt.date(2020, 1, 1)),
        ("date", "2020-01-01"), ("fp64", float("nan")), ("decimal<38,0>", 10**37), (None, object()),
        ("i64", " -5 "), ("i8", -128), ("i64", 2**63 - 1), ("decimal<3,1>", "-99.9"), ("decimal<3,3>", "0.125"),
        ("decimal<9,2>", "1e3"), ("fp64", "NaN"), ("fp64", "-Infinity"), ("fp64", "inf"), ("fp32", "1.5f"),
        ("boolean", "TRUE"), ("date", "2024-02-29"), ("date", "2024-2"),
        ("precision_timestamp<6>", "2024-01-01 12:00:00"),
        ("precision_timestamp_tz<6>", "2024-01-01T00:00:00Z"), ("precision_time<6>", "12:30:00"), ("string", "x"),
        ("precision_timestamp<6>", "2020-01-01 00:00:00.1234560"), ("fp64", 2**53), ("fp32", "1e30"),
        ("precision_timestamp<3>", dt.datetime(2020, 1, 1, 0, 0, 0, 123_000)),
    ],
)  # fmt: skip
def test_a_value_of_the_type(type_: str | None, value: Any) -> None:
    assert checked("p3", value, type_) is value


def test_values_of_numpy() -> None:
    assert checked("p3", numpy.int64(5), "i64") == 5
    assert type(checked("p3", numpy.float32(1.5), "fp64")) is float


def test_uuids_are_lower_case() -> None:
    text = "01234567-89ab-cdef-0123-456789abcdef"
    for value in (text.upper(), uuid.UUID(text), text.replace("-", "")):
        assert checked("p3", value, "uuid") == text


@pytest.mark.spark
def test_parameters_from_outside(spark: SparkSession) -> None:
    """A negative value is no comment; a count, NULL or not, is one; the zone is not that of the session."""
    emp = spark.createDataFrame(
        [(1, "a", 10, 100)], "id BIGINT, name STRING, dept BIGINT, salary BIGINT"
    )
    tables = {"emp": emp}
    document = plan((less(EMP), "id x"))
    found: Any = substrait_sql.execute(spark, document, tables=tables, parameters={1: -5})
    assert collect(found) == [(1, 105)]
    with pytest.raises(ExecutionError, match="SS4018"):
        substrait_sql.execute(spark, document, tables=tables, parameters={1: 5.7})
    limited = plan((EMP.fetch(parameter(1, "i64?")).select(lambda r: [r[0]]), "id"))
    for count, rows in ((0, []), (1, [(1,)]), (None, [(1,)])):
        found = substrait_sql.execute(spark, limited, tables=tables, parameters={1: count})
        assert collect(found) == rows
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Pacific/Kiritimati")
    try:
        found = substrait_sql.execute(spark, plan((ZONE, "zone")))
        assert collect(found) == [("UTC",)]
    finally:
        spark.conf.set("spark.sql.session.timeZone", before or "UTC")
