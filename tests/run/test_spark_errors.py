"""What Spark raises, as errors of ours: a code, the node, what Spark says, no wrapper and no stack of Java's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import demo
from substrait_sql.cli.running import rows
from substrait_sql.errors import ExecutionError
from substrait_sql.rendered import Rendered, Span, Statement
from substrait_sql.run import spark_errors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = {n: str(demo.TABLES / f"{n}.parquet") for n in ("customer", "orders", "lineitem")}


def readable(error: ExecutionError) -> str:
    """The text of an error, after a look at what no error of ours may hold."""
    text = str(error)
    for foreign in (
        "An error occurred while calling",
        "\tat ",
        "py4j.",
        ".java:",
        ".scala:",
        "Traceback",
    ):
        assert foreign not in text
    assert len(text.splitlines()[0]) < 800
    return text


JAVA = """An error occurred while calling o44.parquet.
: org.apache.spark.SparkException: [FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Could not read footer.
If not, please convert it. SQLSTATE: KD001
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFooter(QueryExecutionErrors.scala:1107)
\tSuppressed: org.apache.spark.SparkException: Exception thrown in awaitResult
\t\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:66)
\t\t... 40 more
Caused by: java.lang.RuntimeException: file:/x.parquet is not a Parquet file
\tat org.apache.parquet.hadoop.ParquetFileReader.readFooter(ParquetFileReader.java:619)
\t... 20 more
"""
TASK = """An error occurred while calling o1.collectToPython.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 5.0 failed 1 times, most recent \
failure: Lost task 1.0 in stage 5.0 (TID 7) (10.0.0.1 executor driver): java.util.regex.PatternSyntaxException: \
Unclosed group near index 2
(0
\tat java.base/java.util.regex.Pattern.error(Pattern.java:2028)

Driver stacktrace:
\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2935)
Caused by: java.util.regex.PatternSyntaxException: Unclosed group near index 2
(0
\t... 1 more
"""
AWAIT = """An error occurred while calling o228.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult: 
\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:53)
Caused by: org.apache.spark.SparkException: [FAILED_READ_FILE.FILE_NOT_EXIST] There is no file. SQLSTATE: KD001
\tat org.apache.spark.sql.X.y(X.scala:1)
"""  # noqa: W291
RECORD = """An error occurred while calling o88.collectToPython.
: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Error while reading file t.csv.  SQLSTATE: KD001
\tat org.apache.spark.sql.X.y(X.scala:1)
Caused by: org.apache.spark.SparkException: [MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Bad records: [3,null].
Parse Mode: FAILFAST. To process malformed records as null result, try PERMISSIVE. SQLSTATE: 22023
\tat org.apache.spark.sql.X.y(X.scala:1)
Caused by: org.apache.spark.sql.catalyst.util.BadRecordException
"""
WORKER = """An exception was thrown from the Python worker:
Traceback (most recent call last):
  File "/x.py", line 24, in bad
    raise ValueError("in a function")
ValueError: in a function
second line
"""
CONNECT = """<_MultiThreadedRendezvous of RPC that terminated with:
\tstatus = StatusCode.INTERNAL
\tdetails = "[SOMETHING] went wrong"
\tdebug_error_string = "UNKNOWN:Error received from peer"
>"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            JAVA,
            "[FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Could not read footer. If not, please convert it. "
            "SQLSTATE: KD001 (RuntimeException: file:/x.parquet is not a Parquet file)",
        ),
        (TASK, "PatternSyntaxException: Unclosed group near index 2 (0"),
        (AWAIT, "[FAILED_READ_FILE.FILE_NOT_EXIST] There is no file. SQLSTATE: KD001"),
        (
            RECORD,
            "[FAILED_READ_FILE.NO_HINT] Error while reading file t.csv. SQLSTATE: KD001 "
            "([MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Bad records: [3,null].)",
        ),
        (WORKER, "a Python function failed: ValueError: in a function second line"),
        (CONNECT, "[SOMETHING] went wrong"),
        (
            "An error occurred while calling o8.limit. Trace:\n"
            "py4j.Py4JException: Method limit([class java.lang.Long]) does not exist\n"
            "\tat py4j.Gateway.invoke(Gateway.java:274)\n",
            "Method limit([class java.lang.Long]) does not exist",
        ),
        (
            "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 2 pos 2;\n'Project ['x]\n+- Range",
            "[UNRESOLVED_COLUMN] no column `x`. SQLSTATE: 42703; line 2 pos 2",
        ),
        (
            "[DIVIDE_BY_ZERO] Division by zero.\n== SQL (line 2, position 3) ==\n  1/id\n  ^^^^\n",
            "[DIVIDE_BY_ZERO] Division by zero.",
        ),
        ("", "ValueError"),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_text(text: str, said: str) -> None:
    assert spark_errors.said(ValueError(text)) == said


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "SS4023"),
        (RuntimeError("java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.\n"), "SS4023"),
        (RuntimeError("[CANNOT_PARSE_DATATYPE] Unable to parse datatype. [Errno 111] Connection refused."), "SS4023"),
        (RuntimeError("[INVALID_HANDLE.SESSION_CHANGED] The existing Spark server driver has restarted."), "SS4023"),
        (RuntimeError("o1\n: java.lang.OutOfMemoryError: Java heap space\n"), "SS4024"),
        (RuntimeError("o1\n: java.lang.StackOverflowError\n\tat x.Y.z(Y.scala:1)"), "SS4022"),
        (RuntimeError("[DIVIDE_BY_ZERO] Division by zero."), "SS4010"),
    ],
)  # fmt: skip
def test_what_says_more_than_that_something_failed_has_a_code(error: Exception, code: str) -> None:
    assert spark_errors.ours(error, "SS4010", "Spark failed").code == code


def test_a_defect_of_ours_is_not_sparks() -> None:
    with pytest.raises(ZeroDivisionError), spark_errors.as_ours("testing"):
        _ = 1 / 0


def _spans(*begins: tuple[int, str]) -> tuple[Span, ...]:
    return tuple(Span(path, line, 1, line, 2) for line, path in begins)


def test_the_node_of_a_line() -> None:
    """A nested query ends where the text is back to the left; what stands below a set operation is about all of it."""
    sql = "SELECT\n  a\nFROM (\n  SELECT\n    b\n  FROM t\n) AS x\nORDER BY\n  a"
    mapped = _spans((1, "relations[0].sort"), (4, "relations[0].sort.input.read"))
    rendered = Rendered((Statement(sql, "query", 0),), mapper=lambda: mapped)
    lines = [spark_errors.node_at(n, rendered) for n in range(11)]
    outer, inner = "relations[0].sort", "relations[0].sort.input.read"
    assert lines == ["", *[outer] * 3, *[inner] * 3, *[outer] * 3, ""]
    sets = _spans((1, "relations[0].set.inputs[0].read"), (4, "relations[0].set.inputs[1].read"))
    sql = "SELECT\n  a\nUNION ALL\nSELECT\n  a\nORDER BY\n  nothing"
    rendered = Rendered((Statement(sql, "query", 0),), mapper=lambda: sets)
    assert spark_errors.node_at(6, rendered) == "relations[0].set"


@pytest.mark.spark
def test_files_that_are_none(spark: SparkSession, tmp_path: Path) -> None:
    good = (demo.TABLES / "orders.parquet").read_bytes()
    for name, content in {
        "garbage.parquet": b"\x89PNG" * 50,
        "cut.parquet": good[: len(good) // 2],
        "empty.parquet": b"",
        "x.orc": b"ORC",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ExecutionError) as caught:
            substrait_sql.execute(spark, demo.PLAN, tables=TABLES | {"orders": tmp_path / name})
        assert caught.value.code == "SS4004"
        assert caught.value.path.endswith("filter.input.read")
        assert name in readable(caught.value)


@pytest.mark.spark
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("sql", "code", "what"),
    [
        ("SELECT\n  1 / id AS x\nFROM range(1)", "SS4010", "DIVIDE_BY_ZERO"),
        ("SELECT (SELECT id FROM range(3)) AS x", "SS4010", "SCALAR_SUBQUERY_TOO_MANY_ROWS"),
        ("SELECT rlike(concat('(', id), concat('(', id)) FROM range(1)", "SS4010", "Unclosed group"),
        ("SELECT repeat('x', 2147483647) AS x", "SS4024", "memory"),
    ],
)  # fmt: skip
def test_errors_while_rows_are_made(spark: SparkSession, sql: str, code: str, what: str) -> None:
    with pytest.raises(ExecutionError) as caught:
        rows.collect(spark.sql(sql), None)
    assert caught.value.code == code
    assert what in readable(caught.value)


@pytest.mark.spark
def test_a_file_that_breaks_in_the_middle(spark: SparkSession, tmp_path: Path) -> None:
    """Its footer is right, so that it fails when rows are made; the node is the one that reads it."""
    data = bytearray((demo.TABLES / "orders.parquet").read_bytes())
    data[200:400] = (byte ^ 0xFF for byte in data[200:400])
    (tmp_path / "orders.parquet").write_bytes(data)
    frame: Any = substrait_sql.execute(
        spark, demo.PLAN, tables=TABLES | {"orders": tmp_path / "orders.parquet"}
    )
    for save in ("r.csv", "r.parquet"):
        with pytest.raises(ExecutionError, match=r"SS4010 .*FAILED_READ_FILE.*orders") as caught:
            rows.save(frame, tmp_path / save, None)
        assert readable(caught.value)
        assert caught.value.path.endswith("filter.input.read")
        assert not (tmp_path / save).exists()
