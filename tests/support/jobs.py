"""The jobs of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.run.seen.labels import OWN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def left_of_runs(spark: SparkSession) -> list[str]:
    """The tags of those jobs of any run that go on. Spark's scheduler knows them; what its page and its tracker show
    is told to them later, and has jobs of others too."""
    jobs = spark.sparkContext._jsc.sc().dagScheduler().activeJobs().toSeq()
    tags = [str(jobs.apply(i).properties().get("spark.job.tags")) for i in range(jobs.size())]
    return [each for each in tags if f"{OWN}.run=" in each]
