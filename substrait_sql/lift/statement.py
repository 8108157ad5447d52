"""A text into a plan: the passes in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.encode.plan import plan
from substrait_sql.lift.engine import engine
from substrait_sql.lift.expressions import moved
from substrait_sql.lift.expressions.zones import in_utc
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.writes.statements import KINDS, action

if TYPE_CHECKING:
    from substrait_sql.lift.schemas.catalog import Catalog
    from substrait_sql.lift.tree import Relation
    from substrait_sql.lift.writes.actions import Action

_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Table)


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
    try:
        cx = Context(catalog, source, zone=given.zone, engine=engine(dialect), plain=given.plain)
        return encoded(lifted(node, cx), dialect, given)
    except Misused as problem:
        raise source.misused(problem) from problem


def lifted(node: Any, cx: Context) -> Relation | Action:
    """What the tree of a statement means. Raises `SqlError`."""
    if not isinstance(node, (*_QUERIES, *KINDS)):
        what = type(node).__name__.upper()
        raise cx.error("SS5007", f"a plan has no word for {what} as a statement", node)
    with cx.about(node):
        done = action(node, cx)
    return query(node, cx) if done is None else done


def encoded(found: Relation | Action, dialect: str, options: Options) -> Any:
    """The message of a plan. Raises `SqlError`, and `Misused` without a place."""
    moved.check(found)
    return plan(
        in_utc(found, options.zone),
        dialect,
        steps_out=options.steps_out,
        standard_only=options.standard_only,
        inline=options.inline,
        plain=options.plain,
    )
