"""Updates and deletions in tables that take none: rewritten by way of a second table.

The session says what a table is made of. What was left behind by a run that ended before its time says itself how far
that one came (`text.rewrite`): nothing is lost whichever statement it ended in.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import ExecutionError
from substrait_sql.lower.rewrites import FORMATS
from substrait_sql.run.settings import unlogged
from substrait_sql.run.tables.sources import find_table
from substrait_sql.text import rewrite
from substrait_sql.text.rewrite import DONE, FILLING, READY, STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered, Statement
    from substrait_sql.run.tables.sources import Table

_LOG = logging.getLogger(__name__)
_OWN_CATALOG = "spark_catalog"
_NEW = "parquet"


def formats(
    spark: SparkSession, statements: Sequence[Statement], dialect: Dialect
) -> dict[tuple[str, ...], str]:
    """The formats of the tables that cannot be changed or replaced in place, of those that the statements write to."""
    found = {}
    for statement in statements:
        if statement.kind not in ("update", "delete", "ctas", "create_table"):
            continue
        details, _ = _described(spark, _text(statement.target, dialect))
        provider = details.get("Provider", "").lower()
        if not details and statement.kind in ("ctas", "create_table"):
            provider = _NEW
        in_own = details.get("Catalog") or _catalog(spark, statement.target)
        if provider in FORMATS and in_own == _OWN_CATALOG:
            found[tuple(part.lower() for part in statement.target)] = provider
    return found


def _catalog(spark: SparkSession, target: Sequence[str]) -> str:
    """Where a table of that name would be made."""
    if len(target) > 2:
        return target[0].lower()
    return str(spark.catalog.currentCatalog())


def check(
    spark: SparkSession, rendered: Rendered, tables: Mapping[str, Table], dialect: Dialect
) -> None:
    """Raises SS4025 where a table that is rewritten is not the plan's: rows would lose what the plan does not know."""
    replaced = {s.root for s in rendered.statements if s.kind == "rewrite_make_target"}
    for statement in rendered.statements:
        if statement.kind != STEPS[1] or statement.root in replaced:
            continue
        name = _text(statement.target, dialect)
        own = tuple(part.lower() for part in statement.target)
        source = next((s for s in rendered.sources if s.key == own), None)
        if source is not None and find_table(source, tables) is not None:
            raise _not_it(statement, f"{name} is given as rows, which cannot be written to")
        _, there = _described(spark, name)
        planned = [c.name for c in statement.columns]
        if sorted(n.casefold() for n in there) != sorted(n.casefold() for n in planned):
            raise _not_it(
                statement,
                f"{name} has the columns {', '.join(there)}, and the plan {', '.join(planned)}",
            )


def named(rendered: Rendered, first: Rendered, values: Mapping[str, Any]) -> Rendered:
    """The statements with the digest of this very change, its parameters included.

    first: rendered before tables that are given got names of one run.
    """
    digests = {}
    before = {s.root: s.sql for s in first.statements if s.kind == STEPS[1]}
    for now in rendered.statements:
        if now.kind == STEPS[1]:
            change = before[now.root], repr(sorted(values.items()))
            digests[now.root] = rewrite.digest_of(now.sql), rewrite.digest_of(*change)
    if not digests:
        return rendered

    def under(statement: Statement) -> Statement:
        if statement.kind not in STEPS or statement.kind == STEPS[1]:
            return statement
        return replace(statement, sql=statement.sql.replace(*digests[statement.root]))

    return replace(rendered, statements=tuple(map(under, rendered.statements)))


def run(
    spark: SparkSession,
    steps: Sequence[Statement],
    run_one: Callable[[Statement], DataFrame],
    dialect: Dialect,
) -> DataFrame:
    """Runs the statements of one rewriting, those that are left to do. Returns what the last one returns.

    Raises SS4026 where another change was left behind, SS4027 where the second table is not ours.
    """
    by_kind = {s.kind: s for s in steps}
    target = _text(steps[0].target, dialect)
    staging = _text(rewrite.staging_of(steps[0].target), dialect)
    state, digest = _state(spark, staging, steps[0])
    same = bool(digest) and digest in by_kind["rewrite_ready"].sql
    if state == READY and not same:
        raise ExecutionError.of(
            "SS4026",
            f"another change of {target} was not finished: {staging} has the rows that the table is to have",
            f"relations[{steps[0].root}]",
            hint="run that plan again, which finishes it; or do what is left of it by hand: "
            + _by_hand(spark, target, staging),
        )
    if state in (FILLING, DONE) and not (state == DONE and same):
        for kind in ("rewrite_empty", "rewrite_drop"):
            _logged(by_kind[kind], run_one)
        state = ""
    return _rest(state, by_kind, run_one)


def finish(
    spark: SparkSession,
    statements: Sequence[Statement],
    run_one: Callable[[Statement], DataFrame],
    dialect: Dialect,
) -> dict[int, DataFrame]:
    """Finishes the changes that an earlier run has left behind, by their roots. None of their tables is read for it."""
    found = {}
    for root in dict.fromkeys(s.root for s in statements if s.kind == STEPS[0]):
        by_kind = {s.kind: s for s in statements if s.root == root and s.kind in STEPS}
        step = by_kind[STEPS[0]]
        state, digest = _state(spark, _text(rewrite.staging_of(step.target), dialect), step)
        if state in (READY, DONE) and digest in by_kind["rewrite_ready"].sql:
            found[root] = _rest(state, by_kind, run_one)
    return found


def _rest(
    state: str, by_kind: Mapping[str, Statement], run_one: Callable[[Statement], DataFrame]
) -> DataFrame:
    """Runs what is left to do from a state on."""
    begin = {READY: "rewrite_ready", DONE: "rewrite_done"}.get(state)
    left = STEPS[STEPS.index(begin) + 1 :] if begin else STEPS
    frames = [_logged(by_kind[kind], run_one) for kind in left if kind in by_kind]
    return frames[-1]


def _by_hand(spark: SparkSession, target: str, staging: str) -> str:
    """The statements that finish a change. A table of other columns, or none, was to become another table."""
    made = ""
    if _described(spark, target)[1] != _described(spark, staging)[1]:
        made = f"DROP TABLE IF EXISTS {target}; CREATE TABLE {target} LIKE {staging}; "
    return f"{made}INSERT OVERWRITE TABLE {target} SELECT * FROM {staging}; DROP TABLE {staging}"


def _logged(statement: Statement, run_one: Callable[[Statement], DataFrame]) -> DataFrame:
    _LOG.debug("begin %s", statement.kind)
    frame = run_one(statement)
    _LOG.debug("end %s", statement.kind)
    return frame


def _state(spark: SparkSession, staging: str, step: Statement) -> tuple[str, str]:
    """What a second table that is there says of itself: how far it came, with which change. Empty if there is none."""
    if not spark.catalog.tableExists(staging):
        return "", ""
    rows = spark.sql(f"SHOW TBLPROPERTIES {staging}").collect()
    said = {row[0]: row[1] for row in rows}.get(rewrite.PROPERTY, "")
    state, _, digest = said.partition(":")
    if state not in rewrite.STATES:
        raise ExecutionError.of(
            "SS4027",
            f"the rows would be written to {staging} first, and there is a table of that name",
            f"relations[{step.root}]",
            hint="rename it",
        )
    return state, digest


def _described(spark: SparkSession, name: str) -> tuple[dict[str, str], list[str]]:
    """What Spark says of a table: its details, and its columns. Nothing of one that it does not find."""
    try:
        with unlogged():
            found = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
        rows = [tuple(row)[:2] for row in found]
    except Exception:
        # The statement itself will say so.
        return {}, []
    names = [str(row[0]) for row in rows]
    details = (
        names.index("# Detailed Table Information")
        if "# Detailed Table Information" in names
        else len(names)
    )
    end = next((i for i, n in enumerate(names) if not n or n.startswith("# ")), len(names))
    return {str(k): str(v) for k, v in rows[details:]}, names[:end]


def _text(parts: Sequence[str], dialect: Dialect) -> str:
    return ".".join(map(dialect.names.in_quotes, parts))


def _not_it(statement: Statement, what: str) -> ExecutionError:
    return ExecutionError.of(
        "SS4025",
        f"the table cannot be rewritten: {what}",
        f"relations[{statement.root}]",
        hint="a rewritten table has the rows of the plan: its schema must list all columns of the table",
    )
