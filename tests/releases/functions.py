"""The function cases on a session: what passes on Spark 4 passes, or is refused with the dialect's reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.testing.cases.run import GUARD, run
from tests.conformance import lists, read
from tests.releases.outcome import Outcome

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def cases(spark: SparkSession, dialect: str, text: str) -> list[Outcome]:
    """All cases in all their forms, but those that contradict the extension files."""
    chosen = [c for f in read.files() for c in read.cases(f) if text in f"{c.file} {c.text}"]
    return [
        Outcome("functions", f"{o.case} [{o.form}]", o.what, _reason(o.why))
        for o in run(spark, chosen, dialect)
        if lists.verdict(o) != lists.CONTRADICTS
    ]


def _reason(why: str) -> str:
    """Without the place; of what the SQL itself raises when rows are made, only its own words."""
    return GUARD if GUARD[:20] in why else why.partition("   at ")[0]
