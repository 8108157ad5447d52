"""One drawn statement on both sides: what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException

import substrait_sql
from substrait_sql import SubstraitSqlError
from tests.lift.drawn.draw import Query
from tests.lift.drawn.queries import statement
from tests.lift.drawn.tables import schema, views
from tests.oracle.run import FAST, Choices
from tests.support import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import SparkSession

# What is a fault of ours, the worst first. `fails late` is left to the eye: Spark is free in what it computes first.
FAULTS = ("wrong", "crashed", "spark error", "refused", "accepted")


@dataclass(frozen=True)
class Outcome:
    """kind: equal, invalid, both fail, fails late, known, or one of `FAULTS`; reason: what there is to say of it."""

    kind: str
    reason: str = ""
    sql: str = ""
    made: str = ""

    @property
    def family(self) -> str:
        """Outcomes that are likely to have one cause."""
        text = re.sub(r"(?s)Did you mean.*|SQLSTATE.*|\n.*", "", self.reason)
        text = re.sub(r"line \d+, column \d+|'[^']*'|\"[^\"]*\"|`[^`]*`|#?\d+", "…", text)
        return f"{self.kind}: {text[:110] if self.kind != 'wrong' else text.split(':')[0][:40]}"


def drawn(seed: int, depth: int) -> tuple[Query, list[float], int]:
    """The statement of that seed, the choices that it is made of, its depth: 1 to `depth`."""
    rng = Choices(seed)
    own = 1 + seed % depth
    return statement(rng, own), rng.made, own


@contextmanager
def prepared(spark: SparkSession) -> Iterator[SparkSession]:
    """The session with settings for tiny queries, and the tables; as it was before afterwards."""
    own = {key: value for key, value in FAST.items() if key.startswith("spark.sql.")}
    before = {key: spark.conf.get(key, None) for key in own}
    for key, value in own.items():
        spark.conf.set(key, value)
    views(spark)
    try:
        yield spark
    finally:
        for name in schema():
            spark.catalog.dropTempView(name)
        for key, old in before.items():
            if old is None:
                spark.conf.unset(key)
            else:
                spark.conf.set(key, old)


def attempt(spark: SparkSession, query: Query) -> Outcome:
    """Both sides of one statement."""
    sql, plan, made, refusal = query.text, None, "", ""
    try:
        plan = substrait_sql.to_plan(sql, schema=schema())
        made = substrait_sql.to_sql(plan)
    except SubstraitSqlError as error:
        refusal = f"{error.code} {_message(error)}"
    except Exception as error:
        return Outcome("crashed", f"{type(error).__name__}: {error}", sql)
    try:
        meant = spark.sql(sql)
    except Exception as error:
        if refusal:
            return Outcome("invalid", _said(error), sql)
        if not isinstance(error, AnalysisException):
            # Constants that fail are computed while Spark plans the statement; a plan has them, too.
            return Outcome("both fail", _said(error), sql, made)
        return Outcome("accepted", _said(error), sql, made)
    if plan is None or refusal:
        return Outcome("refused", refusal, sql)
    return _compared(spark, query, plan, made, meant)


def _compared(spark: SparkSession, query: Query, plan: Any, made: str, meant: Any) -> Outcome:
    sql = query.text
    want, failed = _rows(meant)
    try:
        ours = substrait_sql.execute(spark, plan)
    except Exception as error:
        return Outcome("spark error", _said(error), sql, made)
    got, fails = _rows(ours)
    if failed or fails:
        if failed and fails:
            return Outcome("both fail", failed, sql, made)
        return Outcome("spark error" if fails else "fails late", fails or failed, sql, made)
    if ours.columns != meant.columns:
        return Outcome("wrong", f"names: {ours.columns}, expected {meant.columns}", sql, made)
    types, expected = (
        [f.dataType.simpleString().replace("void", "string") for f in x.schema]
        for x in (ours, meant)
    )
    if types != expected:
        return Outcome("wrong", f"types: {types}, expected {expected}", sql, made)
    found = rows.difference(got, want, query.ordered)
    return Outcome("wrong" if found else "equal", found and f"rows: {found}", sql, made)


def _rows(frame: Any) -> tuple[list[tuple[Any, ...]], str]:
    try:
        return [tuple(r) for r in frame.collect()], ""
    except Exception as error:
        return [], _said(error)


def _message(error: SubstraitSqlError) -> str:
    return str(error).strip().splitlines()[0]


def _said(error: Exception) -> str:
    text = str(error).strip()
    return text[:300]


def attempts(
    spark: SparkSession, seeds: Iterable[int], depth: int
) -> Iterator[tuple[int, Outcome]]:
    """Each seed with its outcome, one after the other: `execute` has settings of its own while it plans."""
    for seed in seeds:
        yield seed, attempt(spark, drawn(seed, depth)[0])


def shrunk(seed: int, depth: int, fails: Callable[[Query], bool], tries: int = 120) -> Query:
    """A smaller statement that fails as well: choices are left out or set to zero, as long as it does."""
    best, choices, own = drawn(seed, depth)
    progress = True
    while progress and tries > 0:
        progress = False
        for given, d in _simpler(choices, own):
            made = _again(given, d)
            if made is None or len(made.text) >= len(best.text):
                continue
            tries -= 1
            if tries < 0:
                break
            if fails(made):
                best, choices, own, progress = made, given, d, True
                break
    return best


def _again(choices: list[float], depth: int) -> Query | None:
    try:
        return statement(Choices(None, choices), depth)
    except (IndexError, ValueError, RecursionError, AssertionError):
        return None


def _simpler(choices: list[float], depth: int) -> Iterator[tuple[list[float], int]]:
    for less in range(1, depth):
        yield choices, less
    size = max(len(choices) // 2, 1)
    while size:
        for at in range(0, len(choices), size):
            yield choices[:at] + choices[at + size :], depth
            if any(choices[at : at + size]):
                yield [*choices[:at], *[0.0] * size, *choices[at + size :]], depth
        size //= 2
