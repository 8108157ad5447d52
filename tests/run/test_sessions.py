"""Rows do not depend on what a session is set to: plans and function cases in sessions of other settings.

`execute` has the settings of `Rendered.settings` while Spark analyses a statement. The rows are made later, in the
session as its user set it up.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame

import substrait_sql
from substrait_sql import ExecutionError
from substrait_sql.dialect import load
from substrait_sql.testing.cases.run import WRONG
from substrait_sql.testing.cases.run import run as run_cases
from tests.conformance import lists, read
from tests.golden.test_plans import RENDERED, name
from tests.support import rows, run
from tests.support.build import R, call, exists, lit, plan, table, upper
from tests.support.cases import PLANS
from tests.support.sessions import CONFIGURATIONS, configured

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

SETTINGS = load("spark").settings
DEFAULTS = SETTINGS.defaults

# Which plans, where not all: those that a setting of the configuration could mean something for.
AREAS = {
    "defaults": ("names", "found"),
    "lenient": ("cast", "function", "expression", "lambda"),
    "quotes": ("names", "literal"),
    "names": ("names", "reference", "grouping_sets", "found"),
    "numbers": ("cast", "literal", "aggregate"),
    "times": ("cast", "literal", "expression"),
}


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> dict[str, DataFrame]:
    """The tables as rows in Spark's memory, which it reads without a job."""
    out = {}
    for path in (PLANS / "tables").glob("*.json"):
        schema, data = rows.load_table(path)
        frame = spark.createDataFrame(data, schema)
        jvm: object = spark._jsparkSession
        kept = jvm.createDataFrame(frame._jdf.collectAsList(), frame._jdf.schema())  # type: ignore[attr-defined]
        out[path.stem] = DataFrame(kept, spark)
    return out


def differences(spark: SparkSession, tables: dict[str, DataFrame], path: Path) -> list[str]:
    """How the rows of a plan differ from the expected ones."""
    found = []
    for frame, want in zip(
        run.frames(spark, path, tables), rows.load(path.with_suffix(".rows.json")), strict=True
    ):
        types = [f.dataType.simpleString() for f in frame.schema.fields]
        checked = [t if w else None for t, w in zip(types, want.types, strict=True)]
        if frame.columns != want.columns or checked != want.types:
            found.append(f"{name(path)}: {frame.schema.simpleString()}")
        difference = rows.difference(run.collect(frame), want.rows, want.ordered)
        if difference:
            found.append(f"{name(path)}: {difference}")
    return found


@pytest.mark.spark
@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_plans(spark: SparkSession, tables: dict[str, DataFrame], configuration: str) -> None:
    """The plans of the areas that a setting is about; one in three of all where every setting is another one."""
    chosen = AREAS.get(configuration)
    paths = [p for p in RENDERED if p.parent.name in chosen] if chosen else RENDERED[::3]
    assert paths
    with configured(spark, CONFIGURATIONS[configuration]):
        assert [d for p in paths for d in differences(spark, tables, p)] == []


@pytest.mark.spark
def test_text_tables(spark: SparkSession, tmp_path: Path) -> None:
    """Tables in CSV and JSON: their texts become values when the plan is run, in whatever session."""
    (tmp_path / "t.csv").write_text("t,n,i\n2020-07-01 12:00:00,1.50,7\n")
    (tmp_path / "t.json").write_text('{"t": "2020-07-01 12:00:00", "n": 1.50, "i": 7}\n')
    (tmp_path / "bad.csv").write_text("t,n,i\n2020-07-01 12:00:00,1.50,seven\n")
    message = plan((table("t", "t:ptstz<6>? n:dec<4,2>? i:i32?"), "t n i"))
    noon = dt.datetime(2020, 7, 1, 12, tzinfo=dt.UTC)
    with configured(spark, CONFIGURATIONS["everything"]):
        for form in ("csv", "json"):
            frame = substrait_sql.execute(spark, message, tables={"t": tmp_path / f"t.{form}"})
            assert run.collect(frame) == [(noon, Decimal("1.50"), 7)]
        bad = substrait_sql.execute(spark, message, tables={"t": tmp_path / "bad.csv"})
        with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
            bad.collect()


@pytest.mark.spark
def test_functions(spark: SparkSession) -> None:
    """One case in 18, in the session where everything is set to something else."""
    cases = [case for file in read.files() for case in read.cases(file)][::18]
    with configured(spark, CONFIGURATIONS["everything"]):
        outcomes = run_cases(spark, cases)
    assert [str(o) for o in outcomes if lists.verdict(o) == WRONG] == []


def test_every_setting_has_a_session_with_another_value() -> None:
    other = CONFIGURATIONS["everything"]
    # Spark substitutes variables and takes numbers for places by default.
    stated = SETTINGS.always
    assert {key for key in stated if other.get(key, stated[key]) == stated[key]} == set()
    assert substrait_sql.render(RENDERED[0]).settings.keys() >= stated.keys()


@pytest.mark.spark
def test_the_defaults_are_those_of_spark(spark: SparkSession) -> None:
    """`execute` leaves them alone where the session has no value of its own."""
    assert {key: spark.conf.get(key) for key in DEFAULTS} == dict(DEFAULTS)


@pytest.mark.spark
def test_the_session_is_left_as_it_was(spark: SparkSession) -> None:
    with configured(spark, CONFIGURATIONS["everything"]):
        before = {key: spark.conf.get(key, None) for key in SETTINGS.always}
        substrait_sql.execute(spark, PLANS / "expression" / "current_timezone.json")
        assert {key: spark.conf.get(key, None) for key in before} == before
    unset = {key: spark.conf.get(key, None) for key in DEFAULTS}
    substrait_sql.execute(spark, PLANS / "expression" / "current_timezone.json")
    assert {key: spark.conf.get(key, None) for key in DEFAULTS} == unset


UPPER = table("t", "s:str").select(lambda r: [upper(r[0])])
EXISTING = table("t", "s:str").filter(lambda r: exists(table("t", "s:str")))
YEAR = table("t", "d:date").select(
    lambda r: [call("datetime", "strftime:date_str", "str", r[0], lit("%Y", "str"))]
)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("key", "value", "rows"),
    [
        ("spark.sql.icu.caseMappings.enabled", "false", UPPER),
        ("spark.sql.legacy.timeParserPolicy", "legacy", YEAR),
        ("spark.sql.optimizer.decorrelateInnerQuery.enabled", "false", EXISTING),
    ],
)
def test_settings_that_would_change_rows_later(
    spark: SparkSession, key: str, value: str, rows: R
) -> None:
    frame = spark.sql("SELECT 'a' AS s, DATE'2020-02-29' AS d")
    message = plan((rows, "x"))
    substrait_sql.execute(spark, message, tables={"t": frame})
    with configured(spark, {key: value}):
        with pytest.raises(ExecutionError, match=f"SS4021 .*{key}={value}"):
            substrait_sql.execute(spark, message, tables={"t": frame})
        if rows is not EXISTING:
            # Others do not go by it.
            substrait_sql.execute(spark, plan((table("t", "s:str"), "s")), tables={"t": frame})
