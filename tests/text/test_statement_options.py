"""The options of a statement around a query: their text, what is refused, and what Spark makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql.errors import UnsupportedError
from tests.support.build import plan, virtual

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

ROWS = (1, "a", "x"), (2, None, "y")
PLAN = plan((virtual("id:i32 name:str? day:str", *ROWS), "id name day"))
HOSTILE = "it's `a\\b\"; DROP TABLE x; -- ${env:HOME} /* {{ query }} \n:p1"


def statements(kind: str, name: str = "db.t", **options: Any) -> list[str]:
    made = substrait_sql.render(PLAN, statement=kind, name=name, statement_options=options)
    return [s.sql for s in made.statements]


QUERY = substrait_sql.to_sql(PLAN)


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        (
            "view",
            {"comment": "c", "column_comments": {"ID": "the key"}, "properties": {"k": "v"}},
            "CREATE OR REPLACE VIEW db.t (\n  id COMMENT 'the key',\n  name,\n  day\n)\n"
            "COMMENT 'c'\nTBLPROPERTIES ('k' = 'v')\nAS\n",
        ),
        ("view", {"if_not_exists": True}, "CREATE VIEW IF NOT EXISTS db.t AS\n"),
        ("view", {"or_replace": False}, "CREATE VIEW db.t AS\n"),
        ("view", {"temporary": True}, "CREATE OR REPLACE TEMPORARY VIEW db.t AS\n"),
        (
            "ctas",
            {
                "format": "delta",
                "or_replace": True,
                "location": "/data/it's",
                "partition_by": ["day", "bucket(4, id)"],
                "properties": {"a": "1", "b": "2"},
                "table_options": {"compression": "zstd"},
                "comment": "c",
            },
            "CREATE OR REPLACE TABLE db.t\nUSING delta\nOPTIONS ('compression' = 'zstd')\n"
            "PARTITIONED BY (day, bucket(4, id))\nLOCATION '/data/it\\'s'\nCOMMENT 'c'\n"
            "TBLPROPERTIES ('a' = '1', 'b' = '2')\nAS\n",
        ),
        (
            "table",
            {"if_not_exists": True, "cluster_by": ["name", "id"]},
            "CREATE TABLE IF NOT EXISTS db.t\nUSING parquet\nCLUSTER BY (name, id)\nAS\n",
        ),
        (
            "table",
            {"bucket_by": ["id"], "buckets": 8},
            "CREATE TABLE db.t\nUSING parquet\nCLUSTERED BY (id) INTO 8 BUCKETS\nAS\n",
        ),
        ("insert", {"by_name": True}, "INSERT INTO db.t BY NAME\n"),
        ("insert", {"partition": {"p": "1"}}, "INSERT INTO db.t PARTITION (p = '1')\n"),
        (
            "overwrite",
            {"partition_overwrite": "dynamic", "by_name": True},
            "INSERT OVERWRITE TABLE db.t WITH ('partitionOverwriteMode' = 'dynamic') BY NAME\n",
        ),
        (
            "overwrite",
            {"partition": {"day": "x"}},
            "INSERT OVERWRITE TABLE db.t PARTITION (day = 'x')\n",
        ),
    ],
)
def test_text(kind: str, options: dict[str, Any], expected: str) -> None:
    assert statements(kind, **options) == [expected + QUERY]


def test_a_merge() -> None:
    (text,) = statements("merge", key=["ID", "name"])
    assert text == (
        f"MERGE INTO db.t AS target\nUSING (\n{QUERY}\n) AS source\nON\n"
        "  target.id = source.id\n  AND target.name <=> source.name\n"
        "WHEN MATCHED THEN UPDATE SET\n  target.day = source.day\n"
        "WHEN NOT MATCHED THEN INSERT (id, name, day)\n"
        "  VALUES (source.id, source.name, source.day)"
    )


def test_columns_of_a_table() -> None:
    """A table made of rows cannot say this of its columns, so that it is made before them."""
    made, filled = statements(
        "table",
        not_null=["id"],
        defaults={"name": "upper('x')"},
        checks={"positive": "id > 0 AND (name IS NULL OR name <> '')"},
        column_comments={"day": "when"},
        format="delta",
    )
    assert made == (
        "CREATE TABLE db.t (\n  id INT NOT NULL,\n  name STRING DEFAULT (upper('x')),\n"
        "  day STRING COMMENT 'when',\n"
        "  CONSTRAINT positive CHECK (id > 0 AND (name IS NULL OR name <> ''))\n)\nUSING delta"
    )
    assert filled == "INSERT INTO db.t (id, name, day)\n" + QUERY


@pytest.mark.parametrize(
    ("kind", "options", "code"),
    [
        ("view", {"format": "delta"}, "SS3211"),
        ("ctas", {"not_null": ["id"]}, "SS3211"),
        ("insert", {"nothing": 1}, "SS3211"),
        ("merge", {"partition": {"a": "b"}, "key": ["id"]}, "SS3211"),
        ("ctas", {"format": "parquet AS SELECT 1"}, "SS3212"),
        ("ctas", {"buckets": 0, "bucket_by": ["id"]}, "SS3212"),
        ("ctas", {"partition_by": ["drop(id)"]}, "SS3212"),
        ("ctas", {"partition_by": ["bucket(id)"]}, "SS3212"),
        ("overwrite", {"partition_overwrite": "all"}, "SS3212"),
        ("ctas", {"if_not_exists": True, "or_replace": True}, "SS3213"),
        ("ctas", {"buckets": 4}, "SS3213"),
        ("ctas", {"cluster_by": ["id"], "partition_by": ["day"]}, "SS3213"),
        ("view", {"temporary": True, "properties": {"a": "b"}}, "SS3213"),
        ("table", {"if_not_exists": True, "not_null": ["id"]}, "SS3213"),
        ("overwrite", {"partition": {"d": "1"}, "partition_overwrite": "dynamic"}, "SS3213"),
        ("merge", {}, "SS3213"),
        ("merge", {"key": ["nothing"]}, "SS3214"),
        ("ctas", {"partition_by": ["nothing"]}, "SS3214"),
        ("table", {"not_null": ["nothing"]}, "SS3214"),
    ],
)
def test_what_is_refused(kind: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        statements(kind, **options)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1) ; DROP TABLE x; --",
        "1), b INT",
        "1, 2",
        "(SELECT 1)",
        "EXISTS(SELECT 1)",
        "1 -- x",
        "1 /* x */",
        "1 /*",
        "'",
        "'${env:HOME}'",
        ":p1",
        "1 COMMENT 'x'",
        "1; 2",
    ],
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    for options in ({"defaults": {"name": text}}, {"checks": {"c": text}}):
        with pytest.raises(UnsupportedError) as refused:
            statements("table", **options)
        assert refused.value.code == "SS3212"


def test_on_the_command_line(call: Callable[..., tuple[int, str, str]], tmp_path: Any) -> None:
    file = tmp_path / "p.pb"
    file.write_bytes(PLAN.SerializeToString())
    given = ["--statement", "table", "--name", "db.t", "--format", "orc", "--partition-by", "day"]
    given += ["--property", "a=b=c", "--comment", "c", "--location", "/x"]
    code, out, _ = call("render", file, *given)
    assert (code, out.split("AS\n")[0]) == (
        0,
        "CREATE TABLE db.t\nUSING orc\nPARTITIONED BY (day)\nLOCATION '/x'\nCOMMENT 'c'\n"
        "TBLPROPERTIES ('a' = 'b=c')\n",
    )
    code, out, _ = call("render", file, "--statement", "merge", "--name", "t", "--key", "id")
    assert (code, out.split()[:3]) == (0, ["MERGE", "INTO", "t"])


DB = "substrait_sql_options"


@pytest.mark.spark
def test_spark_takes_them(spark: SparkSession, tmp_path: Any) -> None:
    """Each is run, and the table looked at: hostile texts come back as they were."""

    def run(kind: str, name: str, **options: Any) -> None:
        for text in statements(kind, f"{DB}.{name}", **options):
            spark.sql(text)

    def content(name: str) -> list[tuple[Any, ...]]:
        found = spark.table(f"{DB}.{name}").select("id", "name", "day").collect()
        return sorted(map(tuple, found), key=str)

    def about(name: str) -> dict[str, str]:
        rows = spark.sql(f"DESCRIBE EXTENDED {DB}.{name}").collect()
        return {r.col_name: r.data_type for r in rows}

    spark.sql(f"DROP DATABASE IF EXISTS {DB} CASCADE")
    spark.sql(f"CREATE DATABASE {DB}")
    try:
        place = tmp_path / "it's"
        run(
            "ctas", "a", format="orc", location=str(place), partition_by=["day"], comment=HOSTILE,
            properties={HOSTILE: HOSTILE, "k": "v"}, table_options={"compression": "snappy"},
        )  # fmt: skip
        assert content("a") == sorted(ROWS, key=str)
        assert sorted(p.name for p in place.glob("day=*")) == ["day=x", "day=y"]
        assert about("a")["Provider"] == "orc"
        assert about("a")["Comment"] == HOSTILE
        properties = {r.key: r.value for r in spark.sql(f"SHOW TBLPROPERTIES {DB}.a").collect()}
        assert properties[HOSTILE] == HOSTILE
        run("ctas", "a", if_not_exists=True)
        assert len(content("a")) == 2
        run(
            "table", "b", not_null=["id"], defaults={"name": "upper('z')"},
            column_comments={"day": HOSTILE}, cluster_by=["id"],
        )  # fmt: skip
        fields = spark.table(f"{DB}.b").schema
        assert fields["day"].metadata["comment"] == HOSTILE
        spark.sql(f"INSERT INTO {DB}.b (id, day) VALUES (3, 'x')")
        assert content("b") == [(1, "a", "x"), (2, None, "y"), (3, "Z", "x")]
        run("ctas", "c", bucket_by=["id"], buckets=2)
        assert about("c")["Num Buckets"] == "2"
        run("insert", "c", by_name=True)
        assert len(content("c")) == 4
        spark.sql(f"CREATE TABLE {DB}.d (id INT, name STRING, day STRING) PARTITIONED BY (day)")
        spark.sql(f"INSERT INTO {DB}.d VALUES (7, 'old', 'x'), (8, 'old', 'z')")
        run("overwrite", "d", partition_overwrite="dynamic")
        assert content("d") == [(1, "a", "x"), (2, None, "y"), (8, "old", "z")]
        run("overwrite", "d", partition_overwrite="static")
        assert content("d") == [(1, "a", "x"), (2, None, "y")]
        run(
            "view", "v", comment=HOSTILE, column_comments={"id": HOSTILE}, properties={"k": HOSTILE}
        )
        assert spark.table(f"{DB}.v").schema["id"].metadata["comment"] == HOSTILE
        assert content("v") == sorted(ROWS, key=str)
        run("view", "v", if_not_exists=True)
    finally:
        spark.sql(f"DROP DATABASE {DB} CASCADE")


@pytest.mark.parametrize(
    ("kind", "option", "expected"),
    [
        ("table", "partition_by", "PARTITIONED BY (ab)"),
        ("table", "cluster_by", "CLUSTER BY (ab)"),
        ("merge", "key", "ON target.ab <=> source.ab"),
    ],
)
def test_one_column_is_its_name(kind: str, option: str, expected: str) -> None:
    """And not one column for each of its letters, though there are such."""
    made = substrait_sql.to_plan("SELECT a, b, ab FROM t", schema={"t": "a INT, b INT, ab INT"})
    for given in ("ab", ["ab"]):
        found = substrait_sql.render(
            made, statement=kind, name="q", statement_options={option: given}
        ).sql
        assert expected in " ".join(found.split())
