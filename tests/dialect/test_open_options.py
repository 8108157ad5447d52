"""What a function gives where a plan names none of its options: a value of the declared type, never NULL."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

import substrait_sql
from substrait_sql import DialectError
from tests.support import build, run
from tests.support.build import call, lit, plan, table

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from tests.support.build import Expr, R

VALUES = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan)


def _logarithms(r: R) -> list[Expr]:
    one = [call("logarithmic", f"{n}:fp64", "fp64", r[0]) for n in ("ln", "log2", "log10", "log1p")]
    return [*one, call("logarithmic", "logb:fp64_fp64", "fp64", r[0], lit(2.0, "fp64"))]


def _expected(x: float) -> list[float]:
    def log(v: float) -> float:
        if math.isnan(v) or v < 0:
            return math.nan
        return -math.inf if v == 0 else math.log(v)

    return [log(x), log(x) / math.log(2), log(x) / math.log(10), log(1 + x), log(x) / math.log(2)]


def test_logarithms_are_not_null(spark: SparkSession) -> None:
    """Of columns that are not nullable, at every end of the domain; no row is lost to a condition either."""
    values = build.virtual("x:fp64", *((v,) for v in VALUES))
    rows = run.last_rows(
        spark, plan((values.project(_logarithms, emit=[1, 2, 3, 4, 5]), "a b c d e")), {}
    )
    for x, row in zip(VALUES, rows, strict=True):
        for got, want in zip(row, _expected(x), strict=True):
            assert got is not None
            assert got == pytest.approx(want, nan_ok=True)


def test_another_choice(tmp_path: Path) -> None:
    """By the call, or by a dialect of one's own; the plan's own options stand."""
    x = table("t", "x:fp64").project(lambda r: _logarithms(r)[:1], emit=[1])
    made = plan((x, "y"))
    assert "-Infinity" in substrait_sql.to_sql(made)
    chosen = substrait_sql.to_sql(
        made, open_options={"on_log_zero": "error", "on_domain_error": "NULL"}
    )
    assert "raise_error('logarithm of zero')" in chosen
    assert "NaN" not in chosen
    (tmp_path / "dialect.yaml").write_text(
        "name: strict\nmetadata: {extends: spark, open_options: {on_log_zero: ERROR}}\n"
    )
    assert "raise_error('logarithm of zero')" in substrait_sql.to_sql(made, dialect=tmp_path)
    with pytest.raises(DialectError, match="SS2409"):
        substrait_sql.to_sql(made, open_options={"on_log_zeros": "ERROR"})
    with pytest.raises(DialectError, match="SS2409 no function has the value FOO"):
        substrait_sql.to_sql(made, open_options={"on_log_zero": "foo"})
    for wrong in ("on_log_zer: ERROR", "on_log_zero: FOO"):
        (tmp_path / "dialect.yaml").write_text(
            f"name: strict\nmetadata: {{extends: spark, open_options: {{{wrong}}}}}\n"
        )
        with pytest.raises(DialectError, match="SS2409") as refused:
            substrait_sql.to_sql(made, dialect=tmp_path)
        assert "dialect.yaml:2 metadata.open_options" in str(refused.value)


def test_nested_logarithms_do_not_double() -> None:
    """The number stands once in each, so that the text is as long as the plan."""

    def nested(r: R, depth: int) -> Expr:
        return r[0] if not depth else call("logarithmic", "ln:fp64", "fp64", nested(r, depth - 1))

    sizes = [
        len(
            "".join(
                substrait_sql.to_sql(
                    plan(
                        (table("t", "x:fp64").project(lambda r, d=d: [nested(r, d)], emit=[1]), "y")
                    )
                ).split()
            )
        )
        for d in (6, 12, 24)
    ]
    assert sizes[2] - sizes[1] < 2.2 * (sizes[1] - sizes[0])
