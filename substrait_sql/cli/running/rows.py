"""Rows as text and as files: an aligned table to read, CSV, JSON lines, Parquet."""

from __future__ import annotations

import datetime
import decimal
import itertools
import json
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.files import draft
from substrait_sql.run.seen.frames import run_error
from substrait_sql.run.targets.model import check_count

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

FORMATS = ("table", "csv", "json", "arrow")
SUFFIXES = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "json",
}
_AT_ONCE = 50_000
"""How many rows of Parquet files are in memory, which is also how many there are in a row group at most."""

Rows = Iterable[Sequence[Any]]


def collect(
    frame: DataFrame, limit: int | None, most: int | None = None
) -> tuple[list[str], Rows, list[str]]:
    """Column names, all rows, and type names.

    most: how many there may be.

    Raises `ExecutionError` SS4010 when Spark fails on the way, SS4074 for more rows.
    """
    try:
        names, shown, types = _shown(frame, _asked(limit, most))
        rows = [tuple(row) for row in shown.collect()]
    except Exception as error:
        raise run_error(error, frame) from error
    check_count(len(rows), most)
    return names, rows, types


def _asked(limit: int | None, most: int | None) -> int | None:
    """How many rows to ask for: one more than there may be is enough to know."""
    return limit if most is None else min(most + 1, 2**31 - 1 if limit is None else limit)


def stream(frame: DataFrame, limit: int | None) -> tuple[list[str], Rows, list[str]]:
    """As `collect`, with rows that come while they are read: memory holds those of a partition or two.

    The first one is there when this returns, and with it most of what can go wrong.
    """
    try:
        names, shown, types = _shown(frame, limit)
        rows = _rows(shown, limit)
        first = [tuple(row) for row in itertools.islice(rows, 1)]
    except Exception as error:
        raise run_error(error, frame) from error
    return names, itertools.chain(first, _as_ours(map(tuple, rows), frame)), types


def _rows(frame: DataFrame, limit: int | None) -> Iterator[Any]:
    """The rows of a frame as they are made; at once if they are few, for which Spark may read less."""
    if limit is not None and limit <= _AT_ONCE:
        return iter(frame.collect())
    return iter(frame.toLocalIterator(prefetchPartitions=True))


def _shown(frame: DataFrame, limit: int | None) -> tuple[list[str], DataFrame, list[str]]:
    types = [f.dataType.simpleString() for f in frame.schema.fields]
    readable = _readable(frame)
    return list(frame.columns), readable if limit is None else readable.limit(limit), types


def _readable(frame: DataFrame) -> DataFrame:
    """The frame, with values that Python can have and that mean the same on every machine.

    Points in time are shown as the session's zone has them, as `DataFrame.show` does: pyspark would take them to the
    zone of this process, in which the first day of year 1 may have no date.
    """
    types = [f.dataType for f in frame.schema.fields]
    shown = [_shown_as(t) for t in types]
    if shown == types:
        return frame
    plain = frame.toDF(*(f"c{i}" for i in range(len(types))))
    columns = [plain[f"c{i}"] for i in range(len(types))]
    return plain.select(
        *(c if t == to else c.cast(to) for c, t, to in zip(columns, types, shown, strict=True))
    )


def _shown_as(type: DataType) -> DataType:
    """The type that a column is read as, parts of values included."""
    from pyspark.sql import types as t

    name = type.simpleString()
    if name == "timestamp":
        return t.TimestampNTZType()
    if name.startswith(("interval year", "interval month")) or name in ("interval", "variant"):
        return t.StringType()
    if isinstance(type, t.ArrayType):
        return t.ArrayType(_shown_as(type.elementType), type.containsNull)
    if isinstance(type, t.MapType):
        parts = _shown_as(type.keyType), _shown_as(type.valueType)
        return t.MapType(*parts, type.valueContainsNull)
    if isinstance(type, t.StructType):
        return t.StructType(
            [t.StructField(f.name, _shown_as(f.dataType), f.nullable) for f in type.fields]
        )
    return type


def write_text(
    kind: str, names: Sequence[str], rows: Rows, types: Sequence[str], out: IO[str]
) -> None:
    """Write rows as ``table``, ``csv`` or ``json`` (one object per line)."""
    writers: dict[str, Callable[[Sequence[str], Rows, Sequence[str]], Iterator[str]]] = {
        "table": _table,
        "csv": _csv,
        "json": _json,
    }
    for line in writers[kind](names, rows, types):
        out.write(line + "\n")


def save(frame: DataFrame, path: Path, limit: int | None, most: int | None = None) -> int:
    """Write a frame to a file whose ending says how, in one go: the file is whole or not there.

    most: how many rows there may be.

    Returns the row count. Raises `ExecutionError` SS4074 for more rows.
    """
    kind = SUFFIXES[path.suffix.lower()]
    limit = _asked(limit, most)
    if kind in ("parquet", "arrow"):
        return _save_arrow(frame, path, limit, most, kind)
    names, rows, types = stream(frame, limit)
    count = itertools.count()
    with draft(path) as made, made.open("w", encoding="utf-8", newline="\n") as file:
        write_text(kind, names, (row for row, _ in zip(rows, count, strict=False)), types, file)
        written = next(count)
        check_count(written, most)
    return written


def _save_arrow(
    frame: DataFrame, path: Path, limit: int | None, most: int | None, kind: str
) -> int:
    """As a Parquet file, or as a file of Arrow's (IPC)."""
    pa, parquet = _pyarrow()
    chunks, first = _chunks(frame, limit)
    count = 0
    with draft(path) as made:
        open_file = parquet.ParquetWriter if kind == "parquet" else pa.ipc.new_file
        with open_file(str(made), first.schema) as file:
            for table in itertools.chain([first], chunks):
                file.write_table(table)
                count += table.num_rows
        check_count(count, most)
    return count


def write_arrow(frame: DataFrame, limit: int | None, most: int | None, out: IO[bytes]) -> None:
    """Write the rows as a stream of Arrow's (IPC). Raises as `save` does."""
    pa, _ = _pyarrow()
    chunks, first = _chunks(frame, _asked(limit, most))
    given: Iterator[Any] = itertools.chain([first], chunks)
    if most is not None:
        tables = list(given)
        check_count(sum(t.num_rows for t in tables), most)
        given = iter(tables)
    with pa.ipc.new_stream(out, first.schema) as file:
        for table in given:
            file.write_table(table)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        hint = "pip install pyarrow, or write .csv or .json"
        raise ExecutionError.of(
            "SS4013", "writing Parquet or Arrow needs pyarrow", "", hint
        ) from error
    return pyarrow, parquet


def _chunks(frame: DataFrame, limit: int | None) -> tuple[Iterator[Any], Any]:
    """The rows as tables of Arrow, and the first of these, which is there when this returns."""
    try:
        chunks = _tables(frame if limit is None else frame.limit(limit), limit)
        first = next(chunks)
    except Exception as error:
        raise run_error(error, frame) from error
    return _as_ours(chunks, frame), first


def _tables(frame: DataFrame, limit: int | None) -> Iterator[Any]:
    """The rows as tables of Arrow, some at a time; the first may have none."""
    import pyarrow as pa
    from pyspark.sql.conversion import LocalDataToArrowConversion
    from pyspark.sql.pandas.types import to_arrow_schema

    found = frame.schema
    schema = to_arrow_schema(found, timezone="UTC")
    rows = _rows(frame, limit)
    chunk = list(itertools.islice(rows, _AT_ONCE))
    if not chunk:
        yield schema.empty_table()
    while chunk:
        made = LocalDataToArrowConversion.convert(chunk, found, False)
        yield pa.Table.from_arrays(made.columns, schema=schema)
        chunk = list(itertools.islice(rows, _AT_ONCE))


def _as_ours(found: Iterator[Any], frame: DataFrame) -> Iterator[Any]:
    try:
        yield from found
    except Exception as error:
        raise run_error(error, frame) from error


def _table(names: Sequence[str], rows: Rows, types: Sequence[str]) -> Iterator[str]:
    # Columns are as wide as their widest value: the first line needs the last row.
    cells = [[_one_line("NULL" if v is None else text(v)) for v in row] for row in rows]
    heads = [_one_line(n) for n in names]
    widths = [max([_width(h), *(_width(row[i]) for row in cells)]) for i, h in enumerate(heads)]
    right = [
        t.startswith(("tinyint", "smallint", "int", "bigint", "decimal", "double", "float"))
        for t in types
    ]
    right = [r and not t.startswith("interval") for r, t in zip(right, types, strict=True)]
    yield "  ".join(_pad(h, w, r) for h, w, r in zip(heads, widths, right, strict=True)).rstrip()
    yield "  ".join("-" * w for w in widths)
    for row in cells:
        yield "  ".join(_pad(c, w, r) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
    yield f"({len(cells)} {'row' if len(cells) == 1 else 'rows'})"


def _csv(names: Sequence[str], rows: Rows, types: Sequence[str]) -> Iterator[str]:
    del types
    yield ",".join(_csv_cell(n) for n in names)
    for row in rows:
        yield ",".join("" if v is None else _csv_cell(text(v)) for v in row)


def _csv_cell(value: str) -> str:
    # An empty text is quoted, so that it is not taken for NULL, which is nothing at all.
    if value and not any(c in value for c in '",\r\n') and value == value.strip():
        return value
    return '"' + value.replace('"', '""') + '"'


def _json(names: Sequence[str], rows: Rows, types: Sequence[str]) -> Iterator[str]:
    del types
    twice = sorted({n for n in names if list(names).count(n) > 1})
    if twice:
        message = f"JSON cannot hold two columns of one name: {', '.join(twice)}"
        raise ExecutionError.of(
            "SS4013", message, hint="use csv or parquet, or give the plan's root distinct names"
        )
    for row in rows:
        yield json.dumps(
            {n: _plain(v) for n, v in zip(names, row, strict=True)}, ensure_ascii=False
        )


def _plain(value: Any) -> Any:
    """A value as JSON has it; what JSON has no form for becomes text."""
    if isinstance(value, float) and not math.isfinite(value):
        return text(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "asDict"):
        return {k: _plain(v) for k, v in zip(value.__fields__, value, strict=True)}
    if isinstance(value, dict):
        return {text(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return text(value)


def text(value: Any) -> str:
    r"""A value as a reader expects it: no Python in it.

    >>> text(decimal.Decimal("1E+2")), text(True), text(b"\x01"), text(datetime.date(1995, 3, 5))
    ('100', 'true', '01', '1995-03-05')
    """
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case decimal.Decimal():
            return format(value, "f")
        case float():
            return _float(value)
        case bytes() | bytearray():
            return bytes(value).hex()
        case datetime.datetime():
            return value.isoformat(sep=" ")
        case datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return _interval(value)
        case dict() | list() | tuple():
            return json.dumps(_plain(value), ensure_ascii=False)
        case _:
            return str(value)


def _float(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _interval(value: datetime.timedelta) -> str:
    """Days, hours, minutes and seconds as Spark writes them: ``-1 02:00:00.5``."""
    micros = value // datetime.timedelta(microseconds=1)
    seconds, fraction = divmod(abs(micros), 1_000_000)
    clock = f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    end = f".{fraction:06}".rstrip("0") if fraction else ""
    return f"{'-' if micros < 0 else ''}{seconds // 86400} {clock}{end}"


def _one_line(value: str) -> str:
    """Control characters as escapes: a value must not move the cursor or break the table."""
    return "".join(
        c if unicodedata.category(c) not in ("Cc", "Zl", "Zp", "Cs") else _escape(c) for c in value
    )


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def _width(value: str) -> int:
    """Columns on a terminal: wide characters take two, combining ones none."""
    if value.isascii():
        return len(value)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in value
    )


def _pad(value: str, width: int, right: bool) -> str:
    gap = " " * (width - _width(value))
    return gap + value if right else value + gap
