"""What Spark's analyser says of calls: their types, or that it refuses them. Nothing is run."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.lift.spark_types import TABLE, from_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from substrait_sql.lift.typing.types import SparkType


def quiet() -> None:
    """Nothing is said of refused calls in the log: there are thousands."""
    logging.getLogger("SQLQueryContextLogger").disabled = True


@dataclass(frozen=True, slots=True)
class Said:
    """The columns of a call (several for a generator), or the first line of the refusal."""

    columns: tuple[tuple[str, SparkType, bool], ...] = ()
    error: str = ""


def _ask(spark: SparkSession, items: Sequence[str]) -> list[Said]:
    select = ", ".join(f"{text} AS c{i}" for i, text in enumerate(items))
    frame = spark._jsparkSession.sql(f"SELECT {select} FROM {TABLE}")
    fields = json.loads(frame.schema().json())["fields"]
    return [Said(((f["name"], from_json(f["type"]), f["nullable"]),)) for f in fields]


def one(spark: SparkSession, text: str) -> Said:
    """Of one call by itself, without a name for its column."""
    try:
        frame = spark._jsparkSession.sql(f"SELECT {text} FROM {TABLE}")
        fields = json.loads(frame.schema().json())["fields"]
        return Said(tuple((f["name"], from_json(f["type"]), f["nullable"]) for f in fields))
    except Exception as error:
        return Said(error=str(error).strip().splitlines()[0][:300])


def each(spark: SparkSession, items: Sequence[str]) -> list[Said]:
    """Of many calls: all at once where Spark takes them, halved where it refuses."""
    if len(items) <= 1:
        return [one(spark, text) for text in items]
    try:
        return _ask(spark, items)
    except Exception:
        half = len(items) // 2
        return each(spark, items[:half]) + each(spark, items[half:])
