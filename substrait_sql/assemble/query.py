"""Block -> sqlglot SELECT, from the outside in, so that a derived table selects what is used of it and no more."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.assemble.chains import chained
from substrait_sql.assemble.grouping import grouping
from substrait_sql.assemble.members import look_up_members
from substrait_sql.assemble.shorter import is_one_row, set_itself
from substrait_sql.assemble.unread import with_checks
from substrait_sql.dialect.identifiers import identifier
from substrait_sql.dialect.operators import is_bare_decimal, suffixed
from substrait_sql.errors import refuse
from substrait_sql.select.block import PRINTED, Block, Derived, Join, Repartition, SortKey
from substrait_sql.select.field import Field, Parts, Traits, absorb, hold, position
from substrait_sql.select.generated import Generated
from substrait_sql.select.item import ColumnNode, Item, SelectScope
from substrait_sql.select.nodes import conjunction
from substrait_sql.select.output_names import call_as_returned, output_names
from substrait_sql.select.present import ordered
from substrait_sql.spark.lookups import keep_apart
from substrait_sql.spark.selects import (
    aggregates,
    asks_unknown_key,
    computed_first,
    filtered_outside,
    keys_first,
    lost_keys,
    needs_barrier,
    sorts_by_lost_column,
    sorts_by_shared_name,
)
from substrait_sql.tree import origin, releases
from substrait_sql.wording.groups import are_groups
from substrait_sql.wording.implied import drop_implied
from substrait_sql.wording.said import say_all

if TYPE_CHECKING:
    from collections.abc import Sequence


def assemble(
    block: Block,
    needed: Sequence[int],
    names: Sequence[str] = (),
    suggested: dict[int, str] | None = None,
    aliases: bool = True,
) -> tuple[exp.Query, SelectScope]:
    """The query of a block that returns the `needed` fields, in that order.

    names: what the caller insists on calling them (a root); duplicates are then allowed. suggested: names for fields
    that have none of their own. aliases: False for the later branches of a set operation, whose names nobody sees.
    """
    if are_groups(block, needed):
        block.distinct, block.group = True, None
    if names and sorts_by_shared_name(block, needed, names):
        # The names go on outside, where the columns are sorted by under those that they have in the derived table.
        path = block.path
        block = block.close()
        block.path = path
    of_set = set_itself(block, needed, names, suggested or {})
    if of_set is not None:
        block, needed, names = of_set
    if block.body is not None:
        return _assemble_set(block, needed, names, suggested or {})
    if block.group == []:
        # One row has no order, and Spark knows its measures in SELECT only.
        block.order = []
    if block.group == [] and not block.having and not aggregates(block, needed):
        # All rows are one group, of which nothing is asked: its one row needs no table, and over one it would be many.
        block.item, block.joins, block.where, block.order = None, [], [], []
        block.hints = []
    if asks_unknown_key(block, needed, names, suggested or {}):
        call_as_returned(block.fields, needed, names)
        block = filtered_outside(block)
    elif keys := lost_keys(block, needed):
        block = keys_first(block, keys)
    elif sorts_by_lost_column(block, needed):
        call_as_returned(block.fields, needed, names)
        block = computed_first(block)
    look_up_members(block, assemble)
    return _Assembly(block).run(needed, names, suggested or {}, aliases)


def needs_aliases(block: Block) -> bool:
    """Whether a query in parentheses must name its columns: Spark reads ``(SELECT 'b')`` as a typed literal."""
    return block.item is None and block.body is None


def selected(block: Block, used: set[int]) -> list[int]:
    """Which fields a query has to return where only `used` are read: all, if all of them decide about its rows."""
    body = block.body
    if body is not None:
        # The ORDER BY of a UNION ALL sees the columns it returns, and no others.
        used = used | {key.field.ordinal for key in block.order}
    elif block.returns_keys:
        keys = (block.find(key.field) for key in block.order)
        used = used | {i for i in keys if i is not None}
    return list(range(len(block.fields))) if block.all_decide else sorted(used)


class _Assembly:
    """The work of putting one SELECT together."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.parts = Parts()
        self.late = Parts()
        # Positions of the output columns that ORDER BY calls by their names.
        self.sorted_by: set[int] = set()
        self.scope = SelectScope(exp.Select(), block.items)
        self.scope.path = block.path

    def run(
        self,
        needed: Sequence[int],
        names: Sequence[str],
        suggested: dict[int, str],
        aliases: bool,
    ) -> tuple[exp.Query, SelectScope]:
        block = self.block
        if not block.says_only(PRINTED):
            unknown = ", ".join(sorted(block.says - PRINTED))
            raise refuse(
                "SS2016", f"a SELECT with {unknown} cannot be written yet", block.path or ""
            )
        fields = [(block.fields + block.hidden)[i] for i in needed]
        if needs_barrier(block, fields):
            self._put_barrier()
        outputs = list(names) or output_names(fields, [suggested.get(i, "") for i in needed])
        arguments: dict[str, object] = {"expressions": self._projections(fields)}
        drop_implied(block)
        where = conjunction(block.where, self.parts)
        if block.group:
            arguments["group"] = grouping(block, self.parts)
        if block.having:
            arguments["having"] = exp.Having(this=conjunction(block.having, self.late))
        elif (
            block.group == []
            and block.item is not None
            and (not hold(fields, Traits.AGGREGATE) or hold(fields, Traits.REGISTERED))
        ):
            # Without a measure in sight, or one that is none, Spark would return a row per row of the input.
            arguments["having"] = exp.Having(this=exp.true())
        if block.distinct:
            arguments["distinct"] = exp.Distinct()
        joins = [(join, conjunction(join.on, self.parts)) for join in block.joins]
        for join in block.joins:
            self.parts.captured.extend(join.captured or ())
        for item in block.items:
            if isinstance(item, Generated):
                absorb(self.parts, item.arguments)
        order = self._order(block.order, fields, outputs)
        joins, where = with_checks(block, joins, where, self.parts, self.late)
        if where is not None:
            arguments["where"] = exp.Where(this=where)
        if order:
            arguments["order"] = exp.Order(expressions=order)
        _add_limit(arguments, block)
        hints = self._hints(fields, outputs)
        if hints:
            arguments["hint"] = exp.Hint(expressions=hints)
        for join in keep_apart(block, self.parts, [*self.parts.scopes, *self.late.scopes]):
            block.joins.append(join)
            joins.append((join, None))
            self.scope.items = block.items
        self._settle_items(fields, outputs)
        if is_one_row(block):
            block.item, self.scope.items = None, []
        if block.item is not None:
            arguments[releases.FROM] = exp.From(this=self._from_item(block.item))
            commas = all(j.kind == "CROSS" and not j.item.lateral for j in block.joins)
            arguments["joins"] = [self._join(join, on, commas) for join, on in joins]
        say_all(arguments, block.group or ())
        select = exp.Select(**arguments)
        self._finish(select, fields, outputs, aliases)
        return select, self.scope

    # -- clauses --------------------------------------------------------------------------------------------------

    def _put_barrier(self) -> None:
        """A join with one row, which keeps Spark from moving the projection: see `needs_barrier`."""
        one = exp.Subquery(this=exp.Select(expressions=[exp.Literal.number(1)]))
        self.block.joins.append(Join("CROSS", Item("one_row", [], node=one), []))
        self.scope.items = self.block.items

    def _hints(self, fields: list[Field], outputs: list[str]) -> list[exp.Expression]:
        """``/*+ SHUFFLE_HASH(t), REPARTITION(8, a) */``; the naming pass puts in what t is called."""
        hints: list[exp.Expression] = []
        for word, item in self.block.hints:
            hints.append(exp.Anonymous(this=word))
            item.copied(hints[-1])
        if self.block.repartition is not None:
            hints += _repartition(self.block.repartition, fields, outputs)
        return hints

    def _projections(self, fields: list[Field]) -> list[exp.Expression]:
        if not fields:
            return [exp.Literal.number(1)]
        seen: set[int] = set()
        projections = []
        for f in fields:
            place = f.copy if id(f.sql) in seen else f.emit
            seen.add(id(f.sql))
            node = place(self.parts)
            # The queries around this one take the column for a decimal.
            projections.append(suffixed(node) if is_bare_decimal(node, f.type) else node)
        return projections

    def _order(
        self, keys: list[SortKey], fields: list[Field], outputs: list[str]
    ) -> list[exp.Expression]:
        """The sort keys. A number orders nothing, and Spark would take it for an ordinal."""
        found = []
        for key in keys:
            node = self._output_reference(key.field, fields, outputs)
            if node is None and isinstance(key.field.sql, exp.Literal):
                continue
            found.append(ordered(node or key.field.copy(self.late), key, self.block))
        return found

    def _output_reference(
        self, wanted: Field, fields: list[Field], outputs: list[str]
    ) -> exp.Expression | None:
        """The name of an output column that is this expression, if it says more than the expression.

        After DISTINCT nothing but the output is left to sort by.
        """
        if wanted.plain and not (self.block.distinct or self.block.returns_keys):
            return None
        at = position(fields, wanted)
        if at is None:
            return None
        name = outputs[at]
        if sum(name.casefold() == other.casefold() for other in outputs) != 1:
            return None
        self.sorted_by.add(at)
        return exp.Column(this=identifier(name))

    def _join(self, join: Join, on: exp.Expression | None, comma: bool) -> exp.Join:
        arguments: dict[str, object] = {"this": self._from_item(join.item)}
        words = join.kind.split()
        if words[0] in ("LEFT", "RIGHT", "FULL"):
            arguments["side"] = words[0]
            words = words[1:]
        if words and words[0] != "INNER" and not comma:
            arguments["kind"] = words[0]
        if join.kind != "CROSS":
            arguments["on"] = on if on is not None else exp.true()
        return exp.Join(**arguments)

    # -- what the FROM items are --------------------------------------------------------------------------------------

    def _settle_items(self, fields: list[Field], outputs: list[str]) -> None:
        """Notes what is used of each item, then assembles those that are queries."""
        own = set(self.scope.items)
        used = (self.parts.columns, self.parts.captured, self.late.columns, self.late.captured)
        for reference in chain.from_iterable(used):
            if reference.item in own:
                reference.item.used.add(reference.ordinal)
        suggestions: dict[Item, dict[int, str]] = {}
        for f, name in zip(fields, outputs, strict=True):
            if f.item is not None and isinstance(f.item, Derived):
                suggestions.setdefault(f.item, {}).setdefault(f.ordinal, name)
        for item in self.scope.items:
            self.scope.derived.extend(item.scopes)
            if isinstance(item, Derived):
                self._settle_derived(item, suggestions.get(item, {}))

    def _settle_derived(self, item: Derived, suggested: dict[int, str]) -> None:
        block = item.block
        needed = selected(block, item.used)
        query, scope = assemble(block, needed, suggested=suggested)
        width = len(block.fields) + len(block.hidden)
        item.names = [""] * width
        for at, (name, _) in zip(needed, scope.outputs, strict=False):
            item.names[at] = name
        item.node = exp.Subquery(this=query)
        # What is not returned may have been all that referred to the items before it.
        item.lateral = item.lateral and scope.reads_outside()
        if item.lateral:
            item.node = exp.Lateral(this=item.node)
            self.parts.scopes.append(scope)
        else:
            self.scope.derived.append(scope)

    def _from_item(self, item: Item) -> exp.Expression:
        assert item.node is not None
        return item.node

    def _finish(
        self, select: exp.Select, fields: list[Field], outputs: list[str], aliases: bool
    ) -> None:
        """Puts the output aliases on, and leaves the scope ready for the naming pass."""
        scope = self.scope
        scope.select = select
        scope.columns = self.parts.columns
        scope.late = self.late.columns
        scope.nested = [*self.parts.scopes, *self.late.scopes]
        nodes = list(select.expressions)
        # Where one column is sorted by under its name, no other may have that by chance: 'b' is called b by Spark.
        aliases = aliases or bool(self.sorted_by)
        for i, (f, name) in enumerate(zip(fields, outputs, strict=True)):
            reference: ColumnNode | None = origin.column_of(nodes[i])
            scope.outputs.append((name, reference))
            same = f.item is not None and f.item.names[f.ordinal] == name
            same = same or _is_number(nodes[i], name)
            if (aliases or i in self.sorted_by) and not same:
                nodes[i] = exp.Alias(this=nodes[i], alias=identifier(name))
        select.set("expressions", nodes)


def _is_number(node: exp.Expression, name: str) -> bool:
    """Whether the name is the one that Spark gives a number by itself: its digits."""
    return type(node) is exp.Literal and not node.is_string and node.this == name and name.isdigit()


def _repartition(
    wanted: Repartition, fields: list[Field], outputs: list[str]
) -> list[exp.Expression]:
    """``REPARTITION(8, a)``. The columns are those of the output; one that nobody reads is not there."""
    arguments: list[exp.Expression] = []
    if wanted.count:
        arguments.append(exp.Literal.number(wanted.count))
    for column in wanted.columns:
        at = position(fields, column)
        if at is not None:
            arguments.append(exp.Column(this=identifier(outputs[at])))
    return [exp.Anonymous(this="REPARTITION", expressions=arguments)] if arguments else []


def _assemble_set(
    block: Block, needed: Sequence[int], names: Sequence[str], suggested: dict[int, str]
) -> tuple[exp.Query, SelectScope]:
    """A chain of branches, each with the same columns."""
    body = block.body
    assert body is not None
    fields = [block.fields[i] for i in needed]
    outputs = list(names) or output_names(fields, [suggested.get(i, "") for i in needed])
    query: exp.Query | None = None
    scope = SelectScope(exp.Select(), [])
    scope.path = block.path
    for branch in body.branches:
        apart = body.kind != "UNION" and not body.distinct and _repeats(branch, needed)
        # Asked before: a limit may move to a query around the branch.
        whole = branch.limited or branch.body is not None
        select, inner = assemble(branch, needed, outputs, aliases=query is None or apart)
        whole |= isinstance(select, exp.SetOperation)
        scope.derived.append(inner)
        query = chained(query, select, body, whole=whole)
    assert query is not None
    if block.order:
        keys = [_set_key(key, block, needed, outputs) for key in block.order]
        query.set("order", exp.Order(expressions=keys))
    limits: dict[str, object] = {}
    _add_limit(limits, block)
    for key, value in limits.items():
        query.set(key, value)
    scope.select = query
    scope.outputs = [(name, None) for name in outputs]
    return query, scope


def _repeats(block: Block, needed: Sequence[int]) -> bool:
    """Whether a column is returned twice: in EXCEPT ALL and INTERSECT ALL Spark fails over that without names."""
    plain = [f for f in (block.fields[i] for i in needed) if f.plain]
    return len({(id(f.item), f.ordinal) for f in plain}) < len(plain)


def _set_key(
    key: SortKey, block: Block, needed: Sequence[int], outputs: list[str]
) -> exp.Expression:
    at = list(needed).index(key.field.ordinal)
    node = exp.Column(this=identifier(outputs[at]))
    return ordered(node, key, block)


def _add_limit(arguments: dict[str, object], block: Block) -> None:
    if block.limit is not None:
        arguments["limit"] = exp.Limit(expression=block.limit)
    if block.offset is not None:
        arguments["offset"] = exp.Offset(expression=block.offset)
