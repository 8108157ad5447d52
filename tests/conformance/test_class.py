"""The class that authors of dialects subclass: what it lets pass, and what it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import testing

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

REVERSED = """\
name: acme
dependencies: {string: "extension:io.substrait:functions_string"}
supported_scalar_functions:
- {source: string, name: upper, supported_impls: [str], system_metadata: {name: LINE}}
"""


def folder(path: Path, name: str) -> Path:
    (path / "dialect.yaml").write_text("name: acme\nmetadata: {extends: spark}\n", encoding="utf-8")
    (path / "functions.yaml").write_text(REVERSED.replace("LINE", name), encoding="utf-8")
    return path


@pytest.mark.slow
def test_those_that_lose_say_so() -> None:
    class Old(testing.FunctionCases):
        dialect = "spark35"
        files = ("string/", "datetime/")

    Old().test_each_is_sql_or_refused()
    with pytest.raises(pytest.skip.Exception):
        Old().test_rows()


def test_what_the_engine_has_not_is_said(tmp_path: Path) -> None:
    folder(tmp_path, "ucase")
    main = "name: acme\nmetadata: {extends: spark, builtins: own.txt}\n"
    (tmp_path / "dialect.yaml").write_text(main, encoding="utf-8")
    (tmp_path / "own.txt").write_text("lower absent\n", encoding="utf-8")

    class Own(testing.FunctionCases):
        dialect = tmp_path
        files = ("string/upper", "string/lower")

    Own().test_each_is_sql_or_refused()


def test_rows(spark: SparkSession, tmp_path: Path) -> None:
    class Right(testing.FunctionCases):
        dialect = folder(tmp_path, "ucase")
        files = ("string/upper", "boolean/", "aggregate_generic/")

        def session(self) -> SparkSession:
            return spark

    Right().test_rows()

    class Wrong(Right):
        dialect = folder(tmp_path, "lcase")

    with pytest.raises(AssertionError, match=r"string/upper\.test.*wrong"):
        Wrong().test_rows()
