"""Arrow's lists by views, values by runs and dictionaries of text views, as plain lists and values.

pyarrow has no cast for runs and such dictionaries, which are what polars calls Categorical and Enum; that of list views
makes lists that are damaged or empty (releases 16 to 26).
"""

from __future__ import annotations

from typing import Any


def unrolled(column: Any) -> Any:
    """A column of a table of Arrow, with the same values, lists by offsets and each value of a run by itself.

    Text views that stand in a dictionary are texts.

    Raises `TypeError` for views or runs within a map.
    """
    import pyarrow as pa  # type: ignore[import-untyped]

    if not _is_rolled(column.type):
        return column
    chunks = [_unrolled(each) for each in column.chunks or [pa.array([], column.type)]]
    return pa.chunked_array(chunks)


def _is_rolled(type: Any) -> bool:
    """Whether there are list views, runs, or dictionaries of text views in a type."""
    import pyarrow as pa
    from pyarrow import types as pt

    if isinstance(type, pa.BaseExtensionType):
        return _is_rolled(type.storage_type)
    if pt.is_run_end_encoded(type) or pt.is_list_view(type) or pt.is_large_list_view(type):
        return True
    if pt.is_dictionary(type):
        return type.value_type in _texts() or _is_rolled(type.value_type)
    return any(_is_rolled(type.field(i).type) for i in range(type.num_fields))


def _texts() -> dict[Any, Any]:
    """For each text by views the one that is none."""
    import pyarrow as pa

    return {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}


def _unrolled(array: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc  # type: ignore[import-untyped]
    from pyarrow import types as pt

    type = array.type
    if not _is_rolled(type):
        return array
    if isinstance(type, pa.BaseExtensionType):
        return _unrolled(array.storage)
    if pt.is_run_end_encoded(type):
        return _unrolled(pc.run_end_decode(array))
    if pt.is_dictionary(type):
        values = _unrolled(array.dictionary)
        return values.cast(_texts().get(values.type, values.type)).take(array.indices)
    if pt.is_map(type):
        raise TypeError(f"views and runs within a map are not read: {type}")
    if pt.is_struct(type):
        parts = [_unrolled(each) for each in array.flatten()]
        names = [type.field(i).name for i in range(type.num_fields)]
        return pa.StructArray.from_arrays(parts, names, mask=array.is_null())
    # Views may share values: the lists can be longer than what they are views of.
    lengths = pc.fill_null(pc.list_value_length(array), 0).cast(pa.int64())
    offsets = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths)])
    values = _unrolled(array.flatten())
    return pa.LargeListArray.from_arrays(offsets, values, mask=array.is_null())
