"""All problems of a text at once, each once, and none that only follows from another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import check_sql

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCHEMA = {
    "t": {"a": "INT", "b": "STRING", "s": "STRUCT<x: INT, yy: STRING>", "arr": "ARRAY<INT>"},
    "u": {"a": "INT NOT NULL", "c": "BIGINT"},
}


def found(sql: str) -> list[str]:
    """Code, place and the first line of each message."""
    return [
        f"{d.code} {d.path.removeprefix('line ').replace(', column ', ':')} {d.message.splitlines()[0]}"
        for d in check_sql(sql, schema=SCHEMA)
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, sum(length(b)) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY 2",
        "SELECT a FROM t; SELECT c FROM u",
        "CREATE TABLE n AS SELECT a AS k FROM t; INSERT INTO n VALUES (1); SELECT k FROM n;",
        "",
        ";;",
    ],
)
def test_nothing_is_wrong(sql: str) -> None:
    assert found(sql) == []


@pytest.mark.parametrize(
    ("sql", "problems"),
    [
        (
            "SELECT aa, upper(bb), foo(a), a + m * n FROM t WHERE z > 1 AND y < 2 GROUP BY q ORDER BY r",
            [
                "SS5004 1:8 there is no column aa",
                "SS5004 1:18 there is no column bb",
                "SS5005 1:23 there is no function foo",
                "SS5004 1:35 there is no column m",
                "SS5004 1:39 there is no column n",
                "SS5004 1:54 there is no column z",
                "SS5004 1:64 there is no column y",
                "SS5004 1:79 there is no column q",
                "SS5004 1:90 there is no column r",
            ],
        ),
        (
            "SELECT *, t.q FROM missing m JOIN t ON m.x = t.a AND t.z = 1 WHERE anything = 3 ORDER BY 9",
            [
                "SS5004 1:13 there is no column t.q",
                "SS5004 1:20 there is no table missing",
                "SS5004 1:56 there is no column t.z",
            ],
        ),
        (
            "WITH c AS (SELECT aa AS x, b FROM t), d AS (SELECT x + 1 AS y, b FROM c WHERE no = 1) "
            "SELECT y.z, b, z FROM d",
            [
                "SS5004 1:19 there is no column aa",
                "SS5004 1:79 there is no column no",
                "SS5004 1:102 there is no column z",
            ],
        ),
        (
            "SELECT a, sum(bb) FROM t GROUP BY b",
            ["SS5003 1:8 a is neither grouped nor aggregated", "SS5004 1:15 there is no column bb"],
        ),
        (
            "SELECT a FROM t;\nSELECT b FROM missing;\nSELCT 1;\nSELECT (1 FROM t;\nSELECT a FROM t WHERE a",
            [
                "SS5004 2:15 there is no table missing",
                "SS5001 3:1 no statement of Spark SQL begins with SELCT",
                "SS5001 4:11 not Spark SQL: ) is missing before this",
                "SS5003 5:23 WHERE wants BOOLEAN, not INT",
            ],
        ),
        (
            "CREATE TEMPORARY VIEW v AS SELECT 1 AS o; SELECT o, p FROM v",
            ["SS5007 1:23 a plan has no word for TEMPORARY of a view"],
        ),
        (
            "INSERT INTO missing SELECT aa FROM t; INSERT INTO u SELECT b, zz FROM t; INSERT INTO u SELECT 1",
            [
                "SS5004 1:13 there is no table missing",
                "SS5004 1:28 there is no column aa",
                "SS5004 1:63 there is no column zz",
                "SS5003 1:86 INSERT wants 2 columns, the query has 1",
            ],
        ),
        (
            "SELECT (SELECT max(zz) FROM u WHERE u.a = t.aa) AS m, m + 1 AS n, n || 'x', s.xx FROM t",
            [
                "SS5004 1:20 there is no column zz",
                "SS5004 1:45 there is no column t.aa",
                "SS5004 1:79 the struct has no field xx",
            ],
        ),
        (
            "SELECT row_number() OVER (PARTITION BY nope ORDER BY nope2) AS r FROM t QUALIFY r = 1",
            ["SS5004 1:40 there is no column nope", "SS5004 1:54 there is no column nope2"],
        ),
        (
            "SELECT aa FROM t UNION SELECT 1, 2 UNION ALL SELECT bb FROM t",
            ["SS5004 1:8 there is no column aa", "SS5004 1:53 there is no column bb"],
        ),
        ("SELECT 1; SELECT 'abc", ["SS5001 1:18 not SQL: a text has no end"]),
        (
            "SELECT explode(nope), x FROM t",
            ["SS5004 1:16 there is no column nope", "SS5004 1:23 there is no column x"],
        ),
    ],
)
def test_all_that_is_wrong(sql: str, problems: list[str]) -> None:
    assert found(sql) == problems


def test_the_command(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    schema = tmp_path / "schema.yaml"
    schema.write_text("t: {a: INT, b: STRING}\n", encoding="utf-8")
    good, bad = tmp_path / "good.sql", tmp_path / "bad.sql"
    good.write_text("SELECT a FROM t; SELECT b FROM t", encoding="utf-8")
    bad.write_text("SELECT aa\nFROM t;\nSELECT b\nFROM u", encoding="utf-8")
    assert call("check", "--sql", good, "--schema", schema)[:2] == (0, f"ok      {good}\n")
    code, out, errors = call("check", "--sql", bad, "--schema", schema)
    assert (code, out) == (1, f"refused {bad}: SS5004\n")
    assert errors.splitlines() == [
        "SS5004 there is no column aa",
        "  SELECT aa",
        "         ^^",
        f"  in    {bad}",
        "  at    line 1, column 8",
        "  hint  did you mean a?",
        "SS5004 there is no table u",
        "  FROM u",
        "       ^",
        f"  in    {bad}",
        "  at    line 4, column 6",
        "  hint  tables here: t",
    ]
    assert call("check", tmp_path, "--schema", schema)[0] == 2
