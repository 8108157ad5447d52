"""A plan as several: one for each result, and one for each subtree that ReferenceRels share.

What read the subtree reads a table instead, whose name (`Shared.key`) no plan has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import refuse
from substrait_sql.lower.plan import context_of, lower
from substrait_sql.lower.sharing.queries import SharedQueries
from substrait_sql.plan import build
from substrait_sql.plan.extended import as_plan
from substrait_sql.plan.results import referred, roots_of
from substrait_sql.schema import types
from substrait_sql.select.block import Shared as SharedItem
from substrait_sql.select.luck import varies
from substrait_sql.select.outer_columns import refers_outside
from substrait_sql.select.signals import CloseBlock, Rewrite
from substrait_sql.wire.inside import within
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.wire import Decoded

_SPACE = "shared by substrait_sql"


@dataclass(frozen=True, slots=True)
class Subtree:
    """A relation that others read. names: of its columns, depth first. varies: it may give other rows each time."""

    ordinal: int
    base: str
    names: tuple[str, ...]
    types: tuple[Any, ...]
    varies: bool

    @property
    def key(self) -> tuple[str, ...]:
        """The table that stands for it in the plans that read it."""
        return (_SPACE, str(self.ordinal), self.base)


@dataclass(frozen=True, slots=True)
class Part:
    """One query. decoded: the plan of it, with one result. subtree: what others read of it; None for a mere result."""

    index: int
    decoded: Decoded
    result: bool
    subtree: Subtree | None


def split(decoded: Decoded, dialect: Dialect) -> list[Part]:
    """The queries of a plan, each behind those that it reads.

    A subtree stays in the queries that read it where a table cannot stand for it: its rows have an order that matters,
    it refers outwards, the plan asks for the current time, which is one for all. Raises `UnsupportedError` SS6103.
    """
    # What is made of an extended expression is a plan from here on.
    decoded = replace(as_plan(decoded), kind="plan")
    plan = decoded.plan
    roots = roots_of(plan)
    known: dict[int, Subtree] = {}
    varying: set[int] = set()
    if _reads_clock(plan):
        # Refuses what each result would compute for itself.
        lower(replace(decoded, plan=build.copied(plan)), dialect)
    else:
        for ordinal in _in_order(plan, roots):
            found = _subtree(ordinal, decoded, dialect, varying)
            if found is not None:
                known[ordinal] = found
    parts = [
        Part(i, _alone(i, decoded, known), i in roots, known.get(i))
        for i in [*known, *(r for r in roots if r not in known)]
    ]
    _require_one_reader(parts, varying)
    return parts


def _require_one_reader(parts: Sequence[Part], varying: Iterable[int]) -> None:
    """What may give other rows each time, and is no table, stays in one query."""
    read = [{p.index, *_in_order(p.decoded.plan, [p.index])} for p in parts]
    for ordinal in varying:
        if sum(ordinal in each for each in read) > 1:
            raise refuse(
                "SS6103",
                "a shared relation that may give other rows each time would be computed by each model that reads it",
                (ROOT / "relations")[ordinal],
                "sort its rows where they are read, and give its columns types",
            )


def _reads_clock(plan: Any) -> bool:
    return any(m.DESCRIPTOR.name == "ExecutionContextVariable" for m in within(plan))


def _in_order(plan: Any, roots: Iterable[int]) -> list[int]:
    """The ordinals that are read for the results, each behind those that it reads itself."""
    found: dict[int, None] = {}
    stack = [(i, False) for root in roots for i in referred(plan.relations[root])][::-1]
    opened: set[int] = set()
    while stack:
        ordinal, done = stack.pop()
        if done:
            found.setdefault(ordinal)
        elif ordinal not in opened and 0 <= ordinal < len(plan.relations):
            opened.add(ordinal)
            stack.append((ordinal, True))
            stack += [(i, False) for i in referred(plan.relations[ordinal])][::-1]
    return list(found)


def _subtree(ordinal: int, decoded: Decoded, dialect: Dialect, varying: set[int]) -> Subtree | None:
    """What a table would stand for; None where none can. varying: gets the ordinal where that may give other rows."""
    entry = decoded.plan.relations[ordinal]
    if len(entry.outer_reference_declarations):
        return None
    copy = replace(decoded, plan=build.copied(decoded.plan))
    cx = context_of(copy, dialect)
    cx.shared = SharedQueries(copy.plan, dialect.target)
    cx.given.root = ordinal
    try:
        block = cx.shared.use(build.reference(ordinal).reference, cx, ROOT, None)
    except (CloseBlock, Rewrite):
        return None
    item = block.item
    assert isinstance(item, SharedItem)
    if refers_outside(item.block):
        return None
    kinds = [f.type for f in block.fields]
    if block.order or not kinds or any(k is None or types.kind(k) is None for k in kinds):
        if varies(item):
            varying.add(ordinal)
        return None
    top = item.names[: len(kinds)]
    if entry.WhichOneof("rel_type") == "root" and entry.root.names:
        given = list(entry.root.names)
        names = given if len(given) != len(kinds) else _depth_first(given, kinds)
    else:
        names = _depth_first(top, kinds)
    base = item.block.derived_name()
    return Subtree(ordinal, base, tuple(names), tuple(kinds), varies(item))


def _depth_first(names: Iterable[str], kinds: Iterable[Any]) -> list[str]:
    """The names of columns, and made ones of the struct fields inside each."""
    found: list[str] = []
    for name, kind in zip(names, kinds, strict=False):
        found += [name, *(f"f{i + 1}" for i in range(types.inner_names(kind)))]
    return found


def _alone(index: int, decoded: Decoded, known: dict[int, Subtree]) -> Decoded:
    """The plan with one result, and tables for what it shares. The indexes of the relations stay."""
    plan = build.copied(decoded.plan)
    for i, entry in enumerate(plan.relations):
        if entry.WhichOneof("rel_type") == "root" and i != index:
            entry.rel.CopyFrom(build.copied(entry.root.input))
    entry = plan.relations[index]
    if entry.WhichOneof("rel_type") == "rel":
        entry.root.input.CopyFrom(build.copied(entry.rel))
    if index in known:
        del entry.root.names[:]
        entry.root.names.extend(known[index].names)
    for message in list(within(plan)):
        if message.DESCRIPTOR.name == "Rel" and message.WhichOneof("rel_type") == "reference":
            subtree = known.get(message.reference.subtree_ordinal)
            if subtree is not None:
                _read(message, subtree)
    return replace(decoded, plan=plan)


def _read(rel: Any, subtree: Subtree) -> None:
    """Makes a relation read the table of a subtree."""
    rel.read.common.direct.SetInParent()
    rel.read.named_table.names.extend(subtree.key)
    schema = rel.read.base_schema
    schema.names.extend(subtree.names)
    schema.struct.nullability = 2
    for kind in subtree.types:
        schema.struct.types.add().CopyFrom(kind)


def whole(decoded: Decoded, dialect: Dialect) -> list[Part]:
    """The queries of a plan, one for each result; what they share is part of each that reads it."""
    decoded = as_plan(decoded)
    # Refuses what each result would draw for itself.
    lower(replace(decoded, plan=build.copied(decoded.plan)), dialect)
    return [Part(i, _alone(i, decoded, {}), True, None) for i in roots_of(decoded.plan)]
