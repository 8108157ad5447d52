"""What Spark's own functions are: ``dialects/spark/builtins.txt``, from its function registry."""

from __future__ import annotations

from functools import cache

from substrait_sql.resources import DIALECTS

# Another value each time, whatever the arguments; the registry does not say so.
RANDOM = frozenset(
    {
        "rand", "random", "randn", "randstr", "uniform", "uuid", "shuffle", "monotonically_increasing_id",
        "spark_partition_id", "input_file_name", "input_file_block_start", "input_file_block_length",
    }
)  # fmt: skip

# SQL says the order of their rows as WITHIN GROUP (ORDER BY …).
WITHIN_GROUP = frozenset({"listagg", "string_agg", "mode", "percentile_cont", "percentile_disc"})


def kind(name: str) -> str | None:
    """``scalar``, ``aggregate``, ``window`` or ``generator``; None for a function that somebody has to register."""
    return _kinds().get(name.strip("`").lower())


@cache
def _kinds() -> dict[str, str]:
    text = (DIALECTS / "spark" / "builtins.txt").read_text(encoding="utf-8")
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return dict(lines)
