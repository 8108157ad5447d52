"""Hints that a plan has words for, and those that it has none for."""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql

SCHEMA = {"l": "k INT, a INT", "r": "k INT, b INT", "s": "k INT, c INT"}


def shape(sql: str) -> str:
    """The relations of the plan from the root inwards."""
    found: list[str] = []

    def walk(rel: Any) -> None:
        kind = rel.WhichOneof("rel_type")
        message = getattr(rel, kind)
        if kind == "hash_join":
            kind += f" {message.build_input}"
        if kind == "exchange":
            places = [
                f.direct_reference.struct_field.field for f in message.scatter_by_fields.fields
            ]
            kind += f" {message.partition_count} {places}"
        found.append(kind)
        for name in ("input", "left", "right"):
            if name in message.DESCRIPTOR.fields_by_name and message.HasField(name):
                walk(getattr(message, name))

    walk(substrait_sql.to_plan(sql, schema=SCHEMA).relations[0].root.input)
    return ", ".join(k for k in found if k not in ("project", "read"))


@pytest.mark.parametrize(
    ("sql", "kinds"),
    [
        ("SELECT /*+ SHUFFLE_HASH(r) */ a FROM l JOIN r ON l.k = r.k", "hash_join 2"),
        ("SELECT /*+ SHUFFLE_HASH(l) */ a FROM l JOIN r ON l.k = r.k AND a < b", "hash_join 1"),
        (
            "SELECT /*+ MERGE(r) */ a FROM l LEFT SEMI JOIN r ON l.k <=> r.k",
            "merge_join, sort, sort",
        ),
        ("SELECT /*+ SHUFFLE_MERGE(L) */ * FROM l FULL JOIN r USING (k)", "merge_join, sort, sort"),
        # The hints are for the tables of this FROM by their aliases.
        ("SELECT /*+ MERGE(l) */ x.a FROM l AS x JOIN r ON x.k = r.k", "join"),
        ("SELECT /*+ MERGE(r) */ q.a FROM (SELECT a FROM l JOIN r ON l.k = r.k) AS q", "join"),
        (
            "SELECT /*+ MERGE(s), SHUFFLE_HASH(r) */ a FROM l JOIN r ON l.k = r.k JOIN s ON r.k = s.k",
            "merge_join, sort, hash_join 2, sort",
        ),
        # There is no key.
        ("SELECT /*+ MERGE(r) */ a FROM l JOIN r ON l.k < r.k", "join"),
        ("SELECT /*+ MERGE(r) */ a FROM l CROSS JOIN r", "cross"),
        # Advice without a word.
        ("SELECT /*+ BROADCAST(r), COALESCE(1), nothing */ a FROM l JOIN r ON l.k = r.k", "join"),
        ("SELECT /*+ REPARTITION(4) */ a FROM l", "exchange 4 []"),
        ("SELECT /*+ REPARTITION(4, x) */ a AS x FROM l ORDER BY x", "sort, exchange 4 [0]"),
        ("SELECT /*+ REPARTITION(A, k) */ DISTINCT k, a FROM l", "exchange 0 [1, 0], aggregate"),
        ("SELECT /*+ REPARTITION(l.k) */ a FROM l", ""),
    ],
)
def test_what_the_plan_says(sql: str, kinds: str) -> None:
    assert shape(sql) == kinds


@pytest.mark.parametrize(
    ("hint", "code", "word"),
    [
        ("REPARTITION(0)", "SS5003", "number of partitions"),
        ("REPARTITION(2, 3)", "SS5003", "one number of partitions"),
        ("REPARTITION(a, 2)", "SS5003", "one number of partitions"),
        ("REPARTITION(1.5)", "SS5003", "a number of partitions and columns"),
        ("REPARTITION(3, nope)", "SS5004", "no column nope"),
        ("REPARTITION(x.a)", "SS5004", "no column x.a"),
    ],
)
def test_hints_that_spark_refuses(hint: str, code: str, word: str) -> None:
    with pytest.raises(substrait_sql.SqlError) as found:
        substrait_sql.to_plan(f"SELECT /*+ {hint} */ a FROM l", schema=SCHEMA)
    assert found.value.code == code
    assert word in str(found.value)


def test_the_word_of_the_hint_is_underlined() -> None:
    sql = "SELECT a FROM (SELECT /*+ REPARTITION(a) */ a FROM l)\nUNION ALL SELECT /*+ REPARTITION(2, nope) */ a FROM l"
    with pytest.raises(substrait_sql.SqlError) as found:
        substrait_sql.to_plan(sql, schema=SCHEMA)
    assert found.value.diagnostics[0].path == "line 2, column 37"
    assert " ^^^^\n" in str(found.value)
