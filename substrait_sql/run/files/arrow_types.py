"""Tables of Arrow with the types that pyspark reads, and the same values.

This module travels to Spark's workers, as that of the data source for Arrow files does: it imports nothing there but
pyarrow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.run.files.arrow_lists import unrolled

if TYPE_CHECKING:
    from collections.abc import Mapping


def plain(table: Any) -> Any:
    """The table with such types. Raises what pyarrow does for values that these cannot hold."""
    import pyarrow as pa  # type: ignore[import-untyped]

    for place, column in enumerate(table.columns):
        made = unrolled(column)
        if made is not column:
            table = table.set_column(place, table.schema.field(place).with_type(made.type), made)
    return table.cast(pa.schema([f.with_type(_type(f.type)) for f in table.schema]))


def _type(type: Any) -> Any:
    """The type of Arrow that pyspark reads for the same values; the cast to it fails where it would lose some."""
    import pyarrow as pa
    from pyarrow import types as pt

    if isinstance(type, pa.BaseExtensionType):
        return _type(type.storage_type)
    if pt.is_dictionary(type):
        return _type(type.value_type)
    if pt.is_struct(type):
        return pa.struct([f.with_type(_type(f.type)) for f in type])
    if pt.is_map(type):
        item = type.item_field.with_type(_type(type.item_type))
        return pa.map_(type.key_field.with_type(_type(type.key_type)), item)
    if hasattr(type, "value_field"):
        return pa.list_(type.value_field.with_type(_type(type.value_type)))
    if pt.is_timestamp(type):
        return pa.timestamp("us", type.tz)
    if pt.is_decimal(type):
        return pa.decimal128(min(type.precision, 38), type.scale)
    return _wider().get(type, type)


def _wider() -> Mapping[Any, Any]:
    import pyarrow as pa

    return {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.decimal128(20, 0),
        pa.float16(): pa.float32(),
        pa.date64(): pa.date32(),
        pa.string_view(): pa.string(),
        pa.binary_view(): pa.binary(),
        **{pa.time32(unit): pa.time64("us") for unit in ("s", "ms")},
        pa.time64("ns"): pa.time64("us"),
        **{pa.duration(unit): pa.duration("us") for unit in ("s", "ms", "ns")},
    }
