"""Decimals that no third one holds, compared by every means, against Python's own."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from tests.support import build
from tests.support.run import last_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Compare = Callable[[Any, Any], Any]
PYTHONS: dict[str, Compare] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
}
# Wide before the point, fine behind it.
PAIRS = [((38, 0), (38, 10)), ((38, 2), (38, 37)), ((38, 0), (38, 38)), ((30, 4), (20, 18))]


def ends(size: tuple[int, int], other: tuple[int, int]) -> list[Decimal | None]:
    """The ends of a decimal's range and of where the other one's digits begin, zero, the least above it, and NULL."""
    precision, scale = size
    unit = Decimal(1).scaleb(-scale)
    beyond = Decimal(1).scaleb(38 - other[1]) if other[1] > scale else Decimal(1)
    most = Decimal(1).scaleb(precision - scale) - unit
    found = {most, unit, beyond, beyond - unit, beyond + unit, Decimal(1), Decimal(0)}
    kept = sorted(d for f in found for d in (f, -f) if abs(d) <= most and d == d.quantize(unit))
    kept = [d.quantize(unit) + 0 for d in kept]
    return [*dict.fromkeys(kept), None]


def known(compare: Compare) -> Compare:
    return lambda x, y: None if x is None or y is None else compare(x, y)


def both(x: build.Expr, y: build.Expr) -> dict[str, tuple[build.Expr, Compare]]:
    """Each comparison as an expression, and what it is."""
    found = {
        name: (build.call("comparison", f"{name}:any_any", "bool?", x, y), known(compare))
        for name, compare in PYTHONS.items()
    }
    found["same"] = (build.is_same(x, y), operator.eq)
    distinct = build.call("comparison", "is_distinct_from:any_any", "bool", x, y)
    found["distinct"] = (distinct, operator.ne)
    between = build.call("comparison", "between:any_any_any", "bool?", x, y, y)
    found["between"] = (between, known(operator.eq))
    found["in"] = (build.one_of(x, y, y), known(operator.eq))
    found["records"] = (build.record_one_of([x], [y], [y]), known(operator.eq))
    return found


def cross(x: Iterable[Any], y: Iterable[Any]) -> list[tuple[Any, Any]]:
    ys = list(y)
    return [(a, b) for a in x for b in ys]


@pytest.mark.spark
@pytest.mark.parametrize(("wide", "fine"), PAIRS)
def test_comparisons(spark: SparkSession, wide: tuple[int, int], fine: tuple[int, int]) -> None:
    """Every pair of the values at the ends, each side first, in columns that may be NULL and in those that may not."""
    with localcontext(prec=80):
        xs, ys = ends(wide, fine), ends(fine, wide)
    pairs = cross(xs, ys)
    whole = [p for p in pairs if None not in p]
    types = [f"dec<{p},{s}>" for p, s in (wide, fine)]
    rows = [tuple(None if v is None else str(v) for v in p) for p in pairs]
    results = []
    for mark, given in (("?", rows), ("", [r for r in rows if None not in r])):
        source = build.virtual(f"x:{types[0]}{mark} y:{types[1]}{mark}", *given)
        shown = source.select(
            lambda r: [e for z in ((r[0], r[1]), (r[1], r[0])) for e, _ in both(*z).values()]
        )
        names = " ".join(f"c{i}" for i in range(len(shown.types)))
        results.append(last_rows(spark, build.plan((shown, names)), {}))
    compares = [compare for _, compare in both(source.row[0], source.row[1]).values()]
    for given_pairs, found in zip((pairs, whole), results, strict=True):
        want = [tuple(c(*z) for z in ((x, y), (y, x)) for c in compares) for x, y in given_pairs]
        assert sorted(map(repr, found)) == sorted(map(repr, want))


@pytest.mark.spark
def test_rows_and_keys(spark: SparkSession) -> None:
    """IN, ANY and ALL over a query, as a condition and as a value, and the keys of a join."""
    wide, fine = (38, 0), (38, 10)
    with localcontext(prec=80):
        xs, ys = ends(wide, fine), ends(fine, wide)
    left = build.virtual("x:dec<38,0>?", *[(None if x is None else str(x),) for x in xs])
    right = build.virtual("y:dec<38,10>?", *[(None if y is None else str(y),) for y in ys])
    kept = build.virtual("y:dec<38,10>", *[(str(y),) for y in ys if y is not None])
    tests = {
        "in": (lambda r: build.in_(right, r[0]), lambda x: any_of(x, ys, operator.eq)),
        "not in": (
            lambda r: build.not_(build.in_(kept, r[0])),
            lambda x: negated(any_of(x, ys[:-1], operator.eq)),
        ),
        "any": (
            lambda r: build.compare(r[0], "GT", "ANY", right),
            lambda x: any_of(x, ys, operator.gt),
        ),
        "all": (
            lambda r: build.compare(r[0], "LE", "ALL", kept),
            lambda x: negated(any_of(x, ys[:-1], operator.gt)),
        ),
    }
    for name, (sql, python) in tests.items():
        source = left.project(lambda r, sql=sql: [sql(r)])
        found = last_rows(spark, build.plan((source, "x found")), {})
        assert sorted(map(repr, found)) == sorted(repr((x, python(x))) for x in xs), name
        source = left.filter(sql)
        found = last_rows(spark, build.plan((source, "x")), {})
        assert sorted(map(repr, found)) == sorted(repr((x,)) for x in xs if python(x)), name
    joined = left.hash_join(right, "INNER", (0, 0))
    found = last_rows(spark, build.plan((joined, "x y")), {})
    want = [(x, y) for x in xs for y in ys if x is not None and y is not None and x == y]
    assert sorted((x, y) for x, y in found) == sorted(want)


def any_of(x: Any, values: list[Any], compare: Compare) -> bool | None:
    found = [known(compare)(x, y) for y in values]
    return True if True in found else None if None in found else False


def negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def test_one_text() -> None:
    """The form of the page; a side that cannot be NULL is not asked about."""
    source = build.table("t", "x:dec<38,0> y:dec<38,10>")
    sql = substrait_sql.to_sql(
        build.plan(
            (
                source.filter(lambda r: build.call("comparison", "gt:any_any", "bool", r[0], r[1])),
                "x y",
            )
        )
    )
    assert "coalesce(TRY_CAST(x AS DECIMAL(38, 10)) > y, x > 0)" in " ".join(sql.split())
