"""The line of a log that each run leaves, from Python and from the command."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from google.protobuf.json_format import MessageToJson

from substrait_sql import ExecutionError, demo, execute, running, to_plan, upgrade
from substrait_sql.run.seen.record import MEANS, Record, append, identity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

TABLES = {path.stem: path for path in demo.TABLES.iterdir()}


def lines(path: Path) -> list[dict[str, Any]]:
    """The records of a log: each line is one, with all keys."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert all(list(record) == list(MEANS) for record in found)
    return found


def test_every_key_is_explained() -> None:
    assert [f.name for f in dataclasses.fields(Record)] == list(MEANS)


def test_a_plan_is_known_by_its_hash_in_any_form() -> None:
    message = upgrade(demo.PLAN)
    assert (
        len({identity(p) for p in (message, message.SerializeToString(), MessageToJson(message))})
        == 1
    )
    assert len(identity(demo.PLAN)[0] or "") == 64
    assert identity(b"no plan") == (None, None)


def test_two_processes_append(tmp_path: Path) -> None:
    """None writes into a line of the other."""
    code = (
        "import sys\n"
        "from substrait_sql.run.seen.record import Record, append\n"
        "for i in range(300): append(sys.argv[1], Record(time='', plan=sys.argv[2] * 3000))\n"
    )
    log = tmp_path / "runs.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(log), name]) for name in "ab"]
    assert [w.wait() for w in writers] == [0, 0]
    plans = [record["plan"] for record in lines(log)]
    assert sorted(set(plans)) == ["a" * 3000, "b" * 3000]
    assert len(plans) == 600


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="SS4013"):
        append(tmp_path, Record(time="", plan=""))


def test_of_a_frame(spark: SparkSession, tmp_path: Path) -> None:
    """One table of the catalog, one file, one DataFrame. Rows are those that the scans gave, worked out with Spark."""
    spark.sql("DROP TABLE IF EXISTS orders")
    spark.read.parquet(str(TABLES["orders"])).write.saveAsTable("orders")
    log = tmp_path / "runs.jsonl"
    given = {
        "customer": TABLES["customer"],
        "lineitem": spark.read.parquet(str(TABLES["lineitem"])),
    }
    try:
        frame: Any = execute(spark, demo.PLAN, tables=given)
        with running(frame, name="daily", log=log) as run:
            rows = frame.collect()
    finally:
        spark.sql("DROP TABLE orders")
    (record,) = lines(log)
    assert len(rows) == 10
    assert (record["plan"], record["result"], record["exit"]) == ("daily", "ok", None)
    assert {r["name"]: r["rows"] for r in record["reads"]} == {
        "customer": pq.read_table(TABLES["customer"]).num_rows,
        "orders": pq.read_table(TABLES["orders"]).num_rows,
        "lineitem": None,
    }
    assert all(r["node"].endswith(".read") for r in record["reads"])
    assert record["versions"]["spark"] == spark.version
    assert record["settings"]["spark.sql.ansi.enabled"] == "true"
    assert run.record.line() + "\n" == log.read_text()


def test_of_statements(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": list(range(7))}), tmp_path / "t.parquet")
    plan = to_plan(
        "CREATE TABLE seen_made AS SELECT id FROM t WHERE id > 1", schema={"t": {"id": "BIGINT"}}
    )
    try:
        with running(spark) as run:
            execute(spark, plan, tables={"t": tmp_path / "t.parquet"}, allow_writes=True)
        assert spark.table("seen_made").count() == 5
    finally:
        spark.sql("DROP TABLE IF EXISTS seen_made")
    record = run.record
    assert [(s["kind"], s["node"]) for s in record.statements] == [("ctas", "relations[0]")]
    assert record.written == 5
    assert [r["rows"] for r in record.reads] == [7]
    assert record.seconds["total"] >= record.seconds["render"] + record.seconds["analyse"]


def test_of_the_command(
    spark: SparkSession, call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """A plan that runs, one that fails in Spark, one that is refused, and one that is none."""
    pq.write_table(pa.table({"id": list(range(7))}), tmp_path / "t.parquet")
    schema = {"t": {"id": "BIGINT"}}
    for name, sql in {
        "a": "SELECT id FROM t WHERE id > 1",
        "b": "SELECT 1 % (id - 3) AS x FROM t",
        "c": "CREATE TABLE never AS SELECT id FROM t",
    }.items():
        (tmp_path / f"{name}.pb").write_bytes(to_plan(sql, schema=schema).SerializeToString())
    (tmp_path / "d.pb").write_bytes(b"no plan")
    log = tmp_path / "runs.jsonl"
    plans = [tmp_path / f"{name}.pb" for name in "abcd"]
    arguments = ["--table", f"t={tmp_path / 't.parquet'}", "-f", "csv", "--run-log"]
    code, out, err = call("run", *plans, *arguments, log)
    assert code == 1
    assert "{" not in out + err
    found = lines(log)
    assert [(r["plan"], r["result"], r["code"], r["exit"]) for r in found] == [
        ("a", "ok", None, 0),
        ("b", "failed", "SS4010", 1),
        ("c", "refused", "SS4014", 1),
        ("d", "refused", "SS1004", 1),
    ]
    assert [r["rows"] for r in found] == [5, None, None, None]
    assert [r["rows"] for r in found[0]["reads"]] == [7]
    assert found[0]["statements"][0]["kind"] == "query"
    assert found[1]["node"] == "relations[0].root.input.project.expressions[0]"
    assert (found[0]["dialect"], found[3]["sha256"]) == ("spark", None)
    code, out, err = call("run", plans[0], *arguments, "-")
    assert json.loads(err)["plan"] == "a"
    code, out, err = call("run", plans[0], *arguments, tmp_path)
    assert (code, out, err[:6]) == (1, "", "SS4013")
