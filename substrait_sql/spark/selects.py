"""SELECTs that Spark would misread or fail on (as of 4.3), and the forms of the same rows that it takes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.plan import join_types
from substrait_sql.select.block import derived, query_of
from substrait_sql.select.field import Field, Traits, hold, position
from substrait_sql.select.output_names import output_names
from substrait_sql.tree import origin
from substrait_sql.tree.compare import same_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from substrait_sql.select.block import Block


def aggregates(block: Block, needed: Sequence[int]) -> bool:
    """Whether the text would have an aggregate in it, by which alone Spark knows that all rows are one group."""
    visible = block.fields + block.hidden
    asked = [*(visible[i] for i in needed), *block.sorted_by]
    return hold(asked, Traits.AGGREGATE)


def sorts_by_lost_column(block: Block, needed: Sequence[int]) -> bool:
    """Whether ORDER BY would compute what is not returned and Spark takes in SELECT only (as of 4.3).

    That is a subquery, a window function, a measure behind a HAVING or beside a window function, a key that is no
    plain column behind a HAVING which is about the keys, and what is made of a computed group behind any HAVING or
    beside a window function.
    """
    visible = block.fields + block.hidden
    returned = [visible[i] for i in needed]
    unfit = Traits.SUBQUERY | Traits.WINDOW
    beyond = bool(block.having) or hold(returned, Traits.WINDOW)
    if block.group and beyond:
        unfit |= Traits.AGGREGATE
    of_keys = any(not f.traits & Traits.AGGREGATE for f in block.having)
    wanted = [
        key.field
        for key in block.order
        if key.field.traits & unfit
        or (of_keys and not key.field.plain)
        or (beyond and of_computed_group(key.field, block))
    ]
    if not wanted or block.distinct:
        return False
    return any(position(returned, f) is None for f in wanted)


def of_computed_group(field: Field, block: Block) -> bool:
    """Whether a field holds an expression that the rows are grouped by, and that has columns."""
    if field.sql is None:
        return False
    computed = [g for g in block.group or [] if g.sql is not None and g.parts and g.parts.columns]
    return any(_is(node, group) for group in computed for node in field.sql.walk())


def sorts_by_shared_name(block: Block, needed: Sequence[int], names: Sequence[str]) -> bool:
    """Whether ORDER BY would have to call a column by its output name, and another one has that, too, in any case.

    Nothing but the output is left to sort by after DISTINCT, a set operation, and grouping sets; and neither a
    subquery nor a window function can be written once more.
    """
    only_outputs = block.body is not None or block.distinct or bool(block.grouping_sets)
    visible = block.fields + block.hidden
    count = Counter(name.casefold() for name in names)
    shared = [visible[i] for i, n in zip(needed, names, strict=True) if count[n.casefold()] > 1]
    unfit = Traits.SUBQUERY | Traits.WINDOW
    return bool(shared) and any(
        (only_outputs or block.returns_keys or key.field.traits & unfit)
        and position(shared, key.field) is not None
        for key in block.order
    )


def computed_first(block: Block) -> Block:
    """The same rows as a derived table, which has the sort keys as columns, sorted and cut outside of it."""
    block.title = block.title or _name_of_all(block)
    limit, block.limit = block.limit, None
    offset, block.offset = block.offset, None
    width, hidden = len(block.fields), list(block.hidden)
    fresh = block.close()
    fresh.hidden = [
        Field(f.type, f.name, sql_type=f.sql_type, item=fresh.item, ordinal=width + i)
        for i, f in enumerate(hidden)
    ]
    fresh.path, fresh.limit, fresh.offset = block.path, limit, offset
    return fresh


def _name_of_all(block: Block) -> str:
    """What the plan calls the rows that a LIMIT takes some of; empty where it does not."""
    if block.named is None or not block.limited or block.path is None:
        return ""
    at, name = block.named
    directly = at.parent is not None and at.parent.parent is block.path
    return name if directly and block.path.step == "fetch" else ""


def lost_keys(block: Block, needed: Sequence[int]) -> list[Field]:
    """The keys of grouping sets that Spark (as of 4.3) does not find in a HAVING with a call: those not returned."""
    asked = _asked_keys(block)
    visible = block.fields + block.hidden if asked else []
    return [key for key in asked if position([visible[i] for i in needed], key) is None]


def asks_changed_key(block: Block, changed: Iterable[int]) -> bool:
    """Whether a HAVING with a call is about a key of grouping sets that the list would return changed, as by a cast.

    Spark (as of 4.3) takes its name for what the list returns. changed: the places in the list.
    """
    asked = _asked_keys(block)
    return bool(asked) and any(position(asked, block.fields[i]) is not None for i in changed)


def asks_unknown_key(
    block: Block, needed: Sequence[int], names: Sequence[str], suggested: Mapping[int, str]
) -> bool:
    """Whether a HAVING with a call is about a key of grouping sets that Spark (as of 4.3) does not know there.

    That is an expression, and a column that the query returns under other names only. Where there are window functions
    the HAVING has to stay: they see the groups that it leaves. names, suggested: as in `assemble`.
    """
    asked = _asked_keys(block)
    if not asked or block.distinct or hold(block.fields + block.hidden, Traits.WINDOW):
        return False
    visible = block.fields + block.hidden
    fields = [visible[i] for i in needed]
    outputs = list(names) or output_names(fields, [suggested.get(i, "") for i in needed])
    shown = list(zip(fields, outputs, strict=True))
    for key in asked:
        found = [
            _is_called(f, name, outputs) for f, name in shown if position([f], key) is not None
        ]
        if not key.plain or (found and not any(found)):
            return True
    return False


def _is_called(field: Field, name: str, outputs: Sequence[str]) -> bool:
    """Whether the column has that name in FROM. What a derived table computes is called as it is returned."""
    inner = derived(field.item)
    settled = field.item is not None and field.item.names[field.ordinal]
    if inner is not None and inner.body is None and not settled:
        others = [f.name for i, f in enumerate(inner.fields) if i != field.ordinal]
        taken = Counter(n.casefold() for n in [*others, *outputs])
        if not inner.fields[field.ordinal].plain and taken[name.casefold()] == 1:
            return True
    if inner is not None and inner.body is not None and not settled:
        # What its columns are called is said by its first branch, later.
        return False
    return name == _own_name(field)


def _own_name(field: Field) -> str:
    named = field.item.names[field.ordinal] if field.item is not None else ""
    return named or field.name


_LOOKED_UP = (exp.Anonymous, exp.Cast, exp.In, exp.Between, exp.Like, exp.Filter)
"""With these Spark (as of 4.3) looks for the columns of a HAVING among those that the query returns, nowhere else."""


def _asked_keys(block: Block) -> list[Field]:
    """The keys of grouping sets that a HAVING with a measure, or another call, is about."""
    if not block.grouping_sets:
        return []
    if not any(f.sql is not None and f.sql.find(*_LOOKED_UP) for f in block.having):
        return []
    asked = [node for f in block.having if f.sql is not None for node in f.sql.walk()]
    return [key for key in block.group or [] if any(_is(node, key) for node in asked)]


def filtered_outside(block: Block) -> Block:
    """The same rows from a derived table that has what its HAVING asks as columns, and is filtered outside of it."""
    having, block.having = block.having, []
    for condition in having:
        condition.name = condition.name or "kept"
    first = len(block.fields) + len(block.hidden)
    block.hidden += having
    fresh = computed_first(block)
    assert fresh.item is not None
    at = len(fresh.hidden) - len(having)
    fresh.where, fresh.hidden = fresh.hidden[at:], fresh.hidden[:at]
    fresh.item.used.update(range(first, first + len(having)))
    return fresh


def _is(node: exp.Expr, key: Field) -> bool:
    if key.sql is not None:
        return isinstance(node, exp.Expression) and same_text(key.sql, node)
    column = origin.column_of(node)
    return column is not None and column.item is key.item and column.ordinal == key.ordinal


def filters_late(block: Block) -> bool:
    """Whether Spark (as of 4.3) would compute window functions first, and only then take groups away.

    It does so with a HAVING without a measure above grouping sets: ``count(*) OVER ()`` would count all groups. One
    about a key that it does not know has to be a filter outside, see `asks_unknown_key`.
    """
    if not (block.grouping_sets and block.having):
        return False
    return not hold(block.having, Traits.AGGREGATE) or bool(_asked_keys(block))


def keys_first(block: Block, keys: Sequence[Field]) -> Block:
    """The same rows from a derived table that returns these keys."""
    first = len(block.fields) + len(block.hidden)
    block.hidden += keys
    fresh = computed_first(block)
    assert fresh.item is not None
    fresh.item.used.update(range(first, first + len(keys)))
    return fresh


def needs_barrier(block: Block, fields: list[Field]) -> bool:
    """Whether Spark would move a correlated subquery of the SELECT list to where it must not be (as of 4.3).

    It pushes one into a UNION ALL, and crashes. It pushes one below a LIMIT, where the subquery becomes a join, and
    then drops the ORDER BY below that: other rows are cut off, in silence. Neither need be right below: Spark moves
    the subquery through whatever it can take away in between.
    """
    if not any(f.parts is not None and f.parts.captured for f in fields):
        return False
    stack = _exposed(block)
    while stack:
        inner = stack.pop()
        if inner.limited:
            return True
        if inner.body is not None:
            if inner.body.kind == "UNION" and not inner.body.distinct:
                return True
        elif inner.group is None and not inner.distinct:
            stack += _exposed(inner)
    return False


def shows_correlated(block: Block) -> bool:
    """Whether a column of the query is computed by a correlated subquery, in it or in a query that it reads."""
    stack = [block]
    while stack:
        current = stack.pop()
        if current.body is not None:
            stack += current.body.branches
            continue
        if current.group is None and any(
            f.parts is not None and f.parts.captured for f in current.fields
        ):
            return True
        if current.group is None:
            stack += current.read
    return False


def _exposed(block: Block) -> list[Block]:
    """The queries in FROM that no inner join, but at most filters, cuts and joins that pad or look up, stand above.

    Those Spark takes away: a limit over few enough rows, a join with a side that turns out to be empty.
    """
    items = [block.item]
    for join in block.joins:
        kept = join_types.of_sql(join.kind).kept
        items = (items if kept.left else []) + ([join.item] if kept.right else [])
    queries = [query_of(item) for item in items]
    return [q for q in queries if q is not None]
