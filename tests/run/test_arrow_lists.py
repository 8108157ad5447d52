"""Columns of Arrow with views and runs have the values that Arrow itself lists."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark import cloudpickle

from substrait_sql.run.files import arrow, arrow_lists, arrow_types
from substrait_sql.run.files.arrow_lists import unrolled

if TYPE_CHECKING:
    from pathlib import Path

LISTS = (
    pa.list_view,
    pa.large_list_view,
    pa.list_,
    pa.large_list,
    lambda of: pa.list_(of, 2),
    lambda of: pa.struct([("a", of), ("b", pa.int32())]),
)


def _type(random: Random, depth: int) -> pa.DataType:
    if not depth or random.random() < 0.1:
        return random.choice([pa.int32(), pa.string()])
    return random.choice(LISTS)(_type(random, depth - 1))


def _value(random: Random, of: pa.DataType) -> Any:
    if random.random() < 0.2:
        return None
    if pa.types.is_struct(of):
        return {f.name: _value(random, f.type) for f in of}
    if of == pa.int32():
        return random.randint(0, 99)
    if of == pa.string():
        return str(random.randint(0, 99))
    count = 2 if pa.types.is_fixed_size_list(of) else random.randint(0, 3)
    return [_value(random, of.value_type) for _ in range(count)]


@pytest.mark.parametrize("seed", range(300))
def test_drawn_columns(seed: int) -> None:
    random = Random(seed)
    of = _type(random, random.randint(1, 3))
    array = pa.array([_value(random, of) for _ in range(random.randint(0, 6))], of)
    parts = [array, array.slice(1), array.slice(0, 1)][: random.randint(1, 3)]
    column = pa.chunked_array(parts, of)
    found = unrolled(column)
    found.validate(full=True)
    assert "view" not in str(found.type)
    assert found.to_pylist() == column.to_pylist()


def test_views_that_share_values() -> None:
    ends, sizes = pa.array([2, 0, 1, 9], pa.int32()), pa.array([1, 2, 2, 0], pa.int32())
    values = pa.array([7, 8, 9, 0, 0, 0, 0, 0, 0])
    made = pa.ListViewArray.from_arrays(ends, sizes, values)
    assert unrolled(pa.chunked_array([made])).to_pylist() == [[9], [7, 8], [8, 9], []]


def test_runs() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["x", None]))
    lists = pa.LargeListViewArray.from_arrays(pa.array([0, 1]), pa.array([1, 2]), runs)
    column = pa.chunked_array([pa.StructArray.from_arrays([lists, lists], ["a", "a"])])
    found = unrolled(column).chunk(0)
    assert [each.to_pylist() for each in found.flatten()] == [[["x"], ["x", None]]] * 2


@pytest.mark.parametrize("values", [pa.string_view(), pa.binary_view(), pa.string()])
def test_dictionaries(values: pa.DataType) -> None:
    """As polars has Categorical and Enum, and lists of them."""
    coded = pa.DictionaryArray.from_arrays(
        pa.array([1, None, 0, 1], pa.uint32()), pa.array(["a", "b"]).cast(values)
    )
    lists = pa.LargeListArray.from_arrays(pa.array([0, 2, 4]), coded)
    for array in (coded, coded.slice(1, 2), lists, lists.slice(1)):
        column = pa.chunked_array([array])
        found = unrolled(column)
        assert found.to_pylist() == column.to_pylist()
        assert "view" not in str(found.type)


def test_a_column_without_chunks() -> None:
    column = pa.chunked_array([], pa.list_view(pa.int32()))
    assert unrolled(column).type == pa.large_list(pa.int32())


def test_what_is_left_alone() -> None:
    column = pa.chunked_array([[[1], None]])
    assert unrolled(column) is column
    views = pa.map_(pa.string(), pa.list_view(pa.int32()))
    with pytest.raises(TypeError, match="views and runs within a map are not read"):
        unrolled(pa.chunked_array([], views))


WORKER = """
import sys
sys.modules["substrait_sql"] = None
from pyspark import cloudpickle
source = cloudpickle.load(sys.stdin.buffer)({"path": sys.argv[1]})
reader = source.reader(source.schema())
print([batch.to_pydict() for each in reader.partitions() for batch in reader.read(each)])
"""


@pytest.mark.slow
def test_a_worker_without_this_package_reads_them(tmp_path: Path) -> None:
    made = pa.table({"v": pa.array([[1], None], pa.large_list_view(pa.uint8()))})
    with pa.ipc.new_file(str(tmp_path / "t.arrow"), made.schema) as writer:
        writer.write_table(made)
    modules = (arrow, arrow_types, arrow_lists)
    for each in modules:
        cloudpickle.register_pickle_by_value(each)
    try:
        sent = cloudpickle.dumps(arrow.ArrowSource)
    finally:
        for each in modules:
            cloudpickle.unregister_pickle_by_value(each)
    command = (sys.executable, "-c", WORKER, str(tmp_path / "t.arrow"))
    done = subprocess.run(command, input=sent, capture_output=True, check=False)
    assert done.stdout.decode() == "[{'v': [[1], None]}]\n", done.stderr.decode()
