"""Types that a plan declares, and the values that its producer's engine has for them: DataFusion is asked.

One query for many expressions, over drawn values with NULLs and the ends of each type.
"""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import substrait_sql
from tests.producers.test_producers_own import own_rows, plain
from tests.support import rows, run
from tests.support.tpch import datafusion_context, datafusion_plan

if TYPE_CHECKING:
    from pathlib import Path

    from datafusion import SessionContext
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

# Columns of the table, by precision and scale; `az` is a column like `a` without a zero.
DECIMALS = {
    "a": (10, 2),
    "b": (15, 2),
    "c": (7, 3),
    "d": (20, 4),
    "e": (5, 0),
    "g": (18, 9),
    "h": (4, 4),
}
BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
ROWS = 30


def _decimals(draw: random.Random, precision: int, scale: int, least: int = 0) -> pa.Array:
    most = 10**precision - 1
    values: list[Decimal | None] = [None]
    for _ in range(ROWS - 1):
        digits = 10 ** draw.randint(1, precision) - 1
        number = draw.choice(
            [draw.randint(-digits, digits), draw.randint(-digits, digits), most, -most, 1, -7]
        )
        values.append(Decimal((number < 0, tuple(map(int, str(abs(number or least)))), -scale)))
    return pa.array(values, pa.decimal128(precision, scale))


def _unsigned(draw: random.Random, bits: int, least: int = 0) -> pa.Array:
    ends = [0, 1, 2, 2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1]
    drawn = [draw.choice([*ends, draw.randrange(2**bits)]) or least for _ in range(ROWS - 1)]
    return pa.array([None, *drawn], getattr(pa, f"uint{bits}")())


def _table() -> pa.Table:
    draw = random.Random(5)
    columns = {
        "id": pa.array(range(ROWS), pa.int64()),
        "m": pa.array([i % 4 for i in range(ROWS)], pa.int32()),
    }
    for name, size in DECIMALS.items():
        columns[name] = _decimals(draw, *size)
        columns[f"{name}z"] = _decimals(draw, *size, least=1)
    for name, bits in BITS.items():
        columns[name] = _unsigned(draw, bits)
        columns[f"{name}z"] = _unsigned(draw, bits, least=1)
    columns["i"] = pa.array(
        [draw.choice([None, 0, 1, -1, 255, 256, 65536, 2**32, 2**40]) for _ in range(ROWS)]
    )
    columns["f"] = pa.array(
        [draw.choice([None, 0.0, 1.7, -0.5, -1.0, 255.9, 256.0, 1e10]) for _ in range(ROWS)]
    )
    columns["s"] = pa.array(
        [draw.choice([None, "7", "-1", "255", "256", "x", "65536", "0"]) for _ in range(ROWS)]
    )
    return pa.table(columns)


LISTS = pa.table(
    {
        "id": pa.array([0, 1, 2, -1, 5, None, 4], pa.int64()),
        "j": pa.array([0, 1, 2, -1, 5, None, -3], pa.int32()),
        "l": pa.array(
            [[1, 2, 3], [None, 2], [], None, [4, None, 4], [1], [4, 9]], pa.list_(pa.int64())
        ),
        "s": pa.array([["a"], ["b", None], [], None, ["c"], ["a", "a"], ["x"]]),
        "d": pa.array([dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(999, 3, 4), None] * 2)[:7],
        "ts": pa.array(
            [
                dt.datetime(1, 1, 1, 3, 4, 5, 6),
                dt.datetime(99, 7, 8, 9, 10, 11),
                None,
                dt.datetime(1000, 1, 1),
            ]
            * 2,
            pa.timestamp("us"),
        )[:7],
    }
)


def _select(table: str, *expressions: str) -> str:
    return f"SELECT {', '.join(f'{e} AS c{i}' for i, e in enumerate(expressions))} FROM {table}"


def _of_type(name: str) -> dict[str, str]:
    """Everything that is done with an unsigned integer."""
    z = f"{name}z"
    sql = {"u8": "TINYINT", "u16": "SMALLINT", "u32": "INT", "u64": "BIGINT"}[name]
    casts = [x for x in ("i", "f", "s", "a", *BITS) if x != name]
    values = [
        *(f"{name} {op} {z}" for op in "+-*/%"), f"({name} + {z}) * {z} - {name}",
        *(f"{name} {op} {z}" for op in (">>", "<<", "&", "|")), f"{name} >> 3", f"{name} & 6",
        f"({name} & {z}) >> {z} << {z} | {name}",
        f"coalesce({name}, {z})", f"nullif({name}, {z})", f"greatest({name}, {z})", f"abs({name})",
        f"{name} + 1", f"{name} - 1", f"{name} % 3", f"{name} + f", f"{name} + 1.5",
        *(f"TRY_CAST({x} AS {sql} UNSIGNED)" for x in casts),
        *(f"TRY_CAST({name} AS {t})" for t in ("TINYINT", "SMALLINT", "INT", "BIGINT")),
        f"CAST({name} AS DOUBLE)", f"CAST({name} AS VARCHAR)", f"CAST({name} AS DECIMAL(20, 0))",
    ]  # fmt: skip
    return {
        f"{name}_values": _select("t", "id", *values),
        f"{name}_in_windows": _select("t", "id", f"sum({name}) OVER (ORDER BY id)", f"{name} - min({name}) OVER ()",
                f"lag({name}) OVER (ORDER BY id)"),
        f"{name}_compared": _select("t", "id", *(f"{name} {op} {z}" for op in ("=", "<", ">=")), f"{name} > 3",
                f"{name} = i", f"{name} > f")
        + f" WHERE {name} IN (1, 2, 255) OR {name} BETWEEN 1 AND 200",
        f"{name}_of_groups": _select("t", "m", f"sum({name})", f"avg({name})", f"min({name})",
                f"max({name}) - min({name})", f"sum(DISTINCT {name})", f"sum({name}) - sum({z})",
                f"sum({name}) + sum({z})", f"count({name})")
        + " GROUP BY m",
        f"{name}_united": f"SELECT {name} FROM t UNION ALL SELECT {z} FROM t",
    }  # fmt: skip


LONG = "CAST('12345678901234567890.123456789' AS DECIMAL(38, 10))"
QUERIES = {
    "quotients": _select("t", "id", *(f"{x} / {y}z" for x in DECIMALS for y in DECIMALS)),
    "quotients_of_integers": _select(
        "t", "id", *(e for x in DECIMALS for e in (f"{x} / i", f"{x} / 3", f"{x} / 7.0", f"m / {x}z"))
    )
    + " WHERE i <> 0",
    "averages": _select("t", "m", *(f"avg({x})" for x in DECIMALS)) + " GROUP BY m",
    "averages_of_some": _select(
        "t", "m", *(e for x in "abg" for e in (f"avg(DISTINCT {x})", f"avg({x}) FILTER (WHERE id > 3)"))
    )
    + " GROUP BY m",
    "averages_of_none": _select("t", *(f"avg({x})" for x in DECIMALS)) + " WHERE id < 0",
    "averages_in_windows": _select(
        "t", "id", "avg(a) OVER (PARTITION BY m ORDER BY id)", "avg(b) OVER (PARTITION BY m) - b",
        "avg(b) OVER (PARTITION BY m ORDER BY id ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)",
    ),
    "nested": _select(
        "t", "id", "a / bz * 100", "a / bz / cz", "(a / bz + 1) * c", "round(a / bz, 2)", "a / bz > c / dz",
        "a % cz", "b % dz", "round(a, 1)", "abs(a)", "-a", "d * e", "a * a",
    ),
    "of_groups": _select(
        "t", "m", "sum(a) / sum(b)", "sum(a) * 100 / sum(b)", "sum(a) / count(*)", "avg(a) / avg(b)",
        "avg(a) * avg(c)", "sum(a * c) / sum(c)", "avg(a / bz)", "avg(-a)", "avg(m)", "avg(i)",
    )
    + " GROUP BY m HAVING avg(a) IS NOT NULL",
    "long": _select("l", "id", *(f"CAST(1 AS DECIMAL(38, 10)) {op} CAST(id AS DECIMAL(9, 2))" for op in "+-*")),
    "long_by_a_number": _select(
        "l", *(f"{LONG} {op} id * 0 {op} {n}" for op in "+-" for n in (2, -3)),
        *(f"({LONG} + id * 0) * {n}" for n in (2, -3, 12345)),
    ),
    "elements": _select("l", "l[0]", "l[id]", "l[j]", "l[-1]", "l[-5]", "l[9]", "s[id]", "s[2]"),
    "elements_found": _select(
        "l", "array_has(l, NULL)", "array_has(l, id)", "array_has(l, 2)", "array_has(s, 'a')",
        "array_position(l, NULL)", "array_position(l, id)", "array_position(l, nullif(id, id))", "array_position(l, 2)",
    ),
    "elements_changed": _select(
        "l", "array_remove(l, NULL)", "array_remove(l, id)", "array_remove(l, 4)", "array_replace(l, NULL, 7)",
        "array_replace(l, id, 7)", "array_replace(l, 4, NULL)",
    ),
    "dates_as_text": _select("l", *(f"to_char(d, '%{c}')" for c in "YyCGgjUWVuwedmBAxDF")),
    "moments_as_text": _select("l", *(f"to_char(ts, '%{c}')" for c in (*"YcHIklMSpPTRrX%", "-Y", "-d", "-H"))),
    **{case: sql for name in BITS for case, sql in _of_type(name).items()},
}  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("declared")
    made = {"t": folder / "t.parquet", "l": folder / "l.parquet"}
    pq.write_table(_table(), made["t"])
    pq.write_table(LISTS, made["l"])
    return made


@pytest.fixture(scope="module")
def context(files: dict[str, Path]) -> SessionContext:
    return datafusion_context(files)


@pytest.fixture(scope="module")
def names(files: dict[str, Path], spark: SparkSession) -> dict[str, DataFrame]:
    """The tables, each read once."""
    return {k: spark.read.parquet(str(v)).coalesce(1) for k, v in files.items()}


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, Decimal) and value == int(value) else value


@pytest.mark.parametrize("query", QUERIES)
def test_datafusion_has_the_same_value(
    query: str, context: SessionContext, names: dict[str, DataFrame], spark: SparkSession
) -> None:
    want = [tuple(map(_number, row)) for row in own_rows(context, QUERIES[query])]
    plan = datafusion_plan(context, QUERIES[query])
    got = [tuple(_number(plain(v)) for v in row) for row in run.last_rows(spark, plan, names)]
    difference = rows.difference(got, want)
    assert not difference, f"{difference}\n\n{substrait_sql.to_sql(plan)}"
