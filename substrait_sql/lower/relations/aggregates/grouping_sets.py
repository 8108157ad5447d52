"""https://substrait.io/relations/logical_relations/#aggregate-operation: several grouping sets.

Each set is an aggregation of its own; the last column says which, by its place in the declaration. Spark's own
GROUPING SETS says the same for different sets with keys, but has no row for the empty set over empty input, which is
added (`total`). A set that is repeated has its rows as often, but no number of its own: where that is returned, the
repetition stands in a SELECT of its own, in a UNION ALL over the shared input (`repeated_sets`); so does the empty set
where it is not known what a measure is over no rows. A set of constants has no row over empty input, so that among
others it is Spark's empty one: ``GROUPING SETS ((k), ())``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.errors import refuse
from substrait_sql.lower.relations.aggregates.fields import (
    asks_for_the_set,
    fields,
    keys_asked_for,
    keys_ready,
    literal_keys,
)
from substrait_sql.lower.relations.aggregates.repeated_sets import (
    Made,
    RepeatedSet,
    first_of,
    same_groups,
)
from substrait_sql.lower.relations.aggregates.rows import rows_of
from substrait_sql.lower.relations.aggregates.total import over_nothing, with_total
from substrait_sql.lower.retry import settled
from substrait_sql.plan.shapes import first_alike, keys_shown
from substrait_sql.schema import types
from substrait_sql.select.block import Block, SetBody
from substrait_sql.select.field import Field, Parts, Traits, hold
from substrait_sql.select.item import Item
from substrait_sql.select.masks import SetNumber
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.signals import NotNative

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context, Env
    from substrait_sql.plan.habits import Habits
    from substrait_sql.wire.path import Path


class _Layout:
    """What the relation returns: which of its keys count, the keys of each set, and the number of each set.

    number_at: the place of the number among keys ++ measures, None where there is none, see `keys_shown`. numbered:
    whether the relation returns it. asked: the keys that measures ask for, see `asks_for_the_set`, by the place of the
    measure. constants: the keys that are literals.
    """

    def __init__(self, message: Any, sets: list[list[int]], habits: Habits) -> None:
        shown = keys_shown(message, habits)
        self.sets = sets
        self.keys = list(shown.keys)
        self.numbers = list(range(len(sets)))
        self.constants = literal_keys(message)
        self.asked: dict[int, list[int]] = {}
        self.masked = shown.masked
        if self.masked:
            same = first_alike(message)
            self.sets = [sorted({same[i] for i in refs}) for refs in sets]
            self.numbers = [_mask(self.keys, refs) for refs in self.sets]
            self.constants = frozenset()
        before = [] if self.masked else message.measures
        self.number_at = len(self.keys) + len(before) if shown.numbered else None
        returned = message.common.emit.output_mapping
        whole = message.common.WhichOneof("emit_kind") != "emit"
        self.numbered = self.number_at is not None and (whole or self.number_at in returned)

    def ask(self, message: Any, cx: Context, path: Path) -> None:
        """Looks for the measures that are numbers of the set."""
        for i, m in enumerate(message.measures):
            at = (path / "measures")[i]
            if asks_for_the_set(m, cx, at):
                self.asked[i] = keys_asked_for(m, message, at)

    def telling(self, refs: list[int]) -> list[int]:
        """The keys of a set that tell its groups apart."""
        return [key for key in refs if key not in self.constants]

    def absent(self, key: int) -> bool:
        """Whether some set leaves the key out, so that it may be NULL."""
        return any(key not in refs for refs in self.sets)


def _mask(keys: list[int], refs: list[int]) -> int:
    """What Spark's grouping_id() is for a set: a bit per key, set where it is left out, the last key the lowest."""
    bits = 0
    for key in keys:
        bits = bits * 2 + (key not in refs)
    return bits


def grouping_sets(
    message: Any, sets: list[list[int]], cx: Context, path: Path, outer: Env | None
) -> Block:
    """The keys, the measures, and the ordinal of the set."""
    layout = _Layout(message, sets, cx.habits)
    layout.ask(message, cx, path)
    source = rows_of(message, cx, path, outer)
    extra: dict[str, Field] = {}

    def lower(block: Block) -> Made:
        made = fields(message, cx, block, path, outer, plain=True)
        if [] in sets and hold(made[1], Traits.REGISTERED):
            raise refuse(
                "SS2059",
                "Spark may have no row for the set of all rows, with a registered aggregate",
                path / "groupings",
                "leave that set out",
            )
        extra.update(block.computed)
        return made

    source = keys_ready(source, message, cx, path, outer, plain=True)
    block, made = settled(source, lower)
    if refers_outside(block):
        # Spark takes neither GROUPING SETS over a correlated input nor a correlated input as a shared query.
        raise NotNative(
            refuse(
                "SS2056", "grouping sets over a correlated input have no SQL", path / "groupings"
            )
        )
    rounds = _rounds(layout, made[0])
    if len(rounds) == 1:
        return _branch(block, made, rounds[0], layout)
    if cx.habits.no_totals and _of_nothing([], layout, rounds) is not None:
        return _branch(block, made, list(range(len(sets))), layout)
    values = over_nothing(message.measures, made[1], cx, path)
    numbers = None if values is None else _of_nothing(values, layout, rounds)
    if numbers is not None:
        return with_total(_branch(block, made, list(range(len(sets))), layout), numbers)
    alone = [layout.sets[r[0]] if len(r) == 1 else [] for r in rounds]
    first = first_of(made[0])
    groups = same_groups(alone, first, block)
    if len(set(groups)) == 1 and groups[0]:
        known = {groups[0]: RepeatedSet(block, made, alone[0], first, cx)}
    else:
        fresh = cx.shared.share(block, extra)
        known = {}
    branches = []
    for round_, refs, same in zip(rounds, alone, groups, strict=True):
        if same and same not in known:
            known[same] = RepeatedSet(*settled(fresh(), lower), refs, first, cx)
        read = known[same].read() if same else settled(fresh(), lower)
        branches.append(_branch(*read, round_, layout, grouped=bool(same)))
    return _union(branches)


def _rounds(layout: _Layout, keys: list[Field]) -> list[list[int]]:
    """The sets by the SELECT that they stand in: together if they have keys and differ, else alone.

    Spark returns the rows of a set as often as it is written, under one number: that is in order if nobody reads it,
    and if the sets have the same constants.
    """
    telling = layout.telling(layout.keys)
    together = len({(id(keys[i].item), keys[i].ordinal) for i in telling}) == len(telling)
    rounds: list[list[int]] = []
    seen: dict[frozenset[int], frozenset[int]] = {}
    shared: list[int] | None = None
    for i, refs in enumerate(layout.sets):
        same = frozenset(layout.telling(refs))
        as_before = bool(same) and not layout.numbered and seen.get(same) == frozenset(refs)
        if not together or not refs or (same in seen and not as_before):
            rounds.append([i])
        elif shared is None:
            shared = [i]
            rounds.append(shared)
        else:
            shared.append(i)
        seen.setdefault(same, frozenset(refs))
    return rounds


def _of_nothing(
    values: list[int | None], layout: _Layout, rounds: list[list[int]]
) -> dict[int, int] | None:
    """What of the total of no rows is not NULL, by its place in the output. None where that set stands alone.

    values: what the measures are over no rows.
    """
    empty = [r[0] for r in rounds if layout.sets[r[0]] == []]
    constant = any(refs and not layout.telling(refs) for refs in layout.sets)
    if len(rounds) != 2 or len(empty) != 1 or constant:
        return None
    found = {len(layout.keys) + i: value for i, value in enumerate(values) if value is not None}
    for i, asked in layout.asked.items():
        found[len(layout.keys) + i] = _mask(asked, [])
    if layout.number_at is None:
        return found
    number = layout.numbers[empty[0]]
    found = {i + (i >= layout.number_at): value for i, value in found.items()}
    return {**found, layout.number_at: number}


def _branch(
    block: Block, made: Made, round_: list[int], layout: _Layout, *, grouped: bool = False
) -> Block:
    """The SELECT of some sets. grouped: the block reads the groups."""
    keys, measures = made
    sets = [layout.sets[i] for i in round_]
    present = list(dict.fromkeys(key for refs in sets for key in refs))
    if len(sets) > 1:
        present = layout.telling(present)
    if not grouped:
        block.group_by([keys[i] for i in present])
    output = []
    for i in layout.keys:
        declared = keys[i].type
        if declared is not None and layout.absent(i):
            declared = types.with_nullability(declared, True)
        if i in present:
            output.append(keys[i].with_type(declared))
        elif i in layout.constants:
            having = [_mask(present, refs) for refs in sets if i in refs]
            output.append(_constant(keys[i], having, declared))
        else:
            output.append(Field(declared, keys[i].name, sql=exp.Null(), parts=Parts()))
    output += measures
    for i, asked in layout.asked.items():
        output[len(layout.keys) + i] = _number(
            {_mask(present, refs): _mask(asked, refs) for refs in sets}
        )
    if layout.number_at is not None:
        number = _number(
            {_mask(present, refs): layout.numbers[i] for refs, i in zip(sets, round_, strict=True)}
        )
        if len(sets) > 1:
            number = _with_bits(number, layout, round_, present, keys)
        output.insert(layout.number_at, number)
    if not present and not measures:
        # One row, whatever the input: there is nothing to read from it.
        return Block(None, output, base=block.base)
    block.order = []
    if len(sets) > 1:
        block.grouping_sets = [[present.index(k) for k in layout.telling(refs)] for refs in sets]
    block.fields = output
    return block


def _constant(key: Field, masks: list[int], declared: Any) -> Field:
    """A literal in the rows of the sets that have it. masks: what Spark's grouping_id() is for those."""
    parts = Parts()
    if not masks:
        return Field(declared, key.name, sql=exp.Null(), parts=parts)
    parts.traits |= Traits.AGGREGATE
    arms = [exp.If(this=exp.Literal.number(mask), true=key.emit(parts)) for mask in masks]
    sql = exp.Case(this=exp.Anonymous(this="grouping_id"), ifs=arms)
    return Field(declared, key.name, sql=sql, sql_type=key.sql_type, parts=parts)


def _number(numbers: dict[int, int]) -> Field:
    """The column that tells the sets apart. numbers: what it says, by Spark's grouping_id()."""
    parts = Parts()
    sql: exp.Expression
    if len(numbers) == 1:
        sql = exp.Literal.number(next(iter(numbers.values())))
    else:
        parts.traits |= Traits.AGGREGATE
        call = exp.Anonymous(this="grouping_id")
        if all(mask == number for mask, number in numbers.items()):
            sql = exp.Cast(this=call, to=exp.DataType.build("int"))
        else:
            arms = [
                exp.If(this=exp.Literal.number(mask), true=exp.Literal.number(number))
                for mask, number in numbers.items()
            ]
            sql = exp.Case(this=call, ifs=arms)
    return Field(types.i32(), "grouping_set", sql=sql, parts=parts)


def _with_bits(
    number: Field, layout: _Layout, round_: list[int], present: list[int], keys: list[Field]
) -> SetNumber:
    """The number, which knows ``grouping(key)`` of the keys that are grouped by."""
    masks = {layout.numbers[i]: _mask(present, layout.sets[i]) for i in round_}
    places = present
    if layout.masked:
        masks, places = {n: n for n in masks}, layout.keys
    last = len(places) - 1
    bits = {last - at: partial(_bit, keys[key]) for at, key in enumerate(places) if key in present}
    assert number.sql is not None
    assert number.parts is not None
    return SetNumber(number, number.sql, number.parts, masks, bits)


def _bit(key: Field) -> Field:
    parts = Parts()
    parts.traits |= Traits.AGGREGATE
    sql = call("grouping", key.copy(parts))
    return Field(types.i32(), f"grouping_{key.name}", sql=sql, sql_type=types.i8(), parts=parts)


def _union(branches: list[Block]) -> Block:
    """The rows of all branches."""
    first = branches[0]
    item = Item(first.derived_name(), [f.name for f in first.fields])
    output = [Field(f.type, f.name, item=item, ordinal=i) for i, f in enumerate(first.fields)]
    for i, f in enumerate(output):
        f.sql_type = next((b.fields[i].sql_type for b in branches if b.fields[i].sql_type), None)
    return Block(None, output, base=first.base, body=SetBody("UNION", False, branches))
