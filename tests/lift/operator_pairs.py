"""Operators between all pairs of types: what Spark's analyser says of them, and what lifting says.

python -m tests.lift.operator_pairs [--calls N] [--seed S]
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SqlError
from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.schemas.catalog import Catalog, Table
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.types import Field, SparkType
from tests.lift import spark_says
from tests.lift.spark_types import KINDS, TABLE, table

if TYPE_CHECKING:
    from collections.abc import Sequence

_BINARY = (
    "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "{a} % {b}", "{a} div {b}", "{a} = {b}",
    "{a} <=> {b}", "{a} < {b}", "{a} >= {b}", "{a} <> {b}", "{a} & {b}", "{a} | {b}", "{a} ^ {b}",
    "{a} || {b}", "{a} AND {b}", "{a} OR {b}", "{a} IN ({b})", "{a} IN ({b}, NULL)", "{a} BETWEEN {b} AND {a}",
    "CASE WHEN true THEN {a} ELSE {b} END", "IF(false, {a}, {b})", "coalesce({a}, {b})",
    "CASE {a} WHEN {b} THEN 1 END", "array({a}, {b})", "{a} LIKE {b}", "nullif({a}, {b})", "greatest({a}, {b})",
    "{a} IS DISTINCT FROM {b}", "map(1, {a}, 2, {b})", "{a} RLIKE {b}",
)  # fmt: skip
_UNARY = (
    "-{a}",
    "+{a}",
    "~{a}",
    "NOT {a}",
    "{a} IS NULL",
    "{a} IS TRUE",
    "{a} IS NOT NULL",
    "struct({a})",
)
_LITERALS = (
    "1", "-1", "0", "100", "40000", "3000000000", "1S", "1Y", "1L", "1.0", "0.001", "123.45", "1e0", "1F",
    "1BD", "NULL", "'1'", "'a'", "true", "DATE '2024-01-31'", "TIMESTAMP '2024-01-31 01:02:03'",
    "TIMESTAMP_NTZ '2024-01-31 01:02:03'", "INTERVAL '1' DAY", "INTERVAL '2' HOUR", "INTERVAL '1-2' YEAR TO MONTH",
    "X'01'", "99999999999999999999",
)  # fmt: skip
# Types that a plan cannot hold.
_NOT_OURS = ("interval", "variant", "geometry", "geography", "time")


COLUMNS: dict[str, tuple[SparkType, bool]] = {
    f"{first}_{name}": (kind, first == "n") for name, kind in KINDS.items() for first in ("n", "r")
}


def columns() -> dict[str, SparkType]:
    """The columns of the table that a plan can hold."""
    return {n: k for n, (k, _) in COLUMNS.items() if _ours(k)}


def _ours(kind: SparkType) -> bool:
    inside = (*kind.parts, *(f.type for f in kind.fields))
    return kind.kind not in _NOT_OURS and all(map(_ours, inside))


def drawn(calls: int, seed: int) -> list[str]:
    """Expressions over columns and literals."""
    draw = random.Random(seed)
    operands = [*columns(), *_LITERALS]
    out = [u.format(a=a) for u in _UNARY for a in operands]
    while len(out) < calls:
        form = draw.choice(_BINARY)
        out.append(form.format(a=draw.choice(operands), b=draw.choice(operands)))
    draw.shuffle(out)
    return out[:calls]


@dataclass(frozen=True, slots=True)
class Difference:
    """An expression that lifting takes for another one than Spark does."""

    text: str
    spark: str
    ours: str


def ours(text: str) -> tuple[SparkType, bool] | str:
    """The type and nullability that lifting gives; the refusal as text."""
    fields = tuple(Field(n, k, nullable) for n, (k, nullable) in COLUMNS.items() if _ours(k))
    catalog = Catalog([Table((TABLE,), fields)])
    try:
        node, source = statement(f"SELECT {text} AS c FROM {TABLE}")
        column = query(node, Context(catalog, source)).columns[0]
    except SqlError as error:
        return str(error).splitlines()[0]
    return column.type, column.nullable


def compare(spark: Any, texts: Sequence[str], *, nullability: bool = True) -> list[Difference]:
    """Where the two differ."""
    out: list[Difference] = []
    for text, said in zip(texts, spark_says.each(spark, texts), strict=True):
        made = ours(text)
        if said.error or isinstance(made, str):
            if bool(said.error) != isinstance(made, str):
                out.append(Difference(text, said.error or str(said.columns[0][1]), str(made)))
            continue
        _, kind, nullable = said.columns[0]
        if not _ours(kind):
            continue
        if not t.same(kind, made[0]) or (nullability and nullable != made[1]):
            out.append(Difference(text, f"{kind} {nullable}", f"{made[0]} {made[1]}"))
    return out


def main() -> None:
    """Draws, compares, prints."""
    from substrait_sql import local_session

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=24)
    options = parser.parse_args()
    spark = local_session(
        "local[1]", {"spark.sql.session.timeZone": "UTC", "spark.sql.timeType.enabled": "true"}
    )
    spark_says.quiet()
    table(spark)
    texts = drawn(options.calls, options.seed)
    found: list[Difference] = []
    for start in range(0, len(texts), options.batch):
        found += compare(spark, texts[start : start + options.batch])
    for each in found:
        print(f"{each.text}\n    spark {each.spark[:150]}\n    ours  {each.ours[:150]}")
    print(f"{len(texts) - len(found)} of {len(texts)} agree, {len(found)} differ")


if __name__ == "__main__":
    main()
