"""Spark's types as Substrait's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.lift.tree import AggregateCall, Call, Cast, Column, Lambda
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from substrait_sql.lift.tree import Attribute, Expr
    from substrait_sql.lift.typing import types as t

_SIMPLE = {
    "boolean": ty.boolean, "tinyint": ty.i8, "smallint": ty.i16, "int": ty.i32, "bigint": ty.i64,
    "float": ty.fp32, "double": ty.fp64, "string": ty.string, "binary": ty.binary, "date": ty.date,
    "timestamp": ty.precision_timestamp_tz, "timestamp_ntz": ty.precision_timestamp,
    "interval_year": ty.interval_year, "interval_day": ty.interval_day,
    # A column of NULLs alone: some type has to be said.
    "void": ty.string,
}  # fmt: skip


def encoded(kind: t.SparkType, *, nullable: bool) -> Any:
    """The message of a type. Raises `Misused` for a type that Substrait has not."""
    simple = _SIMPLE.get(kind.kind)
    if simple is not None:
        return simple(nullable=nullable or kind.kind == "void")
    match kind.kind:
        case "decimal":
            return ty.decimal(*kind.numbers, nullable=nullable)
        case "char":
            return ty.fixed_char(*kind.numbers, nullable=nullable)
        case "varchar":
            return ty.varchar(*kind.numbers, nullable=nullable)
        case "time":
            return ty.precision_time(*(kind.numbers or (6,)), nullable=nullable)
        case "array":
            return ty.list_(encoded(kind.element, nullable=kind.holds_null), nullable=nullable)
        case "map":
            key = encoded(kind.parts[0], nullable=False)
            return ty.map_(key, encoded(kind.parts[1], nullable=kind.holds_null), nullable=nullable)
        case "struct":
            inner = [encoded(f.type, nullable=f.nullable) for f in kind.fields]
            return ty.struct(inner, nullable=nullable)
    raise Misused(f"Substrait has no type for {str(kind).upper()}", "SS5007")


def type_of(found: Expr) -> Any:
    """The message of an expression's type. Raises `Misused`, which knows the word of a call or a cast."""
    if isinstance(found, Column):
        return ty.with_nullability(column_type(found.attribute), found.nullable)
    try:
        return encoded(found.type, nullable=found.nullable)
    except Misused as problem:
        raise Misused(str(problem), problem.code, word=_word(found)) from problem


def column_type(found: Attribute) -> Any:
    """The same of a column, whose name is said."""
    try:
        return encoded(found.type, nullable=found.nullable)
    except Misused as problem:
        raise Misused(f"column {found.name}: {problem}", problem.code, word=found.name) from problem


def _word(found: Expr) -> str:
    if isinstance(found, Cast):
        return "try_cast" if found.attempt else "cast"
    return found.name if isinstance(found, (Call, AggregateCall)) else ""


def argument_type(found: Expr) -> Any:
    """The message of an argument's type: of a lambda that of a function."""
    if isinstance(found, Lambda):
        return _function_type(found)
    if found.type.kind == "interval":
        return ty.interval_compound(nullable=found.nullable)
    return type_of(found)


def _function_type(found: Lambda) -> Any:
    made = ty.unknown()
    made.func.nullability = ty.REQUIRED
    types = [(p.type, p.nullable) for p in found.parameters] + [(found.type, found.nullable)]
    if all(kind.kind != "interval" for kind, _ in types):
        *given, result = (encoded(kind, nullable=maybe) for kind, maybe in types)
        made.func.parameter_types.extend(given)
        made.func.return_type.CopyFrom(result)
    return made


def names_inside(kind: t.SparkType) -> list[str]:
    """The names of all structs' fields in a type, depth first: what follows a column's own name."""
    out: list[str] = []
    for each in kind.fields:
        out.append(each.name)
        out += names_inside(each.type)
    for part in kind.parts:
        out += names_inside(part)
    return out
