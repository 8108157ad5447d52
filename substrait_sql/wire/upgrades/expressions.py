"""Functions and field references in retired forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.wire import history
from substrait_sql.wire.upgrades.walk import Context, upgrades, wrong

if TYPE_CHECKING:
    from substrait_sql.wire.path import Path

_ROWS = 1
_RANGE = 2
_DESCENDING = (3, 4)
_FIELD_ONE_STRING = 0x0A
_UNSPECIFIED = "\x12\x00"

_OPTION_OF_VALUE = {
    "SILENT": "overflow",
    "SATURATE": "overflow",
    "TIE_TO_EVEN": "rounding",
    "TIE_AWAY_FROM_ZERO": "rounding",
    "TRUNCATE": "rounding",
    "CEILING": "rounding",
    "FLOOR": "rounding",
    "NAN": "on_domain_error",
    "LIMIT": "on_division_by_zero",
    "MINUS_INFINITY": "on_log_zero",
    "CASE_SENSITIVE": "case_sensitivity",
    "CASE_INSENSITIVE": "case_sensitivity",
    "CASE_INSENSITIVE_ASCII": "case_sensitivity",
}
"""Names of the options that optional enum arguments became in 0.20, told by their values."""

_OPTION_VALUES = {*_OPTION_OF_VALUE, "ERROR"}
"""By these an optional argument is known where the name of the function has no signature (Ibis)."""

_ERROR_OPTION = {
    "sqrt": "on_domain_error",
    "ln": "on_domain_error",
    "log10": "on_domain_error",
    "log2": "on_domain_error",
}
"""``ERROR`` is a value of two options; these functions had the rarer one."""


@upgrades("Expression.ScalarFunction", "AggregateFunction", "Expression.WindowFunction")
def args_to_arguments(function: Any, path: Path, context: Context) -> None:
    """Arguments were plain expressions, enums among them (rows 7-10)."""
    if not function.args:
        return
    context.retired(f"{function.DESCRIPTOR.name}.args", 93, path)
    if not function.arguments:
        for old in function.args:
            new = function.arguments.add()
            if old.WhichOneof("rex_type") == "enum":
                _set_enum(new, old.enum)
            else:
                new.value.CopyFrom(old)
    function.ClearField("args")


def _set_enum(argument: Any, old: Any) -> None:
    """Upgrade.

    An unspecified enum is kept as the bytes it has in plans of 0.3 to 0.19, for the next step.
    """
    argument.enum = old.specified if old.WhichOneof("enum_kind") == "specified" else _UNSPECIFIED


@upgrades(
    "Expression.ScalarFunction",
    "AggregateFunction",
    "Expression.WindowFunction",
    "ConsistentPartitionWindowRel.WindowRelFunction",
)
def enum_arguments(function: Any, path: Path, context: Context) -> None:
    """Enum arguments were messages, and optional ones stood among the arguments (rows 11, 12)."""
    _unwrap_enum_expressions(function, path, context)
    if not any(a.WhichOneof("arg_type") == "enum" for a in function.arguments):
        return
    optional = _optional_positions(function, context)
    bare = ":" not in context.functions.get(function.function_reference, ":")
    kept = []
    for position, argument in enumerate(function.arguments):
        if argument.WhichOneof("arg_type") == "enum":
            _unwrap_enum_message(argument, path, context)
            # Whatever is not said counts as a place all the same.
            name = optional.get(position, "" if bare and argument.enum in _OPTION_VALUES else None)
            if argument.enum == _UNSPECIFIED:
                context.retired("an unspecified enum argument", 93, path)
                continue
            if name is not None:
                _add_option(function, name, argument.enum, context, path)
                continue
        kept.append(argument)
    if len(kept) < len(function.arguments):
        copies = [type(a)() for a in kept]
        for copy, original in zip(copies, kept, strict=True):
            copy.CopyFrom(original)
        function.ClearField("arguments")
        function.arguments.extend(copies)


def _unwrap_enum_expressions(function: Any, path: Path, context: Context) -> None:
    """``arguments`` could hold an enum as a value, too, until 0.93."""
    for argument in function.arguments:
        if (
            argument.WhichOneof("arg_type") == "value"
            and argument.value.WhichOneof("rex_type") == "enum"
        ):
            context.retired("Expression.enum", 93, path)
            old = type(argument.value.enum)()
            old.CopyFrom(argument.value.enum)
            _set_enum(argument, old)


def _unwrap_enum_message(argument: Any, path: Path, context: Context) -> None:
    """Unwrap the message that was a string's place until 0.19; it starts with its tag (row 11)."""
    if not context.enum_messages and context.minor is not None and context.minor >= 20:
        return
    content = argument.enum.encode()
    if len(content) > 2 and content[0] == _FIELD_ONE_STRING and content[1] == len(content) - 2:
        context.retired("FunctionArgument.Enum", 20, path)
        argument.enum = content[2:].decode()


def _optional_positions(function: Any, context: Context) -> dict[int, str]:
    """Return the places of arguments that are options today, with the option's name where it is known."""
    name, _, signature = context.functions.get(function.function_reference, "").partition(":")
    parts = signature.split("_")
    names = history.ENUM_OPTIONS.get(name, ())
    words = ("opt", "req") if names else ("opt",)
    places = [i for i, part in enumerate(parts) if part in words]
    if len(places) < 2 or not names:
        return dict.fromkeys(places, "")
    return _options_by_place(names, places, function)


def _options_by_place(names: tuple[str, ...], places: list[int], function: Any) -> dict[int, str]:
    """Return the options' names, the last place for the last one; what stands before is told by its value."""
    found = dict.fromkeys(places, "")
    for place, name in zip(reversed(places), reversed(names), strict=False):
        given = function.arguments[place].enum if place < len(function.arguments) else ""
        other = _OPTION_OF_VALUE.get(given, name)
        found[place] = name if other in names else other
    return found


def _add_option(function: Any, option: str, value: str, context: Context, path: Path) -> None:
    name = context.functions.get(function.function_reference, "").partition(":")[0]
    if not option:
        option = (
            _ERROR_OPTION.get(name, "overflow")
            if value == "ERROR"
            else _OPTION_OF_VALUE.get(value, "")
        )
    if not option:
        raise wrong(
            f"{value!r} is no value of an optional argument of {name!r} that this library knows",
            path,
        )
    context.retired("an optional enum argument", 20, path)
    function.options.add(name=option, preference=[value])


@upgrades("Expression.WindowFunction", "ConsistentPartitionWindowRel.WindowRelFunction")
def bounds_type(function: Any, path: Path, context: Context) -> None:
    """Bounds counted records before there was a choice, and when it was not made (row 36)."""
    if function.bounds_type:
        return

    def decide() -> None:
        if context.before(102) is not False:
            function.bounds_type = _ROWS
            if function.HasField("lower_bound") or function.HasField("upper_bound"):
                context.note(
                    "SS1102",
                    "window bounds without a type count rows before 0.102.0",
                    path,
                )

    context.later(decide)


@upgrades("Expression.WindowFunction")
def descending_range(function: Any, path: Path, context: Context) -> None:
    """Say what is assumed of a RANGE frame over descending rows, which was described ascending."""
    if function.bounds_type == _RANGE and _descends(function.sorts):
        _note_descending([function], path, context)


@upgrades("ConsistentPartitionWindowRel")
def descending_ranges(window: Any, path: Path, context: Context) -> None:
    """Say the same of the functions of the relation."""
    if _descends(window.sorts):
        ranges = [f for f in window.window_functions if f.bounds_type == _RANGE]
        _note_descending(ranges, path, context)


def _descends(sorts: Any) -> bool:
    return any(sort.direction in _DESCENDING for sort in sorts)


def _note_descending(functions: list[Any], path: Path, context: Context) -> None:
    bounds = [b.WhichOneof("kind") for f in functions for b in (f.lower_bound, f.upper_bound)]
    if not {"preceding", "following"} & set(bounds):
        return

    def decide() -> None:
        if context.before(102):
            context.note(
                "SS1103",
                "the offsets of a RANGE frame follow the descending order, as since 0.102.0",
                path,
                warn=True,
            )

    context.later(decide)
