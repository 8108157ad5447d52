"""Aggregate and window functions, and generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, as_number, recast
from substrait_sql.lift.typing.casts import implicit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.lift.typing.types import SparkType

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]

_QUANTILES = (
    "numeric", t.DATE, t.TIMESTAMP, t.TIMESTAMP_NTZ, "interval_year", "interval_day", "any_time",
)  # fmt: skip
_MEASURED = ("numeric", "interval_day", "interval_year", "any_time")


def unordered(arguments: Sequence[Argument]) -> str:
    """What is wrong with the first argument."""
    kind = arguments[0].type
    return "" if t.is_orderable(kind) else f"needs values that have an order, which {kind} has not"


def _ordered_second(arguments: Sequence[Argument]) -> str:
    kind = arguments[1].type
    return "" if t.is_orderable(kind) else f"needs values that have an order, which {kind} has not"


def _no_map(arguments: Sequence[Argument]) -> str:
    return "takes no maps" if any(t.contains(a.type, "map") for a in arguments) else ""


def _hashed(arguments: Sequence[Argument]) -> str:
    bad = any(t.contains(a.type, "map", "variant") for a in arguments)
    return "takes no maps and no variants" if bad else ""


def _alike(arguments: Sequence[Argument]) -> str:
    kinds = {a.type.kind for a in arguments[:3]}
    return "" if len(kinds) == 1 else "takes a value and bounds of one type"


def _counted(arguments: Sequence[Argument]) -> str:
    kind = arguments[0].type
    fits = kind.kind in (*t.NUMERIC, *t.DATETIMES, "boolean", "string", "time")
    return "" if fits else f"counts no values of the type {kind}"


def _delimited(arguments: Sequence[Argument]) -> str:
    kinds = [a.type for a in arguments]
    fits = len(kinds) == 1 or kinds[1] in (kinds[0], t.VOID)
    return "" if fits else f"takes no {kinds[1]} between values of the type {kinds[0]}"


def _flag(arguments: Sequence[Argument]) -> str:
    """What is wrong with the second argument, which says whether NULLs are left out."""
    if len(arguments) > 1 and not isinstance(arguments[1].value, bool):
        return "takes TRUE or FALSE as its second argument"
    return ""


def summed(returns: Callable[[Sequence[Argument]], SparkType]) -> Callable[[Given], Found]:
    """Sum and avg: points in time count as numbers of seconds."""

    def rule(arguments: Given) -> Found:
        given = arguments[0].type
        to = t.DOUBLE if given.kind == "timestamp" else implicit(given, _MEASURED[:3])
        if to is None:
            raise Misused(f"a number or an interval is expected, not {given}")
        return (to,), returns((recast(arguments[0], to),)), True

    return rule


def _percentages(argument: Argument) -> SparkType:
    if not argument.constant or argument.type.kind == "void":
        raise Misused("the percentage must be a constant")
    to = implicit(argument.type, t.array(t.DOUBLE) if argument.type.kind == "array" else t.DOUBLE)
    if to is None:
        raise Misused(f"the percentage must be a double, not {argument.type}")
    values = argument.value if isinstance(argument.value, (list, tuple)) else [argument.value]
    numbers = [as_number(v) for v in values if v is not None]
    if any(n is None or not 0 <= n <= 1 for n in numbers):
        raise Misused("the percentage must be between 0 and 1")
    return to


def _measured(kind: SparkType) -> SparkType | None:
    """A text counts as a number; of a point in time it would be the time of day, which Spark has switched off."""
    if kind.kind in t.DATETIMES:
        return None
    return t.DOUBLE if kind.kind == "string" else implicit(kind, _MEASURED)


def _middle(arguments: Given) -> Found:
    given = _measured(arguments[0].type)
    if given is None:
        raise Misused(f"a number or an interval is expected, not {arguments[0].type}")
    return (given,), _median((recast(arguments[0], given),)), True


def _percentile(arguments: Given) -> Found:
    first, percentage, *rest = arguments
    given = _measured(first.type)
    if given is None:
        raise Misused(f"a number or an interval is expected, not {first.type}")
    second = _percentages(percentage)
    types = [given, second]
    for each in rest:
        found = implicit(each.type, "integral")
        if found is None:
            raise Misused(f"the frequency must be an integer, not {each.type}")
        types.append(found)
    out = _median((Argument(given, nullable=True),))
    if second.kind == "array":
        out = t.array(out, holds_null=False)
    return tuple(types), out, True


def _median(arguments: Sequence[Argument]) -> SparkType:
    """What lies between values: an interval has all units of its kind."""
    kind = arguments[0].type
    if kind.kind in t.NUMERIC:
        return t.DOUBLE
    return {"interval_year": t.YEAR_MONTH, "interval_day": t.DAY_SECOND}.get(kind.kind, kind)


def _approx_percentile(arguments: Given) -> Found:
    first, percentage, *rest = arguments
    given = t.DOUBLE if first.type == t.STRING else implicit(first.type, _QUANTILES)
    if given is None:
        raise Misused(f"a number, a date or an interval is expected, not {first.type}")
    second = _percentages(percentage)
    types = [given, second]
    for each in rest:
        found = implicit(each.type, "integral")
        if found is None or not each.constant:
            raise Misused("the accuracy must be a constant integer")
        types.append(found)
    out = t.array(given, holds_null=False) if second.kind == "array" else given
    return tuple(types), out, True


def _by(arguments: Given) -> Found:
    value, key, *count = arguments
    if not t.is_orderable(key.type):
        raise Misused(f"values of the type {key.type} have no order")
    types = [value.type, key.type]
    if not count:
        return tuple(types), value.type, True
    found = implicit(count[0].type, t.INT)
    if found is None or not count[0].constant:
        raise Misused("how many are wanted must be a constant int")
    number = 1.0 if count[0].value is None else as_number(count[0].value)
    if count[0].type.kind == "void":
        raise Misused("how many are wanted must be an int, not NULL")
    if number is None or not 1 <= number <= 100000:
        raise Misused("how many are wanted must be between 1 and 100000")
    return (*types, found), t.array(value.type), True


def _offset(arguments: Given) -> Found:
    """Lag and lead: the default becomes the type of the value."""
    value, *rest = arguments
    types = [value.type]
    nullable = True
    if rest:
        offset = implicit(rest[0].type, t.INT)
        if (
            offset is None
            or not rest[0].constant
            or rest[0].type.kind not in ("int", "smallint", "tinyint")
        ):
            raise Misused("the offset must be a constant int")
        types.append(offset)
    if len(rest) > 1:
        default = implicit(rest[1].type, value.type)
        units = rest[1].type.kind == value.type.kind and rest[1].type.kind in t.INTERVALS
        if default is None or (units and rest[1].type.numbers != value.type.numbers):
            raise Misused(f"the default must be {value.type}, not {rest[1].type}")
        types.append(default)
        nullable = value.nullable or recast(rest[1], default).nullable
    return tuple(types), value.type, nullable


def _histogram(arguments: Sequence[Argument]) -> SparkType:
    fields = (t.Field("x", arguments[0].type), t.Field("y", t.DOUBLE))
    return t.array(t.struct(fields))


def _top(arguments: Sequence[Argument]) -> SparkType:
    fields = (t.Field("item", arguments[0].type), t.Field("count", t.BIGINT, nullable=False))
    return t.array(t.struct(fields), holds_null=False)


def _top_state(arguments: Sequence[Argument]) -> SparkType:
    return t.struct(
        (
            t.Field("sketch", t.BINARY, nullable=False),
            t.Field("maxItemsTracked", t.INT, nullable=False),
            t.Field("itemDataType", arguments[0].type),
            t.Field("itemDataTypeDDL", t.STRING, nullable=False),
        )
    )


def _of_state(arguments: Sequence[Argument]) -> SparkType:
    fields = arguments[0].type.fields
    if [f.name for f in fields][:3] != ["sketch", "maxItemsTracked", "itemDataType"]:
        raise Misused("what approx_top_k_accumulate gathered is expected")
    return fields[2].type


def _estimate(arguments: Sequence[Argument]) -> SparkType:
    fields = (t.Field("item", _of_state(arguments)), t.Field("count", t.BIGINT, nullable=False))
    return t.array(t.struct(fields), holds_null=False)


def _same_state(arguments: Sequence[Argument]) -> SparkType:
    return _top_state((Argument(_of_state(arguments), nullable=True),))


def _one_or_many(out: SparkType) -> Callable[[Sequence[Argument]], SparkType]:
    """Of an array as the second argument, an array."""

    def returns(arguments: Sequence[Argument]) -> SparkType:
        return t.array(out, holds_null=False) if arguments[1].type.kind == "array" else out

    return returns


def _exploded(*, place: bool, outer: bool) -> Callable[[Given], Found]:
    """The columns of explode and posexplode, as a struct."""

    def rule(arguments: Given) -> Found:
        kind = arguments[0].type
        fields = [t.Field("pos", t.INT, nullable=outer)] if place else []
        if kind.kind == "array":
            fields.append(t.Field("col", kind.element, kind.holds_null or outer))
        elif kind.kind == "map":
            fields.append(t.Field("key", kind.parts[0], outer))
            fields.append(t.Field("value", kind.parts[1], kind.holds_null or outer))
        else:
            raise Misused(f"an array or a map is expected, not {kind}")
        return (kind,), t.struct(fields), False

    return rule


def _inline(*, outer: bool) -> Callable[[Given], Found]:
    def rule(arguments: Given) -> Found:
        kind = arguments[0].type
        if kind.kind != "array" or kind.element.kind != "struct":
            raise Misused(f"an array of structs is expected, not {kind}")
        nullable = kind.holds_null or outer
        fields = (t.Field(f.name, f.type, f.nullable or nullable) for f in kind.element.fields)
        return (kind,), t.struct(fields), False

    return rule


def _stack(arguments: Given) -> Found:
    count, *values = arguments
    if (
        not count.constant
        or not isinstance(count.value, int)
        or count.value < 1
        or count.type != t.INT
    ):
        raise Misused("the number of rows must be a constant positive int")
    width = -(-len(values) // count.value)
    columns: list[list[Argument]] = [values[i::width] for i in range(width)]
    fields: list[t.Field] = []
    types = [count.type] + [a.type for a in values]
    for i, column in enumerate(columns):
        kind = next((a.type for a in column if a.type.kind != "void"), t.VOID)
        if any(a.type.kind != "void" and not t.same(a.type, kind) for a in column):
            raise Misused(f"column {i} of stack has several types")
        fields.append(t.Field(f"col{i}", kind))
        for j in range(len(column)):
            types[1 + i + j * width] = kind
    return tuple(types), t.struct(fields), False


def _json_tuple(arguments: Given) -> Found:
    if any(a.type.kind != "string" for a in arguments):
        raise Misused("json_tuple takes texts")
    fields = (t.Field(f"c{i}", t.STRING) for i in range(len(arguments) - 1))
    return tuple(t.STRING for _ in arguments), t.struct(fields), False


RULES = {
    "percentile": _percentile, "approx_percentile": _approx_percentile, "by": _by, "median": _middle, "offset": _offset,
    "explode": _exploded(place=False, outer=False), "explode_outer": _exploded(place=False, outer=True),
    "posexplode": _exploded(place=True, outer=False), "posexplode_outer": _exploded(place=True, outer=True),
    "inline": _inline(outer=False), "inline_outer": _inline(outer=True), "stack": _stack,
    "json_tuple": _json_tuple,
}  # fmt: skip
RETURNS = {
    "histogram": _histogram, "top": _top, "top_state": _top_state, "top_estimate": _estimate,
    "same_state": _same_state, "rank_of": _one_or_many(t.DOUBLE), "quantile_float": _one_or_many(t.FLOAT),
    "quantile_double": _one_or_many(t.DOUBLE), "quantile_bigint": _one_or_many(t.BIGINT),
}  # fmt: skip
CHECKS = {
    "ordered": unordered,
    "ordered_second": _ordered_second,
    "no_map": _no_map,
    "hashed": _hashed,
    "counted": _counted,
    "delimited": _delimited,
    "alike": _alike,
    "flag": _flag,
}
