"""Functions of arrays: elements that are put in or looked for become one type with those that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, recast
from substrait_sql.lift.typing.casts import implicit
from substrait_sql.lift.typing.common import in_arrays, looked_for
from substrait_sql.lift.typing.rules.choice import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.common import Finder
    from substrait_sql.lift.typing.types import SparkType

    Given = tuple[Argument, ...]
    Found = tuple[tuple[SparkType, ...], SparkType, bool]


def an_array(argument: Argument) -> SparkType:
    """Its type, which must be an array."""
    if argument.type.kind != "array":
        raise Misused(f"an array is expected, not {argument.type}")
    return argument.type


def _with_element(
    array: Argument, element: Argument, finder: Finder = in_arrays
) -> tuple[SparkType, SparkType]:
    """The types of both after the casts."""
    kind = an_array(array)
    found = finder(kind.element, element.type)
    if found is None:
        raise Misused(f"{element.type} is no element of an {kind}")
    return t.array(found, holds_null=kind.holds_null), found


def _any_nullable(arguments: Sequence[Argument], types: Sequence[SparkType]) -> bool:
    return any(recast(a, to).nullable for a, to in zip(arguments, types, strict=True))


def _array(arguments: Given) -> Found:
    to = merged(arguments)
    holds_null = any(recast(a, to).nullable for a in arguments)
    return (to,) * len(arguments), t.array(to, holds_null=holds_null), False


def _contains(arguments: Given) -> Found:
    if arguments[1].type.kind == "void":
        raise Misused("NULL is nothing to look for")
    return _searched(arguments, looked_for)


def _searched(arguments: Given, finder: Finder = in_arrays) -> Found:
    """array_contains, which is NULL as well where it finds only NULLs."""
    types = _with_element(arguments[0], arguments[1], finder)
    if not t.is_orderable(types[1]):
        raise Misused(f"values of the type {types[1]} cannot be looked for")
    return types, t.BOOLEAN, _any_nullable(arguments, types) or types[0].holds_null


def _position(arguments: Given) -> Found:
    types, _, _ = _searched(arguments)
    return types, t.BIGINT, _any_nullable(arguments, types)


def _removed(arguments: Given) -> Found:
    types, _, _ = _searched(arguments)
    return types, types[0], _any_nullable(arguments, types)


def _appended(arguments: Given) -> Found:
    types = _with_element(arguments[0], arguments[1])
    return types, t.array(types[1]), arguments[0].nullable


def _inserted(arguments: Given) -> Found:
    array, place, element = arguments
    types = _with_element(array, element)
    index = implicit(place.type, t.INT)
    if index is None or place.type.kind not in ("tinyint", "smallint", "int"):
        raise Misused(f"the place of an element must be an int, not {place.type}")
    out = t.array(types[1], holds_null=True)
    return (types[0], index, types[1]), out, array.nullable or place.nullable


def _two(arguments: Given) -> tuple[SparkType, SparkType]:
    first, second = map(an_array, arguments)
    found = in_arrays(first.element, second.element)
    if found is None or not t.is_orderable(found):
        raise Misused(f"{first} and {second} have no elements in common")
    return (
        t.array(found, holds_null=first.holds_null),
        t.array(found, holds_null=second.holds_null),
    )


def _union(arguments: Given) -> Found:
    types = _two(arguments)
    out = t.array(types[0].element, holds_null=any(x.holds_null for x in types))
    return types, out, _any_nullable(arguments, types)


def _except(arguments: Given) -> Found:
    types = _two(arguments)
    return types, types[0], _any_nullable(arguments, types)


def _intersect(arguments: Given) -> Found:
    types = _two(arguments)
    out = t.array(types[0].element, holds_null=all(x.holds_null for x in types))
    return types, out, _any_nullable(arguments, types)


def _overlap(arguments: Given) -> Found:
    types = _two(arguments)
    nullable = _any_nullable(arguments, types) or any(x.holds_null for x in types)
    return types, t.BOOLEAN, nullable


def _joined(arguments: Given) -> Found:
    """array_join: elements become text."""
    array, *texts = arguments
    if array.type.kind == "void":
        first = t.array(t.STRING)
    else:
        element = implicit(an_array(array).element, t.STRING)
        if element is None:
            raise Misused(f"the elements of {array.type} are no text")
        first = t.array(t.STRING, holds_null=array.type.holds_null)
    for each in texts:
        if each.type.kind not in ("string", "void"):
            raise Misused(f"what joins elements must be a string, not {each.type}")
    types = (first, *(t.STRING for _ in texts))
    return types, t.STRING, any(a.nullable for a in arguments)


def _flat(arguments: Given) -> Found:
    outer = an_array(arguments[0])
    if outer.element.kind != "array":
        raise Misused(f"an array of arrays is expected, not {outer}")
    return (outer,), outer.element, arguments[0].nullable or outer.holds_null


def _zipped(arguments: Given) -> Found:
    fields: list[t.Field] = []
    types: list[SparkType] = []
    for place, each in enumerate(arguments):
        kind = t.array(t.VOID) if each.type.kind == "void" else an_array(each)
        fields.append(t.Field(each.name or str(place), kind.element))
        types.append(kind)
    out = t.array(t.struct(fields), holds_null=False)
    return tuple(types), out, any(a.nullable for a in arguments)


def _element_at(arguments: Given) -> Found:
    whole, place = arguments
    if whole.type.kind == "map":
        key, value = whole.type.parts
        found = in_arrays(key, place.type)
        if found is None:
            raise Misused(f"{place.type} is no key of {whole.type}")
        kind = t.map_(found, value, holds_null=whole.type.holds_null)
        return (kind, found), value, True
    kind = an_array(whole)
    if place.type.kind not in ("tinyint", "smallint", "int"):
        raise Misused(f"the place of an element must be an int, not {place.type}")
    return (kind, t.INT), kind.element, whole.nullable or _maybe_null(whole, place)


def _maybe_null(whole: Argument, place: Argument) -> bool:
    """As Spark has it: a NULL as the place is not thought of, and at a constant place there may be a NULL anyway."""
    if not place.constant:
        return whole.type.holds_null
    if isinstance(whole.value, (list, tuple)) and isinstance(place.value, int) and place.value:
        found = whole.value[place.value - 1 if place.value > 0 else place.value :][:1]
        return bool(found) and found[0] is None
    return True


def _try_element_at(arguments: Given) -> Found:
    types, kind, _ = _element_at(arguments)
    return types, kind, True


def _concat(arguments: Given) -> Found:
    if arguments and all(a.type.kind == "array" for a in arguments):
        to = merged(arguments)
        return (to,) * len(arguments), to, _any_nullable(arguments, (to,) * len(arguments))
    binary = arguments and all(a.type.kind == "binary" for a in arguments)
    to = t.BINARY if binary else t.STRING
    for each in arguments:
        if implicit(each.type, to) is None:
            raise Misused(f"concat takes texts, binaries or arrays, not {each.type}")
    return (to,) * len(arguments), to, _any_nullable(arguments, (to,) * len(arguments))


def _sequence(arguments: Given) -> Found:
    ends, step = arguments[:2], arguments[2:]
    intervals = ("interval", *t.INTERVALS)
    counted = arguments if not step or step[0].type.kind not in intervals else ends
    to = merged(counted)
    numbers = to.kind in t.INTEGRAL and len(counted) == len(arguments)
    by_interval = to.kind in t.DATETIMES and (not step or step[0].type.kind in intervals)
    if not numbers and not by_interval:
        raise Misused("a sequence goes over integers by integers, or over dates by intervals")
    types = tuple(to if a in counted else a.type for a in arguments)
    return types, t.array(to, holds_null=False), _any_nullable(arguments, types)


def unordered(arguments: Sequence[Argument]) -> str:
    """What is wrong with the elements of the first argument."""
    kind = arguments[0].type
    if kind.kind == "array" and t.is_orderable(kind.element):
        return ""
    return f"needs elements that have an order, which those of {kind} have not"


def _sorted(arguments: Sequence[Argument]) -> str:
    """With a lambda, which says how two compare, elements need no order of their own."""
    if len(arguments) == 1:
        return unordered(arguments)
    return "" if arguments[1].type.kind == "int" else "takes a lambda that returns an int"


def _got(arguments: Given) -> tuple[SparkType, ...]:
    """get: the place of an element is any integer, and a text becomes an int."""
    array, place = arguments
    if place.type.kind in t.INTEGRAL:
        return an_array(array), place.type
    found = implicit(place.type, t.INT)
    if found is None:
        raise Misused(f"the place of an element must be an int, not {place.type}")
    return an_array(array), found


RULES = {
    "array": _array, "array_contains": _contains, "array_position": _position, "array_remove": _removed,
    "array_append": _appended, "array_insert": _inserted, "array_union": _union, "array_except": _except,
    "array_intersect": _intersect, "arrays_overlap": _overlap, "array_join": _joined, "flatten": _flat,
    "arrays_zip": _zipped, "element_at": _element_at, "try_element_at": _try_element_at, "concat": _concat,
    "sequence": _sequence,
}  # fmt: skip
CHECKS = {"ordered_elements": unordered, "sorted": _sorted}
COERCIONS = {"get": _got}
