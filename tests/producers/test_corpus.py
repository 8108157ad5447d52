"""The TPC-H plans of a corpus of real plans, when it lies beside the checkout.

Without it the plans that producers make at test time stand in.

Nothing may be wrong or crash. What is refused is refused with a diagnostic, and counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import AnalysisException

import substrait_sql
from substrait_sql.wire.inside import within
from tests.producers import test_producers, test_tpch
from tests.support import rows, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHARED = Path(__file__).parents[3] / "shared"
CORPUS, DATA = SHARED / "corpus", SHARED / "data"


def _entries() -> list[dict[str, Any]]:
    index = CORPUS / "index.jsonl"
    if not index.exists():
        return []
    lines = map(json.loads, index.read_text(encoding="utf-8").splitlines())
    return [
        e
        for e in lines
        if ("tpch" in e["plan"] and e["tier"] in "ABC" and e["message"] == "Plan")
        or e["plan"] in MEANT
    ]


# What plans say whose expected rows come from an engine that reads them otherwise; DuckDB runs this.
UNBOUNDED = "SELECT id, sum(id) OVER () FROM t WHERE i16 IS NOT NULL"
MEANT = {
    # DataFusion's writer loses the offsets of RANGE frames: both bounds of these plans are unbounded.
    "live-datafusion55/extra__win_range_frame_num__unopt.bin": UNBOUNDED,
    "live-datafusion48/extra__win_range_frame_num__unopt.bin": UNBOUNDED,
    "live-datafusion40/extra__win_range_frame_num__unopt.bin": UNBOUNDED,
    # DataFusion's reader returns no row for ANY.
    "substrait-cpp/data__set-comparision-any_0.json": """SELECT n_regionkey FROM nation
        WHERE n_regionkey < ANY (SELECT n_regionkey FROM nation)""",
    # The column behind the keys is the number of the set, from 0; DataFusion's reader makes a bit mask of it.
    "validator/relations__aggregate__multi-set-reused.json": """SELECT b, a, 0 FROM test GROUP BY b, a
        UNION ALL SELECT NULL, a, 1 FROM test GROUP BY a""",
    # DataFusion's reader passes over the filter of a read; no department has the number 1.
    "duckdb-extension/test__c__test_projection.cpp_5.json":
        "SELECT name, salary, salary * 1.2 FROM employees WHERE department_id = 1",
    # DuckDB 1.1 drops the input of a projection without emit, and the filter after a join.
    "live-substrait-python-tests/builders_plan_test_project__test_project.bin": 'SELECT *, id FROM "table"',
    "live-substrait-python-tests/dataframe_test_frame__test_correlated_exists_in_join_post_filter_is_id_based.bin":
        "SELECT l.a, r.b FROM l JOIN r ON l.a = r.b WHERE EXISTS (SELECT 1 FROM i WHERE i.k = l.a)",
}  # fmt: skip
ENTRIES = _entries()
# Rows that the plan does not determine, or that the corpus itself doubts, prove nothing either way.
UNSURE = ("LIMIT_WITHOUT_ORDER", "EXPECTED_SUSPECT")
REFUSED: dict[str, str] = {}
# Expected rows that one engine alone stands for, and that are wrong. DataFusion binds the outer
# reference of TPC-H 21 to the inner LINEITEM; the query's own text returns this row on the same
# files (DuckDB).
CORRECTED: dict[str, list[tuple[Any, ...]]] = {
    "substrait-postgres/testdata__tpch__tpch-plan21_0.json": [("Supplier#000000074", 9)],
}


def _source(entry: dict[str, Any]) -> bytes | str:
    data = (CORPUS / entry["plan"]).read_bytes()
    return data if entry["encoding"] == "binary" else data.decode()


def _expected(entry: dict[str, Any]) -> list[tuple[Any, ...]] | None:
    """Return the expected rows; those that are stored as text are of no use for exact
    comparison."""
    import pyarrow.parquet as pq

    path = entry["expected"]
    if not path or not path.endswith(".parquet"):
        return None
    table = pq.ParquetFile(CORPUS / path).read()
    columns = [table.column(i).to_pylist() for i in range(table.num_columns)]
    return list(zip(*columns, strict=True))


def _meant(entry: dict[str, Any]) -> list[tuple[Any, ...]] | None:
    import duckdb

    if entry["plan"] not in MEANT:
        return None
    connection = duckdb.connect()
    for name, path in entry["tables"].items():
        connection.sql(f"CREATE VIEW \"{name}\" AS FROM '{DATA / path}'")
    return connection.sql(MEANT[entry["plan"]]).fetchall()


def _is_untyped(entry: dict[str, Any]) -> bool:
    """Whether some table has names of columns and no types, as DataFusion and DuckDB wrote it for years."""
    plan = substrait_sql.wire.read(_source(entry)).plan
    schemas = [m.base_schema for m in within(plan) if m.DESCRIPTOR.name == "ReadRel"]
    return any(len(s.struct.types) < len(s.names) or not s.names for s in schemas)


@dataclass
class Runs:
    """What was run and read: a third of the plans have the text of another release's, and all have the same tables."""

    spark: SparkSession
    tables: dict[str, Any] = field(default_factory=dict)
    rows: dict[tuple[str, ...], list[tuple[Any, ...]]] = field(default_factory=dict)

    def of(self, entry: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of a plan. One without types has its text from the tables: it is run in any case."""
        files = sorted((name, str(DATA / path)) for name, path in entry["tables"].items())
        if _is_untyped(entry):
            return self._run(entry, files)
        key = substrait_sql.to_sql(_source(entry)), *map(str, files)
        if key not in self.rows:
            self.rows[key] = self._run(entry, files)
        return self.rows[key]

    def _run(self, entry: dict[str, Any], files: list[tuple[str, str]]) -> list[tuple[Any, ...]]:
        tables = {name: self.table(path) for name, path in files}
        return run.collect(run.frames(self.spark, _source(entry), tables)[-1])

    def table(self, path: str) -> Any:
        """The table, opened once; the path where Spark by itself cannot read it."""
        if path not in self.tables:
            try:
                self.tables[path] = self.spark.read.parquet(path)
            except AnalysisException:
                self.tables[path] = path
        return self.tables[path]


@pytest.fixture(scope="module")
def runs(spark: SparkSession) -> Runs:
    return Runs(spark)


class TestCorpus:
    __test__ = bool(ENTRIES)

    @pytest.mark.usefixtures("compiled")
    @pytest.mark.parametrize("entry", ENTRIES, ids=[e["plan"] for e in ENTRIES])
    def test_rows(self, entry: dict[str, Any], runs: Runs) -> None:
        try:
            got = runs.of(entry)
        except substrait_sql.SubstraitSqlError as refused:
            REFUSED[entry["plan"]] = str(refused)
            assert refused.diagnostics
            assert refused.code
            return
        known = (CORRECTED.get(entry["plan"]), _meant(entry), _expected(entry))
        want = next((rows_ for rows_ in known if rows_ is not None), None)
        if want is None or any(f.startswith(UNSURE) for f in entry["flags"]):
            return
        difference = rows.difference(got, want, loose=True)
        assert not difference, f"{difference}\n\n{substrait_sql.to_sql(_source(entry))}"

    def test_refusals(self) -> None:
        """A consistent plan (tier A) is never refused; of all at most a tenth."""
        tiers = {e["plan"]: e["tier"] for e in ENTRIES}
        consistent = {p: why for p, why in REFUSED.items() if tiers[p] == "A"}
        assert not consistent
        assert len(REFUSED) <= len(ENTRIES) / 10, REFUSED


def test_live_plans_are_collected_too(request: pytest.FixtureRequest) -> None:
    """With or without the corpus, plans that producers make at test time are part of a whole
    run."""
    config = request.config
    selected = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    if selected or config.option.keyword or config.option.markexpr:
        return
    collected = {item.path.name for item in request.session.items}
    assert {Path(m.__file__).name for m in (test_tpch, test_producers)} <= collected
