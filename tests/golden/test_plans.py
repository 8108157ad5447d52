"""Every plan in tests/plans: its text is golden, is one statement, and returns the right rows.

A plan is `<area>/<name>.json`, `.pb` or `.txtpb`; beside it lie `<name>.sql` (golden) and
`<name>.rows.json`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel

import substrait_sql
from tests.support import rows, run
from tests.support.cases import PLANS, Case
from tests.support.cases import load as load_cases

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.golden import GoldenSql

FILES = sorted(
    p
    for suffix in ("*.json", "*.pb", "*.txtpb")
    for p in PLANS.rglob(suffix)
    if p.parent.name != "tables" and not p.name.endswith(".rows.json")
)
CASES = list(load_cases())

# Plans that are refused today, and the code that says so. Their rows are right all the same:
# whoever teaches us one removes its line here. The laws allow a refusal, never other rows.
REFUSED = {
    "aggregate/average_in_phases": "SS2152",
}


def name(path: Path) -> str:
    return str(path.relative_to(PLANS).with_suffix(""))


def statements_of(sql: str, dialect: str) -> list[Any]:
    """The trees of a text. Releases of sqlglot know other arguments of Spark's functions: any name is a call here."""
    grammar = Dialect.get_or_raise(dialect)
    parser = grammar.parser(error_level=ErrorLevel.IMMEDIATE)
    parser.FUNCTIONS = {}
    return parser.parse(grammar.tokenize(sql), sql)


RENDERED = [p for p in FILES if name(p) not in REFUSED]
every_plan = pytest.mark.parametrize("path", RENDERED, ids=map(name, RENDERED))


@pytest.fixture(scope="module")
def tables(spark: SparkSession, compiled: None) -> dict[str, DataFrame]:
    return run.plan_tables(spark)


def test_plans_are_there() -> None:
    assert len(FILES) >= 200


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c.area}/{c.name}")
def test_files_are_what_the_builder_says(case: Case) -> None:
    hint = "run: python -m tests.support.cases"
    assert case.path.exists(), hint
    assert case.path.read_bytes() == case.plan_file(), hint
    assert case.path.with_suffix(".rows.json").read_text(encoding="utf-8") == case.rows_file(), hint


@pytest.mark.parametrize(("plan", "code"), REFUSED.items())
def test_refused(plan: str, code: str) -> None:
    with pytest.raises(substrait_sql.UnsupportedError) as refused:
        substrait_sql.to_sql(PLANS / f"{plan}.json")
    assert refused.value.code == code
    assert refused.value.path.startswith("relations[0].root.input")


@every_plan
def test_golden_text(path: Path, golden_sql: GoldenSql) -> None:
    """The file beside the plan; `--golden-update` writes it, and never its rows."""
    golden_sql(path)


@every_plan
def test_each_text_is_one_statement(path: Path) -> None:
    for statement in substrait_sql.render(path).statements:
        assert len(statements_of(statement.sql, "spark")) == 1


@every_plan
@pytest.mark.spark
def test_rows(path: Path, spark: SparkSession, tables: dict[str, DataFrame]) -> None:
    expected = rows.load(path.with_suffix(".rows.json"))
    frames = run.frames(spark, path, tables)
    assert len(frames) == len(expected)
    for frame, want in zip(frames, expected, strict=True):
        assert frame.columns == want.columns
        types = [f.dataType.simpleString() for f in frame.schema.fields]
        checked = [t if w else None for t, w in zip(types, want.types, strict=True)]
        assert checked == want.types
        difference = rows.difference(run.collect(frame), want.rows, want.ordered)
        assert not difference, f"{difference}\n\n{substrait_sql.to_sql(path)}"


@pytest.mark.slow
def test_the_text_does_not_depend_on_the_hash_seed() -> None:
    """The same bytes in another process, under other seeds."""
    program = (
        "import sys, hashlib, pathlib, substrait_sql\n"
        "for p in sys.stdin.read().splitlines():\n"
        "    print(hashlib.sha256(substrait_sql.to_sql(pathlib.Path(p)).encode()).hexdigest(), p)\n"
    )
    listed = "\n".join(map(str, RENDERED))

    def texts(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", program],
            input=listed, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout  # fmt: skip

    assert texts("1") == texts("4242")
