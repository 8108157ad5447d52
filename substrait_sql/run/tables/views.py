"""Temporary views over what a plan reads, where the SQL cannot read it under its own name, or not as it is."""

from __future__ import annotations

import uuid
from contextlib import contextmanager, nullcontext
from itertools import groupby
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import Diagnostic, ExecutionError
from substrait_sql.run.files import orc
from substrait_sql.run.files.check import recast
from substrait_sql.run.files.listing import few_tasks
from substrait_sql.run.files.together import together
from substrait_sql.run.settings import applied, unlogged
from substrait_sql.run.tables.columns import as_declared, fitted
from substrait_sql.run.tables.sources import (
    available,
    condition,
    find_table,
    is_frame,
    is_orc,
    open_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.rendered import Rendered, Source, Statement
    from substrait_sql.run.tables.columns import Wanted
    from substrait_sql.run.tables.sources import Table

PREFIX = "__substrait_sql_"
"""How the names of our temporary views begin."""

Names = dict[tuple[str, ...], tuple[str, ...]]


@contextmanager
def views(
    spark: SparkSession,
    rendered: Rendered,
    statements: Sequence[Statement],
    tables: Mapping[str, Table],
    wanted: Wanted,
) -> Iterator[Names]:
    """The tables that statements read, each by the name to read it under if that is another; gone at the end.

    Every table that is there is looked at, and is read through a view that casts where it has other types than the
    plan. Raises `ExecutionError` with all that is wrong with them: SS4003 for tables that are missing, SS4016 for
    columns, SS4004 and SS4015 for files.
    """
    made = _Views(spark, tables, rendered, wanted)
    try:
        made.make(statements)
        yield made.names
    finally:
        for view in made.views:
            spark.catalog.dropTempView(view)


class _Views:
    """The views of one call, under names nobody else has."""

    def __init__(
        self,
        spark: SparkSession,
        tables: Mapping[str, Table],
        rendered: Rendered,
        wanted: Wanted,
    ) -> None:
        self.spark = spark
        self.tables = tables
        self.rendered = rendered
        self.wanted = wanted
        self.stem = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        self.views: list[str] = []
        self.names: Names = {}

    def _applied(self) -> AbstractContextManager[None]:
        defaults = self.wanted.dialect.settings.defaults
        return applied(self.spark, self.rendered.settings, defaults)

    @contextmanager
    def _listing(self) -> Iterator[None]:
        """The same, where there may be many files."""
        with self._applied(), few_tasks(self.spark):
            yield

    def make(self, statements: Sequence[Statement]) -> None:
        """Makes them, for all sources that these statements read."""
        # What a plan writes need not be there before, and what it deletes from must be read under its own name.
        kinds = {s.kind for s in statements}
        only_read = kinds <= {"query", "temporary_view"}
        problems: list[Diagnostic] = []
        cause: BaseException | None = None
        for group in self._groups():
            # Files by the hundred: the settings are asked for and set once for all that stand beside each other.
            with self._listing() if _is_file(group[0]) else nullcontext():
                for source in self._alone(group):
                    try:
                        view = self._view(source, only_read, "delete" not in kinds)
                    except ExecutionError as error:
                        problems += error.diagnostics
                        cause = cause or error.__cause__ or error
                    else:
                        if view is not None:
                            self.names[source.key] = (view,)
        if problems:
            raise ExecutionError(problems) from cause

    def _groups(self) -> Iterator[list[Source]]:
        """The sources that the SQL uses, files that follow each other together."""
        used = (s for s in self.rendered.sources if _is_file(s) or self.wanted.uses(s.names[-1]))
        for files, group in groupby(used, _is_file):
            if files:
                yield list(group)
            else:
                yield from ([source] for source in group)

    def _alone(self, group: Sequence[Source]) -> Iterator[Source]:
        """The sources to look at one by one: those that are not read as one table with others."""
        for (whole, _), items in groupby(group, lambda s: (s.whole, s.reader.partition(".")[0])):
            sources = list(items)
            frame = None
            if whole and len(sources) > 1:
                with unlogged():
                    frame = together(self.spark, sources, self.wanted)
            if frame is None:
                yield from sources
            else:
                view = self._register(frame)
                self.names.update({s.key: (view,) for s in sources})

    def _view(self, source: Source, must_be_there: bool, may_cast: bool) -> str | None:
        """The view to read instead of what the SQL names, None if there is no need for one."""
        if _is_file(source):
            with unlogged():
                return self._register(recast(self.spark, source, self.wanted))
        table = find_table(source, self.tables)
        if table is None:
            with self._applied(), unlogged():
                found = self._of_catalog(source, must_be_there)
                if found is None:
                    return None
                frame = fitted(found, source, self.wanted)
                return self._register(frame) if may_cast and frame is not None else None
        if is_frame(table):
            return self._of_frame(open_table(self.spark, source, table), source)
        with self._listing(), unlogged():
            opened = open_table(self.spark, source, table)
            wanted = self.wanted
            if is_orc(table):
                wanted = orc.wanted_of(self.spark, opened, wanted)
            return self._register(fitted(opened, source, wanted) or opened)

    def _of_frame(self, frame: DataFrame, source: Source) -> str | None:
        """A view of a DataFrame of the caller's, which means what it does in the session as the caller has it."""
        if as_declared(frame, source, self.wanted):
            return self._register(frame)
        names = frame.columns
        if len({n.lower() for n in names}) < len(names):
            # A view takes no two columns of one name; the plan may use neither.
            frame = frame.toDF(*(f"c{i}" for i in range(len(names))))
        view = self._register(frame)
        with self._applied(), unlogged():
            cast = fitted(self.spark.table(view).toDF(*names), source, self.wanted)
            return view if cast is None else self._register(cast)

    def _of_catalog(self, source: Source, must_be_there: bool) -> DataFrame | None:
        try:
            frame = self.spark.table(
                ".".join("`" + n.replace("`", "``") + "`" for n in source.names)
            )
            _ = frame.schema  # a Connect client asks for the table no sooner
        except Exception as error:
            # What else may be wrong is said when the SQL is run.
            if must_be_there and condition(error) == "TABLE_OR_VIEW_NOT_FOUND":
                raise missing(self.spark, source, self.tables) from error
            return None
        return frame

    def _register(self, frame: DataFrame) -> str:
        view = f"{self.stem}_{len(self.views)}"
        frame.createOrReplaceTempView(view)
        self.views.append(view)
        return view


def _is_file(source: Source) -> bool:
    """Whether a source is files that the plan names itself."""
    return bool(source.reader) or source.view is not None


def missing(spark: SparkSession, source: Source, tables: Mapping[str, Any]) -> ExecutionError:
    """The error for a table that is not there."""
    try:
        catalog = [t.name for t in spark.catalog.listTables() if not t.name.startswith(PREFIX)]
    except Exception:  # a catalog that lists none: the names are for a hint only
        catalog = []
    return not_there(source, tables, catalog)


def not_there(source: Source, tables: Mapping[str, Any], catalog: Iterable[str]) -> ExecutionError:
    """The error for a table that is neither given nor in a catalog of these."""
    return ExecutionError.of(
        "SS4003",
        f"the plan reads the table {'.'.join(source.names)}, which is not there; "
        f"tables there are: {available(tables, catalog)}",
        source.path,
        hint="give it with --tables DIR or --table NAME=PATH; "
        "in Python: execute(..., tables={name: DataFrame or path})",
    )
