"""Aggregation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle import functions, values
from tests.oracle.model import Env, Invalid, NotCovered, Row, Scope, Table, Undetermined, World

DISTINCT = 2


def aggregate(node: Any, world: World, scope: Scope) -> Table:
    """Per grouping set: the key columns, NULL where the set has not got them; the measures; and,
    with several sets, the number of the set. Keys take NULL for equal to NULL."""
    from tests.oracle.expressions import evaluate
    from tests.oracle.relations import anchor_of, environments, relation

    table = relation(node.input, world, scope)
    envs = environments(node, table, world, scope, [anchor_of(node.input)])
    width = len(node.grouping_expressions)
    keys = [tuple(evaluate(k, e) for k in node.grouping_expressions) for e in envs]
    sets = [list(g.expression_references) for g in node.groupings] or [[]]
    if {i for s in sets for i in s} != set(range(width)):
        raise Invalid("a grouping expression that no set uses, or one that is not there")
    rows: list[Row] = []
    for number, chosen in enumerate(sets):
        suffix = (number,) if len(sets) > 1 else ()
        for key, members in _groups(chosen, keys, envs, width):
            measures = tuple(_measure(m, members, world) for m in node.measures)
            rows.append((*key, *measures, *suffix))
    full = width + len(node.measures) + (len(sets) > 1)
    if not full:
        raise Invalid("an aggregation without columns")
    return Table(full, rows)


def _groups(
    chosen: Sequence[int], keys: list[Row], envs: list[Env], width: int
) -> list[tuple[Row, list[Env]]]:
    """The groups of one set. The empty set is one group, also where there are no rows."""
    found: dict[Row, tuple[Row, list[Env]]] = {}
    for k, env in zip(keys, envs, strict=True):
        key = tuple(k[i] if i in chosen else None for i in range(width))
        found.setdefault(values.key(key), (key, []))[1].append(env)
    if not chosen and not found:
        return [((None,) * width, [])]
    return list(found.values())


def _measure(message: Any, envs: list[Env], world: World) -> Any:
    """Its filter keeps the rows for which it is TRUE."""
    from tests.oracle.expressions import is_true

    if message.HasField("filter"):
        envs = [e for e in envs if is_true(message.filter, e)]
    return measure(message.measure, envs, world)


def measure(call: Any, envs: Sequence[Env], world: World) -> Any:
    """An aggregate function over records; DISTINCT looks at each tuple of arguments once."""
    from tests.oracle.expressions import evaluate

    if not functions.as_meant(call.options) or call.phase not in (0, 3):
        raise NotCovered("options and phases of aggregate functions")
    name = world.functions[call.function_reference]
    tuples = [tuple(evaluate(a.value, e) for a in call.arguments) for e in envs]
    if call.invocation == DISTINCT:
        tuples = list({values.key(t): t for t in tuples}.values())
    return _result(name, tuples, call.output_type)


def _result(name: str, tuples: list[Row], type_: Any) -> Any:
    """count: rows without a NULL argument. The others leave NULLs out, and are NULL without
    values."""
    if name == "count":
        return sum(None not in t for t in tuples)
    if name == "any_value":
        if len({values.key(t) for t in tuples}) > 1:
            raise Undetermined("any of several values")
        return tuples[0][0] if tuples else None
    known = [t[0] for t in tuples if t[0] is not None]
    if not known:
        return 0 if name == "sum0" else None
    match name:
        case "sum" | "sum0":
            total = sum(known[1:], known[0])
            kind = type_.WhichOneof("kind")
            return values.in_range(total, kind) if kind in values.RANGES else total
        case "min":
            return min(known)
        case "max":
            return max(known)
        case "avg" if type_.WhichOneof("kind") == "fp64":
            return sum(known) / len(known)
        case "avg" if type_.WhichOneof("kind") in values.RANGES:
            whole = abs(sum(known)) // len(known)
            return whole if sum(known) >= 0 else -whole
        case "bool_and":
            return all(known)
        case "bool_or":
            return any(known)
    raise NotCovered(f"the aggregate function {name}")
