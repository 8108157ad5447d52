"""Runs cases on Spark and says of each whether it passed, was refused, or is wrong.

Scalar calls run twice: with their arguments as columns of a table, so that no constant folding hides the function
itself, and with literals; where not all of them may be columns, with the first one as one, too.
Aggregate calls run as a measure and, over rows, as a window function.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.run.execute import execute
from substrait_sql.testing.cases import plans, values
from substrait_sql.testing.cases.read import Case, Literal
from substrait_sql.testing.cases.types import spark_type, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    import substrait.proto as pb
    from pyspark.sql import DataFrame, SparkSession

PASSED, REFUSED, WRONG = "passed", "refused", "wrong"
_BATCH = 40
_EXCLUDED = "spark.sql.optimizer.excludedRules"
# It computes a projection of VALUES while planning, without the code that runs for tables.
_FOLDING = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"


@dataclass(frozen=True)
class Outcome:
    """What became of a case. form: column, literal, first column, aggregate, window. what: passed, refused or wrong."""

    case: Case
    form: str
    what: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.case} [{self.form}] {self.what}: {self.why}"


@dataclass(frozen=True)
class Engine:
    """A session, and the dialect that is written for it."""

    spark: SparkSession
    dialect: str | PathLike[str]

    def execute(self, plan: Any) -> DataFrame:
        """The rows of a plan."""
        return execute(self.spark, plan, dialect=self.dialect)

    def text(self, plan: Any) -> str:
        """The SQL of a plan."""
        return pipeline.to_sql(plan, dialect=self.dialect)


def run(
    spark: SparkSession, cases: Sequence[Case], dialect: str | PathLike[str] = "spark"
) -> list[Outcome]:
    """The outcomes of the cases, each in all its forms."""
    engine = Engine(spark, dialect)
    found: list[Outcome] = []
    scalar = [c for c in cases if c.kind == "scalar"]
    with _without_folding(spark):
        for form in ("column", "literal"):
            found += _scalar(engine, scalar, form)
        # Where an argument has to be a constant, the first one may be a column all the same.
        refused = {id(o.case) for o in found if o.form == "column" and o.what == REFUSED}
        found += _scalar(engine, [c for c in scalar if id(c) in refused], "first column")
        aggregates = [c for c in cases if c.kind == "aggregate"]
        found += _over_rows(engine, aggregates, "aggregate")
        filled = [c for c in aggregates if c.table and c.table.rows]
        windows = [c for c in cases if c.kind == "window"]
        found += _over_rows(engine, [*windows, *filled], "window")
    return found


@contextmanager
def _without_folding(spark: SparkSession) -> Iterator[None]:
    before = spark.conf.get(_EXCLUDED, None)
    spark.conf.set(_EXCLUDED, _FOLDING)
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(_EXCLUDED)
        else:
            spark.conf.set(_EXCLUDED, before)


def _scalar(engine: Engine, cases: Sequence[Case], form: str) -> list[Outcome]:
    found: list[Outcome] = []
    together: list[Case] = []
    early = _refused_scalars(engine, cases, form)
    found += early.values()
    for case in cases:
        if id(case) in early:
            continue
        if case.expected == "ERROR":
            found.append(_single(engine, case, form, lambda c=case: plans.scalar([c], form)))
        else:
            together.append(case)
    for i in range(0, len(together), _BATCH):
        found += _batch(engine, together[i : i + _BATCH], form)
    return found


def _refused_scalars(engine: Engine, cases: Sequence[Case], form: str) -> dict[int, Outcome]:
    """By the identity of the case those that have no SQL. Where a batch has one, each of its cases has."""
    found: dict[int, Outcome] = {}
    for i in range(0, len(cases), _BATCH):
        some = cases[i : i + _BATCH]
        if _refused(engine, some[0], form, lambda s=some: plans.scalar(s, form)) is None:
            continue
        for case in some:
            early = _refused(engine, case, form, lambda c=case: plans.scalar([c], form))
            if early is not None:
                found[id(case)] = early
    return found


def _over_rows(engine: Engine, cases: Sequence[Case], form: str) -> list[Outcome]:
    """Aggregate and window calls; those of one result type go into one plan."""
    found: list[Outcome] = []
    alike: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        early = _refused(engine, case, form, lambda c=case: plans.together([c], form))
        if early is not None:
            found.append(early)
        elif case.expected == "ERROR":
            found.append(_single(engine, case, form, lambda c=case: plans.together([c], form)))
        else:
            alike[plans.result_type(case)].append(case)
    for some in alike.values():
        for i in range(0, len(some), _BATCH // 2):
            found += _union(engine, some[i : i + _BATCH // 2], form)
    return found


def _union(engine: Engine, cases: Sequence[Case], form: str) -> list[Outcome]:
    """Several calls in one plan; where it fails, half of them at a time."""
    try:
        rows, types = _collect(engine.execute(plans.together(cases, form)))
    except Exception as error:
        if len(cases) == 1:
            return [Outcome(cases[0], form, WRONG, _brief(error))]
        middle = len(cases) // 2
        return _union(engine, cases[:middle], form) + _union(engine, cases[middle:], form)
    values_of: dict[int, list[Any]] = defaultdict(list)
    for row in sorted(rows, key=lambda r: r[1]):
        values_of[row[2] if len(cases) > 1 else 0].append(row[0])
    return [_judged(case, form, values_of[i], types[0]) for i, case in enumerate(cases)]


def _refused(engine: Engine, case: Case, form: str, make: Any) -> Outcome | None:
    """The outcome if the plan cannot be made or is refused, None if there is SQL for it."""
    try:
        engine.text(make())
    except SubstraitSqlError as error:
        return Outcome(case, form, REFUSED, str(error).replace("\n", " "))
    except Exception as error:
        return Outcome(case, form, WRONG, f"{type(error).__name__}: {error}")
    return None


def _batch(engine: Engine, cases: Sequence[Case], form: str) -> list[Outcome]:
    """Several cases in one plan; where it fails, half of them at a time."""
    try:
        rows, types = _collect(engine.execute(plans.scalar(cases, form)))
    except Exception as error:
        if len(cases) == 1:
            return [_failed(cases[0], form, error)]
        middle = len(cases) // 2
        return _batch(engine, cases[:middle], form) + _batch(engine, cases[middle:], form)
    return [_judged(case, form, [row[i] for row in rows], types[i]) for i, case in enumerate(cases)]


def _single(engine: Engine, case: Case, form: str, make: Any) -> Outcome:
    early = _refused(engine, case, form, make)
    if early is not None:
        return early
    try:
        frame = engine.execute(make())
    except Exception as error:
        return Outcome(case, form, WRONG, _brief(error))
    try:
        rows, types = _collect(frame)
    except Exception as error:
        if case.expected == "ERROR":
            return Outcome(case, form, PASSED, _brief(error))
        return _failed(case, form, error)
    return _judged(case, form, [row[0] for row in rows], types[0])


# What the SQL raises for a pattern that is known only when rows are made, and may mean something else to Java.
GUARD = "a pattern that Java may read otherwise than ICU"


def _failed(case: Case, form: str, error: Exception) -> Outcome:
    return Outcome(case, form, REFUSED if GUARD in str(error) else WRONG, _brief(error))


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}".replace("\n", " ")


def _judged(case: Case, form: str, got: list[Any], spark_says: str) -> Outcome:
    """The outcome for the values of a column. Every row is to have the expected value."""
    match case.expected:
        case "UNDEFINED":
            return Outcome(case, form, PASSED)
        case "ERROR":
            return Outcome(case, form, WRONG, f"got {got[:1]}, expected an error")
        case Literal() as one:
            expected = [one] * len(got)
        case _:
            expected = list(case.expected)
    if form == "aggregate" and len(got) != 1:
        return Outcome(case, form, WRONG, f"{len(got)} rows, expected one")
    if len(got) != len(expected):
        return Outcome(case, form, WRONG, f"{len(got)} rows, expected {len(expected)}")
    for value, want in zip(got, expected, strict=True):
        t = type_of(want.type)
        if not values.same(value, want.raw, t):
            return Outcome(case, form, WRONG, f"got {value!r}, expected {want.raw}")
        wanted = _type(t)
        if wanted is not None and wanted != spark_says:
            return Outcome(case, form, WRONG, f"got a {spark_says}, expected a {wanted}")
    return Outcome(case, form, PASSED)


def _type(t: pb.Type) -> str | None:
    return spark_type(t)


def _collect(frame: DataFrame) -> tuple[list[list[Any]], list[str]]:
    """The rows, with points in time in UTC and months as numbers, and Spark's names of the types."""
    types = [f.dataType.simpleString() for f in frame.schema.fields]
    months = "{0} IS NULL, NULL, extract(YEAR FROM {0}) * 12 + extract(MONTH FROM {0})"
    plain = [
        f"if({months.format(name)}) AS {name}" if t.startswith("interval year") else name
        for name, t in zip(frame.columns, types, strict=True)
    ]
    if plain != frame.columns:
        frame = frame.selectExpr(*plain)
    zoned = {i for i, t in enumerate(types) if t == "timestamp"}
    return [
        [v.astimezone(dt.UTC) if i in zoned and v is not None else v for i, v in enumerate(row)]
        for row in frame.collect()
    ], types
