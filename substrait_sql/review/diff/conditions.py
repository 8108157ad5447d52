"""Conditions of two queries: which were added, removed, changed, or moved to another place."""

from __future__ import annotations

from collections import Counter, defaultdict
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from substrait_sql.review.diff.change import Change, change
from substrait_sql.review.diff.notation import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from substrait_sql.review.diff.pairs import Pairs, SideKeys
    from substrait_sql.review.meaning.model import Expr, From, Leaf


_T = TypeVar("_T")
# Of very many conditions about one column, only some are tried out as what another has become.
_MOST_TRIED = 20


class Held(NamedTuple):
    """A condition of one side. place: of the join that it is of, empty for the query itself."""

    key: str
    expr: Expr
    place: str


class Conditions:
    """Compares conditions. found: where the changes go."""

    def __init__(self, pairs: Pairs, found: list[Change]) -> None:
        self._pairs = pairs
        self._found = found
        self._removed: list[Held] = []
        self._added: list[Held] = []
        self._taken: set[int] = set()

    def compare(self, a: From, b: From, alone: set[Leaf], joins: bool) -> None:
        """The conditions of two queries whose sources are paired.

        alone: sources without a partner: what is asked of them was said with them. joins: some join is of another kind,
        so that its conditions stand elsewhere.
        """
        left = [h for h in _held(a, self._pairs.a) if not h.expr.leaves & alone]
        right = [h for h in _held(b, self._pairs.b) if not h.expr.leaves & alone]
        left, right = without_common(left, right, itemgetter(0, 2))
        gone, come = left, right
        left, right = without_common(left, right, attrgetter("key"))
        if not joins:
            self._moved(gone, come, {id(h.expr) for h in right})
        self._partners(left, right)
        left, right = ([h for h in each if id(h.expr) not in self._taken] for each in (left, right))
        self._removed += left
        self._added += right

    def _partners(self, left: Sequence[Held], right: Sequence[Held]) -> None:
        """Says of the conditions that have become others what they have become."""
        by_mark: dict[object, list[Held]] = defaultdict(list)
        for held in right:
            for mark in (*_asked(held.expr, self._pairs.b), held.expr.head):
                by_mark[mark].append(held)
        for old in left:
            marks = (*_asked(old.expr, self._pairs.a), old.expr.head)
            tried = [h for mark in marks for h in by_mark[mark][:_MOST_TRIED]]
            new = _partner(old, [h for h in tried if id(h.expr) not in self._taken], self._pairs)
            if new is not None:
                self._taken |= {id(old.expr), id(new.expr)}
                for mark in (*_asked(new.expr, self._pairs.b), new.expr.head):
                    by_mark[mark].remove(new)
                self._changed(old, new)

    def _moved(self, gone: Sequence[Held], come: Sequence[Held], new: set[int]) -> None:
        """Conditions that stand at another join, or in WHERE instead of ON. new: those that were nowhere before."""
        before = {held.key: held for held in gone}
        for held in come:
            if id(held.expr) in new or held.key not in before:
                continue
            how = (
                "from WHERE to the ON of a join" if held.place else "from the ON of a join to WHERE"
            )
            paths = before[held.key].expr.path, held.expr.path
            self._found.append(change("filter_moved", *paths, what=text(held.expr), how=how))

    def finish(self) -> None:
        """Says what was removed and added; what is there again at another level of the plan was moved."""
        added: dict[str, list[Held]] = defaultdict(list)
        for new in self._added:
            added[text(new.expr)].append(new)
        for old in self._removed:
            shown = text(old.expr)
            if not added[shown]:
                self._found.append(change("filter_removed", old.expr.path, what=shown))
                continue
            paths = old.expr.path, added[shown].pop(0).expr.path
            how = "to another level of the plan"
            self._found.append(change("filter_moved", *paths, what=shown, how=how))
        for shown, rest in added.items():
            for new in rest:
                self._found.append(change("filter_added", "", new.expr.path, what=shown))

    def _changed(self, old: Held, new: Held) -> None:
        a, b, how = self.difference(old.expr, new.expr)
        self._found.append(
            change("filter_changed", old.expr.path, new.expr.path, old=a, new=b, how=how)
        )

    def difference(self, a: Expr, b: Expr) -> tuple[str, str, str]:
        """Both as texts, and what exactly changed where that is one thing."""
        old, new = text(a), text(b)
        qualified = old == new
        old, new = text(a, qualified), text(b, qualified)
        spot = _spot(a, b, self._pairs)
        if spot is None:
            return old, new, ""
        x, y = spot
        what = _what(x, y)
        parts = text(x, qualified), text(y, qualified)
        if parts == (old, new) or not what:
            return old, new, f": {what}" if what else ""
        return old, new, f": {what}, {parts[0]} to {parts[1]}"


def _held(source: From, keys: SideKeys) -> Iterator[Held]:
    for key, condition in keys.conditions(source).items():
        yield Held(key, condition, "")
    for joined in source.attached:
        first = next(iter(joined.source.leaves()))
        all_of_it = {keys.expr(c): c for c in (*joined.on, *joined.source.every())}
        for key, condition in all_of_it.items():
            if condition.kind != "best effort" or keys.expr(condition.args[0]) not in all_of_it:
                yield Held(key, condition, keys.labels[first])


def without_common(
    left: Sequence[_T], right: Sequence[_T], key: Callable[[_T], object]
) -> tuple[list[_T], list[_T]]:
    """What of two lists has no partner of the same key in the other one."""
    rest = Counter(map(key, right))
    kept, common = [], Counter[object]()
    for each in left:
        if rest[key(each)] > common[key(each)]:
            common[key(each)] += 1
        else:
            kept.append(each)
    others = []
    for each in right:
        if common[key(each)]:
            common[key(each)] -= 1
        else:
            others.append(each)
    return kept, others


def _partner(old: Held, candidates: Sequence[Held], pairs: Pairs) -> Held | None:
    """The condition that an old one has become, if one looks like it: about the same columns, or all but."""
    mine = _asked(old.expr, pairs.a)
    best: tuple[float, Held] | None = None
    for new in candidates:
        theirs = _asked(new.expr, pairs.b)
        both = len(mine & theirs)
        if not both and old.expr.head != new.expr.head:
            continue
        score = 2 * both / max(len(mine) + len(theirs), 1) + (old.expr.head == new.expr.head)
        if score >= 1 and (best is None or score > best[0]):
            best = score, new
    return None if best is None else best[1]


def _asked(expr: Expr, keys: SideKeys) -> set[str]:
    """The columns that a condition is about."""
    if expr.leaf is not None:
        return {keys.expr(expr)}
    return {key for arg in expr.args for key in _asked(arg, keys)}


def _spot(a: Expr, b: Expr, pairs: Pairs) -> tuple[Expr, Expr] | None:
    """The smallest parts that are all that differs; None where it is several."""
    while True:
        inner = a.inner, b.inner
        labels = a.leaf and pairs.a.labels.get(a.leaf), b.leaf and pairs.b.labels.get(b.leaf)
        if inner[0] and inner[1] and a.head == b.head and labels[0] == labels[1]:
            a, b = inner[0], inner[1]
            continue
        if a.head != b.head or a.leaf is not None or a.blocks or len(a.args) != len(b.args):
            return a, b
        left = [(pairs.a.expr(x), x) for x in a.args]
        right = [(pairs.b.expr(y), y) for y in b.args]
        if a.commutes:
            left, right = without_common(left, right, itemgetter(0))
        if len(left) != len(right):
            return a, b
        unequal = [(x, y) for (k, x), (m, y) in zip(left, right, strict=True) if k != m]
        if len(unequal) != 1:
            return a, b
        a, b = unequal[0]


def _what(x: Expr, y: Expr) -> str:
    """What a changed part is called."""
    if x.kind == y.kind == "literal":
        return "the literal" if x.head[1] == y.head[1] else "the literal and its type"
    if x.leaf is not None and y.leaf is not None:
        return "the column"
    if x.kind == y.kind == "cast":
        return "the type of the cast"
    if x.kind == "cast" or y.kind == "cast":
        return "a cast"
    if x.head == y.head and x.head == ("list",):
        return "the values"
    if x.kind == y.kind and x.kind in ("measure", "window"):
        if x.shown != y.shown:
            return "the function"
        return (
            "DISTINCT"
            if ("distinct" in x.head) != ("distinct" in y.head)
            else "the function's words"
        )
    if x.kind == y.kind == "call" and len(x.args) == len(y.args):
        return "the operator" if x.head != y.head else ""
    if x.kind == y.kind == "sort":
        return "the direction"
    return "a subquery" if x.blocks and y.blocks else ""
