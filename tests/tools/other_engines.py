"""Whether Spark and other engines agree with the plans of Spark SQL: ``python -m tests.tools.other_engines SUITE...``.

SUITE is ``NAME=FOLDER_OF_SQL:FOLDER_OF_PARQUET``. Each text is lifted. Its plan is lowered again and run on Spark, and
run as it is by DataFusion; both are compared with the rows of the text itself on Spark. Where ORDER BY leaves open
which rows a LIMIT keeps, the text is compared without its last LIMIT.

    --json FILE    what became of each text
    --no-spark     only whether the texts lift and DataFusion accepts the plans
    --names        double quotes in the texts are around names, as in standard SQL; in Spark's they are around texts
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import re
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import substrait_sql
from substrait_sql.errors import SubstraitSqlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import SparkSession

SAME, OTHER, TIES = "same rows", "other rows", "same rows without the last LIMIT"
_LAST_LIMIT = re.compile(r"\blimit\s+\d+\s*;?\s*$", re.IGNORECASE)
_DIGITS = 6


@dataclass
class Outcome:
    """What became of a text. Empty where it was not asked; else `SAME`, `TIES`, or what is wrong."""

    suite: str
    name: str
    lifted: str = ""
    spark: str = ""
    accepted: str = ""
    datafusion: str = ""


@dataclass(frozen=True)
class Suite:
    """Texts over a folder of Parquet tables."""

    name: str
    texts: Path
    tables: Path

    @classmethod
    def read(cls, text: str) -> Suite:
        name, _, folders = text.partition("=")
        texts, _, tables = folders.partition(":")
        return cls(name, Path(texts), Path(tables))

    def files(self) -> list[tuple[str, Path]]:
        """The tables, each a file or a folder of files."""
        return [(p.stem, p) for p in sorted(self.tables.iterdir())]


def datafusion_context(suite: Suite) -> Any:
    """A session of DataFusion with the tables."""
    from datafusion import SessionContext

    context = SessionContext()
    for name, path in suite.files():
        context.register_parquet(name, str(path))
    return context


def in_datafusion(suite: Suite, plan: bytes, answer: Any) -> None:
    """Sends whether DataFusion takes a plan, then its rows or what it says instead: in a process of its own."""
    from datafusion.substrait import Consumer, Serde

    context = datafusion_context(suite)
    try:
        logical = Consumer.from_substrait_plan(context, Serde.deserialize_bytes(plan))
    except BaseException as error:
        answer.send(_brief(error))
        return
    answer.send("accepted")
    found: list[tuple[Any, ...]] = []
    try:
        for batch in context.create_dataframe_from_logical_plan(logical).collect():
            found += zip(*(column.to_pylist() for column in batch.columns), strict=True)
    except BaseException as error:
        answer.send(_brief(error))
        return
    answer.send(found)


def on_datafusion(suite: Suite, plan: Any, seconds: float) -> tuple[str, Any]:
    """Whether DataFusion takes a plan, and its rows; a text instead of them is what it says, or that it takes long."""
    processes = multiprocessing.get_context("spawn")
    here, there = processes.Pipe()
    process = processes.Process(
        target=in_datafusion, args=(suite, plan.SerializeToString(), there), daemon=True
    )
    process.start()
    there.close()
    try:
        said = here.recv() if here.poll(seconds) else "no answer in time"
        if said != "accepted":
            return said, ""
        return said, here.recv() if here.poll(seconds) else "no rows in time"
    except EOFError:
        return "the process ended", ""
    finally:
        process.kill()
        process.join()


def _plain(value: Any) -> Any:
    """A value as one that rows of several engines can be put in order by."""
    if value is None or isinstance(value, (str, bytes)):
        return value
    if isinstance(value, (int, Decimal)):
        return Decimal(value)
    if isinstance(value, float):
        return value
    return str(value)


def _key(row: Sequence[Any]) -> tuple[str, ...]:
    exact = [
        repr(v.normalize() if isinstance(v, Decimal) else v)
        for v in row
        if not isinstance(v, float)
    ]
    rough = [f"{v:.3g}" for v in row if isinstance(v, float)]
    return (*exact, *rough)


def _alike(left: Any, right: Any) -> bool:
    if isinstance(left, float) or isinstance(right, float):
        if left is None or right is None or isinstance(left, str) or isinstance(right, str):
            return bool(left == right)
        a, b = float(left), float(right)
        return (math.isnan(a) and math.isnan(b)) or math.isclose(
            a, b, rel_tol=10**-_DIGITS, abs_tol=1e-9
        )
    return bool(left == right)


def compared(left: Iterable[Sequence[Any]], right: Iterable[Sequence[Any]]) -> str:
    """`SAME`, or what differs first: as bags, floats to some digits."""
    one, two = (
        sorted(([_plain(v) for v in row] for row in rows), key=_key) for rows in (left, right)
    )
    if len(one) != len(two):
        return f"{OTHER}: {len(one)} and {len(two)}"
    for a, b in zip(one, two, strict=True):
        if len(a) != len(b) or not all(map(_alike, a, b)):
            shown = [f"{x!r} and {y!r}" for x, y in zip(a, b, strict=False) if not _alike(x, y)]
            return f"{OTHER}: {'; '.join(shown)[:200]}"
    return SAME


def _brief(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


class Runner:
    """Runs the texts of a suite. spark: none where only DataFusion is asked."""

    def __init__(
        self, suite: Suite, spark: SparkSession | None, *, names: bool, seconds: float
    ) -> None:
        self.suite, self.spark, self._names, self._seconds = suite, spark, names, seconds
        if spark is not None:
            for name, path in suite.files():
                spark.read.parquet(str(path)).createOrReplaceTempView(name)

    def text(self, path: Path) -> str:
        sql = path.read_text(encoding="utf-8")
        return sql.replace('"', "`") if self._names else sql

    def one(self, path: Path) -> Outcome:
        """What becomes of one text."""
        sql = self.text(path)
        found = Outcome(self.suite.name, path.stem)
        found.lifted = self._try(sql, found)
        open_ = any(v.startswith(OTHER) for v in (found.spark, found.datafusion))
        if open_ and _LAST_LIMIT.search(sql):
            again = Outcome(self.suite.name, path.stem)
            self._try(_LAST_LIMIT.sub("", sql), again)
            for field in ("spark", "datafusion"):
                if getattr(found, field).startswith(OTHER):
                    setattr(
                        found,
                        field,
                        TIES if getattr(again, field) == SAME else getattr(again, field),
                    )
        return found

    def _try(self, sql: str, found: Outcome) -> str:
        try:
            plan = substrait_sql.to_plan(sql, schema=str(self.suite.tables))
            # DataFusion reads neither references to relations by their anchor nor plans of several relations.
            other = substrait_sql.to_plan(
                sql, schema=str(self.suite.tables), steps_out=True, inline=True
            )
        except SubstraitSqlError as error:
            return _brief(error)
        rows = None
        if self.spark is not None:
            try:
                rows = self.spark.sql(sql.rstrip().removesuffix(";")).collect()
                found.spark = compared(rows, substrait_sql.execute(self.spark, plan).collect())
            except Exception as error:
                found.spark = _brief(error)
        found.accepted, given = on_datafusion(self.suite, other, self._seconds)
        if found.accepted == "accepted":
            found.datafusion = (
                given
                if isinstance(given, str)
                else "ran"
                if rows is None
                else compared(rows, given)
            )
        return "lifted"


def _table(outcomes: Sequence[Outcome]) -> list[str]:
    lines = [f"{'':14}{'texts':>7}{'lifted':>8}{'Spark':>7}{'accepted':>10}{'DataFusion':>12}"]
    for suite in dict.fromkeys(o.suite for o in outcomes):
        some = [o for o in outcomes if o.suite == suite]
        lifted = sum(o.lifted == "lifted" for o in some)
        spark = sum(o.spark in (SAME, TIES) for o in some)
        accepted = sum(o.accepted == "accepted" for o in some)
        there = sum(o.datafusion in (SAME, TIES, "ran") for o in some)
        lines.append(f"{suite:14}{len(some):>7}{lifted:>8}{spark:>7}{accepted:>10}{there:>12}")
    return lines


def _reasons(outcomes: Sequence[Outcome]) -> list[str]:
    fine = ("", "lifted", "accepted", "ran", SAME)
    wrong: Counter[str] = Counter()
    names: dict[str, list[str]] = {}
    for o in outcomes:
        for field in ("lifted", "spark", "accepted", "datafusion"):
            what = getattr(o, field)
            if what not in fine:
                key = f"{o.suite} {field}: {what}"
                wrong[key] += 1
                names.setdefault(key, []).append(o.name)
    return [f"{count:4} {key} [{', '.join(names[key])}]" for key, count in wrong.most_common()]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tools.other_engines", description=__doc__
    )
    parser.add_argument("suite", nargs="+", type=Suite.read)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--no-spark", action="store_true")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("-k", default="", metavar="NAME", help="only texts whose name has NAME")
    parser.add_argument(
        "--seconds", type=float, default=60, help="how long DataFusion may take for a plan"
    )
    chosen = parser.parse_args(argv)
    from tests.conformance import session

    outcomes: list[Outcome] = []
    with nullcontext() if chosen.no_spark else session.spark() as spark:
        for suite in chosen.suite:
            runner = Runner(suite, spark, names=chosen.names, seconds=chosen.seconds)
            for path in sorted(suite.texts.glob("*.sql")):
                if chosen.k in path.stem:
                    outcomes.append(runner.one(path))
                    print(path.stem, file=sys.stderr, flush=True)
                    if chosen.json is not None:
                        shown = [asdict(o) for o in outcomes]
                        chosen.json.write_text(json.dumps(shown, indent=1), encoding="utf-8")
    print(*_table(outcomes), *_reasons(outcomes), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
