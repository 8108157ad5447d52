"""Updates and deletions in tables that take none: rewritten by way of a second table.

The session says what a table is made of. What was left behind by a run that ended before its time says itself how far
that one came (`text.rewrite`): nothing is lost whichever statement it ended in. Each run has a second table of its own,
so that two at a time do not write into one.
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.errors import ExecutionError
from substrait_sql.lower.writes.rewrites import CHECKED, FORMATS
from substrait_sql.run.changes import staging
from substrait_sql.run.changes.alike import what_differs
from substrait_sql.run.changes.staging import Files, Left, text
from substrait_sql.run.seen.cancel import finishing
from substrait_sql.run.tables.sources import find_table
from substrait_sql.text import rewrite
from substrait_sql.text.rewrite import FILLING, READY, STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered, Statement
    from substrait_sql.run.tables.sources import Table

    RunOne = Callable[[Statement], DataFrame]

_LOG = logging.getLogger(__name__)
_NEW = "parquet"
AT_ONCE: Final = ("delta", "iceberg")
"""Of these Spark knows that they replace a table or its rows at once, and not by dropping them first."""

SETTINGS: Final = {
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.sources.partitionOverwriteMode": "static",
}
"""What a rewriting relies on besides: rows that a session passes over in reading would be gone for good. Spark 3.5 has
no words for the last one in a statement."""


def formats(
    spark: SparkSession, rendered: Rendered, statements: Sequence[Statement], dialect: Dialect
) -> dict[tuple[str, ...], str]:
    """The formats of the tables that cannot be changed or replaced in place, of those that the statements write to.

    Raises SS4033 where a table would be replaced by rows of itself, and its catalog may drop it before they are read.
    """
    found = {}
    read = {source.key for source in rendered.sources}
    for statement in statements:
        if statement.kind not in ("update", "delete", "ctas", "create_table"):
            continue
        name = text(statement.target, dialect)
        details = staging.details(spark, name)
        provider = details.get("Provider", "").lower()
        absent = not details and not spark.catalog.tableExists(name)
        if absent and statement.kind in ("ctas", "create_table"):
            provider = _NEW
        in_own = staging.catalog(spark, details, statement.target)
        key = tuple(part.lower() for part in statement.target)
        if provider not in FORMATS or in_own != staging.OWN_CATALOG:
            replaced = statement.kind == "ctas" and " OR REPLACE " in statement.sql[:30]
            if replaced and key in read and provider not in AT_ONCE:
                raise _of_itself(statement, name)
            continue
        if statement.kind == "update" and staging.has_text_partitions(spark, name):
            provider += f" {CHECKED}"
        found[key] = provider
    return found


def check(
    spark: SparkSession,
    rendered: Rendered,
    statements: Sequence[Statement],
    tables: Mapping[str, Table],
    dialect: Dialect,
) -> dict[int, Files]:
    """The files of each table whose rows are changed, by root, as they are before anything of it is read.

    Raises SS4025 where a table is not the plan's: rows would lose what the plan does not know. SS4031 for several
    changes in one plan: nobody could tell which of them a run has done that ended before its time.
    """
    rewritten = [s for s in statements if s.kind == STEPS[1]]
    changing = {s.root for s in statements if s.kind not in ("query", "temporary_view")}
    if rewritten and len(changing) > 1:
        raise ExecutionError.of(
            "SS4031",
            f"the plan makes {len(changing)} changes, and one of them is several statements",
            f"relations[{rewritten[0].root}]",
            hint="run them one by one, each with root=N",
        )
    replaced = {s.root for s in statements if s.kind == "rewrite_make_target"}
    seen = {}
    for statement in rewritten:
        name = text(statement.target, dialect)
        there = [column for column, _ in staging.columns(spark, name)]
        files = staging.files(spark, name) if there else None
        if statement.root in replaced:
            continue
        own = tuple(part.lower() for part in statement.target)
        source = next((s for s in rendered.sources if s.key == own), None)
        if source is not None and find_table(source, tables) is not None:
            raise _not_it(statement, f"{name} is given as rows, which cannot be written to")
        planned = [c.name for c in statement.columns]
        if sorted(n.casefold() for n in there) != sorted(n.casefold() for n in planned):
            raise _not_it(
                statement,
                f"{name} has the columns {', '.join(there)}, and the plan {', '.join(planned)}",
            )
        differs = what_differs(spark, name, statement.columns)
        if differs is not None:
            raise _not_it(statement, differs)
        if files is not None:
            seen[statement.root] = files
    return seen


def named(rendered: Rendered, first: Rendered, values: Mapping[str, Any]) -> Rendered:
    """The statements with the digest of this very change, its parameters included.

    first: rendered before tables that are given got names of one run.
    """
    before = {s.root: _digest(s) for s in first.statements if s.kind == "rewrite_ready"}
    digests = {
        s.root: (_digest(s), rewrite.digest_of(before[s.root], repr(sorted(values.items()))))
        for s in rendered.statements
        if s.kind == "rewrite_ready"
    }
    if not digests:
        return rendered

    def under(statement: Statement) -> Statement:
        if statement.kind not in STEPS or statement.kind in STEPS[1:3]:
            return statement
        return replace(statement, sql=statement.sql.replace(*digests[statement.root]))

    settings = {**rendered.settings, **SETTINGS}
    return replace(rendered, statements=tuple(map(under, rendered.statements)), settings=settings)


def _digest(ready: Statement) -> str:
    """The digest in the text of this statement."""
    found = re.findall(rf"{READY}:([0-9a-f]{{16}})", ready.sql)
    return str(found[-1])


def unfinished(
    spark: SparkSession, statements: Sequence[Statement], dialect: Dialect
) -> dict[int, Left]:
    """What earlier runs of the same changes have left behind that can be finished, by root."""
    found = {}
    for ready in (s for s in statements if s.kind == "rewrite_ready"):
        there = staging.left(spark, ready.target, dialect)
        same = [x for x in there if x.digest == _digest(ready) and x.state != FILLING]
        if same:
            found[ready.root] = min(same, key=lambda x: x.state != READY)
    return found


def run(
    spark: SparkSession,
    steps: Sequence[Statement],
    own: str,
    before: Files | None,
    run_one: RunOne,
    dialect: Dialect,
) -> DataFrame:
    """Runs the statements of one rewriting. Returns what the last one returns.

    own: the part of the second table's name that is this run's. before: the files of the table, from `check`.

    Raises SS4026 where another change was left behind, SS4030 where others have written to the table meanwhile, SS4032
    where the second table has other rows than it was given.
    """
    first = steps[0]
    target = text(first.target, dialect)
    tidy(spark, first, dialect)
    name = text(rewrite.staging_of(first.target, own), dialect)
    begun = [s for s in steps if s.kind in STEPS[:3]]
    try:
        for step in begun:
            _one(step, run_one)
    except BaseException as error:  # an interrupt, too, leaves nothing behind
        _drop(spark, name)
        if rewrite.NOT_HELD in str(error):
            raise _not_held(first, target) from error
        raise
    if before is not None and staging.files(spark, target) != before:
        _drop(spark, name)
        what = f"others have written to {target} since its rows were read"
        raise _changed(first, what, "run the plan again")
    cut = f":{before.newest}" if before is not None else ""
    rest = [s for s in steps if s not in begun]
    return _rest(spark, [_cut(rest[0], cut), *rest[1:]], target, name, run_one)


def finish(
    spark: SparkSession,
    steps: Sequence[Statement],
    there: Left,
    run_one: RunOne,
    dialect: Dialect,
) -> DataFrame:
    """Finishes a change that an earlier run has left behind. The rows of its table are not read for it.

    steps: of that very run. Raises SS4030 where others have written to the table since, SS4025 where it has other
    columns by now.
    """
    target = text(steps[0].target, dialect)
    if there.state == READY and len(steps) == len(_of_change(steps)):
        if staging.columns(spark, target) != staging.columns(spark, there.name):
            raise _not_it(steps[0], f"it has other columns than {there.name}, which has its rows")
        if staging.foreign_rows(spark, target, there):
            raise _changed(
                steps[0],
                f"a change of {target} was not finished, and others have added rows since; "
                f"{there.name} has the rows that it is to have, but for theirs",
                "add them to that table, and finish by hand: "
                + _by_hand(spark, target, there.name),
            )
    begin = STEPS.index("rewrite_ready" if there.state == READY else "rewrite_done")
    left = [s for s in steps if STEPS.index(s.kind) > begin]
    return _rest(spark, left, target, there.name, run_one)


def _of_change(steps: Sequence[Statement]) -> list[Statement]:
    """Those that leave the table what it is, and give it other rows."""
    return [s for s in steps if not s.kind.endswith("_target")]


def tidy(spark: SparkSession, step: Statement, dialect: Dialect) -> None:
    """Drops what earlier runs have left that never began to overwrite the table, or had done so.

    Raises SS4026 where one had begun. step: one that has this target.
    """
    target = text(step.target, dialect)
    there = staging.left(spark, step.target, dialect)
    ready = next((x for x in there if x.state == READY), None)
    if ready is not None:
        raise ExecutionError.of(
            "SS4026",
            f"another change of {target} was not finished: {ready.name} has the rows that the table is to have",
            f"relations[{step.root}]",
            hint="run that plan again, which finishes it; or do what is left of it by hand: "
            + _by_hand(spark, target, ready.name),
        )
    for each in there:
        _drop(spark, each.name)


def _rest(
    spark: SparkSession, steps: Sequence[Statement], target: str, own: str, run_one: RunOne
) -> DataFrame:
    """Runs what is left to do. own: the second table. The rows go only when the table has as many."""
    with finishing():
        return _to_the_end(spark, steps, target, own, run_one)


def _to_the_end(
    spark: SparkSession, steps: Sequence[Statement], target: str, own: str, run_one: RunOne
) -> DataFrame:
    for step in steps:
        if step.kind == "rewrite_swap":
            staging.refresh(spark, own)
        try:
            frame = _one(step, run_one)
        except Exception:
            # Another run may have tidied up behind this one.
            if step.kind not in ("rewrite_empty", "rewrite_drop") or _is_there(spark, own):
                raise
            frame = _drop(spark, own)
        if step.kind == "rewrite_swap":
            staging.refresh(spark, target)
            if staging.count(spark, target) != staging.count(spark, own):
                raise _changed(
                    step,
                    f"others have written to {target} while it was overwritten; {own} has the rows that it is to "
                    "have, but for theirs",
                    "finish by hand: " + _by_hand(spark, target, own),
                )
    return frame


def _one(statement: Statement, run_one: RunOne) -> DataFrame:
    _LOG.debug("begin %s", statement.kind)
    frame = run_one(statement)
    if statement.kind == "rewrite_check":
        frame.collect()
    _LOG.debug("end %s", statement.kind)
    return frame


def _cut(ready: Statement, cut: str) -> Statement:
    digest = _digest(ready)
    return replace(ready, sql=ready.sql.replace(digest, digest + cut))


def _drop(spark: SparkSession, name: str) -> DataFrame:
    return spark.sql(f"DROP TABLE IF EXISTS {name}")


def _is_there(spark: SparkSession, name: str) -> bool:
    return bool(spark.catalog.tableExists(name))


def _by_hand(spark: SparkSession, target: str, name: str) -> str:
    """The statements that finish a change. A table of other columns, or none, was to become another table."""
    made = ""
    if staging.columns(spark, target) != staging.columns(spark, name):
        made = f"DROP TABLE IF EXISTS {target}; CREATE TABLE {target} LIKE {name}; "
    return f"{made}INSERT OVERWRITE TABLE {target} SELECT * FROM {name}; DROP TABLE {name}"


def _not_it(statement: Statement, what: str) -> ExecutionError:
    return ExecutionError.of(
        "SS4025",
        f"the table cannot be rewritten: {what}",
        f"relations[{statement.root}]",
        hint="a rewritten table has the rows of the plan: its schema must list all columns of the table",
    )


def _changed(statement: Statement, what: str, hint: str) -> ExecutionError:
    return ExecutionError.of("SS4030", what, f"relations[{statement.root}]", hint=hint)


def _of_itself(statement: Statement, target: str) -> ExecutionError:
    return ExecutionError.of(
        "SS4033",
        f"{target} would be replaced by rows of itself, and a catalog may drop it before they are read",
        f"relations[{statement.root}]",
        hint="make a table of another name, then drop this one",
    )


def _not_held(statement: Statement, target: str) -> ExecutionError:
    return ExecutionError.of(
        "SS4032",
        f"{target} would hold other rows than the plan says",
        f"relations[{statement.root}]",
        hint="text formats lose blanks, line ends and microseconds, and a partition has no empty text: "
        "make it a Parquet table, or partition by another column",
    )
