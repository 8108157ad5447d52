"""What a text says and a plan cannot is refused; a session that does not answer is no session without tables."""

from __future__ import annotations

from typing import Any

import pytest

from substrait_sql import SqlError, to_plan

SCHEMA = {"t": {"a": "INT", "b": "INT"}}


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT a FROM t SORT BY a LIMIT 2", "SS5007"),
        ("SELECT a FROM t CLUSTER BY a LIMIT 2", "SS5007"),
        ("SELECT a FROM t DISTRIBUTE BY a OFFSET 1", "SS5007"),
        ("SELECT count(*) FROM t GROUP BY a WITH TOTALS", "SS5002"),
        ("SELECT a FROM t FOR UPDATE", "SS5002"),
        ("SELECT a FROM t TABLESAMPLE (10 PERCENT)", "SS5007 a sample"),
        ("SELECT a FROM (SELECT a FROM t) TABLESAMPLE (5 ROWS)", "SS5007 a sample"),
        (
            "SELECT * FROM (t JOIN t AS u ON TRUE) TABLESAMPLE (BUCKET 1 OUT OF 10)",
            "SS5007 a sample",
        ),
        ("FROM t |> TABLESAMPLE (5 ROWS)", "SS5007 a sample"),
        ("SELECT a INTO u FROM t", "SS5002 SELECT with into"),
        ("SELECT a FROM t TIMESTAMP AS OF '2024-01-01'", "SS5007"),
    ],
)
def test_it_is_refused(sql: str, code: str) -> None:
    with pytest.raises(SqlError, match=code):
        to_plan(sql, schema=SCHEMA)


class Away:
    """The settings of a session whose server is away."""

    def get(self, key: str, default: str | None = None) -> str | None:
        raise ConnectionError("no route to the server")


class Broken:
    """A session whose server is away."""

    catalog = None

    def __init__(self, conf: Any) -> None:
        self.conf = conf

    def sql(self, text: str) -> Any:
        raise NotImplementedError

    def table(self, name: str) -> Any:
        raise ConnectionError("no route to the server")


def test_a_session_that_does_not_answer() -> None:
    with pytest.raises(SqlError, match="SS5010 the session does not say what .*no route"):
        to_plan("SELECT a FROM t", schema=Broken({}), zone="UTC")
    with pytest.raises(SqlError, match="SS5010 the session does not say its settings: no route"):
        to_plan("SELECT a FROM t", schema=Broken(Away()), zone="UTC")
