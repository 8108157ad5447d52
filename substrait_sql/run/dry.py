"""A plan up to where its rows would be made: all that can be wrong is found, and nothing is changed."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline
from substrait_sql.dialect import load
from substrait_sql.errors import ExecutionError
from substrait_sql.policy.hold import hold_plan, hold_sql
from substrait_sql.run.changes import rewrite, staging
from substrait_sql.run.execute import allow, choose, wanted_of
from substrait_sql.run.parameters import arguments
from substrait_sql.run.release import check_release
from substrait_sql.run.settings import applied, check_later, turn, unlogged
from substrait_sql.run.spark_errors import as_ours, ours
from substrait_sql.run.statement import engine_error
from substrait_sql.run.tables.given import Given
from substrait_sql.run.tables.present import table_finder
from substrait_sql.run.tables.schemas import schema_finder
from substrait_sql.run.tables.views import views
from substrait_sql.text.rewrite import STEPS, staging_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from pyspark.sql import DataFrame

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.policy.policy import Policy
    from substrait_sql.rendered import Rendered, Statement

_FAILED = "Error occurred during query planning"
"""What Spark's EXPLAIN returns instead of raising an error."""


@as_ours("looking at the plan")
def analyse(
    spark: Any,
    plan: Any,
    *,
    parameters: Mapping[Any, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    allow_writes: bool = False,
    root: int | None = None,
    dialect: str | PathLike[str] = "spark",
    policy: Policy | None = None,
) -> list[tuple[Statement, DataFrame | None]]:
    """The statements that `execute` would run, those that are queries with their rows, which nobody has made.

    Takes the arguments of `execute`, and raises what that raises before rows are made; what Spark's own analysis says
    of statements that change something, too.
    """
    rules = load(dialect)
    if policy is not None:
        plan = hold_plan(plan, policy, rules)
    given = Given(spark, tables or {})
    check_release(spark, rules)
    options: dict[str, Any] = {"dialect": dialect, "schema_of": schema_finder(spark, given)}
    options["table_of"] = table_finder(spark, rules)
    rendered = pipeline.render(plan, **options)
    statements = choose(rendered, root)
    allow(statements, allow_writes)
    if policy is not None:
        hold_sql(rendered, policy, rules)
    formats = rewrite.formats(spark, rendered, statements, rules)
    if formats:
        options |= {"target_format": formats, "run": uuid.uuid4().hex[:8]}
        rendered = pipeline.render(plan, **options)
        statements = choose(rendered, root)
    values = arguments(rendered.parameters, parameters or {})
    if formats:
        rewrite.check(spark, rendered, statements, given, rules)
    with (
        turn(spark),
        views(spark, rendered, statements, given, wanted_of(spark, statements, rules)) as renames,
    ):
        if renames:
            rendered = pipeline.render(plan, table_names=renames, **options)
            statements = choose(rendered, root)
        looked = _Look(spark, rendered, values, given, rules, options.get("run", ""))
        return list(looked.at(statements))


class _Look:
    def __init__(
        self, spark: Any, rendered: Rendered, values: Any, tables: Any, rules: Dialect, run: str
    ) -> None:
        self.spark, self.rendered, self.values = spark, rendered, values
        self.tables, self.rules, self.run = tables, rules, run
        self.made: set[tuple[str, ...]] = set()

    def at(self, statements: Sequence[Statement]) -> Iterator[tuple[Statement, DataFrame | None]]:
        """Each statement, analysed."""
        for statement in statements:
            frame = None
            try:
                with (
                    applied(self.spark, self.rendered.settings, self.rules.settings.defaults),
                    unlogged(),
                ):
                    check_later(self.spark, statement, self.rules.settings)
                    if statement.kind in ("query", "temporary_view"):
                        frame = self._ask(statement.sql)
                        _ = frame.schema
                    elif not self._is_of_something_new(statement):
                        self._explain(statement)
            except ExecutionError:
                raise
            except Exception as error:
                raise engine_error(
                    self.spark, error, statement, self.rendered, self.tables
                ) from error
            yield statement, frame if statement.kind == "query" else None

    def _ask(self, text: str) -> DataFrame:
        used = {name: value for name, value in self.values.items() if f":{name}" in text}
        frame: DataFrame = self.spark.sql(text, args=used) if used else self.spark.sql(text)
        return frame

    def _is_of_something_new(self, statement: Statement) -> bool:
        """Whether it is about a table that another statement makes first, or is a step that needs one of our own."""
        key = tuple(part.lower() for part in statement.target)
        if statement.kind in STEPS:
            return statement.kind != STEPS[1]
        there = not key or self.spark.catalog.tableExists(
            staging.text(statement.target, self.rules)
        )
        new = key in self.made and not there
        self.made.add(key)
        return new

    def _explain(self, statement: Statement) -> None:
        text = statement.sql
        if statement.kind == STEPS[1]:
            # The second table is not there: its columns are those of the first one.
            names = self.rules.names
            second = ".".join(map(names.quote, staging_of(statement.target, self.run)))
            text = text.replace(second, ".".join(map(names.quote, statement.target)), 1)
            if not self.spark.catalog.tableExists(staging.text(statement.target, self.rules)):
                return
        said = str(self._ask(f"EXPLAIN {text}").collect()[0][0])
        if _FAILED in said:
            raise ours(
                RuntimeError(said.partition(_FAILED)[2].lstrip(": \n")),
                "SS4009",
                "Spark refuses the SQL",
                f"relations[{statement.root}]",
                hint="see the SQL with render",
            )
