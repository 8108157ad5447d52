"""Conditions that another one implies by its form are not written: ``a OR b OR c`` beside ``a OR b``.

Such come from optimizers, which derive what can be asked of one table alone from what is asked of two; Spark's does so
by itself. All of it is about rows for which each condition of the SELECT is TRUE.

What an OR over three tables or more says of one of them stays: Spark finds it for the table that is joined last, and
hands what is left, about the others together, to the join below, where it looks no further (as of 4.3). A table that
such a condition filters would be read in full.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.select.field import Traits
from substrait_sql.tree.chains import bare, column, constant, links, never_fails
from substrait_sql.tree.compare import fingerprint, same_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.select.block import Block
    from substrait_sql.select.field import Field
    from substrait_sql.select.item import Item

# Joins that pad no row and drop no column of what stands before them.
_JOINS = ("INNER", "CROSS", "LEFT SEMI", "LEFT ANTI")
# What more than the same condition may imply, or be implied by.
_WIDE: frozenset[object] = frozenset({exp.And, exp.Or, exp.In})
# More comparisons than these in one SELECT are not held against each other.
_MOST = 300


def drop_implied(block: Block) -> None:
    """Takes such conditions out of WHERE and of ON in inner joins, but for the only one of a join."""
    joins = block.joins
    if any(j.kind not in _JOINS or j.captured is not None for j in joins):
        return
    if any(item.checked is not None for item in block.items):
        return
    if not _may_imply([*(f for j in joins for f in j.on), *block.where]):
        return
    known = [_Known(f, said=j.kind == "INNER") for j in joins for f in j.on]
    known += [_Known(f, said=True) for f in block.where]
    if len(known) < 2 or sum(k.size for k in known) > _MOST:
        return
    gone = _implied(known, {item: place for place, item in enumerate(block.items)})
    if not gone:
        return
    block.where = [f for f in block.where if id(f) not in gone]
    for join in joins:
        if join.kind == "INNER":
            join.on = [f for f in join.on if id(f) not in gone] or join.on


def _may_imply(fields: Sequence[Field]) -> bool:
    """Whether one could imply another: two are of one kind and of the same columns, or one is a chain or a list.

    What those say of columns that no other condition is about, no other condition says.
    """
    if len(fields) < 2:
        return False
    kinds = [type(bare(f.sql)) if f.sql is not None else None for f in fields]
    columns = [
        frozenset([(c.item, c.ordinal) for c in f.parts.columns]) if f.parts else None
        for f in fields
    ]
    if not _WIDE.isdisjoint(kinds):
        if not all(columns):
            return True
        times = Counter(chain.from_iterable(filter(None, columns)))
        wide = [found for kind, found in zip(kinds, columns, strict=True) if kind in _WIDE]
        if any(times[column] > 1 for found in wide for column in found or ()):
            return True
    return len(set(zip(kinds, columns, strict=True))) < len(fields)


def _implied(known: list[_Known], places: dict[Item, int]) -> set[int]:
    """The ids of the fields that go. No condition behind one that may fail because of a row keeps that row off.

    places: of the items in FROM. What is about one of them is asked last, of those that are left of the others.
    """
    gone: set[int] = set()
    marks = Counter(k.form.mark for k in known)
    failing = [i for i, k in enumerate(known) if not k.never_fails]
    for i in sorted(range(len(known)), key=lambda i: (len(known[i].items) < 2, -i)):
        weaker = known[i]
        if not weaker.never_fails or not (weaker.form.wide or marks[weaker.form.mark] > 1):
            continue
        for j, stronger in enumerate(known):
            if j == i or id(stronger.field) in gone:
                continue
            if j > i and any(i < f <= j for f in failing):
                break
            if not stronger.columns >= weaker.hidden or _lost(stronger, weaker, places):
                continue
            if _implies(stronger.form, weaker.form):
                gone.add(id(weaker.field))
                break
    return gone


def _lost(stronger: _Known, weaker: _Known, places: dict[Item, int]) -> bool:
    """Whether Spark would not find what the second says of one table in the first, which is an OR over more of them."""
    if stronger.form.kind is not exp.Or or len(stronger.items) < 3 or len(weaker.items) != 1:
        return False
    return not weaker.items >= {max(stronger.items, key=lambda item: places.get(item, -1))}


class _Known:
    """A condition of the SELECT.

    said: whether it is TRUE of each row of it; that of a semi join is only looked up. form: what is compared. hidden:
    those of its columns that somebody may have computed.
    """

    def __init__(self, field: Field, said: bool) -> None:
        self.field = field
        fit = not field.traits & Traits.IMPURE
        self.never_fails = fit and field.sql is not None and never_fails(field.sql)
        self.form = _Form(field.sql) if fit and said else _NOTHING
        self.size = self.form.size
        columns = field.parts.columns if field.parts is not None else ()
        self.columns = {(c.item, c.ordinal) for c in columns}
        self.items = {c.item for c in columns}
        self.hidden = {(c.item, c.ordinal) for c in columns if c.item.table is None}


class _Form:
    """A condition as it is compared with others. kind: AND, OR, a list of literals, or anything else."""

    __slots__ = ("kind", "mark", "node", "parts", "size", "values")

    def __init__(self, node: exp.Expression | None) -> None:
        self.node = None if node is None else bare(node)
        self.kind: Any = type(self.node)
        self.parts: Sequence[_Form] = ()
        self.values: frozenset[tuple[object, ...]] = frozenset()
        self.mark: object = None
        self.size = 1
        if isinstance(self.node, (exp.And, exp.Or)):
            self.parts = [_Form(each) for each in links(self.node)[0]]
            self.size = sum(part.size for part in self.parts)
            if self.kind is exp.Or:
                self._list_of(self.parts)
        elif self.node is not None:
            self.mark = fingerprint(self.node)
            self._listed(self.node)

    @property
    def wide(self) -> bool:
        """Whether others than the same condition may imply it."""
        return self.kind is exp.Or or len(self.values) > 1

    def _listed(self, node: exp.Expression) -> None:
        """Of ``x = 1`` and ``x IN (1, 2)``: the column and the literals."""
        if not isinstance(node, (exp.EQ, exp.In)):
            return
        values = node.expressions if isinstance(node, exp.In) else [node.expression]
        kinds = [constant(each) for each in values]
        if column(node.this) is not None and kinds and None not in kinds:
            place = (column(node.this),)
            self.values = frozenset(
                (*place, k, fingerprint(v)) for k, v in zip(kinds, values, strict=True)
            )

    def _list_of(self, parts: Sequence[_Form]) -> None:
        """Of ``x = 1 OR x = 2``: the same."""
        values = frozenset().union(*(part.values for part in parts))
        if all(part.values for part in parts) and len({v[0] for v in values}) == 1:
            self.values = values


_NOTHING = _Form(None)


def _implies(a: _Form, b: _Form) -> bool:
    """Whether the second is TRUE wherever the first one is, by their form."""
    if a.node is None or b.node is None:
        return False
    if a.values and b.values and a.values <= b.values:
        return True
    if a.kind is exp.Or:
        return all(_implies(part, b) for part in a.parts)
    if b.kind is exp.And:
        return all(_implies(a, part) for part in b.parts)
    if a.kind is exp.And and any(_implies(part, b) for part in a.parts):
        return True
    if b.kind is exp.Or:
        return any(_implies(a, part) for part in b.parts)
    return a.kind is b.kind and a.mark == b.mark and same_text(a.node, b.node)
