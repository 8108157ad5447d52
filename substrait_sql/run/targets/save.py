"""`save`: the rows of a plan into a table or into files, by Spark."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from substrait_sql.arguments import expect, expect_session
from substrait_sql.dialect import load
from substrait_sql.policy.targets import hold_target
from substrait_sql.run.execute import execute
from substrait_sql.run.seen.frames import run_error
from substrait_sql.run.spark_errors import as_ours
from substrait_sql.run.targets.files import FilesSink
from substrait_sql.run.targets.model import Saved, Target, ToTable, target_of, wrong
from substrait_sql.run.targets.tables import TableSink

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.policy.policy import Policy
    from substrait_sql.run.execute import Session
    from substrait_sql.run.targets.sink import Sink


@as_ours("saving the rows")
def save(
    spark: Session,
    plan: Any,
    *,
    to_table: str | None = None,
    to_files: str | PathLike[str] | None = None,
    format: str | None = None,
    mode: str = "fail",
    partition_by: Sequence[str] = (),
    max_rows: int | None = None,
    limit: int | None = None,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    check_nulls: bool = False,
    root: int | None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> Saved:
    """Write the rows of a plan to a table or to a folder of files. Whatever fails, the target is as it was.

    spark: a classic or a Spark Connect session.
    plan: anything `render` takes, whose result is a query.
    to_table: the table, as its name is written in SQL.
    to_files: the folder, instead of a table.
    format: of files ``parquet``, ``orc``, ``csv`` or ``json``, by the ending of the folder if it is not said; of a new
    table ``parquet`` (so it is if it is not said), ``orc``, ``delta`` or ``iceberg``.
    mode: for a target that is there: ``fail``, ``overwrite`` all of its rows, ``append`` to them, ``ignore`` the plan.
    partition_by: the columns by whose values the rows are kept apart.
    max_rows: fail if there are more, before anything is written.
    limit: write at most so many rows.
    parameters: as in `execute`.
    tables: as in `execute`.
    check_nulls: as in `execute`.
    root: the result to write, of a plan that has several.
    dialect: as in `render`.
    policy: what the plan may do, and what may be written to. To name a target is to allow it otherwise, so that there
    is no ``allow_writes``.

    A table that is there stays what it is: the rows must have its columns, in any order.

    Raises `ExecutionError` SS4070 for a target that is there, SS4071 for rows that it cannot hold, SS4072 for a place
    where files cannot change at once, SS4073 for arguments that make no sense, SS4074 for too many rows, SS4010 when
    Spark fails; `PolicyError`; `ArgumentError`; and what `execute` raises.
    """
    expect("to_table", to_table, str, "the name of a table, as SQL writes it")
    expect("to_files", to_files, (str, PathLike), "the path of a folder")
    expect("partition_by", partition_by, (str, list, tuple), "a list of names of columns")
    expect("max_rows", max_rows, int, "a number of rows")
    expect("limit", limit, int, "a number of rows")
    target = target_of(to_table, to_files, format, mode, partition_by)
    given: dict[str, Any] = {"parameters": parameters, "tables": tables, "check_nulls": check_nulls}
    given |= {"root": root, "dialect": dialect, "policy": policy}
    return save_to(spark, plan, target, max_rows=max_rows, limit=limit, **given)


def save_to(
    spark: Any, plan: Any, target: Target, *, max_rows: int | None, limit: int | None, **given: Any
) -> Saved:
    """As `save`. given: arguments of `execute`."""
    rules, policy = load(given["dialect"]), given["policy"]
    if policy is not None:
        hold_target(target.name, target.format, isinstance(target, ToTable), policy, rules)
    expect_session(spark)
    found = sink(spark, target, rules)
    if not found.is_wanted():
        return Saved(target.name, False)
    found.settle()
    frames = execute(spark, plan, **given)
    return write(one_of(frames), found, max_rows, limit)


def sink(spark: Any, target: Target, dialect: Dialect) -> Sink:
    """The target in a session."""
    if isinstance(target, ToTable):
        return TableSink(spark, target, dialect)
    return FilesSink(spark, target, dialect)


def one_of(frames: Any) -> DataFrame:
    """The result of a plan that has one. Raises `ExecutionError` SS4073 for several."""
    if isinstance(frames, list):
        message = f"the plan has {len(frames)} results, and one target takes one"
        raise wrong(message, "choose one: --root N, or root=N")
    frame: DataFrame = frames
    return frame


def write(frame: DataFrame, found: Sink, max_rows: int | None, limit: int | None) -> Saved:
    """The rows of a result into a target that was looked at."""
    given = frame if limit is None else frame.limit(limit)
    try:
        found.check(given)
        return found.write(given, max_rows)
    except Exception as error:
        raise run_error(error, frame) from error
