"""The parameters of lambdas: what the function that takes a lambda gives to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, Unknown
from substrait_sql.lift.typing.common import wider_without_text
from substrait_sql.lift.typing.table import known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

    Parameters = list[tuple[SparkType, bool]]


def lambda_parameters(
    name: str, arguments_before: Sequence[Argument], position: int, count: int
) -> list[tuple[SparkType, bool]]:
    """Types of a lambda's parameters, and whether each may be NULL.

    position: the lambda's place among the arguments, from 0. count: of its parameters. arguments_before: those in
    front of it, the lambdas among them as their bodies.
    """
    line = known(name)
    if line is None:
        raise Unknown(f"Spark has no function {name}")
    if position not in [place - 1 for place in line.lambdas]:
        raise Misused(f"{line.name} takes no lambda as argument {position + 1}")
    found = _parameters(line.name, arguments_before, position, count)
    if len(found) != count:
        raise Misused(f"a lambda of {line.name} has {len(found)} parameters, not {count}")
    return found


def _parameters(name: str, before: Sequence[Argument], position: int, count: int) -> Parameters:
    kinds = [a.type for a in before]
    if name in ("transform", "filter", "exists", "forall"):
        element = _element(name, kinds[0])
        wants_place = name in ("transform", "filter") and count == 2
        return [element, (t.INT, False)] if wants_place else [element]
    if name == "aggregate":
        # What has been gathered may be NULL whatever it began with.
        start = (t.all_nullable(kinds[1]), True)
        return [start, _element(name, kinds[0])] if position == 2 else [start]
    if name == "array_sort":
        return [_element(name, kinds[0])] * 2
    if name == "zip_with":
        return [(_element(name, kind)[0], True) for kind in kinds[:2]]
    if name == "map_zip_with":
        (key, _), (one, _), (_, _), (other, _) = *_entry(name, kinds[0]), *_entry(name, kinds[1])
        key = wider_without_text(key, kinds[1].parts[0]) or key
        return [(key, False), (one, True), (other, True)]
    return _entry(name, kinds[0])


def _element(name: str, kind: SparkType) -> tuple[SparkType, bool]:
    if kind.kind != "array":
        raise Misused(f"the first argument of {name} must be an array, not {kind}")
    return kind.element, kind.holds_null


def _entry(name: str, kind: SparkType) -> Parameters:
    if kind.kind != "map":
        raise Misused(f"{name} takes a map, not {kind}")
    return [(kind.parts[0], False), (kind.parts[1], kind.holds_null)]
