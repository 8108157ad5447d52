"""The keys of GROUP BY and its grouping sets, as the text has them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.expressions import draws
from substrait_sql.lift.expressions.canonical import Form, Forms
from substrait_sql.lift.expressions.functions import aggregates_in, calls_aggregate
from substrait_sql.lift.problems import no_value
from substrait_sql.lift.query.ordering import ordinal
from substrait_sql.lift.query.stars import is_star
from substrait_sql.lift.text.parse import name_of
from substrait_sql.lift.text.tokens import PREFIX
from substrait_sql.lift.tree import WindowCall, holds, walk
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.tree import Expr

Sets = list[tuple[int, ...]]
_SETS = ("ROLLUP", "CUBE", "GROUPING SETS")
_MOST_SETS = 4096


class Keys:
    """What to group by. sets: for each grouping set the places of its keys, None for plain GROUP BY.

    forms: what keys are compared with other expressions by.
    """

    def __init__(self, keys: list[Expr], sets: Sets | None) -> None:
        self.keys, self.sets = keys, sets
        self.forms = Forms()
        self._places: dict[Form, int] = {}
        for place, key in enumerate(keys):
            self._places.setdefault(self.forms.of(key), place)

    def place(self, key: Expr) -> int:
        """The place of a key, which is added if it is a new one."""
        place = self._places.setdefault(self.forms.of(key), len(self.keys))
        if place == len(self.keys):
            self.keys.append(key)
        return place


def keys_of(group: Any, items: Sequence[Any], cx: Context) -> Keys:
    """The keys of GROUP BY: expressions, names and numbers of the select list, ALL, sets."""
    scope = replace(cx.scope, aliases=_aliases(items))
    plain = group.expressions
    inner = cx.inside(scope).at("GROUP BY")
    if group.args.get("all") is False:
        raise Misused("not Spark SQL: DISTINCT behind GROUP BY", "SS5001")
    if group.args.get("all"):
        if group.args.get("rollup") or group.args.get("cube"):
            raise cx.error("SS5001", "GROUP BY ALL takes no ROLLUP and no CUBE", group)
        plain = [exp.column("all"), *plain]
    if len(plain) == 1 and _is_all(plain[0]):
        # A column of this name is meant first, then the name of an entry of the select list.
        named = scope.local(["all"]) or scope.aliases.get("all")
        if named is None:
            return Keys(_all_keys(items), None)
    found = Keys([], None)
    parts: list[Sets] = []
    behind = [
        k
        for k in ("rollup", "cube")
        if group.args.get(k) and not any(x.expressions for x in group.args[k])
    ]
    if behind:
        places = [_place(n, found, items, inner) for n in plain]
        parts.append((_rolled if behind[0] == "rollup" else _cubed)([(p,) for p in places]))
        draws.check(found.keys, "ROLLUP and CUBE take", "SS5003")
        found.sets = parts[0]
        return found
    for each in plain:
        if isinstance(each, exp.Tuple) and not each.expressions:
            raise cx.error(
                "SS5001", "empty brackets stand for all rows in GROUPING SETS only", each
            )
        parts.append(_sets(each, found, items, inner))
    # GROUP BY a, b GROUPING SETS ((a), (b)), without a comma: the list in front only names the keys.
    listed = group.args.get("grouping_sets") or ()
    # What some releases of sqlglot take without a comma.
    nested = [x for k in ("rollup", "cube") for x in group.args.get(k) or ()]
    several = any(sets_word(p) for p in plain)
    if nested or (listed and several):
        raise cx.error("SS5001", "a comma is wanted before ROLLUP, CUBE and GROUPING SETS", group)
    if listed:
        parts = [_sets(each, found, items, inner) for each in listed]
    if listed or several:
        draws.check(found.keys, "ROLLUP, CUBE and GROUPING SETS take", "SS5003")
        found.sets = _product(parts)
    return found


def _product(parts: list[Sets]) -> Sets:
    out: Sets = []
    count = 1
    for each in parts:
        count *= len(each)
    if count > _MOST_SETS:
        raise Misused(f"GROUP BY of {count} grouping sets: {_MOST_SETS} are allowed")
    for chosen in product(*parts):
        out.append(tuple(dict.fromkeys(p for one in chosen for p in one)))
    return out


def sets_word(node: Any) -> str:
    """What of ROLLUP, CUBE and GROUPING SETS it is: calls to the parser, of which each release reads other things."""
    if isinstance(node, exp.GroupingSets):
        return "GROUPING SETS"
    called = isinstance(node, exp.Anonymous) and PREFIX.match(node.name)
    name = " ".join(name_of(node).upper().split()) if called else ""
    return name if name in _SETS else ""


def _sets(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    match sets_word(node):
        case "GROUPING SETS":
            return [one for e in node.expressions for one in _nested(e, found, items, cx)]
        case "ROLLUP" | "CUBE" as word:
            combined = [_combined(e, found, items, cx) for e in node.expressions]
            if not all(combined):
                raise Misused("ROLLUP and CUBE take no empty set")
            return (_rolled if word == "ROLLUP" else _cubed)(combined)
    return [(_place(node, found, items, cx),)]


def _nested(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> Sets:
    if sets_word(node):
        return _sets(node, found, items, cx)
    return [_combined(node, found, items, cx)]


def _combined(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> tuple[int, ...]:
    if isinstance(node, exp.Tuple):
        return tuple(_place(e, found, items, cx) for e in node.expressions)
    return (_place(node.unnest(), found, items, cx),)


def _rolled(parts: list[tuple[int, ...]]) -> Sets:
    return [tuple(p for one in parts[:n] for p in one) for n in range(len(parts), -1, -1)]


def _cubed(parts: list[tuple[int, ...]]) -> Sets:
    if 2 ** len(parts) > _MOST_SETS:
        raise Misused(f"CUBE of {len(parts)} keys is too many")
    width = len(parts)
    masks = sorted(range(2**width), key=lambda m: bin(m).count("1"))
    return [
        tuple(p for i, one in enumerate(parts) if not mask >> (width - 1 - i) & 1 for p in one)
        for mask in masks
    ]


def _place(node: Any, found: Keys, items: Sequence[Any], cx: Context) -> int:
    return found.place(cx.checked(lambda: _key(node, items, cx), no_value, node))


def _key(node: Any, items: Sequence[Any], cx: Context) -> Expr:
    number = ordinal(node, len(items), cx, "GROUP BY")
    if number is not None and any(is_star(i.node) for i in items):
        raise Misused("GROUP BY takes no number beside a star in the select list")
    if _is_starred(node):
        raise Misused("GROUP BY takes no star")
    key = items[number].value if number is not None else lift(node, cx)
    meant = [items[number]] if number is not None else _named(node, key, items)
    _check_lateral(meant)
    if aggregates_in(key):
        raise cx.error("SS5003", "GROUP BY takes no aggregate function", node)
    if holds(key, WindowCall):
        raise cx.error("SS5003", "GROUP BY takes no function with OVER", node)
    return key


def _aliases(items: Sequence[Any]) -> dict[str, Expr]:
    out: dict[str, Expr] = {}
    for each in items:
        out.setdefault(each.name.casefold(), each.value)
    return out


def _named(node: Any, key: Expr, items: Sequence[Any]) -> list[Any]:
    """The entry of the select list that a name means, if it means one."""
    if not isinstance(node, exp.Column):
        return []
    name = node.name.casefold()
    same = [i for i in items if i.name.casefold() == name]
    return [i for i in same[:1] if i.value is key]


def _check_lateral(items: Sequence[Any]) -> None:
    """Raises `Misused` for entries that read the names of others: Spark does not group by those."""
    for each in items:
        if each.lateral:
            raise Misused(f"GROUP BY takes no {each.name}, which reads another name of the list")


def _is_starred(node: Any) -> bool:
    """Whether it has a star, other than ``count(*)``, which is no key anyway, and those of queries in it."""
    own = node.walk(prune=lambda n: isinstance(n, exp.Query))
    called = (exp.Anonymous, exp.Column)
    return any(isinstance(x, exp.Star) and isinstance(x.parent, called) for x in own)


def _is_all(node: Any) -> bool:
    name = node.unnest()
    return isinstance(name, exp.Column) and name.name.upper() == "ALL" and not name.table


def _all_keys(items: Sequence[Any]) -> list[Expr]:
    """The entries of the select list that call no aggregate function, also none over a window."""
    found: list[Expr] = []
    _check_lateral([i for i in items if not calls_aggregate(i.node)])
    for each in items:
        windows = [x for x in walk(each.value) if isinstance(x, WindowCall)]
        # An aggregate function is one with OVER as well, and in the order of another one's window.
        if aggregates_in(each.value) or not all(w.ranking for w in windows):
            continue
        if windows:
            raise Misused("GROUP BY ALL takes no function with OVER")
        if each.value not in found:
            found.append(each.value)
    return found
