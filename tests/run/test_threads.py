"""Threads that run plans on one session at the same time, and what is left of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql import ExecutionError, execute
from tests.golden.test_plans import RENDERED
from tests.support import run
from tests.support.build import R, plan, table
from tests.tools.soak import Soak, State

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVERY = 18
"""Of the golden plans one in 18 runs here; all of them, a thousand times, in ``python -m tests.tools.soak``."""


def test_four_threads_have_their_rows_and_leave_the_session_as_it_was(spark: SparkSession) -> None:
    soak = Soak(spark, run.plan_tables(spark))
    before = State.of(spark)
    soak.all(RENDERED[::EVERY], threads=4)
    assert soak.wrong == []
    assert State.of(spark) == before


def test_an_error_leaves_the_session_as_it_was(spark: SparkSession) -> None:
    before = State.of(spark)
    missing: R = table("nowhere", "a:i32?")
    for _ in range(3):
        try:
            execute(spark, plan((missing, "a")))
        except ExecutionError as error:
            assert error.code == "SS4003"
        else:
            raise AssertionError("there is no such table")
    assert State.of(spark) == before
