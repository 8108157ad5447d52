"""Whether the structs of a value will have names of their own in the SQL of a plan, or those that places have.

Types of Substrait have no names of fields. Where a plan becomes SQL, a column's structs have those of its table, and
others are ``STRUCT<f0: …, f1: …>``. Spark takes both for different types.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from substrait_sql.dialect.dialect import load
from substrait_sql.lift.tree import Call, Cast, Column, Expr, Lambda, Literal, StructField
from substrait_sql.lift.typing import types as t

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.lift.typing.types import SparkType


class Names(Enum):
    """OWN: those of a table's column. PLACES: ``f0``. UNSURE: what a function makes of them."""

    OWN = 1
    PLACES = 2
    UNSURE = 3


# The arguments of these have one type where the plan becomes SQL: of some, if they are the standard's.
_PICKS = ("coalesce", "greatest", "least")
_ALIKE = frozenset({
    "coalesce", "greatest", "least", "=", "<=>", "<", "<=", ">", ">=", "struct", "named_struct", "array", "map",
})  # fmt: skip
_FOLDS = ("aggregate", "reduce")
# What a lambda returns is an element of the value.
_RETURNED = ("transform", "transform_keys", "transform_values", "zip_with", "map_zip_with")


def has_struct(value: Expr) -> bool:
    """Whether the value holds a struct, and is no lambda."""
    return not isinstance(value, Lambda) and t.contains(value.type, "struct")


def may_mix(found: Call) -> bool:
    """Whether the arguments of a function have to be of one type, or to fit into each other."""
    return found.name not in (*_FOLDS, *_RETURNED)


def need_names(
    found: Call,
    parameters: Mapping[int, Names],
    dialect: str,
    is_standard: Callable[[Call], bool],
) -> list[Expr]:
    """The arguments that have to be given the names of their fields, so that Spark takes them beside the others."""
    structs = [a for a in found.arguments if has_struct(a)]
    if len(structs) < 2 or not may_mix(found):
        return []
    if found.name in _ALIKE and (found.name not in _PICKS or is_standard(found)):
        return []
    said = [(a, names(a, parameters, dialect)) for a in structs]
    if {how for _, how in said} in ({Names.OWN}, {Names.PLACES}):
        return []
    return [a for a, how in said if how is not Names.OWN]


def with_parameters(
    found: Call, parameters: Mapping[int, Names], dialect: str
) -> Mapping[int, Names]:
    """The parameters of lambdas around, and those of a call."""
    out = dict(parameters)
    # Each argument is asked once: several parameters may be from one, which holds such calls itself.
    said: dict[int, Names] = {}
    for each in found.arguments:
        for i, parameter in enumerate(each.parameters if isinstance(each, Lambda) else ()):
            if t.contains(parameter.type, "struct"):
                at = _source(found, i)
                if at not in said:
                    said[at] = names(found.arguments[at], parameters, dialect)
                out[id(parameter)] = said[at]
    return out


def _source(found: Call, parameter: int) -> int:
    """Which argument the values of a lambda's parameter are from."""
    match found.name:
        case "aggregate" | "reduce":
            return 1 - parameter
        case "zip_with":
            return parameter
        case "map_zip_with":
            return max(parameter - 1, 0)
        case _:
            return 0


def names(value: Expr, parameters: Mapping[int, Names], dialect: str) -> Names:
    """The names that the structs of a value will have."""
    match value:
        case Column():
            return parameters.get(id(value.attribute), Names.OWN)
        case Call(name="struct" | "named_struct") | Literal():
            return Names.PLACES
        case Cast():
            renamed = only_renames(value)
            return names(value.value, parameters, dialect) if renamed else Names.PLACES
        case Call():
            return _of_call(value, parameters, dialect)
        case StructField():
            how = names(value.value, parameters, dialect)
            return how if how is Names.OWN else Names.UNSURE
        case _:
            return _alike([x for x in value.children if has_struct(x)], parameters, dialect)


def _of_call(found: Call, parameters: Mapping[int, Names], dialect: str) -> Names:
    if found.name in _FOLDS and len(found.arguments) == 3:
        return names(found.arguments[1], parameters, dialect)
    if found.name in (*_FOLDS, *_RETURNED):
        inner = with_parameters(found, parameters, dialect)
        last = found.arguments[-1]
        assert isinstance(last, Lambda)
        how = names(last.body, inner, dialect) if has_struct(last.body) else Names.OWN
        return how if how is Names.PLACES else Names.UNSURE
    given = [a for a in found.arguments if has_struct(a)]
    said = {names(a, parameters, dialect) for a in given}
    if said == {Names.PLACES}:
        return Names.PLACES
    if found.name in _ALIKE:
        return said.pop() if len(said) == 1 else Names.UNSURE
    # Those that had no names of their own are given them, beside others that have.
    return (
        Names.OWN if Names.OWN in said and found.name in load(dialect).gives_back else Names.UNSURE
    )


def _alike(values: list[Expr], parameters: Mapping[int, Names], dialect: str) -> Names:
    said = {names(x, parameters, dialect) for x in values}
    return said.pop() if len(said) == 1 else Names.UNSURE


def only_renames(found: Cast) -> bool:
    """Whether a plan has one type for both: a cast that only renames fields of structs is not one there."""
    given, target = found.value.type, found.type
    if given == target:
        return True
    return (
        t.contains(target, "struct")
        and not t.has_units_inside(target)
        and _without_names(given) == _without_names(target)
    )


def _without_names(kind: SparkType) -> SparkType:
    parts = tuple(map(_without_names, kind.parts))
    fields = tuple(replace(f, name="", type=_without_names(f.type)) for f in kind.fields)
    return replace(kind, parts=parts, fields=fields)
