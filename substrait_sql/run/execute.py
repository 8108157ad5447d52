"""Runs a plan: renders it, gives the SQL to `spark.sql`, leaves the session as it was found."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from substrait_sql import pipeline
from substrait_sql.arguments import expect, expect_session
from substrait_sql.dialect import load
from substrait_sql.errors import ExecutionError, PolicyError, SubstraitSqlError
from substrait_sql.policy.hold import hold_plan, hold_sql
from substrait_sql.policy.policy import Policy
from substrait_sql.run import shared
from substrait_sql.run.changes import returning, rewrite
from substrait_sql.run.files.data_sources import check_package
from substrait_sql.run.parameters import arguments
from substrait_sql.run.release import check_release
from substrait_sql.run.seen.steps import name_within, rendering
from substrait_sql.run.settings import turn
from substrait_sql.run.spark_errors import as_ours
from substrait_sql.run.statement import run_statement
from substrait_sql.run.tables.columns import Wanted
from substrait_sql.run.tables.given import Given
from substrait_sql.run.tables.present import table_finder
from substrait_sql.run.tables.schemas import schema_finder
from substrait_sql.run.tables.views import views
from substrait_sql.text.rewrite import STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered, Statement
    from substrait_sql.run.changes.staging import Files

Session: TypeAlias = "SparkSession | ConnectSession"
"""A classic session, or one on a Spark Connect server."""


@overload
def execute(
    spark: Session,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame | Any: ...


@overload
def execute(
    spark: Session,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: int,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame: ...


@as_ours("preparing the plan")
def execute(
    spark: Any,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    check_nulls: bool = False,
    root: int | None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> DataFrame | list[DataFrame]:
    """Run a plan on a Spark session and return its rows as a DataFrame.

    spark: a classic or a Spark Connect session.
    plan: anything `render` takes.
    parameters: the value for each dynamic parameter, by its anchor in the plan: ``{1: 10}``.
    tables: by name, in any case: a DataFrame of Spark or pandas, a table of Arrow, or the path of a
    Parquet file or folder (``.orc``, ``.csv`` and ``.json`` too). Tables that are not given are looked
    up in the session's catalog. Columns of other types than the plan's are cast where that keeps
    every value, else refused.
    allow_writes: run statements that change something. Without it they are refused.
    check_nulls: make a NULL an error, when rows are made, where the plan says that a table has none.
    root: run one root only, by its index in ``Plan.relations``.
    dialect: as in `render`. Functions of your own must be registered on the session.
    policy: what the plan may do. It is held against that before anything is asked of the session; writes need
    ``allow_writes`` besides.

    A plan with several roots gives a list, in the order of the plan. No type can tell how many roots
    a plan has, so that without ``root`` the result is typed as a DataFrame that may be anything else.
    The temporary views and settings that a statement needs are there for that statement alone.

    Raises `ExecutionError` (SS40xx) when a table (SS4003) or parameter is missing, a table does not hold
    what the plan declares (SS4016), Spark refuses the SQL (SS4009), or the session is older than the
    dialect (SS4028); `PolicyError` for a write that is not allowed (SS4014) and for what the policy does
    not allow (SS4061 to SS4067); `ArgumentError` for arguments of another kind; and what `render` raises.
    What fails when rows are made is pyspark's own error, as of any DataFrame.

    >>> from substrait_sql import demo, execute, local_session
    >>> spark = local_session()
    >>> tables = {path.stem: path for path in demo.TABLES.iterdir()}
    >>> execute(spark, demo.PLAN, tables=tables).first().l_orderkey
    1637
    """
    expect("parameters", parameters, Mapping, "a mapping of anchors to values, such as {1: 10}")
    expect(
        "tables",
        tables,
        Mapping,
        "a mapping of names to tables, such as {'orders': 'orders.parquet'}",
    )
    expect("allow_writes", allow_writes, bool, "True or False")
    expect("root", root, int, "the index of a root in Plan.relations")
    expect("policy", policy, Policy, "a Policy, such as Policy.read('policy.yaml') returns")
    rules = load(dialect)
    file = plan
    if policy is not None:
        plan = hold_plan(plan, policy, rules)
    given = Given(spark, tables or {})
    check_release(spark, rules)
    schema_of = schema_finder(spark, given)
    table_of = table_finder(spark, rules)
    render = partial(pipeline.render, plan, dialect=dialect, schema_of=schema_of, table_of=table_of)
    rendered = rendering(render)
    name = name_within(file, rendered)
    allow(choose(rendered, root), allow_writes)
    if policy is not None:
        hold_sql(rendered, policy, rules)
    expect_session(spark)
    values = arguments(rendered.parameters, parameters or {})
    made = _Execution(spark, render, rendered, root, name, values, given, rules)
    frames = made.frames(check_nulls)
    return frames[0] if len(frames) == 1 else frames


@dataclass(slots=True)
class _Execution:
    """A plan that runs on a session.

    render: renders it again, for what the session says. root: None for all. values: of its parameters.
    own: the part of the name of a second table that is this run's, empty where no table is rewritten.
    """

    spark: Any
    render: Callable[..., Rendered]
    rendered: Rendered
    root: int | None
    name: str
    values: Mapping[str, Any]
    tables: Given
    dialect: Dialect
    own: str = ""

    def frames(self, check_nulls: bool) -> list[DataFrame]:
        """What each root returns, in the order of the plan."""
        roots = list(dict.fromkeys(s.root for s in choose(self.rendered, self.root)))
        found = self._finished()
        if len(found) < len(roots):
            self._run(found, check_nulls)
        return [found[each] for each in roots]

    def _finished(self) -> dict[int, DataFrame]:
        """By root, what is a change of a table that an earlier run has begun; it is finished."""
        statements = choose(self.rendered, self.root)
        formats = rewrite.formats(self.spark, self.rendered, statements, self.dialect)
        found: dict[int, DataFrame] = {}
        if not formats:
            return found
        self.render, self.own = partial(self.render, target_format=formats), uuid.uuid4().hex[:8]
        self.rendered = self.render(run=self.own)
        same = choose(rewrite.named(self.rendered, self.rendered, self.values), self.root)
        for root, there in rewrite.unfinished(self.spark, same, self.dialect).items():
            now = rewrite.named(self.render(run=there.run), self.rendered, self.values)
            steps = [s for s in now.statements if s.root == root and s.kind in STEPS]
            run_one = partial(self._run_one, now)
            found[root] = rewrite.finish(self.spark, steps, there, run_one, self.dialect)
        return found

    def _run(self, found: dict[int, DataFrame], check_nulls: bool) -> None:
        """Runs the roots that are not found yet, and adds what they return."""
        statements = choose(self.rendered, self.root)
        seen: dict[int, Files] = {}
        if self.own:
            seen = rewrite.check(self.spark, self.rendered, statements, self.tables, self.dialect)
        # What tables are, too, depends on the settings that the caller has: of the caller's own frames and zone.
        with (
            turn(self.spark),
            views(
                self.spark,
                self.rendered,
                statements,
                self.tables,
                wanted_of(self.spark, statements, self.dialect, check_nulls),
            ) as renames,
        ):
            rendered = self.rendered
            if renames:
                rendered = self.render(table_names=renames, run=self.own)
            rendered = rewrite.named(rendered, self.rendered, self.values)
            run_one = partial(self._run_one, rendered)
            chosen = [s for s in choose(rendered, self.root) if s.root not in found]
            for root in dict.fromkeys(s.root for s in chosen):
                of_root = [s for s in chosen if s.root == root]
                found[root] = self._run_root(of_root, seen.get(root), run_one)
            frames = [found[s.root] for s in chosen]
            shared.note(frames, chosen, run_one, self.dialect.target.grammar)

    def _run_root(
        self,
        statements: Sequence[Statement],
        before: Files | None,
        run_one: Callable[[Statement], DataFrame],
    ) -> DataFrame:
        """What the last statement of a root returns. before: the files of the table that is rewritten."""
        for each in statements:
            own = returning.steps_of(each, statements)
            if own:
                return returning.run(own, run_one)
            if each.kind == STEPS[0]:
                steps = [s for s in statements if s.kind in STEPS]
                frame = rewrite.run(self.spark, steps, self.own, before, run_one, self.dialect)
            elif each.kind not in STEPS:
                frame = run_one(each)
        return frame

    def _run_one(self, rendered: Rendered, statement: Statement) -> DataFrame:
        return run_statement(
            self.spark,
            statement,
            rendered,
            name=self.name,
            values=self.values,
            tables=self.tables,
            dialect=self.dialect,
        )


def foresee(
    rendered: Rendered, parameters: Mapping[Any, Any], root: int | None, allow_writes: bool
) -> None:
    """Raises what `execute` would raise about these options before it asks the session for anything."""
    allow(choose(rendered, root), allow_writes)
    arguments(rendered.parameters, parameters)
    for source in rendered.sources:
        if source.view is not None:
            check_package(source.view.using, source.path)


def choose(rendered: Rendered, root: int | None) -> list[Statement]:
    """The statements of a root, all if none is named. Raises `ExecutionError` SS4008 for one that is not there."""
    if root is None:
        return list(rendered.statements)
    chosen = [s for s in rendered.statements if s.root == root]
    if not chosen:
        there = ", ".join(str(s.root) for s in rendered.statements) or "none"
        raise ExecutionError.of(
            "SS4008", f"the plan has no root {root}", "relations", hint=f"roots there are: {there}"
        )
    return chosen


def allow(statements: list[Statement], allow_writes: bool) -> None:
    """Raises `PolicyError` SS4014 for a statement that changes something, if that is not allowed."""
    for statement in statements:
        if statement.kind not in ("query", "temporary_view") and not allow_writes:
            raise PolicyError.of(
                "SS4014",
                f"the plan would run a statement that changes something ({statement.kind})",
                f"relations[{statement.root}]",
                hint="call execute(..., allow_writes=True) or pass --allow-writes if that is meant",
            )


def wanted_of(
    spark: Any, statements: Sequence[Statement], dialect: Dialect, check_nulls: bool = False
) -> Wanted:
    """What the statements want of the tables that they read."""
    text = "\n".join(s.sql for s in statements)
    zone = spark.conf.get("spark.sql.session.timeZone") or ""
    return Wanted(text, dialect, _type_text(dialect), check_nulls, zone)


def _type_text(dialect: Dialect) -> Callable[[Any], str]:
    """The SQL of a Substrait type, empty where the dialect has none."""

    def text(type: Any) -> str:
        try:
            return dialect.sql_type(type)
        except SubstraitSqlError:
            return ""

    return text
