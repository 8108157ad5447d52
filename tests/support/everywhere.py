"""A plan with each kind of read, and TPC-H's: files for a command, and a script that runs them on a session.

    python -m tests.support.everywhere FOLDER MASTER [PATTERN]

MASTER: spark://…, local[2], or sc://… for Spark Connect. PATTERN: of the names of plans. The session is one that a
user makes by himself; what is run by `substrait-sql run` is in `FOLDER/plans`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support import rows, tpch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import SparkSession

ROWS = [(1, "Ann"), (2, "Bob"), (3, None)]
"""Those of every plan that is not TPC-H's."""

_COLUMNS = "id:i32? name:str?"
_TEXT = {"field_delimiter": "|", "quote": "", "value_treated_as_null": "NULL"}


def prepare(folder: Path, queries: Mapping[int, bytes]) -> None:
    """Writes the tables and the plans, ``NAME.pb``, and the plans of these queries of TPC-H, ``qNN.pb``.

    Beside them is ``endless.pb``, which takes days over TPC-H's tables.
    """
    import pyarrow as pa
    from pyarrow import orc, parquet

    from tests.support.build import count, files, gt, plan, table, virtual

    data, plans, beside = folder / "data", folder / "plans", folder / "files"
    for made in (data, plans, beside):
        made.mkdir()
    people = _people()
    parquet.write_table(people, data / "people.parquet")
    orc.write_table(people, beside / "people.orc")
    (beside / "people.csv").write_text("1|Ann\n2|Bob\n3|NULL\n")
    with (
        pa.OSFile(str(beside / "people.arrow"), "wb") as out,
        pa.ipc.new_file(out, people.schema) as file,
    ):
        file.write_table(people)

    def items(form: str, options: Any, ending: str) -> Any:
        place = data if ending == "parquet" else beside
        return files(_COLUMNS, {"uri_file": (place / f"people.{ending}").as_uri(), form: options})

    reads = {
        "named_table": table("people", _COLUMNS),
        "virtual_table": virtual(_COLUMNS, *ROWS),
        "files_parquet": items("parquet", {}, "parquet"),
        "files_orc": items("orc", {}, "orc"),
        "files_text": items("text", _TEXT, "csv"),
        "files_arrow": items("arrow", {}, "arrow"),
        "iceberg_table": _iceberg(folder / "lake", people),
    }
    for name, read in reads.items():
        (plans / f"{name}.pb").write_bytes(plan((read, "id name")).SerializeToString())
    for number, message in queries.items():
        (plans / f"q{number:02}.pb").write_bytes(message)
    lineitem = table("lineitem", "l_orderkey:i64 l_linenumber:i32")
    pairs = lineitem.join(lineitem, "INNER", lambda r: gt(r[1], r[3]))
    triples = pairs.join(lineitem, "INNER", lambda r: gt(r[1], r[5]))
    endless = plan((triples.aggregate(measures=lambda _: [count()]), "n"))
    (folder / "endless.pb").write_bytes(endless.SerializeToString())


def _people() -> Any:
    import pyarrow as pa

    ids, names = zip(*ROWS, strict=True)
    return pa.table({"id": pa.array(ids, pa.int32()), "name": pa.array(names)})


def _iceberg(lake: Path, people: Any) -> Any:
    from pyiceberg.catalog.sql import SqlCatalog

    from tests.support.build.reads import read_of

    lake.mkdir()
    catalog = SqlCatalog("lake", uri="sqlite:///:memory:", warehouse=str(lake))
    catalog.create_namespace("db")
    made = catalog.create_table("db.people", schema=people.schema)
    made.append(people)
    out, rel = read_of(_COLUMNS, None, None, None)
    rel.iceberg_table.direct.metadata_uri = made.metadata_location
    return out


def wrong(name: str, got: Any, oracle: tpch.Oracle | None) -> str:
    """What is wrong with the rows of a plan, "" if nothing is. oracle: for those of TPC-H."""
    if not name.startswith("q"):
        return rows.difference(got, ROWS)
    assert oracle is not None
    query = tpch.queries()[int(name[1:])]
    return rows.difference(got, oracle.rows(query), ordered="order by" in query.lower(), cut=True)


def _session(master: str) -> SparkSession:
    from pyspark.sql import SparkSession

    if master.startswith("sc://"):
        return SparkSession.builder.remote(master).getOrCreate()
    settings = {
        "spark.master": master,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "512m",
        "spark.sql.shuffle.partitions": "2",
    }
    return SparkSession.builder.config(map=settings).getOrCreate()


def _results(spark: SparkSession, folder: Path, pattern: str) -> Iterator[tuple[str, Any]]:
    """Every plan, with what `execute` makes of it; the named table in each way that it can be given."""
    from substrait_sql import execute

    data = folder / "data"
    path = str(data / "people.parquet")
    ways = {
        "path": lambda: path,
        "frame": lambda: spark.read.parquet(path),
        "pandas": lambda: _people().to_pandas(),
        "arrow": _people,
    }
    tables = {k: str(v) for k, v in tpch.tables(0.01).items()}
    for file in sorted((folder / "plans").glob(f"{pattern}.pb")):
        if file.stem != "named_table":
            yield file.stem, execute(spark, file, tables=tables)
            continue
        for way, table in ways.items():
            yield f"named_table as {way}", execute(spark, file, tables={"people": table()})


def main(folder: Path, master: str, pattern: str = "*") -> None:
    """Prints a line of JSON for each plan: its name, what is wrong with its rows, the seconds it took."""
    start = time.monotonic()
    spark = _session(master)
    version = spark.version
    print(json.dumps(["session", version, round(time.monotonic() - start, 1)]), flush=True)
    oracle = tpch.Oracle(tpch.tables(0.01))
    results = _results(spark, folder, pattern)
    while True:
        start = time.monotonic()
        try:
            name, frame = next(results)
            found = wrong(name, [tuple(r) for r in frame.collect()], oracle)
        except StopIteration:
            break
        except Exception as error:
            name, found = "error", f"{type(error).__name__}: {error}"
            print(json.dumps([name, found[:2000], 0]), flush=True)
            break
        print(json.dumps([name, found, round(time.monotonic() - start, 2)]), flush=True)
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
