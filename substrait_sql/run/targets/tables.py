"""Rows into a table, which has all of them or is as it was.

A new table is made under another name, and renamed when it has its rows. One of plain files gets other rows by way of
a second table, as an update of it does (`run.changes.rewrite`); where a format has snapshots, one statement does all at
once.
"""

from __future__ import annotations

import uuid
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from substrait_sql.lower.writes.rewrites import FORMATS, Rewriting
from substrait_sql.rendered import Column, Statement
from substrait_sql.run.changes import rewrite, staging
from substrait_sql.run.seen.cancel import patient
from substrait_sql.run.settings import applied, check_later, own_attempt, unlogged
from substrait_sql.run.tables.fit import converts
from substrait_sql.run.tables.views import PREFIX
from substrait_sql.run.targets.formats import partition_problems
from substrait_sql.run.targets.model import (
    Saved,
    ToTable,
    check_count,
    does_not_fit,
    is_there_already,
    wrong,
)
from substrait_sql.run.targets.sink import guarded
from substrait_sql.text import rewrite as texts
from substrait_sql.text.statement import Statements, Wanted
from substrait_sql.text.statement_options import NOTHING
from substrait_sql.text.target_name import parse_name
from substrait_sql.text.templates import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.run.changes.staging import Files

_VIEWS = ("view", "temporary")

# Catalogs would go on to look for partitions where they were before the table had its name.
_BY_FOLDERS = {"spark.sql.hive.manageFilesourcePartitions": "false"}


class TableSink:
    """A table of the session's catalogs, there or not."""

    def __init__(self, spark: SparkSession, target: ToTable, dialect: Dialect) -> None:
        self.spark = spark
        self.target = target
        self.dialect = dialect
        self.relation = parse_name(target.name, dialect.names)
        self.name = staging.text(self.relation.parts, dialect)
        self.run = uuid.uuid4().hex[:8]
        self.before: Files | None = None
        details = staging.details(spark, self.name)
        self.exists = bool(details) or bool(spark.catalog.tableExists(self.name))
        kind = details.get("Type", "" if details else "temporary").lower()
        self.is_view = self.exists and kind in _VIEWS
        own = staging.catalog(spark, details, self.relation.parts) == staging.OWN_CATALOG
        provider = details.get("Provider", "").lower() if self.exists else target.format
        self.provider = provider or ("parquet" if not self.exists and own else "")
        self.is_plain = own and self.provider in FORMATS
        self.at_once = self.provider in rewrite.AT_ONCE
        # The same for all that is written to a table: who finishes what is left needs none of its rows.
        self.digest = texts.digest_of("save", self.name.lower())

    def is_wanted(self) -> bool:
        """As of `Sink`."""
        mode = self.target.mode
        if self.exists and mode == "fail":
            raise is_there_already(self.name)
        if self.exists and mode == "ignore":
            return False
        if self.is_view:
            raise wrong(f"{self.name} is a view, and rows go into tables")
        if self.exists:
            self._check_options()
        return True

    def settle(self) -> None:
        """As of `Sink`."""
        if self.exists and not self.is_plain:
            return
        mine = Statement("", "", 0, target=self.relation.parts)
        with self._settings({}):
            for left in staging.left(self.spark, self.relation.parts, self.dialect):
                if left.state == texts.READY and left.digest == self.digest and self.exists:
                    steps = self._steps("", left.run, [])
                    rewrite.finish(self.spark, steps, left, self._sql, self.dialect)
            rewrite.tidy(self.spark, mine, self.dialect)
            if self.exists and self.target.mode == "overwrite":
                self.before = staging.files(self.spark, self.name)

    def check(self, frame: DataFrame) -> None:
        """As of `Sink`."""
        fields = frame.schema.fields
        names = [f.name.lower() for f in fields]
        found = [
            f"two columns are called {n}" for n in sorted({n for n in names if names.count(n) > 1})
        ]
        if not self.exists:
            found += partition_problems(frame.schema, self.target.partition_by)
        else:
            found += self._misfits(frame)
        if found:
            hint = "drop the table, or write to another one, if it is to have other columns"
            raise does_not_fit(self.name, found, hint if self.exists else "")

    def write(self, frame: DataFrame, max_rows: int | None) -> Saved:
        """As of `Sink`."""
        apart = self._partitions() if self.exists else self.target.partition_by
        view = f"{PREFIX}{uuid.uuid4().hex[:12]}"
        columns = [Column(f.name, "", f.dataType.simpleString()) for f in frame.schema.fields]
        rows: int | None = None
        with self._settings(rewrite.SETTINGS):
            guarded(frame, apart).createOrReplaceTempView(view)
            try:
                query = f"SELECT\n  *\nFROM {view}"
                check_later(
                    self.spark,
                    Statement(f"INSERT INTO {self.name}", "insert", 0),
                    self.dialect.settings,
                )
                if not self.exists:
                    rows = self._make(query, columns, max_rows)
                elif self.target.mode == "overwrite" and self.is_plain:
                    rows = self._rewrite(query, columns, max_rows)
                else:
                    rows = self._in_place(query, columns, max_rows)
            finally:
                self.spark.catalog.dropTempView(view)
        return Saved(self.target.name, True, rows)

    def _make(self, query: str, columns: Sequence[Column], most: int | None) -> int:
        """A new table: under another name until it has its rows."""
        parts = texts.staging_of(self.relation.parts, self.run)
        begun = self.relation.parts if self.at_once else parts
        options: dict[str, Any] = {
            "partition_by": list(map(self.dialect.names.in_quotes, self.target.partition_by))
        }
        if self.provider:
            options["format"] = self.provider
        if begun is parts:
            options["properties"] = {texts.PROPERTY: f"{texts.FILLING}:{self.digest}"}
        made = Statements(self.dialect).around(query, Wanted("ctas", begun, options), columns)
        name = staging.text(begun, self.dialect)
        try:
            with applied(self.spark, _BY_FOLDERS):
                self._run(made[0].sql)
            rows = staging.count(self.spark, name)
            check_count(rows, most)
            if begun is parts:
                # Without the catalog, in which it is already.
                new = staging.text(self.relation.parts[-2:], self.dialect)
                self._run(f"ALTER TABLE {name} RENAME TO {new}")
        except BaseException:
            self._drop(name)
            raise
        if begun is parts:
            self._finish_new()
        return rows

    def _drop(self, name: str) -> None:
        """Drops what may have been made of a new table: Spark knows a table last, and has its folder first."""
        self._run(f"DROP TABLE IF EXISTS {name}")
        if self.is_plain:
            with suppress(Exception):  # another error is on its way
                self._run(f"CREATE TABLE {name} (made BOOLEAN) USING parquet")
                self._run(f"DROP TABLE {name}")

    def _finish_new(self) -> None:
        self._run(f"ALTER TABLE {self.name} UNSET TBLPROPERTIES ('{texts.PROPERTY}')")
        if self.is_plain and self.target.partition_by:
            self._run(f"MSCK REPAIR TABLE {self.name}")

    def _rewrite(self, query: str, columns: Sequence[Column], most: int | None) -> int:
        """Other rows for a table of plain files."""
        steps = self._steps(query, self.run, columns)
        filled = staging.text(texts.staging_of(self.relation.parts, self.run), self.dialect)
        rows = 0

        def run_one(statement: Statement) -> DataFrame:
            nonlocal rows
            frame = self._sql(statement)
            if statement.kind == "rewrite_fill":
                rows = staging.count(self.spark, filled)
                check_count(rows, most)
            return frame

        try:
            rewrite.run(self.spark, steps, self.run, self.before, run_one, self.dialect)
        except (KeyboardInterrupt, SystemExit):
            there = staging.left(self.spark, self.relation.parts, self.dialect)
            if any(x.run == self.run and x.state == texts.FILLING for x in there):
                self._run(f"DROP TABLE IF EXISTS {filled}")
            raise
        return rows

    def _in_place(self, query: str, columns: Sequence[Column], most: int | None) -> int | None:
        """One statement of Spark's. Where rows are counted before, they are made once all the same."""
        kind = "overwrite" if self.target.mode == "overwrite" else "insert"
        listed = [{"name": c.name} for c in columns]
        templates = Statements(self.dialect).templates
        text = templates.render(
            kind, self.relation, **NOTHING | {"columns": listed}, query=Piece("the query", query)
        )
        statement = Statement(text, kind, 0, tuple(columns), self.relation.parts)
        if most is None:
            self._add(statement)
            return None
        kept = self.spark.sql(query).persist()
        try:
            rows = kept.count()
            check_count(rows, most)
            self._add(statement)
            return rows
        finally:
            kept.unpersist(blocking=True)

    def _add(self, statement: Statement) -> None:
        with applied(self.spark, own_attempt()), patient():
            self._sql(statement)

    def _steps(self, query: str, run: str, columns: Sequence[Column]) -> list[Statement]:
        return texts.rewrite(
            Statements(self.dialect).templates, self.relation, columns, query or "SELECT\n  1", 0,
            checked=Rewriting.of(self.provider) is Rewriting.CHECKED, run=run, digest=self.digest,
        )  # fmt: skip

    def _check_options(self) -> None:
        """What is asked for must be what the table is: it stays that."""
        asked = [name.lower() for name in self.target.partition_by]
        there = [name.lower() for name in self._partitions()]
        if asked and asked != there:
            raise wrong(
                f"{self.name} is partitioned by {', '.join(there) or 'nothing'}, and stays as it is"
            )
        if self.target.format and self.target.format != self.provider:
            raise wrong(
                f"{self.name} is of {self.provider or 'another format'}, and stays as it is"
            )
        if self.target.mode == "overwrite" and not (self.is_plain or self.at_once):
            raise wrong(
                f"nobody knows whether {self.name} gets other rows at once",
                "its catalog may delete the old ones first; append to it, or write to another table",
            )
        if self.target.mode == "append" and Rewriting.of(self.provider) is Rewriting.CHECKED:
            raise wrong(
                f"{self.name} is of {self.provider}, and may hold other rows than it is given"
            )

    def _partitions(self) -> list[str]:
        return [c.name for c in self.spark.catalog.listColumns(self.name) if c.isPartition]

    def _misfits(self, frame: DataFrame) -> Iterator[str]:
        there = {f.name.lower(): f for f in self.spark.table(self.name).schema.fields}
        given = {f.name.lower(): f for f in frame.schema.fields}
        for name in [n for n in given if n not in there]:
            yield f"it has no column {given[name].name}"
        for name in [n for n in there if n not in given]:
            yield f"the rows have no column {there[name].name}"
        for name in [n for n in given if n in there]:
            old, new = (_plain(x[name].dataType.simpleString()) for x in (there, given))
            if new not in (old, "void") and not converts(new, old):
                yield f"{given[name].name} is {new}, and there {old}"

    @contextmanager
    def _settings(self, more: Mapping[str, str]) -> Iterator[None]:
        known = self.dialect.settings
        with applied(self.spark, {**known.with_times, **more}, known.defaults), unlogged():
            yield

    def _sql(self, statement: Statement) -> DataFrame:
        return self._run(statement.sql)

    def _run(self, text: str) -> DataFrame:
        return self.spark.sql(text)


def _plain(type: str) -> str:
    return type.replace(" ", "").lower()
