"""What changed from one query to another: their sources are paired, then what is said of them is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.review.diff.change import Change, change
from substrait_sql.review.diff.conditions import Conditions
from substrait_sql.review.diff.notation import name, text, texts
from substrait_sql.review.diff.pairs import Pairs, below, blocks_paired, only, opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.review.diff.pairs import Pair
    from substrait_sql.review.meaning.model import Attached, Block, Expr, From, Leaf

_OPENED = ("aggregate", "fetch", "window", "full", "shared")
# Whose rows a join keeps without a match, for the reasons.
_KEPT = {
    "INNER": "only rows with a match",
    "LEFT": "every row, with NULLs where there is no match",
    "LEFT SEMI": "each row with a match once",
    "LEFT ANTI": "the rows without a match",
}


class Blocks:
    """Compares queries. found: the changes."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self.found: list[Change] = []
        self._conditions = Conditions(pairs, self.found)

    def finish(self) -> None:
        """Says what is known only when all has been seen: which conditions moved."""
        self._conditions.finish()

    def block(self, a: Block, b: Block) -> None:
        """Compares what two queries read, and their conditions; not their columns, nor their order."""
        a, b = self._alike(a, b)
        pairs, left, right = self.pairs.find(a.source, b.source)
        for x, y in pairs:
            self._sources(x, y)
        joins = self._joins(a.source, b.source, pairs)
        alone = {*left, *right}
        self._alone(a.source, left, b.source, right)
        self._conditions.compare(a.source, b.source, alone, joins)

    def _alike(self, a: Block, b: Block) -> tuple[Block, Block]:
        """Opens operators of one side until both read the same kind of operator, or none."""
        while True:
            x, y = only(a), only(b)
            kinds = [
                None if leaf is None or leaf.kind not in _OPENED else leaf.kind for leaf in (x, y)
            ]
            if kinds[0] == kinds[1]:
                return a, b
            later = [set(below(block)) for block in (a, b)]
            if (
                x is not None
                and kinds[0] is not None
                and (kinds[1] is None or kinds[1] in later[0])
            ):
                self._operator(x, a, "removed")
                self.pairs.a.through.add(x)
                a = opened(a, x)
            elif y is not None and kinds[1] is not None:
                self._operator(y, b, "added")
                self.pairs.b.through.add(y)
                b = opened(b, y)
            else:
                return a, b

    def _operator(self, leaf: Leaf, block: Block, how: str) -> None:
        """An operator that one side has."""
        where: dict[str, Any] = {"old_path" if how == "removed" else "new_path": leaf.path}
        if leaf.kind == "fetch":
            self.found.append(change(f"limit_{how}", **where, what=_limit(leaf)))
        elif leaf.kind == "full":
            both = " and ".join(name(x) for i in leaf.inputs for x in i.source.leaves())
            side = "OLD" if how == "removed" else "NEW"
            self.found.append(change("join_kind", **where, what=both, how=side))
        elif leaf.kind == "aggregate" and _is_distinct(leaf, block):
            self.found.append(change(f"distinct_{how}", **where))
        elif leaf.kind == "aggregate":
            self.found.append(change(f"grouping_{how}", **where, what=_grouping(leaf)))

    # -- sources --------------------------------------------------------------------------------

    def _sources(self, x: Leaf, y: Leaf) -> None:
        """A source and its partner."""
        if self.pairs.a.own[x].partition("#")[0] == self.pairs.b.own[y].partition("#")[0]:
            for a, b in zip(x.inputs, y.inputs, strict=True):
                # Equal ones are paired all the same: columns of what is in them are compared.
                self._equal(a, b)
            return
        if x.kind == y.kind == "table":
            self.found.append(change("table_changed", x.path, y.path, old=name(x), new=name(y)))
            return
        if x.kind == y.kind == "set":
            self._sets(x, y)
            return
        if len(x.inputs) != len(y.inputs):
            self.found.append(change("other", x.path, y.path))
            return
        for a, b in zip(x.inputs, y.inputs, strict=True):
            self.block(a, b)
        self._said(x, y)

    def _equal(self, a: Block, b: Block) -> None:
        pairs, _, _ = self.pairs.find(a.source, b.source)
        for x, y in pairs:
            for inner_a, inner_b in zip(x.inputs, y.inputs, strict=True):
                self._equal(inner_a, inner_b)

    def _said(self, x: Leaf, y: Leaf) -> None:
        """What an operator says itself."""
        if x.kind == "aggregate":
            a, b = (
                sorted(k.several(leaf.exprs)) for k, leaf in ((self.pairs.a, x), (self.pairs.b, y))
            )
            if a != b:
                old, new = _keys(x), _keys(y)
                self.found.append(change("keys_changed", x.path, y.path, old=old, new=new))
        elif x.kind == "fetch":
            if (x.head, self.pairs.a.several(x.exprs)) != (y.head, self.pairs.b.several(y.exprs)):
                self.found.append(
                    change("limit_changed", x.path, y.path, old=_limit(x), new=_limit(y))
                )
            self.order(x.inputs[0].order, y.inputs[0].order, x, y)
        elif x.kind == "values":
            self.found.append(change("values_changed", x.path, y.path))
        elif x.head != y.head or self.pairs.a.several(x.exprs) != self.pairs.b.several(y.exprs):
            self.found.append(
                change("relation_changed", x.path, y.path, what=x.kind.replace("_", " "))
            )

    def order(
        self, a: Sequence[Expr], b: Sequence[Expr], x: Leaf | None = None, y: Leaf | None = None
    ) -> None:
        """The order of rows: of a result, or of what a limit takes them from."""
        if self.pairs.a.several(a) == self.pairs.b.several(b):
            return
        old_path = x.path if x else a[0].path if a else ""
        new_path = y.path if y else b[0].path if b else ""
        if x is not None:
            kind = "limit_order"
        else:
            kind = "order_changed" if a and b else "order_added" if b else "order_removed"
        old, new = texts(a), texts(b)
        self.found.append(
            change(kind, old_path, new_path, old=old, new=new, what=new if b else old)
        )

    def _sets(self, x: Leaf, y: Leaf) -> None:
        if x.head != y.head:
            old, new = _operation(x), _operation(y)
            self.found.append(change("set_operation", x.path, y.path, old=old, new=new))
        for a, b in blocks_paired(x.inputs, y.inputs, self.pairs):
            if a is not None and b is not None:
                if self.pairs.a.plain.block(a) == self.pairs.b.plain.block(b):
                    self._equal(a, b)
                    continue
                self.block(a, b)
                for i, (p, q) in enumerate(zip(a.outputs, b.outputs, strict=False)):
                    self.column(f"{i + 1} of {name(y)}", p, q, x, y)
                continue
            one = a or b
            assert one is not None
            how = " and ".join(name(leaf) for leaf in one.source.leaves())
            kind = "input_removed" if a is not None else "input_added"
            self.found.append(change(kind, x.path, y.path, what=_operation(y), how=how))

    def column(
        self, what: str, a: Expr, b: Expr, x: Leaf | None = None, y: Leaf | None = None
    ) -> bool:
        """A column of both sides; whether it changed."""
        if self.pairs.a.expr(a) == self.pairs.b.expr(b):
            return False
        old_path = x.path if x else a.path or (a.inner.path if a.inner else "")
        new_path = y.path if y else b.path or (b.inner.path if b.inner else "")
        old, new, how = self._conditions.difference(a, b)
        self.found.append(
            change("column_changed", old_path, new_path, what=what, old=old, new=new, how=how)
        )
        return True

    # -- joins ----------------------------------------------------------------------------------

    def _joins(self, a: From, b: From, pairs: Sequence[Pair]) -> bool:
        """Joins of another kind; whether there are any."""
        roles = _roles(a), _roles(b)
        seen: set[tuple[Attached | None, Attached | None]] = set()
        for x, y in pairs:
            p, q = roles[0].get(x), roles[1].get(y)
            old, new = (r.word if r else "INNER" for r in (p, q))
            if old == new or (p, q) in seen:
                continue
            seen.add((p, q))
            how = f"it kept {_KEPT.get(old, 'other rows')}, it keeps {_KEPT.get(new, 'others')}"
            paths = (p.path if p else x.path), (q.path if q else y.path)
            self.found.append(change("join_type", *paths, what=name(y), old=old, new=new, how=how))
        return bool(seen)

    def _alone(self, a: From, left: Sequence[Leaf], b: From, right: Sequence[Leaf]) -> None:
        """Sources without a partner, with the conditions that are about them."""
        for kind, source, leaves in (("source_removed", a, left), ("source_added", b, right)):
            roles = _roles(source)
            for leaf in leaves:
                role = roles.get(leaf)
                on = [c for c in (role.on if role else source.conditions) if leaf in c.leaves]
                word = f"{role.word} JOIN" if role else ""
                said = f"ON {texts(on, qualified=True)}" if on else ""
                how = " ".join(filter(None, [word, said]))
                path: dict[str, Any] = {
                    "old_path" if kind == "source_removed" else "new_path": leaf.path
                }
                how = f" ({how})" if how else ""
                self.found.append(change(kind, **path, what=name(leaf), how=how))


def _roles(source: From) -> dict[Leaf, Attached]:
    """The attached join that each source stands in."""
    return {leaf: joined for joined in source.attached for leaf in joined.source.leaves()}


def _is_distinct(leaf: Leaf, block: Block) -> bool:
    """Whether an aggregation only makes rows distinct: nothing but its keys is asked of it."""
    asked = [*block.outputs, *block.order, *block.source.conditions]
    return all(e.head[1:2] in (("key",), ("pass",)) for e in asked if e.leaf is leaf) and all(
        e.leaf is leaf for e in block.outputs
    )


def _keys(leaf: Leaf) -> str:
    sets = [texts(each.args) for each in leaf.exprs if each.kind == "set"]
    if len(sets) == 1:
        return sets[0]
    return f"sets ({'), ('.join(sets)})" if sets else "nothing"


def _grouping(leaf: Leaf) -> str:
    return f"GROUP BY {_keys(leaf)}" if leaf.exprs else "over all rows"


def _limit(leaf: Leaf) -> str:
    said = {e.kind: text(e.args[0]) for e in leaf.exprs}
    parts = [f"LIMIT {said['count']}"] if "count" in said else []
    parts += [f"OFFSET {said['offset']}"] if "offset" in said else []
    return " ".join([*parts, *leaf.head])


def _operation(leaf: Leaf) -> str:
    return leaf.head[0].removeprefix("SET_OP_").replace("_", " ")
