"""Comments and hints where Spark's lexer sees them: the same rows and names, the same refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

from substrait_sql import SqlError, execute, to_plan
from substrait_sql.lift.text.comments import Unclosed, blanked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TAKEN = [
    "select 1 -- c\\\n + 1 as v",
    "select 1 -- c\\\\\n + 1 as v",
    "select 1 -- c\r + 1 as v",
    "select 1 as a -- \\",
    "select /*+ broadcast(a) /* z */ */ 1",
    "select /*+ COALESCE(1) -- x\n */ 1 as a",
    "select /*+ REPARTITION(2) */ /*+ COALESCE(1) */ 1 as a",
    "select/*+ COALESCE(1) */1 as a",
    "select /* c */ /*+ COALESCE(1) */ 1 as a",
    "select 2 /* + x */ as a",
    "/*/**/*/ select 1",
    "select 1 /*/* a */*/ as v",
    "select 1 /* a */ -- b\n /* c */ + 1 as a",
    "select 1 -- it's",
    "select 1 /* it's */",
    "select '--' as a, '/*' as b, \"*/\" as c, `d--` from values(1) t(`d--`)",
    "select `a``b` from values(1) t(`a``b`)",
    "select r'\\' as a -- x",
    'select R"a\\" as a /* \' */, 2',
    "select 'a\\'--b' as x",
    "select 1--2",
    "select 1 as a;-- end",
]
REFUSED = [
    "/*+ BROADCAST(t) */ select 1",
    "select 1 /*+ x */ as a",
    "select distinct /*+ COALESCE(1) */ 1 as a",
    "select 1 /* open",
    "select 1 /*/",
    "select /*+ COALESCE(1) 1",
    "select 'open",
    "select `open",
    "select 1 */",
    "select 2 */ 3 as x -- y",
    "-- only",
]


@pytest.mark.spark
@pytest.mark.parametrize("sql", TAKEN)
def test_rows(spark: SparkSession, sql: str) -> None:
    wanted = spark.sql(sql)
    found = execute(spark, to_plan(sql, schema={}))
    assert found.columns == wanted.columns
    assert found.collect() == wanted.collect()


@pytest.mark.spark
@pytest.mark.parametrize("sql", REFUSED)
def test_both_refuse(spark: SparkSession, sql: str) -> None:
    with pytest.raises(PySparkException):
        spark.sql(sql)
    with pytest.raises(SqlError) as caught:
        to_plan(sql, schema={})
    assert caught.value.code == "SS5001"


def test_all_else_stays_where_it_is() -> None:
    text = "SELECT 'a--b', /* x\ny */ `c/*` -- d\n, 2"
    found = blanked(text)
    assert found == "SELECT 'a--b',     \n     `c/*`     \n, 2"
    assert len(found) == len(text)
    with pytest.raises(Unclosed, match="a hint has no end"):
        blanked("SELECT /*+ x")
