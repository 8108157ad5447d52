"""The types of Arrow that Substrait has no class for: Acero declares them in a file of its own.

They become types that have the same values, its unsigned integers those of this package. A literal of such a type is a
wrapped number or text in an ``Any``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from substrait_sql.schema import types
from substrait_sql.schema.user_defined import NULL, messages_in, types_in
from substrait_sql.wire.deep import from_bytes
from substrait_sql.wire.descriptors import WRAPPERS, message

if TYPE_CHECKING:
    from collections.abc import Callable

_UNSIGNED = ("u8", "u16", "u32", "u64")
# Types that nothing is read as; errors say their names.
_OTHERS = (NULL, "fp16", "interval_month", "interval_day_milli", "interval_month_day_nano")
_MILLIS_PER_DAY = 86_400_000

# What Arrow's extension_types.yaml and Acero's table of names call them.
_READ_AS: dict[str, Callable[[], Any]] = {
    "large_string": types.string,
    "large_binary": types.binary,
    "date_millis": types.date,
    "time_seconds": lambda: types.precision_time(0),
    "time_millis": lambda: types.precision_time(3),
    "time_nanos": lambda: types.precision_time(9),
}


def read_arrow_types(plan: Any) -> None:
    """Makes of each type and literal that the plan declares under such a name what it is read as here."""
    names = {
        each.extension_type.type_anchor: each.extension_type.name
        for each in plan.extensions
        if each.WhichOneof("mapping_type") == "extension_type"
    }
    if not names:
        return
    for literal in messages_in(plan, "substrait.Expression.Literal"):
        if literal.WhichOneof("literal_type") == "user_defined":
            _read_literal(literal, names.get(literal.user_defined.type_reference, ""))
    for type in types_in(plan):
        if type.WhichOneof("kind") == "user_defined":
            _read_type(type, names.get(type.user_defined.type_reference, ""))


def _read_type(type: Any, name: str) -> None:
    read_as = _READ_AS.get(name)
    if read_as is not None:
        type.CopyFrom(types.with_nullability(read_as(), types.nullable(type)))
    elif name in _UNSIGNED or name in _OTHERS:
        type.user_defined.sql_name = name


def _read_literal(literal: Any, name: str) -> None:
    """One whose value is not what its type says stays as it is, and is refused where it is lowered."""
    if name not in _READ_AS and name not in _UNSIGNED:
        return
    wrapped = literal.user_defined.value
    wrapper = wrapped.type_url.rpartition("/")[2]
    if wrapper not in WRAPPERS:
        return
    try:
        made: Any = from_bytes(message(wrapper), wrapped.value)
    except DecodeError:
        return
    match name, made.value:
        case "large_string", str():
            literal.string = made.value
        case "large_binary", bytes():
            literal.binary = made.value
        case _, int():
            _read_number(literal, name, made.value)


def _read_number(literal: Any, name: str, number: int) -> None:
    if name in _UNSIGNED:
        literal.user_defined.sql_name = name
        literal.user_defined.struct.fields.add().string = str(number)
    elif name.startswith("time_"):
        literal.precision_time.precision = types.parameters(_READ_AS[name]())[0]
        literal.precision_time.value = number
    elif name == "date_millis" and number % _MILLIS_PER_DAY == 0:
        literal.date = number // _MILLIS_PER_DAY
