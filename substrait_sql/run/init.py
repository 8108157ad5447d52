"""SQL statements that a session is to run before any plan: functions, above all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError
from substrait_sql.run.spark_errors import ours

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def read_file(path: Path) -> list[tuple[int, str]]:
    """The statements of a file, as `statements` has them. Raises `ExecutionError` SS4020 if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ExecutionError.of("SS4020", f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ExecutionError.of("SS4020", f"cannot read {path}: {error}") from error
    return statements(text, str(path))


def run_file(spark: SparkSession, path: Path) -> None:
    """Runs the statements of a file in order. Raises `ExecutionError` SS4020 for one that Spark does not take."""
    for line, statement in read_file(path):
        try:
            spark.sql(statement)
        except Exception as error:
            where = f"{path}:{line}"
            raise ours(error, "SS4020", "Spark refuses the statement", where) from error


def statements(text: str, label: str) -> list[tuple[int, str]]:
    """The statements between semicolons that are in no quotes and no comments, each with the line it begins in."""
    from sqlglot.dialects.spark import Spark
    from sqlglot.errors import SqlglotError

    try:
        tokens = Spark().tokenize(text)
    except SqlglotError as error:
        raise ExecutionError.of("SS4020", f"this is not SQL: {error}", label) from error
    found: list[tuple[int, str]] = []
    first = None
    for token in tokens:
        if token.token_type.name == "SEMICOLON":
            if first is not None:
                found.append((first.line, text[first.start : token.start]))
            first = None
        elif first is None:
            first = token
    if first is not None:
        found.append((first.line, text[first.start :]))
    return found
