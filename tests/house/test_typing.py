"""What a type checker says of code that calls this package: of the README's, and of what each call returns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mypy import api

if TYPE_CHECKING:
    import pytest

REPOSITORY = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

GIVEN = """
from pyspark.sql import DataFrame
orders_df: DataFrame
"""
CALLS = """
from typing import Any, assert_type
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.connect.session import SparkSession as ConnectSession
from substrait_sql import execute

def classic(spark: SparkSession) -> None:
    assert_type(execute(spark, b"", root=1), DataFrame)
    found = execute(spark, b"")
    assert_type(found, DataFrame | Any)
    found.filter("a > 1").show()
    if isinstance(found, list):
        found[0].show()
    frame: DataFrame = found

def connect(spark: ConnectSession) -> DataFrame:
    return execute(spark, b"", tables={"t": "t.parquet"}, root=0)
"""
WRONG = """
from substrait_sql import execute, local_session
execute(local_session(), b"", root="first")
execute(local_session(), b"", table={})
execute(local_session(), b"").nothing()
"""


def test_what_mypy_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one run, as mypy reads pyspark first: no word of what is right, one of each line that is wrong."""
    blocks = BLOCK.findall((REPOSITORY / "README.md").read_text(encoding="utf-8"))
    assert len(blocks) > 1
    for i, block in enumerate(blocks):
        (tmp_path / f"readme{i}.py").write_text(GIVEN + block, encoding="utf-8")
    (tmp_path / "calls.py").write_text(CALLS, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MYPYPATH", str(REPOSITORY))
    options = ["--strict", "--config-file=", f"--cache-dir={REPOSITORY / '.cache' / 'mypy'}"]
    found, _, _ = api.run(
        [*options, "--follow-imports=silent", *sorted(p.name for p in tmp_path.iterdir())]
    )
    problems = [line for line in found.splitlines() if ": error:" in line]
    assert [line.rpartition(": error:")[0] for line in problems if "overload" not in line] == [
        "wrong.py:5"
    ], found
    assert {line.partition(": error")[0] for line in problems} == {
        f"wrong.py:{n}" for n in (3, 4, 5)
    }, found
