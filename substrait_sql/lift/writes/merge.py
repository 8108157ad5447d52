"""MERGE with one clause that is a statement by itself. Plans have no relation for more.

https://substrait.io/relations/logical_relations/#write-operator
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.dispatch import item, lift
from substrait_sql.lift.scope import Scope
from substrait_sql.lift.writes.change import delete, update
from substrait_sql.lift.writes.insert import insert
from substrait_sql.lift.writes.target import table_of
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from substrait_sql.lift.context import Context
    from substrait_sql.lift.writes.actions import Update, Write

_NO_WORD = "a plan has no word for a MERGE that "


def merge(node: Any, cx: Context) -> Write | Update:
    """An INSERT of what the table has not, a DELETE of what it has, a change or DELETE of what the source has not."""
    whens = node.args["whens"].expressions
    if len(whens) != 1:
        raise cx.error(
            "SS5007", f"{_NO_WORD}does several things: its statements are one each", node
        )
    (when,) = whens
    _check(node, cx)
    then = when.args["then"]
    deletes = isinstance(then, exp.Var) and then.name.upper() == "DELETE"
    changes = deletes or isinstance(then, exp.Update)
    if when.args.get("source"):
        _require(changes, "rows that the source has not are updated or deleted", node, cx)
        return _unmatched(node, when, None if deletes else then, cx)
    if not when.args.get("matched"):
        _require(isinstance(then, exp.Insert), "rows that nothing matches are inserted", node, cx)
        return insert(_insertion(node, when, then, cx), cx)
    _require(changes, "rows that match are updated or deleted", node, cx)
    if not deletes:
        what = "updates: two rows of the source for one of the table are an error"
        raise cx.error("SS5007", f"{_NO_WORD}{what}", node)
    if when.args.get("condition") is not None:
        # Several rows of the source for one of the table are an error then.
        raise cx.error("SS5007", f"{_NO_WORD}deletes under a condition", node)
    return delete(exp.Delete(this=node.this, where=exp.Where(this=_matched(node))), cx)


def _require(has: bool, what: str, node: Any, cx: Context) -> None:
    """what: all that Spark has for rows of the kind."""
    if not has:
        raise cx.error("SS5001", f"of a MERGE, {what}", node)


def _matched(node: Any) -> Any:
    """``EXISTS (SELECT * FROM source WHERE on)``."""
    return exp.Exists(this=_matching([exp.Star()], node.args["using"], node.args["on"]))


def _unmatched(node: Any, when: Any, then: Any, cx: Context) -> Write | Update:
    """``DELETE FROM t WHERE NOT EXISTS (SELECT * FROM source WHERE on) AND condition``, or such an UPDATE.

    No row of the table can have several rows of the source here, which is what MERGE looks after elsewhere.
    """
    absent: Any = exp.Not(this=_matched(node))
    if when.args.get("condition") is not None:
        absent = exp.And(this=absent, expression=exp.Paren(this=when.args["condition"]))
    where = exp.Where(this=absent)
    if then is None:
        return delete(exp.Delete(this=node.this, where=where), cx)
    return update(exp.Update(this=node.this, expressions=then.expressions, where=where), cx)


def _check(node: Any, cx: Context) -> None:
    """The condition sees both tables alike; the subquery that it moves to sees one of them first."""
    target = item(node.this, cx)
    source = item(node.args["using"], cx)
    both = cx.inside(Scope([*target.columns, *source.columns]))
    with cx.about(node.args["on"]):
        operators.truth(lift(node.args["on"], both), "ON")


def _insertion(node: Any, when: Any, then: Any, cx: Context) -> Any:
    """``INSERT INTO t (…) SELECT … FROM source WHERE NOT EXISTS (SELECT * FROM t WHERE on)``."""
    absent: Any = exp.Not(this=exp.Exists(this=_matching([exp.Star()], node.this, node.args["on"])))
    condition = when.args.get("condition")
    if condition is not None:
        absent = exp.And(this=absent, expression=exp.Paren(this=condition))
    target = node.this.copy()
    target.set("alias", None)
    if isinstance(then.this, exp.Star):
        # Columns of the table by their names, whatever else the source has.
        named = [exp.to_identifier(f.name, quoted=True) for f in table_of(node.this, cx).columns]
        items: list[Any] = [exp.Column(this=n.copy()) for n in named]
    else:
        named = [exp.to_identifier(c.name, quoted=True) for c in then.this.expressions]
        values = then.expression
        items = values.expressions if isinstance(values, exp.Tuple) else [values]
    rows = _matching(items, node.args["using"], absent)
    return exp.Insert(this=exp.Schema(this=target, expressions=named), expression=rows)


def _matching(items: list[Any], table: Any, condition: Any) -> Any:
    found = exp.Select(expressions=[i.copy() for i in items])
    found.set(releases.FROM, exp.From(this=table.copy()))
    found.set("where", exp.Where(this=condition.copy()))
    return found
