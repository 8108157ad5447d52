"""Drawn calls of all of Spark's functions: whether its analyser refuses and types them as we do.

python -m tests.lift.signatures --calls 20000 --seed 1 [--only NAME,NAME] [--show 3]
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.table import table
from tests.lift import spark_says, spark_types
from tests.lift.calls import Call, draw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import SparkSession

    from tests.lift.spark_says import Said

# grouping() and grouping_id() stand where there are grouping sets only, and want what these have.
# The other two are tables only.
ELSEWHERE = frozenset({"grouping", "grouping_id", "variant_explode", "variant_explode_outer"})
TOGETHER = 25


@dataclass(slots=True)
class Outcome:
    """What came of a run."""

    calls: int = 0
    accepted: int = 0
    differences: list[tuple[Call, str]] = field(default_factory=list)


def drawn(count: int, seed: int, only: Sequence[str] = ()) -> Iterator[Call]:
    """So many calls, as many of each name."""
    names = sorted(set(only or table()) - ELSEWHERE)
    rng = random.Random(seed)
    rng.shuffle(names)
    for i in range(count):
        name = names[i % len(names)]
        yield draw(rng, name, table()[name])


def compare(spark: SparkSession, calls: Sequence[Call]) -> Outcome:
    """Ask Spark, those that we take together and the others one by one."""
    out = Outcome()
    taken = [c for c in calls if not isinstance(c.said, str)]
    alone = [c for c in calls if isinstance(c.said, str) or c.said.kind == "generator"]
    taken = [c for c in taken if c not in alone]
    for start in range(0, len(taken), TOGETHER):
        part = taken[start : start + TOGETHER]
        found = spark_says.each(spark, [c.sql(_kind(c)) for c in part])
        for call, said in zip(part, found, strict=True):
            _note(out, call, said)
    for call in alone:
        _note(out, call, spark_says.one(spark, call.sql(_kind(call))))
    return out


def _kind(call: Call) -> str:
    line = table()[call.name]
    return "within group" if line.order == "required" else line.kind


def _note(out: Outcome, call: Call, said: Said) -> None:
    out.calls += 1
    out.accepted += not said.error
    difference = _difference(call, said)
    if difference:
        out.differences.append((call, difference))


def _difference(call: Call, said: Said) -> str:
    """What we say otherwise than Spark; empty where we agree."""
    ours = call.said
    if isinstance(ours, str):
        return "" if said.error else f"we refuse ({ours}), Spark has {_columns(said)}"
    if said.error:
        return f"we have {ours.type}, Spark refuses: {said.error}"
    if ours.kind == "generator":
        columns = [(f.type, f.nullable) for f in ours.type.fields]
    else:
        columns = [(ours.type, ours.nullable)]
    theirs = [(kind, nullable) for _, kind, nullable in said.columns]
    if columns == theirs:
        return ""
    what = "inside" if [str(x) for x in columns] == [str(x) for x in theirs] else "type"
    if [t.all_nullable(k) for k, _ in columns] == [t.all_nullable(k) for k, _ in theirs]:
        what = "nullable" if [n for _, n in columns] != [n for _, n in theirs] else "inside"
    return f"{what}: we have {_said(columns)}, Spark has {_said(theirs)}"


def _columns(said: Said) -> str:
    return _said([(kind, nullable) for _, kind, nullable in said.columns])


def _said(columns: Sequence[tuple[t.SparkType, bool]]) -> str:
    return ", ".join(
        f"{_inside(kind)}{'' if nullable else ' not null'}" for kind, nullable in columns
    )


def _inside(kind: t.SparkType) -> str:
    """A type with what inside cannot be NULL."""
    match kind.kind:
        case "array" | "map":
            parts = ",".join(map(_inside, kind.parts))
            return f"{kind.kind}<{parts}{'' if kind.holds_null else '!'}>"
        case "struct":
            fields = (f"{f.name}:{_inside(f.type)}{'' if f.nullable else '!'}" for f in kind.fields)
            return f"struct<{','.join(fields)}>"
    return str(kind)


def main() -> None:
    """Draw, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    from substrait_sql import local_session

    spark = local_session("local[1]", {"spark.sql.timeType.enabled": "true"})
    spark_says.quiet()
    spark_types.table(spark)
    only = [name for name in options.only.split(",") if name]
    out = compare(spark, list(drawn(options.calls, options.seed, only)))
    agreed = out.calls - len(out.differences)
    names = Counter(call.name for call, _ in out.differences)
    print(
        f"{out.calls} calls, Spark takes {out.accepted}; {agreed} as we say ({agreed / out.calls:.2%})"
    )
    for name, count in names.most_common():
        print(f"{name}: {count}")
        for call, difference in [d for d in out.differences if d[0].name == name][: options.show]:
            print(f"    {call.sql(_kind(call))}\n        {difference}")


if __name__ == "__main__":
    main()
