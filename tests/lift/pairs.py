"""All pairs of types: which Spark casts, what it merges, and what it passes on to a function; against what we say.

python -m tests.lift.pairs
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.casts import can_cast, may_make_null
from substrait_sql.lift.typing.common import wider, wider_without_text
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.signatures import resolve
from tests.lift import spark_says, spark_types
from tests.lift.calls import column
from tests.lift.spark_types import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import SparkSession

# What a pair is asked, and the type that we expect; None where Spark refuses.
Asked = tuple[str, t.SparkType | None, bool | None]


def casts() -> Iterator[Asked]:
    """CAST of a column that is never NULL."""
    for name, kind in KINDS.items():
        for target in KINDS.values():
            to = t.all_nullable(target)
            takes = can_cast(kind, to)
            nullable = None if t.is_nested(kind) else may_make_null(kind, to)
            yield f"CAST(r_{name} AS {sql(to)})", to if takes else None, nullable


def sql(kind: t.SparkType) -> str:
    """The type as Spark SQL reads it."""
    if kind.kind == "struct":
        return f"struct<{', '.join(f'{f.name}: {sql(f.type)}' for f in kind.fields)}>"
    if kind.parts:
        return f"{kind.kind}<{', '.join(map(sql, kind.parts))}>"
    return str(kind)


def merges() -> Iterator[Asked]:
    """The type of two columns together, with texts among others and without."""
    for a, x in KINDS.items():
        for b, y in KINDS.items():
            yield f"coalesce(r_{a}, r_{b})", wider(x, y), None
            found = wider_without_text(x, y)
            taken = found if found is None or t.is_orderable(found) else None
            yield f"greatest(r_{a}, r_{b})", taken, None


def sums() -> Iterator[Asked]:
    """Arithmetic of two columns."""
    for name in ("try_add", "try_subtract", "try_multiply", "try_divide", "mod", "div"):
        for a in KINDS:
            for b in KINDS:
                text = f"`{name}`(r_{a}, r_{b})"
                try:
                    found = resolve(name, [column(f"r_{a}"), column(f"r_{b}")])
                except Misused:
                    yield text, None, None
                else:
                    yield text, found.type, found.nullable


def differences(spark: SparkSession, asked: Sequence[Asked]) -> list[str]:
    """The pairs of which Spark says something else."""
    out: list[str] = []
    good = [a for a in asked if a[1] is not None]
    for start in range(0, len(good), 30):
        part = good[start : start + 30]
        found = spark_says.each(spark, [text for text, _, _ in part])
        out += filter(None, map(_difference, part, found))
    for one in (a for a in asked if a[1] is None):
        out += filter(None, [_difference(one, spark_says.one(spark, one[0]))])
    return out


def _difference(asked: Asked, said: spark_says.Said) -> str:
    text, ours, nullable = asked
    if said.error or ours is None:
        agreed = bool(said.error) == (ours is None)
        theirs = said.error or ", ".join(str(c[1]) for c in said.columns)
        return "" if agreed else f"{text}: we say {ours}, Spark {theirs}"
    _, theirs_type, theirs_nullable = said.columns[0]
    if theirs_type != ours:
        return f"{text}: we say {ours!r}, Spark {theirs_type!r}"
    if nullable is not None and nullable != theirs_nullable:
        return f"{text}: we say nullable={nullable}, Spark {theirs_nullable}"
    return ""


def main() -> None:
    """Ask about all pairs."""
    from substrait_sql import local_session

    spark = local_session("local[1]", {"spark.sql.timeType.enabled": "true"})
    spark_says.quiet()
    spark_types.table(spark)
    for asked in (list(sums()), list(casts()), list(merges())):
        found = differences(spark, asked)
        print(f"{len(asked)} pairs, {len(found)} differences")
        for each in found:
            print("   ", each)


if __name__ == "__main__":
    main()
