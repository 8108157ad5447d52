"""A text into a plan: the passes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.errors import SqlError
from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.encode.plan import plan
from substrait_sql.lift.text.nodes import Piped
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.writes import action

if TYPE_CHECKING:
    from substrait_sql.lift.schemas.catalog import Catalog

_ACTIONS = (exp.Insert, exp.Create, exp.Delete, exp.Update, exp.Drop)
_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Table, Piped)


@dataclass(frozen=True, slots=True)
class Options:
    """How a plan is to be written.

    zone: the time zone of timestamps without one. steps_out: outer references as a number of subqueries. standard_only:
    refuse functions that only our extension has. inline: common table expressions are written at each of their uses.
    plain: calls are those that single lines of the dialect say, without the compositions.
    """

    zone: str = "UTC"
    steps_out: bool = False
    standard_only: bool = False
    inline: bool = False
    plain: bool = False


def lift(sql: str, catalog: Catalog, dialect: str = "spark", options: Options | None = None) -> Any:
    """The plan of a statement. Raises `SqlError`."""
    given = options or Options()
    node, source = statement(sql)
    cx = Context(catalog, source, zone=given.zone)
    if not isinstance(node, (*_QUERIES, *_ACTIONS)):
        raise source.error("SS5007", f"{type(node).__name__.upper()} is not known here yet", node)
    try:
        with cx.about(node):
            done = action(node, cx)
        found = query(node, cx) if done is None else done
        return plan(
            found,
            dialect,
            steps_out=given.steps_out,
            standard_only=given.standard_only,
            inline=given.inline,
            plain=given.plain,
        )
    except Misused as problem:
        raise SqlError.of("SS5003", str(problem)) from problem
