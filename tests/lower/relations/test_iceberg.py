"""Reads of Iceberg tables by their metadata file. Rows are those that were written, or left."""

from __future__ import annotations

import datetime as dt
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.types import DateType

import substrait_sql
from substrait_sql import ExecutionError, InvalidPlanError, UnsupportedError
from tests.support import run
from tests.support.build import R, eq, gt, lit, plan, read_of, table

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@dataclass
class People:
    """A table. empty, first, current: its metadata files; snapshot, at: the first one's id and milliseconds."""

    empty: str
    first: str
    current: str
    snapshot: int
    at: int


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> People:
    """Two people; then a column is renamed, one is added, a third person comes and the first one goes."""
    lake = tmp_path_factory.mktemp("the lake")
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=str(lake))
    catalog.create_namespace("db")
    two = pa.table({"id": pa.array([1, 2], pa.int32()), "name": ["Ann", None]})
    made = catalog.create_table("db.people", schema=two.schema)
    empty = made.metadata_location
    made.append(two)
    snapshot, first = made.current_snapshot(), made.metadata_location
    assert snapshot is not None
    time.sleep(0.01)
    with made.update_schema() as change:
        change.rename_column("name", "full_name")
        change.add_column("born", DateType())
    third = {"id": pa.array([3], pa.int32()), "full_name": ["Cy"], "born": [dt.date(2000, 2, 29)]}
    made.append(pa.table(third))
    made.delete("id = 1")
    return People(empty, first, made.metadata_location, snapshot.snapshot_id, snapshot.timestamp_ms)


def iceberg(uri: str, columns: str, mask: Any = None, **snapshot: Any) -> R:
    out, rel = read_of(columns, None, mask, None)
    rel.iceberg_table.direct.metadata_uri = uri
    for name, value in snapshot.items():
        setattr(rel.iceberg_table.direct, name, value)
    return out


def fetch(spark: SparkSession, relation: R, names: str) -> list[tuple[Any, ...]]:
    return sorted(run.last_rows(spark, plan((relation, names)), {}))


def test_a_view_comes_first() -> None:
    read = iceberg("file:///lake/people/metadata/v3.metadata.json", "id:i32?", snapshot_id="7")
    rendered = substrait_sql.render(plan((read.filter(lambda r: gt(r[0], lit(1, "i32"))), "id")))
    assert [s.kind for s in rendered.statements] == ["temporary_view", "query"]
    assert rendered.sql == (
        "CREATE TEMPORARY VIEW people_iceberg\n"
        "USING substrait_sql_iceberg\n"
        "OPTIONS (\n"
        "  path = 'file:///lake/people/metadata/v3.metadata.json',\n"
        "  snapshot_id = '7'\n"
        ");\n\n"
        "SELECT\n  id\nFROM people_iceberg AS people\nWHERE\n  id > 1"
    )


def test_a_view_for_each_snapshot() -> None:
    where = "/it's ${HOME}/metadata/v3.json"
    one, two = iceberg(where, "id:i32?"), iceberg(where, "id:i32?", snapshot_timestamp=5)
    both = one.join(two, "INNER", lambda r: eq(r[0], r[1])).join(
        one, "INNER", lambda r: eq(r[0], r[2])
    )
    first, second, query = substrait_sql.render(plan((both, "a b c"))).statements
    assert "path = '/it\\'s \\u0024{HOME}/metadata/v3.json'\n" in first.sql
    assert "as_of_microseconds = '5'\n" in second.sql
    assert "FROM files_iceberg AS files\n" in query.sql
    assert "JOIN files_iceberg_2 AS files_2\n" in query.sql
    assert "JOIN files_iceberg AS files_3\n" in query.sql


@pytest.mark.spark
def test_rows(spark: SparkSession, people: People) -> None:
    before = sorted(t.name for t in spark.catalog.listTables()), spark.conf.getAll
    now = "id:i32? full_name:str? born:date?"
    third = (3, "Cy", dt.date(2000, 2, 29))
    assert fetch(spark, iceberg(people.current, now), "i n b") == [(2, None, None), third]
    assert fetch(spark, iceberg(people.current, "BORN:date? id:i64?", mask=[1]), "i") == [
        (2,),
        (3,),
    ]
    assert fetch(spark, iceberg(people.empty, "id:i32? name:str?"), "i n") == []
    then = "name:str? id:i32?"
    old = [("Ann", 1), (None, 2)]
    for read in (
        iceberg(people.first, then),
        iceberg(people.current, then, snapshot_id=str(people.snapshot)),
        iceberg(people.current, then, snapshot_timestamp=people.at * 1000 + 999),
    ):
        assert sorted(run.last_rows(spark, plan((read, "n i")), {}), key=str) == old
    assert (sorted(t.name for t in spark.catalog.listTables()), spark.conf.getAll) == before


@pytest.mark.spark
def test_types(spark: SparkSession, tmp_path: Path) -> None:
    at = dt.datetime(2024, 2, 29, 1, 2, 3, 4)
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=str(tmp_path))
    catalog.create_namespace("db")
    wide = pa.table(
        {
            "ts": pa.array([at], pa.timestamp("us")),
            "tz": pa.array([at.replace(tzinfo=dt.UTC)], pa.timestamp("us", "UTC")),
            "price": pa.array([Decimal("1.5")], pa.decimal128(9, 1)),
            "many": pa.array([[1, None]], pa.list_(pa.int64())),
            "pairs": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64())),
            "raw": [b"\x00"],
            "ratio": pa.array([1.5], pa.float32()),
        }
    )
    made = catalog.create_table("db.wide", schema=wide.schema)
    made.append(wide)
    columns = "ts:pts<6>? tz:ptstz<6>? price:dec<12,2>? many:list<i64?>? pairs:map<str,i64?>? raw:binary? ratio:fp64?"
    found = fetch(spark, iceberg(made.metadata_location, columns), "a b c d e f g")
    utc = at.replace(tzinfo=dt.UTC)
    assert found == [(at, utc, Decimal("1.50"), [1, None], {"k": 1}, b"\x00", 1.5)]


@pytest.mark.spark
def test_the_text_is_what_runs(spark: SparkSession, people: People) -> None:
    from substrait_sql.run.files import iceberg as source

    read = iceberg(people.current, "id:i32? born:date?")
    joined = read.join(read, "INNER", lambda r: eq(r[0], r[2]))
    source.register(spark)
    try:
        for statement in substrait_sql.render(plan((joined, "a b c d"))).statements:
            frame = spark.sql(statement.sql)
        day = dt.date(2000, 2, 29)
        assert sorted(map(tuple, frame.collect())) == [(2, None, 2, None), (3, day, 3, day)]
    finally:
        spark.catalog.dropTempView("people_iceberg")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("snapshot", "columns", "code"),
    [
        ({"snapshot_id": "5"}, "id:i32?", "SS4015.*Snapshot not found: 5"),
        ({"snapshot_timestamp": 0}, "id:i32?", "SS4015.*no snapshot 0 microseconds"),
        ({}, "full_name:i32?", "SS4016"),
        ({}, "name:str?", "SS4016.* has no column 'name'"),
    ],
)
def test_errors(
    spark: SparkSession, people: People, snapshot: Any, columns: str, code: str
) -> None:
    with pytest.raises(ExecutionError, match=f"(?s){code}"):
        fetch(spark, iceberg(people.current, columns, **snapshot), "a")


def test_refused() -> None:
    def code(relation: R, **options: Any) -> str:
        with pytest.raises((UnsupportedError, InvalidPlanError)) as caught:
            substrait_sql.render(plan((relation, "a")), **options)
        return str(caught.value.code)

    read = iceberg("/lake/people/metadata/v3.json", "a:i32?")
    assert code(iceberg("", "a:i32?")) == "SS2251"
    assert code(iceberg("/x", "a:i32?", snapshot_id="main")) == "SS2252"
    assert code(iceberg("iterator:0", "a:i32?")) == "SS2242"
    assert code(read, statement="view", name="v") == "SS3208"
    hidden = read.join(table("PEOPLE_iceberg", "b:i32?"), "LEFT_SEMI", lambda r: eq(r[0], r[1]))
    assert code(hidden) == "SS2253"


@pytest.mark.parametrize(("name", "package"), [("Iceberg", "pyiceberg"), ("Arrow", "pyarrow")])
def test_without_the_reader(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from substrait_sql.run.files import data_sources

    monkeypatch.setattr(data_sources.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ExecutionError, match=f"SS4017 reading {name} files needs {package}"):
        data_sources.register(None, f"substrait_sql_{name.lower()}", "relations[0]")  # type: ignore[arg-type]
