"""What the DataFrames that are still in use were made of: what Spark says of them becomes an error at a node."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, NamedTuple

from substrait_sql.run.seen.nodes import node_of
from substrait_sql.run.spark_errors import ours

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from substrait_sql.errors import ExecutionError
    from substrait_sql.rendered import Rendered, Statement
    from substrait_sql.run.tables.sources import Table


class Made(NamedTuple):
    """A statement of a plan. name: what the plan is called. paths: the tables that are given as such."""

    name: str
    statement: Statement
    rendered: Rendered
    paths: Mapping[str, Table]


_MADE: weakref.WeakKeyDictionary[DataFrame, Made] = weakref.WeakKeyDictionary()


def note(frame: DataFrame, made: Made) -> None:
    """Notes what a frame was made of."""
    _MADE[frame] = made


def made_of(frame: DataFrame | None) -> Made | None:
    """What a frame that `execute` returned was made of, None for any other."""
    return _MADE.get(frame) if frame is not None else None


def run_error(error: BaseException, frame: DataFrame | None = None) -> ExecutionError:
    """An error of the engine while rows are made, as one of ours. frame: what `execute` returned."""
    return error_of(error, made_of(frame))


def error_of(error: BaseException, made: Made | None) -> ExecutionError:
    """An error of the engine while the rows of a statement are made, as one of ours, with the node that it is about."""
    path = node_of(error, *made[1:]) if made is not None else ""
    return ours(error, "SS4010", "Spark failed while running the SQL", path)
