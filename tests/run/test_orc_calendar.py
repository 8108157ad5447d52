"""Days and points in time before 1582-10-15 in ORC files: as they were written, and found by conditions."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import orc

import substrait_sql
from tests.support.build import call, cast, files, lit, part, plan, set_
from tests.support.sessions import configured

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.support.build import R

# 1582-10-05 to 14 are no days of the calendar that Java's reader counts in; a file that Spark writes has none of them.
DAYS = [
    date(1, 1, 1),
    date(1, 1, 3),
    date(1000, 3, 1),
    date(1500, 1, 1),
    date(1582, 10, 4),
    date(1582, 10, 15),
]
GAP = date(1582, 10, 9)
COLUMNS = "d:date? z:ptstz<6>? s:struct<date?>?"
COMPARED = {"equal": lambda x, y: x == y, "lt": lambda x, y: x < y, "gt": lambda x, y: x > y}


def noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def written_by_arrow(spark: SparkSession, folder: Path, days: list[date]) -> None:
    for i, day in enumerate(days):
        moments = pa.array([noon(day)], pa.timestamp("us", "UTC"))
        inside = pa.array([{"f0": day}], pa.struct([("f0", pa.date32())]))
        orc.write_table(pa.table({"d": [day], "z": moments, "s": inside}), folder / f"{i}.orc")


def written_by_spark(spark: SparkSession, folder: Path, days: list[date]) -> None:
    for day in days:
        columns = f"DATE '{day}' AS d, TIMESTAMP '{day} 12:00:00' AS z, named_struct('f0', DATE '{day}') AS s"
        spark.sql(f"SELECT {columns}").write.mode("append").orc(str(folder))


WRITERS = {"arrow": written_by_arrow, "spark": written_by_spark}


@pytest.fixture(scope="module", params=sorted(WRITERS))
def folder(request: Any, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for each day, so that each has its own smallest and largest value."""
    found: Path = tmp_path_factory.mktemp(f"orc_{request.param}")
    WRITERS[request.param](spark, found, DAYS)
    return found


def read(folder: Path) -> R:
    return files(COLUMNS, {"uri_folder": str(folder), "orc": {}})


@pytest.mark.spark
def test_they_are_those_that_were_written(spark: SparkSession, folder: Path) -> None:
    frame = substrait_sql.execute(spark, plan((read(folder), "d z s x")))
    rows = frame.selectExpr(
        "CAST(d AS STRING)", "CAST(z AS STRING)", "CAST(s.x AS STRING)"
    ).collect()
    assert sorted(map(tuple, rows)) == [(str(d), f"{d} 12:00:00", str(d)) for d in DAYS]


@pytest.mark.spark
@pytest.mark.parametrize("column", ["d", "z", "s"])
def test_conditions_find_all(spark: SparkSession, folder: Path, column: str) -> None:
    """Each comparison with each day, and with one of those that the reader does not know."""
    asked = [(name, day) for name in COMPARED for day in (*DAYS, GAP)]
    frame = substrait_sql.execute(
        spark,
        plan(
            (
                set_(
                    "UNION_ALL",
                    *(matching(folder, column, *each, i) for i, each in enumerate(asked)),
                ),
                "i d",
            )
        ),
    )
    found = {(row.i, row.d) for row in frame.collect()}
    assert found == {
        (i, str(d)) for i, (name, day) in enumerate(asked) for d in DAYS if COMPARED[name](d, day)
    }


def matching(folder: Path, column: str, name: str, day: date, i: int) -> R:
    """The days for which the comparison of a column holds, with the number of the comparison."""
    kept = read(folder).filter(lambda r: compared(r, column, name, day))
    return kept.select(lambda r: [lit(i, "i32"), cast(r[0], "str?")])


def compared(row: Any, column: str, name: str, day: date) -> Any:
    side = {"d": row[0], "z": row[1], "s": part(row[2], 0, out="date?")}[column]
    value = lit(noon(day), "ptstz<6>") if column == "z" else lit(day, "date")
    return call("comparison", f"{name}:any_any", "bool?", side, value)


@pytest.mark.spark
def test_a_session_may_say_that_files_have_julian_days(spark: SparkSession, tmp_path: Path) -> None:
    """The day that SQL calls 1500-01-01 was 1499-12-23 in the Julian calendar, nine days behind."""
    written_by_arrow(spark, tmp_path, [date(1500, 1, 1)])
    with configured(spark, {"orc.proleptic.gregorian.default": "false"}):
        frame = substrait_sql.execute(spark, plan((read(tmp_path).select(lambda r: [r[0]]), "d")))
        assert frame.collect() == [(date(1499, 12, 23),)]
