"""``grouping(key)`` and ``grouping_id()``, where a plan computes them of the number of the grouping set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lower.records import record_field
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.masks import SetNumber

if TYPE_CHECKING:
    from substrait_sql.lower.context import Env
    from substrait_sql.select.field import Field
    from substrait_sql.wire.path import Path


def bit_of_mask(message: Any, env: Env, path: Path) -> Value | None:
    """DataFusion's ``CAST((mask & 2) >> 1 AS INT)``; None where the cast is of anything else."""
    if not env.context.habits.grouping_masks or message.type.WhichOneof("kind") != "i32":
        return None
    given, at = message.input, path / "input"
    place = 0
    shifted = _with_literal(given, "bitwise_shift_right", env, at)
    if shifted is not None:
        given, place = shifted
        at = (at / "scalar_function").argument(0)
    masked = _with_literal(given, "bitwise_and", env, at)
    if masked is None or place < 0 or masked[1] != 1 << place:
        return None
    field = record_field(masked[0], env.block.fields)
    if not isinstance(field, SetNumber) or any(n != mask for n, mask in field.masks.items()):
        return None
    return _value(field, place, message.type, env)


def bits_of_choice(message: Any, env: Env, path: Path) -> Value | None:
    """``CASE WHEN number IN (0, 1) THEN 0 ELSE 1 END``; None where the CASE asks for anything else.

    A bit is an i8, and all of them, the last key's the lowest, are an i64.
    """
    otherwise, kind = _number(getattr(message, "else"))
    if otherwise is None:
        return None
    field: Field | None = None
    chosen: dict[int, int] = {}
    for i, clause in enumerate(message.ifs):
        asked = _options(getattr(clause, "if"), env, (path / "ifs")[i] / "if")
        then, alike = _number(clause.then)
        if asked is None or then is None or alike != kind:
            return None
        found = record_field(asked[0], env.block.fields)
        if not isinstance(found, SetNumber) or field not in (None, found):
            return None
        field = found
        for number in asked[1]:
            chosen.setdefault(number, then)
    if not isinstance(field, SetNumber):
        return None
    values = [(mask, chosen.get(number, otherwise)) for number, mask in field.masks.items()]
    if kind == "i64":
        return _all_bits(field, env) if all(mask == value for mask, value in values) else None
    for place in field.bits:
        if all(mask >> place & 1 == value for mask, value in values):
            return _value(field, place, types.i8(), env)
    return None


def set_number(message: Any, env: Env) -> SetNumber | None:
    """The number of the grouping set that a reference is about, where Spark's ``grouping_id()`` tells it."""
    field = record_field(message, env.block.fields)
    return field if isinstance(field, SetNumber) and _told_by_spark(field) else None


def _told_by_spark(field: SetNumber) -> bool:
    """Whether it stands in the SELECT that has the sets: not so above the total of no rows."""
    calls = () if field.sql is None else field.sql.find_all(exp.Anonymous)
    return any(call.this == "grouping_id" for call in calls)


def mask_of(field: SetNumber, number: Any) -> list[int]:
    """What ``grouping_id()`` is for the set of a number, a literal; nothing for a number that no set has."""
    kind = number.WhichOneof("literal_type")
    wanted = int(getattr(number, kind)) if kind in ("i8", "i16", "i32", "i64") else -1
    return [field.masks[wanted]] if wanted in field.masks else []


def _value(field: SetNumber, place: int, type: Any, env: Env) -> Value | None:
    make = field.bits.get(place)
    if make is None:
        return None
    bit = make()
    held = bit.sql_type or bit.type
    return Value(bit.copy(env.parts), type, None if types.same(held, type) else held, bit.name)


def _all_bits(field: SetNumber, env: Env) -> Value | None:
    if not _told_by_spark(field):
        return None
    field.copy(env.parts)
    return Value(exp.Anonymous(this="grouping_id"), types.i64(), None, "grouping_id")


def _number(message: Any) -> tuple[int | None, str]:
    """The number that an i8 or i64 literal is, and which of them."""
    literal = message.literal
    kind = literal.WhichOneof("literal_type") or ""
    if message.WhichOneof("rex_type") != "literal" or kind not in ("i8", "i64"):
        return None, kind
    return int(getattr(literal, kind)), kind


def _options(message: Any, env: Env, path: Path) -> tuple[Any, list[int]] | None:
    """What is compared, and the numbers that it may be."""
    if message.WhichOneof("rex_type") == "singular_or_list":
        listed = message.singular_or_list
        numbers = [_integer(o) for o in listed.options]
        value = listed.value
    else:
        found = _with_literal(message, "equal", env, path)
        if found is None:
            return None
        value, numbers = found[0], [found[1]]
    known = [n for n in numbers if n is not None]
    return (value, known) if len(known) == len(numbers) else None


def _with_literal(message: Any, name: str, env: Env, path: Path) -> tuple[Any, int] | None:
    """The first argument of such a call and the literal that is its second one."""
    call = message.scalar_function
    if message.WhichOneof("rex_type") != "scalar_function" or len(call.arguments) != 2:
        return None
    number = _integer(call.arguments[1].value)
    if number is None:
        return None
    if env.context.functions.get(call.function_reference, path).standard != name:
        return None
    return call.arguments[0].value, number


def _integer(message: Any) -> int | None:
    if message.WhichOneof("rex_type") != "literal":
        return None
    kind = message.literal.WhichOneof("literal_type")
    return int(getattr(message.literal, kind)) if kind in ("i8", "i16", "i32", "i64") else None
