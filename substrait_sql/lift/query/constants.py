"""Columns that are the same constant in each row, which Spark's optimizer writes where they are read.

It takes them from select lists through filters, sorts, groups and joins, not from the side of an outer join that may
be missing. Through UNION ALL it moves what is computed of the rows into each input instead. Rows that it holds itself
(VALUES) it makes before: their columns are none. All of it as of Spark 4.3, `FoldablePropagation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.relations import (
    Aggregate,
    Distinct,
    Exchange,
    Fetch,
    Filter,
    Join,
    Project,
    Scan,
    SetOperation,
    Shared,
    Sort,
    Values,
    Window,
)
from substrait_sql.lift.tree import (
    Call,
    Case,
    Cast,
    Column,
    Constant,
    Expr,
    In,
    Literal,
    Relation,
    StructField,
    Subquery,
    rewritten,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.tree import Attribute

_HANDED_ON = (Filter, Sort, Distinct, Exchange, Window)
_MISSING = {"left": (1,), "right": (0,), "full": (0, 1), "semi": (1,), "anti": (1,)}
_MADE_OF_PARTS = (Call, Case, Cast, In, StructField)

Constants = dict[int, Constant]
"""By the identity of the column."""


def constants_of(found: Relation) -> Constants:
    """The columns of a relation that Spark takes for constants."""
    if found.constants is None:
        found.constants = _constants_of(found)
    return found.constants


def _constants_of(found: Relation) -> Constants:
    if isinstance(found, _HANDED_ON) or (isinstance(found, Fetch) and found.offset is None):
        return constants_of(found.source)
    if isinstance(found, Project):
        return _of_list(found.columns, found.expressions, found.source)
    if isinstance(found, Aggregate) and found.sets is None:
        return _of_list(found.columns, found.keys, found.source)
    if isinstance(found, Shared):
        return _handed(found, found.query.relation)
    if isinstance(found, SetOperation) and found.kind.startswith("union"):
        return _of_union(found)
    if isinstance(found, SetOperation) and found.kind in ("intersect", "except"):
        # A join that keeps rows of the first input.
        return _handed(found, found.sources[0])
    if isinstance(found, Join):
        sides = [i for i in (0, 1) if i not in _MISSING.get(found.kind, ())]
        return {key: c for i in sides for key, c in constants_of(found.inputs[i]).items()}
    return {}


def _handed(found: Relation, inner: Relation) -> Constants:
    known = constants_of(inner)
    pairs = zip(found.columns, inner.columns, strict=True)
    return {id(c): known[id(b)] for c, b in pairs if id(b) in known}


def _of_union(found: SetOperation) -> Constants:
    """Columns that are NULL in all inputs, and in one of UNION ALL.

    There Spark computes in each input what is asked of the rows of all, which no plan says: it is not `sure`.
    """
    known = [constants_of(each) for each in found.sources]
    made: Constants = {}
    for place, column in enumerate(found.columns):
        inner = [k.get(id(i.columns[place])) for k, i in zip(known, found.sources, strict=True)]
        nulls = [c for c in inner if c is not None and _is_null(c.value)]
        every = len(nulls) == len(inner)
        if every or (nulls and found.kind == "union all"):
            made[id(column)] = Constant(nulls[0].value, every and all(c.sure for c in nulls))
    return made


def _is_null(value: Expr) -> bool:
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Literal) and value.value is None


def _of_list(columns: Sequence[Attribute], values: Sequence[Expr], source: Relation) -> Constants:
    below = constants_of(source)
    rows = source
    while isinstance(rows, (Filter, Project)) or (isinstance(rows, Fetch) and rows.offset is None):
        rows = rows.source
    if isinstance(rows, Values) and rows.columns:
        return {}
    made: Constants = {}
    for column, value in zip(columns, values, strict=False):
        whole = rewritten(value, lambda x: _known(x, below))
        if _is_constant(whole):
            # A table may be rows that Spark holds: a temporary view of VALUES.
            read = isinstance(rows, Scan)
            made[id(column)] = Constant(whole, not read and _are_sure(value, below))
    return made


def _known(value: Expr, below: Constants) -> Expr | None:
    found = below.get(id(value.attribute)) if isinstance(value, Column) else None
    return None if found is None else found.value


def _are_sure(value: Expr, below: Constants) -> bool:
    if isinstance(value, Column):
        found = below.get(id(value.attribute))
        return found is None or found.sure
    return all(_are_sure(c, below) for c in value.children)


def _is_constant(value: Expr) -> bool:
    if isinstance(value, Subquery) and value.kind == "scalar":
        # A query of one row without FROM is its value.
        inner = value.query
        return isinstance(inner, Project) and bool(constants_of(inner)) and _is_one_row(inner)
    if isinstance(value, Literal):
        return True
    if not isinstance(value, _MADE_OF_PARTS) or not getattr(value, "deterministic", True):
        return False
    return all(map(_is_constant, value.children))


def _is_one_row(found: Project) -> bool:
    return isinstance(found.source, Values) and not found.source.columns
