"""Common table expressions are where they were, also those that are read once."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql.plan.named_queries import is_marked
from substrait_sql.wire.inside import within

SCHEMA = {"t": {"a": "int", "b": "bigint"}}


def back(sql: str, **options: Any) -> str:
    plan = substrait_sql.to_plan(sql, schema=SCHEMA, **options)
    return " ".join(substrait_sql.to_sql(plan).split())


@pytest.mark.parametrize(
    "sql",
    [
        "WITH q AS ( SELECT a, b FROM t WHERE a > 1 ) SELECT a FROM q WHERE b > 2",
        "WITH q AS ( SELECT a FROM t WHERE a > 1 ) SELECT x.a, t.b FROM q AS x JOIN t ON x.a = t.a",
        "WITH q AS ( SELECT a, sum(b) AS s FROM t GROUP BY a ), r AS ( SELECT a FROM q WHERE s > 3 ) SELECT a FROM r",
        "WITH q AS ( SELECT max(b) AS m FROM t ) SELECT a FROM t WHERE b IN ( SELECT m FROM q )",
        "WITH q AS ( SELECT a FROM t UNION SELECT 1 ) SELECT a FROM q ORDER BY a LIMIT 3",
        "WITH q AS ( SELECT 1L AS one FROM t ) SELECT one FROM q",
        "WITH v AS ( SELECT col1 FROM VALUES (1), (2) AS rows(col1) ) SELECT col1 FROM v",
        "WITH q AS ( SELECT a FROM t AS o WHERE EXISTS( SELECT 1 FROM t WHERE t.b = o.a ) ) SELECT a FROM q",
        "WITH q AS ( SELECT a AS z FROM t ) SELECT x.z FROM q AS x JOIN q AS y ON x.z = y.z",
    ],
)
def test_a_text_comes_back(sql: str) -> None:
    assert back(sql) == sql


def test_one_that_refers_outwards_stands_where_it_is_read() -> None:
    sql = "SELECT (WITH q AS (SELECT b FROM t x WHERE x.a = t.a) SELECT max(b) FROM q) AS m FROM t"
    assert back(sql) == "SELECT ( SELECT max(x.b) FROM t AS x WHERE x.a = t.a ) AS m FROM t"
    assert back(sql, steps_out=True) == back(sql)


def test_a_name_that_a_table_has() -> None:
    sql = "WITH t AS (SELECT a FROM t) SELECT a FROM t"
    assert back(sql) == "WITH t_shared AS ( SELECT a FROM t ) SELECT a FROM t_shared"


def test_the_plan_is_a_tree_for_everybody_else() -> None:
    plan = substrait_sql.to_plan("WITH q AS (SELECT a FROM t) SELECT a FROM q", schema=SCHEMA)
    assert len(plan.relations) == 1
    marked = [m for m in within(plan) if m.DESCRIPTOR.name == "Rel" and is_marked(m)]
    assert len(marked) == 1
    plan.version.producer = "somebody else"
    assert " ".join(substrait_sql.to_sql(plan).split()) == "SELECT a FROM t"
