"""Calls of Spark's functions over typed arguments: by their signatures, with the casts that Spark puts in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import operators
from substrait_sql.lift.expressions.folded import folded
from substrait_sql.lift.tree import (
    AggregateCall,
    Call,
    Cast,
    Column,
    Expr,
    Generator,
    Lambda,
    Literal,
    SortKey,
)
from substrait_sql.lift.typing import signatures
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

_NOT_DETERMINISTIC = "its rows are others each time: a plan has no word for that"
# They tell of the file that a row was read from, and a plan reads tables.
OF_FILES = frozenset({"input_file_name", "input_file_block_start", "input_file_block_length"})
_JAVA = "it calls Java, and a plan has no word for what that does"
_MODULE = "it is in a module that Spark has not of itself: {}"
# Functions of Spark that nothing is known of but this.
WITHOUT_WORD = {
    **dict.fromkeys(("java_method", "reflect", "try_reflect"), _JAVA),
    **dict.fromkeys(("from_avro", "schema_of_avro", "to_avro"), _MODULE.format("spark-avro")),
    **dict.fromkeys(("from_protobuf", "to_protobuf"), _MODULE.format("spark-protobuf")),
}


@dataclass(frozen=True, slots=True)
class Named(Expr):
    """An argument with a name, for the field of a struct."""

    value: Expr
    name: str

    def __init__(self, value: Expr, name: str) -> None:
        object.__setattr__(self, "type", value.type)
        object.__setattr__(self, "nullable", value.nullable)
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "name", name)


def named_by_column(value: Expr, node: Any) -> Expr:
    """A name gives a struct's field its own, whatever it is a name for; so does the key behind a map."""
    bare = node.unnest()
    if isinstance(bare, exp.Dot):
        return Named(value, bare.expression.name)
    if (
        isinstance(bare, exp.Bracket)
        and len(bare.expressions) == 1
        and bare.expressions[0].is_string
    ):
        return Named(value, bare.expressions[0].name)
    return Named(value, bare.name) if isinstance(bare, (exp.Column, exp.Identifier)) else value


def argument(value: Expr) -> signatures.Argument:
    """What a signature has to know of an argument."""
    name = value.name if isinstance(value, Named) else ""
    value = value.value if isinstance(value, Named) else value
    inner = (
        value.value if isinstance(value, Cast) and not isinstance(value.value, Column) else value
    )
    constant = _constant(value)
    known = inner.value if isinstance(inner, Literal) else None
    return signatures.Argument(
        value.type, value.nullable, constant, known, name, value is not inner
    )


def _constant(value: Expr) -> bool:
    if isinstance(value, Literal):
        return True
    if isinstance(value, (Cast, Call)):
        drawn = isinstance(value, Call) and value.draw is not None
        # A chain (``a || b || c``) is deep on its left side.
        return not drawn and all(map(_constant, reversed(value.children)))
    return False


def resolved(name: str, arguments: Sequence[Expr]) -> tuple[signatures.Resolved, tuple[Expr, ...]]:
    """The signature of a call, and its arguments as Spark casts them.

    Constants are computed where it takes them then only.
    """
    try:
        found = signatures.resolve(name, [argument(a) for a in arguments])
    except Misused:
        literal = _LITERAL_FROM.get(name.lower(), len(arguments))
        computed = [*map(_computed, arguments[:literal]), *arguments[literal:]]
        if all(a is b for a, b in zip(arguments, computed, strict=True)):
            raise
        arguments = computed
        found = signatures.resolve(name, [argument(a) for a in arguments])
    plain = [a.value if isinstance(a, Named) else a for a in arguments]
    brought = _tried if found.name in _TRIES else _brought
    given = tuple(brought(a, k) for a, k in zip(plain, found.arguments, strict=True))
    return found, given


# NULL for what fails, with the casts that Spark puts in.
_TRIES = frozenset({"try_add", "try_subtract", "try_multiply", "try_divide", "try_mod"})


def _tried(value: Expr, wanted: SparkType) -> Expr:
    if value.type.kind != "string" or wanted.kind == "string":
        return _brought(value, wanted)
    return Cast(wanted, True, value, asked=False, attempt=True)


# Spark takes no constant there that it had to compute, from this argument on.
_LITERAL_FROM = {
    **dict.fromkeys(("first", "first_value", "last", "last_value", "any_value"), 1),
    **dict.fromkeys(("window", "session_window", "approx_count_distinct"), 1),
    **dict.fromkeys(("like", "ilike"), 2),
}


def _computed(value: Expr) -> Expr:
    found = None if isinstance(value, Literal) else folded(value)
    return value if found is None else replace(found, written=value)


def _brought(value: Expr, wanted: SparkType) -> Expr:
    if not isinstance(value, Lambda):
        return operators.cast(value, wanted)
    body = operators.cast(value.body, wanted)
    return value if body is value.body else replace(value, type=wanted, body=body)


def scalar(name: str, arguments: Sequence[Expr], shown: str = "") -> Expr:
    """A scalar function. Raises `Misused` for arguments that Spark does not take."""
    if name.lower() == "if" and len(arguments) == 3:
        condition, *values = (a.value if isinstance(a, Named) else a for a in arguments)
        return operators.case([(condition, values[0])], values[1], shown="if")
    if name.lower() == "struct":
        return _struct(arguments)
    found, given = resolved(name, arguments)
    if found.kind == "cast":
        from substrait_sql.lift.expressions.casts import made

        return made(given[0], found.type, shown=False)
    if found.name in OF_FILES:
        raise Misused(f"{name} is refused: it tells of files, and a plan reads tables", "SS5007")
    draw = None if found.deterministic else object()
    return Call(found.type, found.nullable, found.name, given, draw, shown or name.lower())


def _struct(arguments: Sequence[Expr]) -> Expr:
    fields: list[t.Field] = []
    values: list[Expr] = []
    for place, each in enumerate(arguments):
        name, value = (
            (each.name, each.value) if isinstance(each, Named) else (f"col{place + 1}", each)
        )
        fields.append(t.Field(name, value.type, value.nullable))
        values.append(value)
    return Call(t.struct(fields), False, "struct", tuple(values))


def aggregate(
    name: str,
    arguments: Sequence[Expr],
    *,
    order: tuple[SortKey, ...] = (),
    ignore_nulls: bool = False,
) -> AggregateCall:
    """An aggregate function; with no argument at all ``count`` counts rows."""
    if name == "count" and not arguments:
        return AggregateCall(t.BIGINT, False, "count", ())
    if name in _OF_KEY:
        return _of_key(name, arguments, order)
    found, given = resolved(name, arguments)
    if not found.deterministic and found.name not in _ANY_ROW:
        raise Misused(f"{name} is refused: {_NOT_DETERMINISTIC}", "SS5007")
    if found.name == "listagg" and len(given) > 1 and is_null(given[1]):
        # No separator is none; Spark does not take a NULL of the values' type.
        given = given[:1]
    return AggregateCall(
        found.type,
        found.nullable,
        found.name,
        given,
        order=order,
        ignore_nulls=ignore_nulls,
        shown=name,
    )


def check_distinct(made: AggregateCall) -> None:
    """Raises `Misused` for a list of distinct texts in an order that is not their own."""
    if made.order and made.name in ("listagg", "string_agg"):
        keys = [_before_casts(k.value) for k in made.order]
        if keys != [_before_casts(made.arguments[0])]:
            raise Misused(f"{made.shown} puts distinct values in order by themselves only")


def _before_casts(value: Expr) -> Expr:
    while isinstance(value, Cast):
        value = value.value
    return value


def is_null(value: Expr) -> bool:
    """Whether it is the constant NULL."""
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Literal) and value.value is None


# What they are of stands in WITHIN GROUP.
_OF_KEY = frozenset({"percentile_cont", "percentile_disc", "mode"})


def _of_key(name: str, arguments: Sequence[Expr], order: tuple[SortKey, ...]) -> AggregateCall:
    """percentile_cont(0.5) WITHIN GROUP (ORDER BY x), mode() WITHIN GROUP (ORDER BY x)."""
    if name == "mode" and not order:
        found, given = resolved(name, arguments)
        return AggregateCall(found.type, found.nullable, found.name, given, shown=name)
    if len(order) != 1:
        raise Misused(f"{name} wants WITHIN GROUP (ORDER BY …) with one key")
    wanted = 0 if name == "mode" else 1
    if len(arguments) != wanted:
        raise Misused(f"{name} with WITHIN GROUP takes {wanted} arguments, not {len(arguments)}")
    found, (key, *rest) = resolved(name, [order[0].value, *arguments])
    keys = (replace(order[0], value=key),)
    return AggregateCall(
        found.type, found.nullable, found.name, tuple(rest), order=keys, shown=name
    )


# Which of several rows they take depends on the order of the rows, which a query may well have fixed.
_ANY_ROW = frozenset(
    [
        "first",
        "last",
        "first_value",
        "last_value",
        "any_value",
        "collect_list",
        "array_agg",
        "collect_set",
        "max_by",
        "min_by",
        "listagg",
        "string_agg",
        "mode",
    ]
)


def generator(name: str, arguments: Sequence[Expr]) -> Expr:
    """explode, inline, stack …: the columns it makes as a struct."""
    found, given = resolved(name, arguments)
    outer = found.name.endswith("_outer")
    return Generator(found.type, False, found.name.removesuffix("_outer"), given, outer)


def ordered(kind: SparkType) -> bool:
    """Whether values of a type have an order."""
    if kind.kind in ("map", "interval", "variant"):
        return False
    return all(map(ordered, (*kind.parts, *(f.type for f in kind.fields))))
