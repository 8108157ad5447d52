"""What fails while rows are made, and the node of the plan that it is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from substrait_sql import ExecutionError, execute, render, running, to_plan
from substrait_sql.cli.running import rows
from substrait_sql.run.seen.frames import made_of
from substrait_sql.run.seen.nodes import node_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = {
    "t": {"id": "BIGINT", "s": "STRING", "l": "ARRAY<BIGINT>"},
    "u": {"id": "BIGINT", "k": "BIGINT"},
    "checked": {"id": "BIGINT", "q": "BIGINT"},
}
VIEW = "SELECT id, 1 DIV (id - 3) AS q FROM range(10)"

# What the SQL is, and the node below relations[0] that fails: found by hand in what `explain` prints of the plan.
PROJECTED = "root.input.project.expressions[0]"
CASES = {
    "SELECT s FROM t WHERE 10 % (id - 5) = 1":
        "root.input.project.input.filter.condition.scalar_function.arguments[0].value",
    "SELECT s, 10 % (id - 5) AS x FROM t": PROJECTED,
    "SELECT s, sum(10 % (id - 5)) AS x FROM t GROUP BY s":
        "root.input.aggregate.measures[0].measure.arguments[0].value",
    "SELECT s, sum(id) AS x FROM t GROUP BY s HAVING 10 % (sum(id) - 5) = 1":
        "root.input.filter.condition.scalar_function.arguments[0].value",
    "SELECT t.s FROM t JOIN u ON 10 % (t.id - 5) = u.id":
        "root.input.project.input.join.expression.scalar_function.arguments[0].value",
    "SELECT s, (SELECT max(10 % (k - 5)) FROM u) AS x FROM t":
        f"{PROJECTED}.subquery.scalar.input.aggregate.measures[0].measure.arguments[0].value",
    "SELECT s FROM t WHERE id IN (SELECT 10 % (k - 5) FROM u)":
        "root.input.project.input.filter.condition.subquery.in_predicate.haystack.project.expressions[0]",
    # A shared query is a root of the plan of its own.
    "WITH c AS (SELECT id, 10 % (id - 5) AS x FROM t) SELECT a.x, b.x AS y FROM c a JOIN c b ON a.id = b.id + 1":
        "rel.project.expressions[0]",
    "SELECT s FROM t ORDER BY 10 % (id - 5)":
        "root.input.project.input.sort.sorts[0].expr",
    "SELECT id AS x FROM u UNION ALL SELECT 10 % (id - 5) FROM t":
        "root.input.set.inputs[1].project.expressions[0]",
    "SELECT id * 9223372036854775807 AS x FROM t": PROJECTED,
    "SELECT CAST(s AS BIGINT) AS x FROM t": PROJECTED,
    "SELECT id FROM t WHERE CAST(s AS DATE) > DATE '2020-01-01'":
        "root.input.project.input.filter.condition.scalar_function.arguments[0].value",
    "SELECT l[5] AS x FROM t": PROJECTED,
    "SELECT CASE WHEN id > 5 THEN raise_error('too many') ELSE 'a' END AS x FROM t":
        f"{PROJECTED}.if_then.ifs[0].then",
    "SELECT s, (SELECT k FROM u) AS x FROM t": PROJECTED,
    "SELECT sum(10 % (id - 5)) OVER (ORDER BY id) AS x FROM t":
        f"{PROJECTED}.window_function.arguments[0].value",
    # In the text of a view: the node that reads it.
    "SELECT q FROM checked": "root.input.project.input.read",
    # Spark does not say where.
    "SELECT rlike(s, concat('(', s)) AS x FROM t": "",
}  # fmt: skip


def tables(folder: Path) -> dict[str, Any]:
    """The tables of the plans, but for the view."""
    ids = pa.array(range(10), pa.int64())
    written = {
        "t": pa.table({"id": ids, "s": [f"v{i}" for i in range(10)], "l": [[1, 2]] * 10}),
        "u": pa.table({"id": ids, "k": ids}),
    }
    for name, table in written.items():
        pq.write_table(table, folder / f"{name}.parquet")
    return {name: folder / f"{name}.parquet" for name in written}


def failures(spark: SparkSession, folder: Path) -> dict[str, str]:
    """Each statement that fails otherwise than it should, and how it does; on any session."""
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW checked AS {VIEW}")
    given = tables(folder)
    wrong = {}
    for sql, node in CASES.items():
        frame: Any = execute(spark, to_plan(sql, schema=SCHEMA), tables=given)
        try:
            with running(frame):
                frame.collect()
            wrong[sql] = "no error"
        except ExecutionError as error:
            expected = ("SS4010", f"relations[0].{node}".rstrip("."), True)
            cause = type(error.__cause__).__module__.partition(".")[0]
            found = (error.code, error.path, cause in ("pyspark", "py4j"))
            if found != expected:
                wrong[sql] = f"{found}"
    spark.catalog.dropTempView("checked")
    return wrong


def test_errors_are_at_nodes(spark: SparkSession, tmp_path: Path) -> None:
    assert failures(spark, tmp_path) == {}


def test_rows_that_come_one_by_one(spark: SparkSession, tmp_path: Path) -> None:
    """The iterator raises what Py4J makes of the error: its text has the place."""
    frame: Any = execute(
        spark,
        to_plan("SELECT s, 10 % (id - 5) AS x FROM t", schema=SCHEMA),
        tables=tables(tmp_path),
    )
    with pytest.raises(ExecutionError) as caught:
        list(rows.stream(frame, None)[1])
    assert caught.value.path == "relations[0].root.input.project.expressions[0]"


def test_a_file_that_is_gone(spark: SparkSession, tmp_path: Path) -> None:
    given = tables(tmp_path)
    frame: Any = execute(
        spark, to_plan("SELECT s, k FROM t JOIN u ON t.id = u.id", schema=SCHEMA), tables=given
    )
    given["u"].unlink()
    with pytest.raises(ExecutionError) as caught, running(frame):
        frame.collect()
    assert caught.value.path == "relations[0].root.input.project.input.join.right.read"
    assert "u.parquet" in str(caught.value)


def test_a_function_of_the_users(spark: SparkSession, tmp_path: Path) -> None:
    """Python says which one failed; the SQL has a call of that name once."""

    def odd_one(value: str) -> str:
        raise ValueError(f"no {value}")

    spark.udf.register("odd_one", odd_one)
    with pytest.raises(Exception, match="no v0") as caught:
        spark.sql("SELECT odd_one('v0')").collect()
    plan = to_plan("SELECT id, soundex(s) AS x FROM t", schema=SCHEMA)
    made = made_of(execute(spark, plan, tables=tables(tmp_path)))
    assert made is not None
    error = RuntimeError(str(caught.value).replace("odd_one", "soundex"))
    assert node_of(error, *made[1:]) == "relations[0].root.input.project.expressions[0]"


READS = "relations[0].root.input.project.input.join.{}.read"


@pytest.mark.parametrize(
    ("said", "node"),
    [
        ("error while reading file file:///data/u.parquet. SQLSTATE: KD001", READS.format("right")),
        ("cannot read hdfs://host/data/t/day=1/part-0.orc", READS.format("left")),
        ("hdfs://host/data/t/x.orc and file:/data/u.parquet", "relations[0]"),
        ("file:/data/tt/x.parquet", "relations[0]"),
    ],
)
def test_the_file_that_an_error_names(said: str, node: str) -> None:
    rendered = render(to_plan("SELECT s, k FROM t JOIN u ON t.id = u.id", schema=SCHEMA))
    paths: dict[str, Any] = {"t": "hdfs://host/data/t", "u": "/data/u.parquet"}
    assert node_of(RuntimeError(said), rendered.statements[0], rendered, paths) == node


def test_other_errors_pass(spark: SparkSession) -> None:
    with pytest.raises(KeyError), running(spark):
        _ = {}["nothing"]  # type: ignore[var-annotated]
