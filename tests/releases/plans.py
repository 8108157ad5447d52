"""Golden plans and TPC-H on a session: the rows that the files beside the plans say, and those of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import substrait_sql
from substrait_sql.errors import SubstraitSqlError
from tests.golden.test_plans import FILES
from tests.golden.test_plans import REFUSED as NEVER
from tests.golden.test_plans import name as name_of
from tests.releases.outcome import PASSED, REFUSED, WRONG, Outcome, brief
from tests.support import rows, run
from tests.support import tpch as data

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession


def golden(spark: SparkSession, dialect: str, text: str) -> list[Outcome]:
    """Every plan in tests/plans."""
    tables = run.plan_tables(spark)
    return [
        _outcome("golden", name_of(p), lambda p=p: _golden(spark, p, tables, dialect), p, dialect)
        for p in FILES
        if name_of(p) not in NEVER and text in name_of(p)
    ]


def _golden(spark: SparkSession, path: Path, tables: dict[str, Any], dialect: str) -> str:
    expected = rows.load(path.with_suffix(".rows.json"))
    frames = run.frames(spark, path, tables, dialect)
    for frame, want in zip(frames, expected, strict=True):
        if frame.columns != want.columns:
            return f"columns {frame.columns}, expected {want.columns}"
        types = [f.dataType.simpleString() for f in frame.schema.fields]
        for got, wanted in zip(types, want.types, strict=True):
            if wanted not in (None, got):
                return f"a {got}, expected a {wanted}"
        difference = rows.difference(run.collect(frame), want.rows, want.ordered)
        if difference:
            return difference
    return ""


def tpch(spark: SparkSession, dialect: str, text: str) -> list[Outcome]:
    """The 22 queries as plans of DataFusion's, with and without its string views."""
    files = data.tables(0.01)
    oracle = data.Oracle(files)
    found = []
    for kind, views in (("views", True), ("plain", False)):
        context = data.datafusion_context(files, string_views=views)
        for number, sql in data.queries().items():
            name = f"q{number} {kind}"
            if text not in name:
                continue
            plan = data.datafusion_plan(context, sql)

            def difference(plan: bytes = plan, sql: str = sql) -> str:
                tables = {k: str(v) for k, v in files.items()}
                got = run.collect(run.frames(spark, plan, tables, dialect)[-1])
                ordered = "order by" in sql.lower()
                return rows.difference(got, oracle.rows(sql), ordered=ordered, cut=True)

            found.append(_outcome("tpch", name, difference, plan, dialect))
    return found


def _outcome(
    suite: str, name: str, difference: Callable[[], str], plan: Any, dialect: str
) -> Outcome:
    try:
        substrait_sql.to_sql(plan, dialect=dialect)
    except SubstraitSqlError as error:
        return Outcome(suite, name, REFUSED, error.diagnostics[0].message)
    try:
        what = difference()
    except Exception as error:
        return Outcome(suite, name, WRONG, brief(error))
    return Outcome(suite, name, WRONG if what else PASSED, what)
