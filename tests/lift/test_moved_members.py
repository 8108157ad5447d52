"""IN (query) whose answer about unknown members depends on where Spark's optimizer moves it: right, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql import SqlError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

ROWS = {
    "most": "VALUES (1, 10, 'a'), (2, NULL, 'b'), (NULL, 30, NULL), (2, 20, 'B'), (NULL, NULL, 'a')",
    "some": "VALUES (1, 10, 'a'), (5, 50, NULL), (2, 20, 'b')",
}
SCHEMA = dict.fromkeys(ROWS, "k INT, v INT, s STRING")
MISSED = "NOT IN (SELECT v FROM most)"
NAMED = "(SELECT k, v, {} AS b FROM some)"

# Conditions of joins, and the kinds of outer joins and LEFT ANTI for which there is a plan of them.
CONDITIONS = {
    f"l.k {MISSED}": "LARF",
    f"l.k = r.k AND l.k {MISSED}": "LARF",
    f"l.k = r.k AND r.k {MISSED}": "LARF",
    f"l.k = r.k AND l.k + l.v {MISSED}": "LARF",
    "l.k = r.k AND NOT (l.k IN (SELECT v FROM most) AND l.k < 5)": "LARF",
    "l.k = r.k AND l.k NOT IN (SELECT v FROM most WHERE most.s = l.s)": "LARF",
    f"l.k <=> r.k AND l.k {MISSED}": "LARF",
    f"l.k = r.k OR l.k {MISSED}": "LARF",
    # Spark may simplify what it is equal to, and then infers.
    f"l.k = CAST(r.k AS BIGINT) AND l.k {MISSED}": "RF",
    f"l.k = r.k + 0 AND l.k {MISSED}": "RF",
    f"l.k = r.k AND coalesce(l.k {MISSED}, TRUE)": "RF",
    # Spark moves one condition of two alternatives.
    f"(l.k = 1 AND r.k {MISSED}) OR (l.k = 2 AND r.v {MISSED})": "F",
}
KINDS = {"L": "LEFT", "A": "LEFT ANTI", "R": "RIGHT", "F": "FULL"}

# What stands behind a join, and for which kinds of it Spark may make another one.
BEHIND = {
    "": "",
    "WHERE l.s = 'a'": "RF",
    "WHERE r.v > 1": "LF",
    "JOIN some x ON x.k = r.k": "LF",
    "JOIN some x ON x.k = l.k": "RF",
    "ORDER BY l.k": "",
}
AROUND = {
    "SELECT * FROM ({}) WHERE rk > 0": True,
    "WITH q AS ({}) SELECT k, count(*) AS c FROM q WHERE rk > 0 GROUP BY k": True,
    "SELECT rk, count(*) AS c FROM ({}) GROUP BY rk HAVING rk > 0": True,
    "SELECT k FROM some WHERE k IN (SELECT rk FROM ({}))": True,
    "SELECT k, max(rk) AS m FROM ({}) GROUP BY k HAVING max(rk) > 0": False,
    "SELECT * FROM (SELECT * FROM ({}) ORDER BY k, v, rk LIMIT 3) WHERE rk > 0": False,
    "SELECT * FROM ({}) UNION ALL SELECT 1, 2, 3": False,
}

READ_RIGHT = [
    "b", "b <=> FALSE", "CASE WHEN b THEN FALSE ELSE TRUE END", "b OR v > 15",
]  # fmt: skip
READ_BY_NOT = [
    "NOT b", "b = FALSE", "b <> TRUE", "b IN (FALSE)", "NOT (b AND v > 15)", "(NOT b) = TRUE",
]  # fmt: skip
READERS = [
    "SELECT k, v FROM {0} WHERE {1}",
    "SELECT k, v, {1} AS c FROM {0}",
    "SELECT k, y.s FROM {0} x JOIN (SELECT s FROM some) y ON {1}",
    "SELECT k, count(*) AS c FROM {0} GROUP BY k, v, b HAVING {1}",
    "WITH q AS {0} SELECT k FROM q WHERE {1} AND k > 0",
    "SELECT k FROM (SELECT * FROM {0} UNION ALL SELECT 1, 2, TRUE) WHERE {1}",
]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    for name, values in ROWS.items():
        spark.sql(
            f"CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT * FROM {values} AS t(k, v, s)"
        )
    yield spark
    for name in ROWS:
        spark.catalog.dropTempView(name)


def difference(spark: SparkSession, sql: str, refused: bool = False) -> str:
    """What is wrong with the rows of a statement's plan; or that it is refused, or is not, where the other was due."""
    try:
        text = substrait_sql.to_sql(substrait_sql.to_plan(sql, schema=SCHEMA))
    except SqlError as error:
        return "" if refused and error.code == "SS5007" else f"{sql}: {error}"
    if refused:
        return f"{sql}: not refused"
    found, wanted = (sorted(map(str, spark.sql(each).collect())) for each in (text, sql))
    return "" if found == wanted else f"{sql}: {found}, by Spark {wanted}"


def joined(kind: str, condition: str) -> str:
    columns = "l.k, l.v" if kind == "LEFT ANTI" else "l.k, l.v, r.k AS rk"
    return f"SELECT {columns} FROM some l {kind} JOIN most r ON {condition}"


@pytest.mark.spark
def test_conditions_of_joins(session: SparkSession) -> None:
    found = [
        difference(session, joined(KINDS[key], condition), refused=key not in kinds)
        for condition, kinds in CONDITIONS.items()
        for key in KINDS
    ]
    assert list(filter(None, found)) == []


@pytest.mark.spark
def test_conditions_behind_joins(session: SparkSession) -> None:
    """An outer join whose filled side is asked for something becomes another join."""
    found = [
        difference(
            session, f"{joined(KINDS[key], f'{side}.k {MISSED}')} {behind}", refused=key in kinds
        )
        for behind, kinds in BEHIND.items()
        for key, side in (("L", "l"), ("R", "r"), ("F", "l"), ("F", "r"))
    ]
    assert list(filter(None, found)) == []


@pytest.mark.spark
def test_conditions_around_joins(session: SparkSession) -> None:
    found = [
        difference(session, around.format(joined(kind, f"l.k {MISSED}")), refused=refused)
        for around, refused in AROUND.items()
        for kind in ("LEFT", "FULL")
    ]
    assert list(filter(None, found)) == []


@pytest.mark.spark
@pytest.mark.parametrize("member", ["k IN (SELECT v FROM most)", f"NOT (k {MISSED}) AND v > 5"])
def test_names(session: SparkSession, member: str) -> None:
    """Spark writes the value of a name into what reads it: NOT of it is not NOT of its value."""
    cases = [(each, False) for each in READ_RIGHT] + [(each, True) for each in READ_BY_NOT]
    found = [
        difference(session, reader.format(NAMED.format(member), reading), refused=refused)
        for reader in READERS
        for reading, refused in cases
    ]
    assert list(filter(None, found)) == []


def test_members_that_are_never_null() -> None:
    """There nothing is unknown."""
    schema = {"t": "k INT NOT NULL, v INT NOT NULL"}
    for sql in (
        "SELECT NOT b AS c FROM (SELECT k IN (SELECT v FROM t) AS b FROM t)",
        "SELECT l.k FROM t l LEFT JOIN t r ON l.k NOT IN (SELECT v FROM t) WHERE r.k > 1",
    ):
        assert substrait_sql.to_plan(sql, schema=schema).relations


@pytest.mark.parametrize(
    ("sql", "place"),
    [
        (f"SELECT k,\n NOT b FROM (SELECT k,\n  k {MISSED} AS b FROM some)", "line 3, column 3"),
        (f"SELECT 1 FROM some l FULL JOIN most r ON\n\n l.s = r.s OR l.k {MISSED} WHERE r.v > 1", "line 3, column 17"),
        (f"FROM some\n|> EXTEND k {MISSED} AS a, v {MISSED} AS b\n|> WHERE b = FALSE", "line 2, column 47"),
    ],
)  # fmt: skip
def test_the_refusal_says_which_in_it_is_about(sql: str, place: str) -> None:
    with pytest.raises(SqlError) as caught:
        substrait_sql.to_plan(sql, schema=SCHEMA)
    assert (caught.value.code, caught.value.path) == ("SS5007", place)
