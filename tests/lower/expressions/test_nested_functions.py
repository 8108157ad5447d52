"""Every function that takes its own result, called on itself eighty times: time and text grow with the plan.

What SQL repeats an argument in, a CASE say, would grow with the square of the depth, or double at each level.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import substrait.proto as pb

import substrait_sql
from substrait_sql import SubstraitSqlError
from substrait_sql.dialect.files import official
from substrait_sql.schema import types as ty
from substrait_sql.wire.deep import in_big_stack
from tests.support.plan_types import literal
from tests.tools import functions
from tests.tools.functions import URN, Overload

SHALLOW, DEEP = 40, 80
OPTION = tuple[str, str]


@dataclass(frozen=True)
class Nest:
    """A call whose argument at `place` is such a call. constants: arguments that are literals, not columns."""

    overload: Overload
    options: tuple[OPTION, ...]
    place: int
    types: tuple[Any, ...]
    constants: frozenset[int]
    enums: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([str(self.overload), *(f"{k}={v}" for k, v in self.options)])

    def results(self, depth: int) -> list[Any]:
        """The type of the call at each level, the innermost first; fewer than asked for if it does not fit any more."""
        found: list[Any] = []
        inner = self.types[self.place]
        while len(found) < depth:
            row = [inner if i == self.place else t for i, t in enumerate(self.types)]
            derived = official.derive(self.overload.impl, row)
            if derived is None or derived[0] is None or derived[1]:
                break
            inner = derived[0]
            if ty.short(inner) != ty.short(self.types[self.place]):
                break
            found.append(inner)
        return found

    def plan(self, depth: int) -> bytes:
        """A projection of one such expression, filled in from the outside, so that nothing is copied."""
        plan = pb.Plan()
        plan.version.minor_number = 100
        plan.extension_urns.add(extension_urn_anchor=1, urn=URN + self.overload.stem)
        function = plan.extensions.add().extension_function
        function.extension_urn_reference = function.function_anchor = 1
        function.name = f"{self.overload.name}:{self.overload.signature}"
        root = plan.relations.add().root
        root.names.append("y")
        project = root.input.project
        schema = project.input.read.base_schema
        schema.names.extend(f"c{i}" for i in range(len(self.types)))
        schema.struct.types.extend(map(_public, self.types))
        schema.struct.nullability = pb.Type.NULLABILITY_REQUIRED
        project.input.read.named_table.names.append("t")
        project.common.emit.output_mapping.append(len(self.types))
        node = project.expressions.add()
        for type_ in reversed(self.results(depth)):
            node = self._level(node, type_)
        _column(node, self.place)
        return in_big_stack(plan.SerializeToString)

    def _level(self, node: Any, type_: Any) -> Any:
        call = node.scalar_function
        call.function_reference = 1
        call.output_type.CopyFrom(_public(type_))
        for name, value in self.options:
            call.options.add(name=name.lower(), preference=[value])
        enums, at, inner = list(self.enums), 0, None
        args = self.overload.impl.get("args", ())
        for arg in [*args, *args[-1:]] if "variadic" in self.overload.impl else args:
            if "options" in arg:
                call.arguments.add(enum=enums.pop(0))
                continue
            value = call.arguments.add().value
            if at == self.place:
                inner = value
            elif at in self.constants:
                text = ty.kind(self.types[at]) in ("string", "varchar", "fixed_char")
                value.literal.CopyFrom(literal("a" if text else 2, _public(self.types[at])))
            else:
                _column(value, at)
            at += 1
        return inner


def _column(node: Any, ordinal: int) -> None:
    node.selection.direct_reference.struct_field.field = ordinal
    node.selection.root_reference.SetInParent()


def _public(type_: Any) -> pb.Type:
    return pb.Type.FromString(ty.with_nullability(type_, True).SerializeToString())


def nests() -> Iterator[Nest]:
    """For each line of the dialect, and each option that it delivers, the first overload that nests in itself."""
    done: set[tuple[int, tuple[OPTION, ...]]] = set()
    for overload in functions.overloads():
        line = functions.mapped().get(str(overload))
        if line is None or overload.kind != "scalar" or "u!" in overload.signature:
            continue
        choices: list[tuple[OPTION, ...]] = [()]
        # What is delivered as it is has the text of the call without options.
        choices += [((o, v),) for o, to in line.options.items() for v in to if to[v] is not True]
        for options in choices:
            if (id(line), options) in done:
                continue
            found = next(_rendered(overload, options), None)
            if found is not None:
                done.add((id(line), options))
                yield found


def _rendered(overload: Overload, options: tuple[OPTION, ...]) -> Iterator[Nest]:
    """The ways in which the overload nests that have a text."""
    args = overload.impl.get("args", ())
    enums = tuple(a["options"][0] for a in args if "options" in a)
    for columns in (99, 1):
        call = functions._call(overload, list(enums), columns, False)
        given = [a for a in call.arguments if a.sql is not None]
        types = tuple(ty.with_nullability(a.type, True) for a in given)
        constants = frozenset(
            i for i, a in enumerate(given) if a.sql.__class__.__name__ == "Literal"
        )
        for place in range(len(types)):
            nest = Nest(overload, options, place, types, constants, enums)
            if place not in constants and len(nest.results(3)) == 3 and _has_text(nest):
                yield nest


def _has_text(nest: Nest) -> bool:
    try:
        substrait_sql.to_sql(nest.plan(3))
    except SubstraitSqlError:
        return False
    return True


def measured(nest: Nest, depth: int) -> tuple[float, int]:
    """Seconds and length of the text."""
    data = nest.plan(depth)
    start = time.process_time()
    text = substrait_sql.to_sql(data)
    return time.process_time() - start, len(text)


@pytest.mark.slow
def test_all_grow_with_the_plan() -> None:
    """Twice the calls: about twice the text, and all together no more than about twice the time."""
    found = list(nests())
    assert len(found) > 150
    slow, long, total = [], [], [0.0, 0.0]
    gc.collect()
    gc.disable()
    try:
        for nest in found:
            (before, short), (after, length) = measured(nest, SHALLOW), measured(nest, DEEP)
            total = [total[0] + before, total[1] + after]
            if after > 1:
                slow.append(f"{nest}: {before:.2f} s, {after:.2f} s")
            # Decimals grow to all their digits over the first thirty levels. Were it quadratic, four times.
            if length > 2.7 * short + 200:
                long.append(f"{nest}: {short}, {length}")
    finally:
        gc.enable()
    assert not slow
    assert not long
    # Were it quadratic, four times.
    assert total[1] < 3 * total[0]
