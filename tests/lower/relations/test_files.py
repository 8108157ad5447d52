"""Reads of local files: what Spark returns for them, and what is refused. Rows are those that were written."""

from __future__ import annotations

import datetime as dt
import gzip
import os
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies
from pyarrow import orc, parquet
from sqlglot.dialects.spark import Spark

import substrait_sql
from substrait_sql import ExecutionError, InvalidPlanError, UnsupportedError, extensions
from tests.support import run
from tests.support.build import R, eq, files, gt, lit, plan, table

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


@settings(deadline=None, max_examples=300)
@given(strategies.text(strategies.characters(codec="utf-8"), min_size=1), strategies.booleans())
def test_no_name_leaves_its_quotes(name: str, globbed: bool) -> None:
    """The path is one token, and what stands around it is what stands around any other."""
    read = files(COLUMNS, item(f"/x/{name}/t.parquet", "uri_path_glob" if globbed else "uri_file"))
    try:
        found = text(read)
    except UnsupportedError as refused:
        assert refused.code == "SS2244"
        return
    assert "${" not in found
    read_tokens = Spark().tokenize(found)
    tokens = [t.text for t in read_tokens]
    assert len(tokens) == 10
    assert tokens[:7] == ["SELECT", "id", ",", "name", "FROM", "parquet", "."]
    assert tokens[8:] == ["AS", "t"]
    if not globbed:
        # As the text has it: releases of sqlglot take backslashes in names for this or that.
        quoted = found[read_tokens[7].start + 1 : read_tokens[7].end].replace("``", "`")
        assert re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL) == f"/x/{name}/t.parquet"


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
def test_nested_columns(spark: SparkSession, tmp_path: Path) -> None:
    """Fields of structs have the names of the base schema."""
    table = pa.table({"id": [1], "home": [{"city": "Bonn", "zip": 53111}]})
    parquet.write_table(table, tmp_path / "t.parquet")
    where = item(tmp_path / "t.parquet")
    read = files("id:i64? home(city,zip):struct<str?,i64?>?", where)
    assert [tuple(row) for row in fetch(spark, read, "i h(city,zip)")] == [(1, ("Bonn", 53111))]
    other = fetch(spark, files("home(zip,city):struct<i64?,str?>?", where), "h(zip,city)")
    assert [tuple(row) for row in other] == [((53111, "Bonn"),)]
    with pytest.raises(ExecutionError, match="SS4016"):
        fetch(spark, files("home(zip,town):struct<i64?,str?>?", where), "h(zip,town)")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("values", "declared"),
    [
        (pa.array([1.5]), "i64?"),
        (pa.array(["1"]), "i64?"),
        (pa.array([1]), "str?"),
        (pa.array([Decimal("1.55")]), "dec<9,1>?"),
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
@pytest.mark.parametrize("count", [0, 1, 2])
def test_times_of_orc_files_without_a_zone(spark: SparkSession, tmp_path: Path, count: int) -> None:
    """Spark makes points in time of them by Java's zone: elsewhere than in UTC they would be other times.

    count: how many files the plan names; none if the table is given by path.
    """
    noon = dt.datetime(2024, 7, 1, 12)
    where = [tmp_path / f"t{i}.orc" for i in range(max(count, 1))]
    for each in where:
        orc.write_table(pa.table({"at": pa.array([noon, None], pa.timestamp("us"))}), each)
    named = files("at:pts<6>?", *(item(each, form="orc") for each in where))
    read = plan((named if count else table("t", "at:pts<6>?"), "at"))
    tables = {} if count else {"t": where[0]}

    def found() -> list[Any]:
        return [r["at"] for r in substrait_sql.execute(spark, read, tables=tables).collect()]

    assert sorted(found(), key=str) == sorted([noon, None] * len(where), key=str)
    zones = spark._jvm.java.util.TimeZone  # type: ignore[union-attr]
    before = zones.getDefault()
    zones.setDefault(zones.getTimeZone("America/New_York"))
    try:
        with pytest.raises(ExecutionError, match=r"SS4016 (?s:.*)depends on Java's zone"):
            found()
    finally:
        zones.setDefault(before)


@pytest.mark.spark
def test_what_is_not_there_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(ExecutionError, match="SS4015.*PATH_NOT_FOUND"):
        fetch(spark, files(COLUMNS, item(tmp_path / "people.parquet")))
    parquet.write_table(PEOPLE, tmp_path / "people.parquet")
    with pytest.raises(ExecutionError, match="SS4016 .* has no column 'age'"):
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
    assert refusal(item("iterator:0", form="")) == "SS2242"
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
    assert refusal(item("/x/a", form="dwrf")) == "SS2245"


@pytest.mark.spark
def test_a_registered_format(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text('{"id": 1, "name": "Ann"}\n{"name": "Bob", "id": 2}\n')
    url = "type.googleapis.com/acme.Json"
    lines = {"uri_file": str(tmp_path / "people.json"), "extension": {"type_url": url}}
    assert refusal(lines) == "SS2245"
    extensions.register_format(url, "json")
    try:
        assert fetch(spark, files(COLUMNS, lines)) == ROWS[:2]
    finally:
        extensions.unregister(url)
    assert refusal(lines) == "SS2245"


# Patterns and folders -----------------------------------------------------------------------------


@pytest.mark.spark
def test_patterns(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a1", "a2", "b1", "{a1,b1}", "c/a1", "d d/a1", "d e/a1"):
        where = tmp_path / f"{name}.parquet"
        where.parent.mkdir(exist_ok=True)
        parquet.write_table(pa.table({"id": pa.array([1], pa.int32()), "name": [name]}), where)

    def found(pattern: str, uri: bool = False) -> list[str]:
        start = f"{tmp_path.as_uri()}/" if uri else f"{tmp_path}/"
        read = files(COLUMNS, item(start + pattern, "uri_path_glob"))
        return [name for _, name in fetch(spark, read)]

    assert found("a*.parquet") == ["a1", "a2"]
    assert found("?1.parquet") == ["a1", "b1"]
    assert found("[!a]1.parquet") == ["b1"]
    assert found("{a1,b1}.parquet") == ["{a1,b1}"]
    assert found("*/a1.parquet") == ["c/a1", "d d/a1", "d e/a1"]
    assert found("d%20*/a1.parquet", uri=True) == ["d d/a1", "d e/a1"]
    assert found("%7B*.parquet", uri=True) == ["{a1,b1}"]
    assert found(r"\{*.parquet") == ["{a1,b1}"]
    assert refusal(item("/x/**/a.parquet", "uri_path_glob")) == "SS2244"
    with pytest.raises(ExecutionError, match="SS4015"):
        found("nothing*")


@pytest.mark.spark
def test_folders(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("year=2023/x", "year=2024/x", "year=2024/y"):
        where = tmp_path / f"{name}.parquet"
        where.parent.mkdir(exist_ok=True)
        parquet.write_table(pa.table({"name": [name[-1]]}), where)
    read = files("name:str? year:i64?", item(tmp_path, "uri_folder"))
    assert fetch(spark, read, "n y") == [("x", 2023), ("x", 2024), ("y", 2024)]


# Text ---------------------------------------------------------------------------------------------


def read_text(
    spark: SparkSession, where: Path, content: str | bytes, columns: str, **options: Any
) -> list[tuple[Any, ...]]:
    where.write_bytes(content.encode() if isinstance(content, str) else content)
    read = files(columns, {"uri_file": str(where), "text": options})
    frame = substrait_sql.execute(spark, plan((read, " ".join("abcd"[: len(read.types)]))))
    return run.collect(frame)


def test_a_text_file_is_read_where_it_lies() -> None:
    options = {"field_delimiter": "|", "header_lines_to_skip": 1, "value_treated_as_null": "NULL"}
    read = files("id:i64? name:str?", {"uri_file": "data/people.csv", "text": options})
    assert text(read) == (
        "SELECT\n"
        "  CAST(nullif(coalesce(id, ''), 'NULL') AS BIGINT) AS id,\n"
        "  nullif(coalesce(name, ''), 'NULL') AS name\n"
        "FROM csv.`data/people.csv` WITH (\n"
        "  sep = '|',\n"
        "  quote = '',\n"
        "  header = 'true',\n"
        "  mode = 'FAILFAST',\n"
        "  columnPruning = 'false'\n"
        ") AS people(id, name)"
    )


S2, N2 = "x:str y:str", "x:str? y:str?"
TEXTS: list[tuple[str, str | bytes, str, dict[str, Any], list[tuple[Any, ...]]]] = [
    ("what stands for NULL: nothing", ",NULL\n", S2, {}, [("", "NULL")]),
    ("an empty field", ",NULL\n", N2, {"value_treated_as_null": ""}, [(None, "NULL")]),
    ("a word, exactly", ",NULL\nnull, NULL\n", N2, {"value_treated_as_null": "NULL"},
     [("", None), ("null", " NULL")]),
    ("a quoted empty field", '"",b\n', S2, {"quote": '"'}, [("", "b")]),
    ("a quoted empty field as NULL", '"",b\n', N2, {"quote": '"', "value_treated_as_null": ""}, [(None, "b")]),
    ("no quotes", '"a",\'b\'\n', S2, {}, [('"a"', "'b'")]),
    ("quotes", "'a,b',c\nd'e,\"f\"\n", S2, {"quote": "'"}, [("a,b", "c"), ("d'e", '"f"')]),
    ("doubled quotes", '"a""b",c\n', S2, {"quote": '"', "escape": '"'}, [('a"b', "c")]),
    ("a backslash", '"a\\"b","c\\\\d"\n', S2, {"quote": '"', "escape": "\\"}, [('a"b', "c\\d")]),
    ("no escape", "a\\,b\n", S2, {}, [("a\\", "b")]),
    ("no escape in quotes", '"a\\",b\n', S2, {"quote": '"'}, [("a\\", "b")]),
    ("blanks are kept", " a , b \n", S2, {}, [(" a ", " b ")]),
    ("no comments", "#a,b\n", S2, {}, [("#a", "b")]),
    ("ends of lines", "a,b\r\nc,d\ne,f", S2, {}, [("a", "b"), ("c", "d"), ("e", "f")]),
    ("one line to skip", "x,y\na,b\n", S2, {"header_lines_to_skip": 1}, [("a", "b")]),
    ("three lines to skip", "about\n\nx,y\na,b\n\nc,'d,e'\n", S2,
     {"header_lines_to_skip": 3, "quote": "'"}, [("a", "b"), ("c", "d,e")]),
    ("more lines to skip than there are", "x,y\n", S2, {"header_lines_to_skip": 3}, []),
    ("one column, with empty lines", "a\n\nb\n", "x:str", {}, [("a",), ("",), ("b",)]),
    ("one column, with NULLs", "a\n\nb\n", "x:str?", {"value_treated_as_null": ""}, [("a",), (None,), ("b",)]),
    ("one column, quoted", "x\n'a'\n\n''\nb", "x:str", {"quote": "'", "header_lines_to_skip": 1},
     [("a",), ("",), ("",), ("b",)]),
    ("one column, nothing", "", "x:str", {"quote": "'"}, []),
    ("one column, no line", "", "x:str", {}, []),
    ("other types", "1,2024-02-29\n,\n", "x:i64? y:date?", {"value_treated_as_null": ""},
     [(1, dt.date(2024, 2, 29)), (None, None)]),
    ("lines to skip, other ends", "x\r\n\ra,b\r\nc,d\r\n", S2, {"header_lines_to_skip": 2}, [("a", "b"), ("c", "d")]),
    ("compressed", gzip.compress(b"a,b\n"), S2, {}, [("a", "b")]),
    ("compressed, lines to skip", gzip.compress(b"x\ny\na,b\n"), S2, {"header_lines_to_skip": 2}, [("a", "b")]),
    ("a line longer than the plan has it", "a,b\n", S2, {"max_line_size": 1}, [("a", "b")]),
]  # fmt: skip


@pytest.mark.spark
def test_text(spark: SparkSession, tmp_path: Path) -> None:
    for i, (about, content, columns, options, rows) in enumerate(TEXTS):
        given = {"field_delimiter": ",", **options}
        ending = ".csv.gz" if about.startswith("compressed") else ".csv"
        assert read_text(spark, tmp_path / f"t{i}{ending}", content, columns, **given) == rows, (
            about
        )


@pytest.mark.spark
def test_separators(spark: SparkSession, tmp_path: Path) -> None:
    for i, mark in enumerate(
        ["|", "\t", "||", "\\", "\\t", "\\|", "é", "^|", "a", " ", "\x01", "''", "${x}", ".*"]
    ):
        found = read_text(
            spark, tmp_path / f"t{i}.csv", f"1{mark}2\n3{mark}4\n", S2, field_delimiter=mark
        )
        assert found == [("1", "2"), ("3", "4")], mark


@pytest.mark.spark
def test_lines_of_another_width_are_errors(spark: SparkSession, tmp_path: Path) -> None:
    for i, content in enumerate(["1,2\n3\n", "1,2\n3,4,5\n", "1\n", "1,2,3\n"]):
        for lines in (0, 2):
            with pytest.raises(Exception, match=r"MALFORMED|ASSIGNMENT_ARITY_MISMATCH"):
                read_text(
                    spark, tmp_path / f"t{i}.csv", "x,y\n" * lines + content, S2,
                    field_delimiter=",", header_lines_to_skip=lines,
                )  # fmt: skip
    (tmp_path / "t.csv").write_text("1,2\n3\n")
    one = files(
        S2, {"uri_file": str(tmp_path / "t.csv"), "text": {"field_delimiter": ","}}, mask=[0]
    )
    with pytest.raises(Exception, match="MALFORMED"):
        fetch(spark, one, "x")


@pytest.mark.spark
def test_mixed_formats(spark: SparkSession, tmp_path: Path) -> None:
    parquet.write_table(PEOPLE, tmp_path / "people.parquet")
    (tmp_path / "people.csv").write_text("4;Dan\n")
    mixed = files(
        COLUMNS,
        item(tmp_path / "people.parquet"),
        {
            "uri_file": str(tmp_path / "people.csv"),
            "text": {"field_delimiter": ";"},
            "length": 6,
        },
    )
    assert fetch(spark, mixed.filter(lambda r: gt(r[0], lit(1, "i32")))) == [*ROWS[1:], (4, "Dan")]


def test_refused_text() -> None:
    def code(columns: str = S2, **options: Any) -> str:
        return refusal({"uri_file": "/x.csv", "text": options}, columns=columns)

    assert code() == "SS2247"
    assert code(field_delimiter=",", quote="''") == "SS2247"
    assert code(field_delimiter=",", escape="\\") == "SS2247"
    assert code(field_delimiter=",", quote=",") == "SS2247"
    assert code(field_delimiter="\n") == "SS2247"
    assert code(field_delimiter=",", columns="x:str y:list<str>") == "SS2247"


def test_a_file_has_no_name_of_its_own() -> None:
    """Spark knows `people` as an alias only; and a table `parquet.people` is another thing."""
    assert text(files(COLUMNS, item("people"))).endswith("FROM parquet.`./people` AS people")


# Arrow --------------------------------------------------------------------------------------------


@pytest.fixture
def people_arrow(tmp_path: Path) -> Path:
    """Three people in two record batches, the names in a dictionary; and two of them as a stream in a folder."""
    names = pa.array(["Ann", "Bob", None]).dictionary_encode()
    people = pa.table({"name": names, "id": pa.array([1, 2, 3], pa.int32())})
    with pa.ipc.new_file(str(tmp_path / "the people.arrow"), people.schema) as writer:
        writer.write_table(people, max_chunksize=2)
    (tmp_path / "parts").mkdir()
    for i in (0, 1):
        with pa.ipc.new_stream(str(tmp_path / "parts" / f"{i}.arrows"), people.schema) as writer:
            writer.write_table(people.slice(i, 1))
    (tmp_path / "parts" / "_done").touch()
    return tmp_path


def test_arrow_files_are_views_first() -> None:
    read = files(COLUMNS, item("file:///data/people.arrow", form="arrow"), item("/x/b.arrow"))
    statements = substrait_sql.render(plan((read, "id name"))).statements
    assert statements[0].sql == (
        "CREATE TEMPORARY VIEW people_arrow\n"
        "USING substrait_sql_arrow\n"
        "OPTIONS (\n"
        "  path = 'file:///data/people.arrow'\n"
        ")"
    )
    assert "FROM people_arrow AS people" in statements[-1].sql
    assert "parquet.`/x/b.arrow`" in statements[-1].sql


@pytest.mark.spark
def test_arrow_files(spark: SparkSession, people_arrow: Path) -> None:
    everyone = [(1, "Ann"), (2, "Bob"), (3, None)]
    whole = people_arrow / "the people.arrow"
    assert fetch(spark, files(COLUMNS, item(whole, form="arrow"))) == everyone
    assert fetch(spark, files(COLUMNS, item(whole.as_uri(), form=""))) == everyone
    parts = item(people_arrow / "parts", "uri_folder", form="arrow")
    assert fetch(spark, files(COLUMNS, parts)) == everyone[:2]
    twice = files(COLUMNS, item(whole, form="arrow"), parts)
    assert fetch(spark, twice) == in_order(everyone + everyone[:2])
    # The file has the column as i32, which is cast.
    assert fetch(spark, files("id:i64? name:string?", item(whole, form="arrow"))) == everyone


@pytest.mark.spark
def test_arrow_files_with_types_that_spark_has_not(spark: SparkSession, tmp_path: Path) -> None:
    """As polars writes texts, Categorical and unsigned integers."""
    texts = pa.array(["a", "b"], pa.string_view())
    made = pa.table(
        {
            "c": pa.DictionaryArray.from_arrays(pa.array([1, None, 0], pa.uint32()), texts),
            "s": pa.array(["x", None, ""], pa.string_view()),
            "u": pa.array([1, None, 2**64 - 1], pa.uint64()),
            "l": pa.array([[1], None, [2, 3]], pa.large_list_view(pa.uint8())),
        }
    )
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), made.schema) as writer:
        writer.write_table(made)
    columns = "c:str? s:str? u:dec<20,0>? l:list<i16?>?"
    read = files(columns, item(tmp_path / "t.arrow", form="arrow"))
    assert fetch(spark, read, "c s u l") == in_order(
        [("b", "x", Decimal(1), [1]), (None,) * 4, ("a", "", Decimal(2**64 - 1), [2, 3])]
    )


@pytest.mark.spark
def test_arrow_files_that_cannot_be_read(spark: SparkSession, people_arrow: Path) -> None:
    def fails(columns: str, where: Path, code: str) -> None:
        with pytest.raises(ExecutionError, match=code):
            fetch(spark, files(columns, item(where, form="arrow")), "id name")

    (people_arrow / "text.arrow").write_text("no Arrow file")
    (people_arrow / "nothing").mkdir()
    fails(COLUMNS, people_arrow / "text.arrow", "SS4015")
    fails(COLUMNS, people_arrow / "missing.arrow", "SS4015")
    fails(COLUMNS, people_arrow / "nothing", "SS4015")
    fails("id:date? name:string?", people_arrow / "the people.arrow", "SS4016")
    assert refusal(item("/x/*.arrow", "uri_path_glob", "arrow")) == "SS2244"
    assert refusal(item("/x/a.arrow", form="arrow", length=10)) == "SS2246"
