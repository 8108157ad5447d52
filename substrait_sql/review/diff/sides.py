"""The two sides of a comparison: plans or texts of SQL, as far as they can be read."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from substrait_sql import pipeline, wire
from substrait_sql.dialect.dialect import load
from substrait_sql.errors import Diagnostic, SqlError, SubstraitSqlError
from substrait_sql.review.diff.difference import Compared
from substrait_sql.review.meaning.model import Meaning, NoMeaningError
from substrait_sql.review.meaning.relations import meanings
from substrait_sql.wire.deep import in_big_stack

if TYPE_CHECKING:
    from substrait_sql.pipeline import Dialect
    from substrait_sql.rendered import Column, Rendered
    from substrait_sql.wire import Decoded

_SQL = re.compile(
    # Each comment ends in one place only, or a text of many could be taken apart in 2^n ways.
    r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*+"
    r"(?:\(|(?:SELECT|WITH|VALUES|FROM|TABLE|INSERT|UPDATE|DELETE|MERGE|CREATE|EXPLAIN)\b)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Form:
    """A plan of a side: its roots' meanings, or why there are none. columns: of each root, as far as they are known.

    of_text: it is a plan made of the side's text.
    """

    decoded: Decoded
    meanings: tuple[Meaning, ...] | None
    columns: tuple[tuple[Column, ...], ...]
    why_not: str = ""
    of_text: bool = False


@dataclass
class Side:
    """One side. source: a plan or SQL, as it was given."""

    source: Any
    label: str
    dialect: Dialect
    is_sql: bool = field(init=False)

    def __post_init__(self) -> None:
        text = sql_of(self.source)
        self.is_sql = text is not None
        self._given = text or ""

    @cached_property
    def decoded(self) -> Decoded:
        """The plan. Raises what `wire.read` does."""
        return wire.read(self.source)

    @cached_property
    def rendered(self) -> Rendered | None:
        """The SQL of a plan, None where there is none."""
        try:
            return pipeline.render(self.source, dialect=self.dialect)
        except SubstraitSqlError as error:
            self.refused = error.diagnostics
            return None

    refused: tuple[Diagnostic, ...] = ()

    @cached_property
    def compared(self) -> Compared:
        """The text that a reader is shown: the SQL, or the tree of a plan that has none."""
        if self.is_sql:
            return Compared(self.label, self._given.rstrip("\n"))
        if self.rendered is not None:
            return Compared(self.label, self.rendered.sql)
        tree = pipeline.explain(self.source, dialect=self.dialect)
        return Compared(self.label, tree, "tree", self.refused)

    @cached_property
    def direct(self) -> Form:
        """The plan as it was given."""
        columns = self.rendered.statements if self.rendered is not None else ()
        return self._form(self.decoded, tuple(s.columns for s in columns))

    def tables(self) -> dict[str, Any]:
        """The tables that a plan reads, as a schema for texts; empty where that cannot be known."""
        return tables_of(self.rendered) if self.rendered is not None else {}

    def lifted(self, schema: Any) -> Form | Diagnostic:
        """The plan that its text becomes, with tables of this schema; why there is none if there is none."""
        text = self._given if self.is_sql else self.rendered.sql if self.rendered else ""
        try:
            plan = pipeline.to_plan(text, schema=schema, dialect=str(self.dialect))
        except SubstraitSqlError as error:
            return error.diagnostics[0]
        return replace(self._form(wire.read(plan), self._columns(plan)), of_text=True)

    def plan(self, schema: Any) -> Any:
        """What can be run. Raises `SqlError` for a text that does not become a plan."""
        if not self.is_sql:
            return self.source
        return pipeline.to_plan(self._given, schema=schema, dialect=str(self.dialect))

    def _columns(self, plan: Any) -> tuple[tuple[Column, ...], ...]:
        try:
            return tuple(s.columns for s in pipeline.render(plan, dialect=self.dialect).statements)
        except SubstraitSqlError:
            return ()

    def _form(self, decoded: Decoded, columns: tuple[tuple[Column, ...], ...]) -> Form:
        plan = decoded.plan
        if decoded.kind != "plan":
            return Form(decoded, None, columns, "it holds expressions, not relations")
        if plan.named_lambdas or plan.advanced_extensions.HasField("enhancement"):
            return Form(
                decoded, None, columns, "lambdas and enhancements of plans are not compared"
            )
        try:
            found = in_big_stack(lambda: meanings(decoded, load(self.dialect)))
        except NoMeaningError as error:
            return Form(decoded, None, columns, f"{error} (at {error.path})")
        except SubstraitSqlError as error:
            return Form(decoded, None, columns, str(error.diagnostics[0].message))
        return Form(decoded, tuple(found), columns)


def tables_of(rendered: Rendered) -> dict[str, Any]:
    """The tables that SQL of a plan reads, as a schema for texts; without those whose columns are not known."""
    found: dict[str, Any] = {}
    for source in rendered.sources:
        if source.reader or source.view is not None or source.anonymous:
            continue
        inner = found
        for part in source.names[:-1]:
            inner = inner.setdefault(part, {})
        inner[source.names[-1]] = {c.name: _declared(c) for c in source.columns}
    return found


def _declared(column: Column) -> str:
    required = "?" not in column.type.partition("<")[0]
    return f"{column.spark_type} NOT NULL" if required else column.spark_type


def sql_of(source: Any) -> str | None:
    """The text of a source that is SQL: a ``.sql`` file, or a text that begins as statements do. Raises `SqlError`."""
    if isinstance(source, os.PathLike) and os.fspath(source).endswith(".sql"):
        return _read(Path(source))
    if not isinstance(source, str):
        return None
    if source.endswith(".sql") and "\n" not in source:
        return _read(Path(source))
    return source if _SQL.match(source) else None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SqlError.of("SS5011", f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SqlError.of("SS5011", f"{path} is no UTF-8 text: {error.reason}") from error
