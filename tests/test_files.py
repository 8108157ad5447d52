"""Reads of local files: what Spark returns for them, and what is refused. Rows are those that were written."""

from __future__ import annotations

import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import orc, parquet

import substrait_sql
from substrait_sql import ExecutionError, InvalidPlanError, UnsupportedError
from tests.support import run
from tests.support.build import R, eq, files, gt, lit, plan

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql import SparkSession

PEOPLE = pa.table({"id": pa.array([1, 2, 3], pa.int32()), "name": ["Ann", "Bob", None]})
ROWS = [(1, "Ann"), (2, "Bob"), (3, None)]
COLUMNS = "id:i32? name:str?"


def item(where: str | Path, kind: str = "uri_file", form: str = "parquet", **more: Any) -> Any:
    return {kind: str(where), **({form: {}} if form else {}), **more}


def text(relation: R, names: str = "id name") -> str:
    return substrait_sql.to_sql(plan((relation, names)))


def fetch(spark: SparkSession, relation: R, names: str = "id name") -> list[tuple[Any, ...]]:
    return in_order(run.last_rows(spark, plan((relation, names)), {}))


def in_order(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=lambda row: [(v is None, v) for v in row])


def refusal(*items: Mapping[str, Any], columns: str = COLUMNS) -> str:
    with pytest.raises((UnsupportedError, InvalidPlanError)) as caught:
        text(files(columns, *items))
    assert caught.value.path.startswith("relations[0].root.input.read.local_files")
    return str(caught.value.code)


def test_a_file_is_read_where_it_lies() -> None:
    read = files(COLUMNS, item("data/people.parquet"), filter=lambda r: gt(r[0], lit(1, "i32")))
    assert text(read) == (
        "SELECT\n  id,\n  name\nFROM parquet.`data/people.parquet` AS people\nWHERE\n  id > 1"
    )


@pytest.mark.spark
@pytest.mark.parametrize(
    ("form", "write"), [("parquet", parquet.write_table), ("orc", orc.write_table)]
)
def test_columns_are_found_by_name(
    spark: SparkSession, tmp_path: Path, form: str, write: Any
) -> None:
    write(PEOPLE, tmp_path / "people")
    whole = files("NAME:str? id:i32?", item(tmp_path / "people", form=form))
    assert fetch(spark, whole, "n i") == [("Ann", 1), ("Bob", 2), (None, 3)]
    part = files(
        COLUMNS,
        item(tmp_path / "people", form=form),
        filter=lambda r: gt(r[0], lit(1, "i32")),
        mask=[1],
    )
    assert fetch(spark, part, "n") == [("Bob",), (None,)]
    joined = whole.join(whole, "INNER", lambda r: eq(r[1], r[3]))
    assert len(fetch(spark, joined, "a b c d")) == 3


NAMES = [
    "two words", "odd [x]*?{y},z", "it's `quoted` \"so\"", "dollar ${HOME} $x", "back\\slash", "new\nline",
    "ünï ☃", "100%25 %41", "semi;--comment", "block /* c", "tab\tand", "a#b?c=d", "k=v",
]  # fmt: skip


@pytest.mark.spark
def test_names_are_taken_literally(spark: SparkSession, tmp_path: Path) -> None:
    """Beside each file lie others that a pattern of its name would find."""
    for other in ("odd xzzz,z", "odd xy,z"):
        parquet.write_table(PEOPLE, tmp_path / f"{other}.parquet")
    ways = []
    for name in NAMES:
        where = tmp_path / name.replace("/", "_") / f"{name.replace('/', '_')}.parquet"
        where.parent.mkdir()
        parquet.write_table(PEOPLE, where)
        ways += [item(where), item(where.as_uri()), item(where.parent, "uri_folder")]
    uri = where.as_uri()
    ways += [
        item(where, "uri_path"),
        item(where.parent, "uri_path"),
        item(os.path.relpath(where)),
        item(uri.replace("file://", "file:")),
        item(uri.replace("file://", "FILE://localhost")),
    ]
    assert fetch(spark, files(COLUMNS, *ways)) == in_order(ROWS * len(ways))


def test_no_variable_is_left_to_substitute() -> None:
    for kind in ("uri_file", "uri_path_glob"):
        assert "${" not in text(files(COLUMNS, item("/x/${HOME}/$${a}.parquet", kind)))


@pytest.mark.spark
def test_types_are_those_of_the_plan(spark: SparkSession, tmp_path: Path) -> None:
    """Where a cast keeps every value; and the session is left as it was."""
    table = pa.table(
        {
            "id": pa.array([1, 2], pa.int8()),
            "price": pa.array([Decimal("1.5"), None], pa.decimal128(9, 1)),
            "ratio": pa.array([0.5, 0.25], pa.float32()),
            "big": pa.array([7, 8], pa.uint64()),
            "other": ["x", "y"],
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    read = files(
        "id:i64? price:dec<12,2>? ratio:fp64? big:i32?",
        item(tmp_path / "t.parquet", length=os.path.getsize(tmp_path / "t.parquet")),
    )
    before = sorted(t.name for t in spark.catalog.listTables()), spark.conf.getAll
    frame = substrait_sql.execute(spark, plan((read, "id price ratio big")))
    assert (sorted(t.name for t in spark.catalog.listTables()), spark.conf.getAll) == before
    types = [f.dataType.simpleString() for f in frame.schema.fields]
    assert types == ["bigint", "decimal(12,2)", "double", "int"]
    assert sorted(run.collect(frame)) == [
        (1, Decimal("1.50"), 0.5, 7),
        (2, None, 0.25, 8),
    ]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("values", "declared"),
    [
        (pa.array([1.5]), "i64?"),
        (pa.array(["1"]), "i64?"),
        (pa.array([1]), "str?"),
        (pa.array([Decimal("1.55")]), "dec<9,1>?"),
        (pa.array([0], pa.timestamp("us", tz="UTC")), "pts<6>?"),
        (pa.array([[1]]), "i64?"),
    ],
)
def test_other_types_are_errors(
    spark: SparkSession, tmp_path: Path, values: Any, declared: str
) -> None:
    parquet.write_table(pa.table({"a": values}), tmp_path / "t.parquet")
    with pytest.raises(ExecutionError, match="SS4016"):
        fetch(spark, files(f"a:{declared}", item(tmp_path / "t.parquet")), "a")


@pytest.mark.spark
def test_what_is_not_there_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="SS4015.*PATH_NOT_FOUND"):
        fetch(spark, files(COLUMNS, item(tmp_path / "people.parquet")))
    parquet.write_table(PEOPLE, tmp_path / "people.parquet")
    with pytest.raises(ExecutionError, match="SS4009.*UNRESOLVED_COLUMN"):
        fetch(spark, files("id:i32? age:i32?", item(tmp_path / "people.parquet")), "id age")


@pytest.mark.spark
def test_slices_that_make_a_whole_file(spark: SparkSession, tmp_path: Path) -> None:
    where = tmp_path / "people.parquet"
    parquet.write_table(PEOPLE, where)
    size = os.path.getsize(where)
    cuts = [item(where, start=100, length=size - 100), item(where, length=100)]
    assert fetch(spark, files(COLUMNS, *cuts)) == ROWS
    assert fetch(spark, files(COLUMNS, item(where, length=size + 1))) == ROWS
    # Without slices a file that is listed twice is read twice.
    assert fetch(spark, files(COLUMNS, item(where), item(where))) == in_order(ROWS * 2)
    with pytest.raises(Exception, match="reads only a part of this file"):
        fetch(spark, files(COLUMNS, item(where, length=size - 1)))


def test_slices_that_are_refused() -> None:
    for slices in (
        [(1, 5)],
        [(0, 5), (6, 5)],
        [(0, 5), (4, 5)],
        [(0, 5), (0, 5)],
        [(0, 5), (5, 0)],
    ):
        cuts = [item("/x.parquet", start=s, length=n) for s, n in slices]
        assert refusal(*cuts) == "SS2246", slices
    assert refusal(item("/x", "uri_folder", length=5)) == "SS2246"
    # Other files, and the same file read otherwise, have slices of their own.
    assert refusal(item("/x", length=5), item("/y", start=5, length=5)) == "SS2246"


def test_refused_paths() -> None:
    assert refusal(item("iterator:0")) == "SS2242"
    assert refusal(item("file://elsewhere/x.parquet")) == "SS2242"
    assert refusal(item("data:,x")) == "SS2242"
    assert refusal(item("/x/_hidden.parquet")) == "SS2243"
    assert refusal(item("/x/.hidden.parquet", "uri_path")) == "SS2243"
    assert refusal(item("/x/a:b.parquet")) == "SS2243"
    assert refusal(item("")) == "SS2241"
    assert refusal() == "SS2241"


def test_remote_files_are_left_to_hadoop() -> None:
    read = text(files(COLUMNS, item("S3A://bucket/a%20b/people.parquet")))
    assert "parquet.`s3a://bucket/a b/people.parquet` AS people" in read


def test_formats() -> None:
    assert "parquet.`/x/a.PARQUET`" in text(files(COLUMNS, item("/x/a.PARQUET", form="")))
    assert "orc.`/x/a.orc`" in text(files(COLUMNS, item("/x/a.orc", form="")))
    assert refusal(item("/x/a.bin", form="")) == "SS2245"
    for form in ("arrow", "dwrf", "extension"):
        assert refusal(item("/x/a", form=form)) == "SS2245"
