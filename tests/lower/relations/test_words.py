"""Columns that are called as functions without brackets: in ORDER BY Spark takes such a name for the function.

All of Spark's rows here are in the order that the plan says, from 3 to 1, by a column that counts down; as functions
the names have one value for all rows, which leaves them as they come, from 1 to 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException

import substrait_sql
from substrait_sql.dialect.identifiers import WORDS
from tests.support.build import ASC, R, add, extreme, lit, plan, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark_with_tables(spark: SparkSession) -> Iterator[SparkSession]:
    for word in WORDS:
        spark.sql(
            f"CREATE OR REPLACE TEMP VIEW named_{word} AS SELECT id, -id AS `{word}` FROM range(1, 4)"
        )
    yield spark
    for word in WORDS:
        spark.catalog.dropTempView(f"named_{word}")


def rows(word: str) -> R:
    return table(f"named_{word}", f"id:i64 {word}:i64")


def ids(spark: SparkSession, made: R) -> list[int]:
    return [row.id for row in substrait_sql.execute(spark, plan((made, "id"))).collect()]


@pytest.mark.spark
@pytest.mark.parametrize("word", WORDS)
def test_rows_are_sorted_by_the_column(spark_with_tables: SparkSession, word: str) -> None:
    by_name = rows(word).sort(lambda r: [(r[1], ASC)])
    by_value = rows(word).sort(lambda r: [(add(r[1], lit(1, "i64")), ASC)])
    for made in (by_name, by_value):
        assert ids(spark_with_tables, made.select(lambda r: [r[0]])) == [3, 2, 1]
        first = made.fetch(1).select(lambda r: [r[0]])
        assert ids(spark_with_tables, first) == [3]


@pytest.mark.spark
@pytest.mark.parametrize("word", WORDS)
def test_groups_are_sorted_by_the_column(spark_with_tables: SparkSession, word: str) -> None:
    keys = rows(word).aggregate(lambda r: [r[0], r[1]], None)
    found = keys.sort(lambda r: [(r[1], ASC)]).select(lambda r: [r[0]])
    assert ids(spark_with_tables, found) == [3, 2, 1]
    measured = rows(word).aggregate(lambda r: [r[0]], lambda r: [extreme("max", r[1])])
    found = measured.sort(lambda r: [(r[1], ASC)]).select(lambda r: [r[0]])
    assert ids(spark_with_tables, found) == [3, 2, 1]


def test_the_text() -> None:
    """What is returned needs no table before it."""
    sorted_ = rows("user").sort(lambda r: [(r[1], ASC)])
    assert "ORDER BY\n  `user`" in substrait_sql.to_sql(plan((sorted_, "id user")))
    hidden = sorted_.select(lambda r: [r[0]])
    assert "ORDER BY\n  named_user.`user`" in substrait_sql.to_sql(plan((hidden, "id")))


@pytest.mark.spark
def test_no_other_function_is_taken_for_the_column(spark: SparkSession) -> None:
    """Each function that Spark has, as the name of a column: a word that a release adds is missed here."""
    names = {row.function for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect()} | set(WORDS)
    firsts: list[str] = []
    taken = set()
    for name in sorted(n for n in names if n.isidentifier()):
        query = f"SELECT id FROM (SELECT id, -id AS `{name}` FROM range(1, 4)) ORDER BY `{name}` LIMIT 1"
        try:
            spark.sql(query)
        except AnalysisException:
            taken.add(name)
        else:
            firsts.append(f"SELECT '{name}' AS found, id FROM ({query})")
    # Hundreds of jobs take minutes.
    for at in range(0, len(firsts), 50):
        found = spark.sql(" UNION ALL ".join(firsts[at : at + 50])).collect()
        taken |= {row.found for row in found if row.id != 3}
    assert taken == set(WORDS)
