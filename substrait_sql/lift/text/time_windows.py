"""``window.start`` in a query with ``GROUP BY window(ts, '5 minutes')``: the field of that call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NAMES = frozenset({"window"})
_SETS = frozenset({"ROLLUP", "CUBE", "GROUPING SETS"})


def write_out(node: Any, order: Sequence[Any]) -> None:
    """Puts the call in the place of its name in the list of a SELECT.

    Spark knows it there by the name of the function, and in the clauses behind. Not for a FROM that has a column of
    this name.
    """
    group = node.args.get("group")
    calls = {} if group is None else {name_of(c).lower(): c for c in _calls(_keys(group))}
    if not calls:
        return
    having, qualify = (
        [] if node.args.get(key) is None else [node.args[key]] for key in ("having", "qualify")
    )
    behind = [*having, *qualify, *order]
    for each in _calls(n for part in behind for n in part.find_all(exp.Anonymous)):
        what = f"Spark loses the column that {name_of(each).lower()} is called on in HAVING and ORDER BY"
        raise Misused(what, "SS5003", "write window.start and window.end there")
    _write_out([*node.expressions, *having], calls)
    # Behind those a name of the list is that.
    outputs = {each.alias_or_name.casefold() for each in node.expressions}
    _write_out(
        [*qualify, *order], {name: call for name, call in calls.items() if name not in outputs}
    )


def _write_out(nodes: Sequence[Any], calls: Mapping[str, Any]) -> None:
    for each in nodes:
        for column in list(_columns(each)):
            call = calls.get(column.parts[0].name.casefold())
            if call is not None:
                _put(column, call)


def names_in(node: Any) -> frozenset[str]:
    """The names that GROUP BY gives to windows of time."""
    group = node.args.get("group")
    return frozenset(() if group is None else (name_of(c).lower() for c in _calls(_keys(group))))


def _keys(group: Any) -> Iterator[Any]:
    """The calls that are keys, also of ROLLUP, CUBE and GROUPING SETS."""
    for each in group.find_all(exp.Anonymous):
        above = each.parent
        while isinstance(above, (exp.Tuple, exp.Paren)) or _makes_sets(above):
            above = above.parent
        if above is group:
            yield each


def _makes_sets(node: Any) -> bool:
    return isinstance(node, exp.Anonymous) and name_of(node).upper() in _SETS


def _calls(keys: Iterable[Any]) -> Iterator[Any]:
    for each in keys:
        call = each.unnest()
        if isinstance(call, exp.Anonymous) and name_of(call).lower() in _NAMES:
            yield call


def _columns(node: Any) -> Iterator[Any]:
    """The columns of this SELECT, not those of queries in it."""
    around = node.find_ancestor(exp.Query)
    for each in node.find_all(exp.Column):
        if each.find_ancestor(exp.Query) is around:
            yield each


def _put(column: Any, call: Any) -> None:
    whole = call.copy()
    for part in column.parts[1:]:
        whole = exp.Dot(this=whole, expression=part.copy())
    if isinstance(column.parent, exp.Select) and column.arg_key == "expressions":
        whole = exp.Alias(this=whole, alias=exp.to_identifier(column.parts[-1].name, quoted=True))
    column.replace(whole)


def check(name: str, node: Any) -> None:
    """Raises `Misused` for a window of time that is no key of groups.

    Spark makes rows of it, one for each window that a point in time is in and none for NULL; in a plan it would be a
    value. Sessions are made of the rows around.
    """
    if name in ("session_window", "window_time"):
        raise Misused(f"a plan has no word for {name}: it is about the rows around", "SS5007")
    around = node.find_ancestor(exp.Select)
    if name == "window" and (around is None or around.args.get("group") is None):
        what = "window makes rows, one for each window that a point in time is in"
        raise Misused(
            f"a plan has no word for that: {what}", "SS5007", "group by it in this SELECT"
        )
