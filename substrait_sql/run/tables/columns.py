"""The columns of a table as the plan declares them: casts where they keep every value, refusals for all others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import Diagnostic, ExecutionError
from substrait_sql.run.quoting import quote
from substrait_sql.run.tables.fit import arranged, fit, matches
from substrait_sql.run.tables.nulls import checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyspark.sql import DataFrame

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Declared, Source
    from substrait_sql.run.tables.fit import Text

_MOST = 12
_UTC = {"UTC", "ETC/UTC", "GMT", "Z", "+00:00", "UTC+0"}
_HINT = "no conversion keeps all values; declare the type that the table has, or convert the table"
_HINT_OF_ZONES = "which hour is meant depends on {}: convert the table, or set it to UTC"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the statements want of their tables.

    sql: their text. dialect: the one it is in. type_text: the SQL of a Substrait type, or nothing. check_nulls: NULLs
    that the plan rules out are errors. zone: the one in which points in time without a zone are read, and zone_of whose
    it is; in UTC nobody reads another hour in them than the plan does.
    """

    sql: str
    dialect: Dialect
    type_text: Text
    check_nulls: bool = False
    zone: str = ""
    zone_of: str = "the session's zone"

    @property
    def is_in_utc(self) -> bool:
        """Whether points in time with a zone and without one are the same."""
        return self.zone.upper() in _UTC

    def uses(self, name: str) -> bool:
        """Whether a name can be that of something the statements read: it stands in their text."""
        names = self.dialect.names
        written = re.escape(names.quote(name))
        beside = rf"[\w{re.escape(names.quotes)}]"
        found = re.search(rf"(?<!{beside}){written}(?!{beside})", self.sql, re.IGNORECASE)
        return found is not None


def fitted(
    frame: DataFrame, source: Source, wanted: Wanted, also: Sequence[str] = ()
) -> DataFrame | None:
    """The declared columns of a table, each of its type; None if the table has them as it is.

    also: columns of Spark's own to keep. Raises `ExecutionError` SS4016 for all columns that cannot be had so.
    """
    columns = _declared(frame, source, wanted)
    if columns.problems:
        raise ExecutionError(columns.problems)
    if columns.as_they_are():
        return None
    checks = columns.checks() if wanted.check_nulls else {}
    fitting = columns.select(columns.casts, frame, also)
    return columns.select(checks, fitting, also) if checks else fitting


def as_declared(frame: DataFrame, source: Source, wanted: Wanted) -> bool:
    """Whether a table has the declared columns as it is, and `fitted` nothing to do or to refuse.

    Spark is not asked to make anything, so no settings matter.
    """
    columns = _declared(frame, source, wanted)
    return not columns.problems and columns.as_they_are()


def _declared(frame: DataFrame, source: Source, wanted: Wanted) -> _Columns:
    columns = _Columns(frame, source, wanted)
    for path, declared in source.reads:
        columns.places = {}
        for each in declared:
            columns.add(path, each)
    return columns


class _Columns:
    """The columns of one table, gathered over the reads of it."""

    def __init__(self, frame: DataFrame, source: Source, wanted: Wanted) -> None:
        self.schema = frame.schema
        self.fields = self.schema.fields
        self.source = source
        self.wanted = wanted
        self.problems: list[Diagnostic] = []
        # What the reads declare for a column, by its place in the table; and the columns of the read at hand.
        self.known: dict[int, list[tuple[Declared, str]]] = {}
        self.places: dict[int, str] = {}
        self.casts: dict[int, str] = {}

    def as_they_are(self) -> bool:
        """Whether each column can be read under its name, and is of its type."""
        distinct = len({f.name.lower() for f in self.fields}) == len(self.fields)
        return distinct and not self.casts and not (self.wanted.check_nulls and self.checks())

    def add(self, path: str, declared: Declared) -> None:
        """Notes a column that the read at `path` declares, and what is wrong with it."""
        name, type = declared.column.name, declared.type
        places = matches(name, self.schema)
        table = _table(self.source)
        if len(places) != 1:
            if not self.wanted.uses(name):
                return
            if places:
                message = (
                    f"{table} has {len(places)} columns {name!r}, which differ in case at most"
                )
                self._refuse(path, message, "give the columns different names")
            else:
                message = f"{table} has no column {name!r}; columns there are: {_listed(f.name for f in self.fields)}"
                self._refuse(path, message, "the plan was made for a table that has it")
            return
        place = places[0]
        if place in self.places and self.wanted.uses(name):
            both = f"{self.places[place]!r} and {name!r}"
            message = f"the plan reads two columns {both} of {table}, which are one to Spark"
            self._refuse(path, message, "give the columns different names")
            return
        self.places[place] = name
        before = self.known.setdefault(place, [])
        before.append((declared, path))
        if len(before) > 1:
            self._meet(path, declared, *before[0])
            return
        found = fit(type, self.fields[place].dataType, self.wanted.type_text)
        if found.zoned and self.wanted.is_in_utc:
            found.cast = True
        else:
            found.problems += found.zoned
        if found.problems and self.wanted.uses(name):
            for part, problem in found.problems:
                of_zones = _HINT_OF_ZONES.format(self.wanted.zone_of)
                hint = of_zones if (part, problem) in found.zoned else _HINT
                self._refuse(path, f"the column {name + part!r} of {table} {problem}", hint)
        elif not found.problems and not found.same:
            column = quote(self.fields[place].name)
            sql = arranged(column, type, self.fields[place].dataType) if found.moved else column
            self.casts[place] = f"CAST({sql} AS {declared.column.spark_type})"

    def _meet(self, path: str, declared: Declared, before: Declared, where: str) -> None:
        """Refuses a second type for a column: there is one table for all that read it."""
        texts = declared.column.spark_type, before.column.spark_type
        name = declared.column.name
        if not all(texts) or texts[0] == texts[1] or not self.wanted.uses(name):
            return
        self._refuse(
            path,
            f"the column {name!r} of {_table(self.source)} is declared as {declared.column.type} here, "
            f"and as {before.column.type} by {where}",
            "one table has one type for it: declare the same everywhere",
        )

    def _refuse(self, path: str, message: str, hint: str) -> None:
        self.problems.append(Diagnostic("SS4016", message, path, hint))

    def checks(self) -> dict[int, str]:
        """The columns that may hold a NULL which the plan rules out, each as a value that is none."""
        found = {}
        for place, reads in self.known.items():
            name = self.fields[place].name
            what = f"the column {name!r} of {_table(self.source)}"
            sql = checked(quote(name), [d.type for d, _ in reads], what)
            if sql != quote(name):
                found[place] = sql
        return found

    def select(self, made: Mapping[int, str], frame: DataFrame, also: Sequence[str]) -> DataFrame:
        """The declared columns, some of them as they are made of others, and the columns that were asked for."""
        columns = []
        for place in sorted(self.known):
            name = quote(self.fields[place].name)
            columns.append(f"{made[place]} AS {name}" if place in made else name)
        columns += [c for c in also if not self.known.keys() & set(matches(c, self.schema))]
        return frame.selectExpr(*columns) if columns else frame.select()


def _table(source: Source) -> str:
    where: Any = source.reader or source.view
    return repr(source.names[0]) if where else ".".join(source.names)


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST} more" if len(listed) > _MOST else ""
    return ", ".join(listed[:_MOST]) + more if listed else "none"
