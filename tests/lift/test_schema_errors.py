"""A schema that cannot be read: what is wrong with it, and never a traceback."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.types import (
    ArrayType,
    CharType,
    DecimalType,
    IntegerType,
    StructField,
    StructType,
    TimestampType,
)

from substrait_sql import SqlError, to_plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (None, "SS5004 there is no table t(?s:.*)give the columns of the tables: schema="),
        (5, "SS5010 a int is no schema"),
        (["t"], "SS5010 a list is no schema"),
        ("nowhere.yaml", "SS5010 there is no nowhere.yaml"),
        ({"t": {"a": "INTT"}}, "SS5010 table t: 'intt' is no type of Spark's"),
        ({"t": "a INTT"}, "SS5010 table t: 'intt' is no type of Spark's"),
        ({"t": "a INT b INT"}, "SS5010 table t: 'b' behind a field"),
        ({"t": {"a": None}}, "SS5010 table t: None is no type: write its name, such as 'INT'"),
        ({"t": {"a": 5}}, "SS5010 table t: 5 is no type"),
        ({"t": None}, "SS5010 table t has no columns that can be read"),
        ({"t": ["a"]}, "SS5010 table t has no columns that can be read"),
        ({"t": [("a",)]}, "SS5010 table t has no columns that can be read"),
        ({"t": {"a": "DECIMAL(99)"}}, "SS5010 table t: decimal\\(99,0\\) has too many digits"),
        ({"t": ""}, "SS5010 table t"),
        ({"t": {"fields": [{"name": "a"}]}}, "SS5010 table t has no columns that can be read"),
        (
            {"t": {"fields": [{"name": "a", "type": "int4"}]}},
            "SS5010 table t: 'int4' is no type of Spark's",
        ),
        ({"t": '{"type": "struct"}'}, "SS5010 table t: no type in JSON"),
    ],
)
def test_what_is_no_schema(schema: Any, message: str) -> None:
    with pytest.raises(SqlError, match=message):
        to_plan("SELECT a FROM t", schema=schema)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.yaml", b"a: [1,", "is neither JSON nor YAML"),
        ("bad.json", b'{"t": ', "is neither JSON nor YAML"),
        ("binary.yaml", b"\xff\xfe", "is neither JSON nor YAML"),
        ("list.yaml", b"- a", "holds no mapping of tables to columns"),
    ],
)
def test_what_is_no_file_of_one(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SqlError, match=f"SS5010 .*{message}"):
        to_plan("SELECT a FROM t", schema=path)


def test_a_folder_without_tables(tmp_path: Path) -> None:
    with pytest.raises(SqlError, match="SS5010 there are no Parquet files"):
        to_plan("SELECT a FROM t", schema=tmp_path)


@pytest.mark.parametrize("kind", ["INTT", None, 5])
def test_types_of_parameters(kind: Any) -> None:
    with pytest.raises(SqlError, match="SS5006 parameter p: .* is no type"):
        to_plan("SELECT :p", schema={}, parameters={"p": kind})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s.json", '{"t": {"a": "INT"}, "t": {"b": "INT"}}'),
        ("s.yaml", "t: {a: INT}\nt: {b: INT}\n"),
        ("s.json", '{"t": {"a": "INT"}, "T": {"b": "INT"}}'),
        ("s.json", '{"t": {"a": "INT", "a": "STRING"}}'),
    ],
)
def test_a_name_that_stands_twice(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SqlError, match=r"SS5010 .*twice"):
        to_plan("SELECT * FROM t", schema=path)


def test_a_schema_is_what_spark_writes_of_one_in_json(tmp_path: Path) -> None:
    element = StructType([StructField("a", DecimalType(5, 2)), StructField("z", TimestampType())])
    kind = StructType(
        [
            StructField("id", IntegerType(), nullable=False),
            StructField("c", CharType(3)),
            StructField("l", ArrayType(element)),
        ]
    )
    sql = "SELECT id, c, l[0].a + 1 AS x FROM t"
    expected = to_plan(sql, schema={"t": kind})
    path = tmp_path / "tables.json"
    path.write_text(json.dumps({"t": kind.jsonValue()}))
    assert to_plan(sql, schema={"t": kind.json()}) == expected
    assert to_plan(sql, schema={"t": kind.jsonValue()}) == expected
    assert to_plan(sql, schema=path) == expected
