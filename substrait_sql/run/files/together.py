"""The items of a read of files as one table: Spark lists their files once, and each is a part of one scan.

That is so where they are alike, and nothing is to be said of one alone: whatever is not as expected here is left to who
looks at them one by one.
"""

from __future__ import annotations

import importlib.util
import os
import posixpath
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from substrait_sql.lower.relations.reads.paths import spark_path
from substrait_sql.run.files import orc, parquet
from substrait_sql.run.files.check import declares_floats, metadata_of, place, with_columns
from substrait_sql.run.files.nanoseconds import has_times
from substrait_sql.run.settings import is_connect
from substrait_sql.run.tables.columns import fitted
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Source
    from substrait_sql.run.tables.columns import Wanted

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/*")
_AT_ONCE = 4
"""How many files are looked at at the same time: as many as keep Spark's driver busy."""
_ROW_TYPE = b"org.apache.spark.sql.parquet.row.metadata"
"""What Spark notes in a Parquet file of the columns it wrote, and goes by when it reads them."""


def together(spark: SparkSession, sources: Sequence[Source], wanted: Wanted) -> DataFrame | None:
    """The rows of items of one read with the declared types; None if they have to be looked at one by one."""
    form, _ = place(sources[0])
    places = [where for _, where in map(place, sources)]
    try:
        frame = _load(spark, form, places, declares_floats(sources[0]))
        firsts = _first_files(frame.inputFiles(), places)
        if not firsts or has_times(frame) or not _are_alike(spark, form, frame, firsts):
            return None
        metadata = metadata_of(wanted)
        found = with_columns(frame, metadata)
        if form == "orc":
            wanted = orc.wanted_of(spark, found, wanted)
        return fitted(found, sources[0], wanted, metadata) or found
    except Exception:  # of which item this is true is said where each is looked at
        return None


def _load(
    spark: SparkSession, form: str, where: str | list[str], has_floats: bool = False
) -> DataFrame:
    if form == "parquet":
        return parquet.load(spark.read, where, has_floats=has_floats)
    if form == "orc":
        return orc.load(spark, spark.read, where)
    return spark.read.format(form).load(where)


def _first_files(files: Sequence[str], places: Sequence[str]) -> list[str]:
    """The first file of each item; none if an item has no files, or not all are of one item or lie right in its folder.

    Folders of partitions have columns of their own, and files of two items would be read once.
    """
    first: dict[str, str] = {_plain(_unescaped(where)): "" for where in places}
    if len(first) < len(places) or any(above in first for p in first for above in _above(p)):
        return []
    for uri in sorted(files):
        name = _plain(unquote(uri))
        item = name if name in first else posixpath.dirname(name)
        if item not in first or posixpath.basename(name).startswith("_"):
            return []
        first[item] = first[item] or uri
    return list(first.values()) if all(first.values()) else []


def _unescaped(pattern: str) -> str:
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)


def _plain(path: str) -> str:
    """A whole path without its scheme."""
    found = _SCHEME.match(path)
    return posixpath.normpath("/" + path[found.end() :] if found else os.path.abspath(path))


def _above(path: str) -> Iterator[str]:
    while (above := posixpath.dirname(path)) != path:
        yield above
        path = above


def _are_alike(spark: SparkSession, form: str, frame: DataFrame, files: Sequence[str]) -> bool:
    """Whether each of these files has the columns of the frame, which Spark took from one of them."""
    if form == "parquet" and not is_connect(spark) and _have_one_schema(files):
        return True

    def look(uri: str) -> bool:
        where = spark_path(uri, "uri_file", ROOT)
        return bool(_load(spark, form, where).schema == frame.schema)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return all(pool.map(_in_threads(spark, look), files))


def _in_threads(spark: SparkSession, function: Callable[[str], bool]) -> Callable[[str], bool]:
    """The function, for threads whose jobs have the name and the tags that those of this one have."""
    from pyspark.util import inheritable_thread_target

    given: Any = inheritable_thread_target
    # Spark 3.5 takes the function itself, but of a Connect session.
    takes_session = is_connect(spark) or not spark.version.startswith("3.")
    made: Callable[[str], bool] = given(spark)(function) if takes_session else given(function)
    return made


def _have_one_schema(files: Sequence[str]) -> bool:
    """Whether Parquet files on this machine say the same of their columns: that is quicker than to ask Spark."""
    if importlib.util.find_spec("pyarrow") is None or not all(f.startswith("file:") for f in files):
        return False
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow.parquet import read_metadata  # type: ignore[import-untyped]

    known = set()
    for uri in files:
        try:
            footer = read_metadata(_plain(unquote(uri)))
        except (OSError, pa.ArrowException):
            return False
        columns = str(footer.schema).partition("\n")[2]  # the first line names the object
        known.add((columns, (footer.metadata or {}).get(_ROW_TYPE)))
        if len(known) > 1:
            return False
    return True
