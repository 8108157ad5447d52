"""Columns of Parquet files and of Arrow schemas, with the types that Spark reads them as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SqlError
from substrait_sql.lift.schemas.catalog import Table
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.types import Field, SparkType

if TYPE_CHECKING:
    from pathlib import Path


def tables_in(folder: Path) -> list[Table]:
    """``NAME.parquet`` or the folder ``NAME/`` is table NAME."""
    import pyarrow.dataset as ds  # type: ignore[import-untyped]

    found: list[Table] = []
    for each in sorted(folder.iterdir()):
        if each.is_dir() and any(each.rglob("*.parquet")):
            schema = ds.dataset(each, format="parquet", partitioning="hive").schema
        elif each.suffix == ".parquet":
            schema = ds.dataset(each, format="parquet").schema
        else:
            continue
        found.append(Table((each.name.removesuffix(".parquet"),), tuple(fields_of(schema))))
    if not found:
        raise SqlError.of("SS5010", f"there are no Parquet files in {folder}")
    return found


def fields_of(schema: Any) -> list[Field]:
    """The columns of an Arrow schema. Files say nothing reliable about NULLs: any column may hold them."""
    import pyarrow as pa

    return [Field(f.name, type_of(f.type), True) for f in pa.schema(schema)]


def schema_of(frame: Any) -> Any:
    """The Arrow schema of a DataFrame of pandas. Raises `SqlError` for columns that have no type of Arrow's."""
    import pyarrow as pa

    try:
        return pa.table(frame).schema
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        hint = "a column has values of one type"
        raise SqlError.of("SS5010", f"the DataFrame is no table: {error}", hint=hint) from error


_SIMPLE = {
    "bool": t.BOOLEAN, "int8": t.TINYINT, "int16": t.SMALLINT, "int32": t.INT, "int64": t.BIGINT,
    "uint8": t.SMALLINT, "uint16": t.INT, "uint32": t.BIGINT, "uint64": t.decimal(20, 0),
    "float": t.FLOAT, "double": t.DOUBLE, "string": t.STRING, "large_string": t.STRING,
    "string_view": t.STRING, "binary": t.BINARY, "large_binary": t.BINARY, "binary_view": t.BINARY,
    "date32[day]": t.DATE, "date64[ms]": t.DATE, "halffloat": t.FLOAT, "null": t.VOID,
}  # fmt: skip


def type_of(kind: Any) -> SparkType:
    """Spark's type of an Arrow type. Raises `SqlError` where Spark reads none."""
    import pyarrow as pa
    import pyarrow.types as pt  # type: ignore[import-untyped]

    simple = _SIMPLE.get(str(kind))
    if simple is not None:
        return simple
    if pt.is_decimal(kind):
        return t.decimal(kind.precision, kind.scale)
    if pt.is_timestamp(kind):
        return t.TIMESTAMP if kind.tz else t.TIMESTAMP_NTZ
    if pt.is_time(kind):
        return SparkType("time", (6,))
    if pt.is_duration(kind):
        return t.DAY_SECOND
    if isinstance(kind, pa.BaseExtensionType):
        return type_of(kind.storage_type)
    if pt.is_dictionary(kind) or pt.is_run_end_encoded(kind):
        return type_of(kind.value_type)
    if pt.is_fixed_size_binary(kind):
        return t.BINARY
    if pt.is_map(kind):
        return t.map_(type_of(kind.key_type), type_of(kind.item_type))
    if hasattr(kind, "value_field"):
        # Lists of any length, of one length, and by views.
        return t.array(type_of(kind.value_type))
    if pt.is_struct(kind):
        return t.struct(Field(f.name, type_of(f.type), True) for f in kind)
    raise SqlError.of("SS5010", f"Spark has no type for Arrow's {kind}")
