"""Statements of Spark SQL, by `spark.sql` and by their plans: the same rows, names and types, the same refusals.

What is expected is what Spark itself returns for the statement.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException

import substrait_sql
from substrait_sql import SqlError

FOLDER = Path(__file__).parent / "statements"
SETUP = (
    """CREATE OR REPLACE TEMPORARY VIEW people AS SELECT * FROM VALUES
    (1, 'Ada', 30, 'Rome', 10.50BD, DATE '1994-05-01'), (2, 'Ben', 25, 'Oslo', 20.00BD, DATE '1999-12-31'),
    (3, 'Cleo', 30, 'Rome', NULL, DATE '1994-02-28'), (4, 'Dan', 61, NULL, 5.25BD, NULL),
    (5, 'Eva', NULL, 'Oslo', 0.00BD, DATE '2000-02-29'), (6, 'Fay', 41, 'Bern', 99.99BD, DATE '1983-01-01')
    AS t(id, name, age, city, wage, born)""",
    """CREATE OR REPLACE TEMPORARY VIEW orders AS SELECT * FROM VALUES
    (1, 'pen', 2.5D), (1, 'ink', 12.0D), (2, 'pen', 2.5D), (4, 'map', 40.0D), (NULL, 'cup', 7.0D), (9, 'hat', NULL)
    AS t(person, item, price)""",
    """CREATE OR REPLACE TEMPORARY VIEW nested AS SELECT named_struct('a', id, 'b', name) AS s,
    IF(id % 3 = 0, NULL, array(id, age, 2)) AS arr, map('k', name, 'n', NULL) AS m FROM people""",
)


def _statements() -> list[Any]:
    found: list[Any] = []
    for path in sorted(FOLDER.glob("*.sql")):
        for number, text in enumerate(path.read_text(encoding="utf-8").split("\n\n")):
            marks = dict(re.findall(r"^-- (error|fails|order|spark): (.+)$", text, re.MULTILINE))
            sql = "\n".join(x for x in text.splitlines() if not x.startswith("-- ")).strip()
            found.append(pytest.param(sql, marks, id=f"{path.stem}-{number + 1}"))
    return found


@pytest.fixture(scope="module")
def tables(spark: Any) -> Any:
    for each in SETUP:
        spark.sql(each)
    yield spark
    for name in ("people", "orders", "nested"):
        spark.catalog.dropTempView(name)


def _rows(frame: Any) -> list[tuple[str, ...]]:
    return [tuple(map(repr, row)) for row in frame.collect()]


@pytest.mark.parametrize(("sql", "marks"), _statements())
def test_statement(sql: str, marks: dict[str, str], tables: Any) -> None:
    if "error" in marks:
        with pytest.raises(SqlError, match=marks["error"]):
            substrait_sql.to_plan(sql, schema=tables)
        return
    plan = substrait_sql.to_plan(sql, schema=tables)
    meant, made = tables.sql(sql), substrait_sql.execute(tables, plan)
    if "fails" in marks:
        for each in (meant, made):
            with pytest.raises(PySparkException, match=marks["fails"]):
                each.collect()
        return
    assert made.columns == meant.columns
    assert [f.dataType.simpleString() for f in made.schema] == [
        "string" if f.dataType.simpleString() == "void" else f.dataType.simpleString()
        for f in meant.schema
    ]
    left, right = _rows(meant), _rows(made)
    assert Counter(right) == Counter(left)
    for place in map(int, marks.get("order", "").replace(",", " ").split()):
        assert [r[place - 1] for r in right] == [r[place - 1] for r in left]


@pytest.mark.parametrize(
    ("sql", "marks"),
    [p for p in _statements() if p.values[1].get("error") not in (None, "SS5007")],
)
def test_spark_refuses_it_too(sql: str, marks: dict[str, str], tables: Any) -> None:
    """By its analyser; or, as the mark `spark` says, in other words: when it runs, or in a class of Java's alone."""
    said = (PySparkException, Py4JJavaError) if "spark" in marks else AnalysisException
    with pytest.raises(said, match=marks.get("spark")):
        tables.sql(sql).collect()
