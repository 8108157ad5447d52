"""The names that Spark makes up for columns that nobody named: the expression's text, in Spark's own spelling."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import singledispatch
from math import isfinite
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.correlation import read_around
from substrait_sql.lift.expressions.folded import whole
from substrait_sql.lift.literals import shown_date, shown_stamp, shown_time
from substrait_sql.lift.naming import spelling
from substrait_sql.lift.naming.respelt import respelt
from substrait_sql.lift.tree import (
    AggregateCall,
    Call,
    Case,
    Cast,
    Column,
    Distance,
    Expr,
    Grouping,
    In,
    Lambda,
    Literal,
    Parameter,
    SortKey,
    StructField,
    Subquery,
    WindowCall,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_INFIX = {
    "+", "-", "*", "/", "%", "div", "=", "<=>", "<", "<=", ">", ">=", "&", "|", "^", "and", "or",
    "<<", ">>", ">>>",
}  # fmt: skip

_PLACED = ("lag", "lead")
_BY_ROWS = ("row_number", "rank", "dense_rank", "ntile", "percent_rank")


def name_of(value: Expr, node: Any = None) -> str:
    """The name of a column without an alias."""
    if isinstance(value, Column):
        return value.spelt or value.attribute.name
    if isinstance(value, Cast) and isinstance(value.value, Column):
        return value.value.spelt or value.value.attribute.name
    bare = node.unnest() if node is not None else None
    if bare is not None and is_path(bare) and not (isinstance(value, Call) and not value.children):
        return str(bare.name)
    return text(value)


def is_path(node: Any) -> bool:
    """Whether a node is a column and fields of it: the last one is its name."""
    while isinstance(node, exp.Dot):
        node = node.this.unnest()
    return isinstance(node, exp.Column)


@singledispatch
def text(value: Expr) -> str:
    """The expression as Spark spells it."""
    return type(value).__name__.lower()


@text.register(Literal)
def _(value: Literal) -> str:
    if value.written is not None:
        return text(value.written)
    if value.value is None:
        return "NULL"
    kind = value.type.kind
    match kind:
        case "boolean":
            return "true" if value.value else "false"
        case "date":
            return f"DATE '{shown_date(value.value)}'"
        case "timestamp":
            return f"TIMESTAMP '{shown_stamp(value.value)}'"
        case "timestamp_ntz":
            return f"TIMESTAMP_NTZ '{shown_stamp(value.value)}'"
        case "time":
            return f"TIME '{shown_time(value.value)}'"
        case "decimal":
            return _decimal(Decimal(value.value))
        case "binary":
            return f"X'{value.value.hex().upper()}'"
        case "float" | "double":
            return _float(value.value)
        case "interval_year" | "interval_day":
            return _interval(value)
    return str(value.value)


def _decimal(value: Decimal) -> str:
    """As Java has it: with an exponent from the seventh zero behind the point on."""
    value = value or abs(value)  # No decimal is a negative zero.
    return str(value) if value.as_tuple().exponent <= 0 else format(value, "f")  # type: ignore[operator]


def _float(value: float) -> str:
    """As Java has it: with an exponent below a thousandth and from ten millions on."""
    size = abs(value)
    if not isfinite(value) or size == 0 or 1e-3 <= size < 1e7:
        return repr(float(value))
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    behind = "".join(map(str, digits[1:])) or "0"
    return f"{'-' if sign else ''}{digits[0]}.{behind}E{exponent + len(digits) - 1}"


def _interval(value: Literal) -> str:
    amount = abs(value.value)
    sign = "-" if value.value < 0 else ""
    first, last = value.type.numbers
    if value.type.kind == "interval_year":
        years, months = divmod(amount, 12)
        body = {(0, 1): f"{years}-{months}", (0, 0): f"{years}", (1, 1): f"{amount}"}[first, last]
        units = ("YEAR", "MONTH")
    else:
        body = _day_interval(amount, first, last)
        units = ("DAY", "HOUR", "MINUTE", "SECOND")  # type: ignore[assignment]
    unit = units[first] + (f" TO {units[last]}" if first != last else "")
    return f"INTERVAL '{sign}{body}' {unit}"


def _day_interval(micros: int, first: int, last: int) -> str:
    sizes = (86_400_000_000, 3_600_000_000, 60_000_000, 1)
    parts: list[str] = []
    for place in range(first, last + 1):
        if place == 3:
            seconds, rest = divmod(micros, 1_000_000)
            fraction = f".{rest:06}".rstrip("0") if rest else ""
            parts.append(f"{seconds:02}{fraction}")
        else:
            count, micros = divmod(micros, sizes[place])
            parts.append(f"{count:02}" if parts or place else f"{count}")
    head, *more = parts
    if first == 0:
        return head + (f" {':'.join(more)}" if more else "")
    return ":".join(parts)


@text.register(Column)
def _(value: Column) -> str:
    if value.attribute.bound:
        return "namedlambdavariable()"
    return value.outer or value.spelt or value.attribute.name


@text.register(StructField)
def _(value: StructField) -> str:
    name = value.value.type.fields[value.index].name
    outer = isinstance(value.value, Column) and value.value.outer
    return f"{text(value.value)}.{name}" + (f" AS {name}" if outer else "")


@text.register(Call)
def _(value: Call) -> str:
    name = value.name
    if name == "between":
        low, high = value.arguments
        return f"between({', '.join(map(text, (*low.children, high.children[1])))})"
    arguments = [text(a) for a in value.arguments]
    if name == "window":
        return name
    if name == "from_json" and value.type.kind == "map":
        return "entries"
    made = respelt(value, arguments)
    if made is not None:
        return made
    if name in _INFIX and len(arguments) == 2:
        return f"({arguments[0]} {name.upper() if name in ('and', 'or') else name} {arguments[1]})"
    if value.shown in _INFIX:
        return f"({arguments[0]} {value.shown} {arguments[1]})"
    match name:
        case "not" if (
            isinstance(value.arguments[0], Subquery) and value.arguments[0].kind == "missed"
        ):
            # An IN that is asked for what it does not find, see `expressions.subqueries`.
            return text(replace(value.arguments[0], kind="found"))
        case "not":
            return f"(NOT {arguments[0]})"
        case "isnull":
            return f"({arguments[0]} IS NULL)"
        case "isnotnull":
            return f"({arguments[0]} IS NOT NULL)"
        case "negative" if not value.shown:
            return f"(- {arguments[0]})"
        case "positive":
            return f"(+ {arguments[0]})"
        case "~":
            return f"~{arguments[0]}"
        case "[]":
            return f"{arguments[0]}[{arguments[1]}]"
        case ".":
            return f"{arguments[0]}.{arguments[1]}"
        case "like" | "ilike" | "rlike":
            return _matched(value, arguments)
        case "date_part" | "extract" | "datepart" if (value.shown or name) != "date_part":
            return f"{value.shown or name}({arguments[0]} FROM {arguments[1]})"
        case "ltrim" | "rtrim" if len(arguments) == 1:
            return f"{name}({arguments[0]})"
        case "ltrim" | "rtrim" | "trim" if len(arguments) == 2:
            return _trimmed(name, arguments)
        case "btrim" if value.shown == "trim" and len(arguments) == 2:
            return _trimmed(name, arguments)
    return spelling.call(value.shown or name, arguments)


def _trimmed(name: str, arguments: list[str]) -> str:
    side = {"btrim": "BOTH", "trim": "BOTH", "ltrim": "LEADING", "rtrim": "TRAILING"}[name]
    # btrim takes the characters last, the others first.
    source, characters = arguments if name == "btrim" else reversed(arguments)
    return f"TRIM({side} {characters} FROM {source})"


def _matched(value: Call, arguments: list[str]) -> str:
    if value.name == "like":
        escape = f" ESCAPE '{arguments[2]}'" if len(arguments) > 2 else ""
        return f"{arguments[0]} LIKE {arguments[1]}{escape}"
    return spelling.call(value.shown or value.name, arguments)


@text.register(Cast)
def _(value: Cast) -> str:
    if not (value.asked and value.shown) or value.type.kind in ("array", "map", "struct"):
        return text(value.value)
    name = "TRY_CAST" if value.attempt else "CAST"
    return f"{name}({text(value.value)} AS {str(value.type).upper()})"


@text.register(Case)
def _(value: Case) -> str:
    if value.shown == "if":
        (condition, then), otherwise = value.branches[0], value.otherwise
        assert otherwise is not None
        return f"(IF({text(condition)}, {text(then)}, {text(otherwise)}))"
    branches = " ".join(f"WHEN {text(c)} THEN {text(v)}" for c, v in value.branches)
    otherwise_text = "" if value.otherwise is None else f" ELSE {text(value.otherwise)}"
    return f"CASE {branches}{otherwise_text} END"


@text.register(In)
def _(value: In) -> str:
    return f"({text(value.value)} IN ({', '.join(map(text, value.options))}))"


@text.register(AggregateCall)
def _(value: AggregateCall) -> str:
    made = _mode(value) if value.name == "mode" else _aggregate(value)
    if value.condition is not None:
        made += f" FILTER (WHERE {text(value.condition)})"
    return made


def _aggregate(value: AggregateCall) -> str:
    arguments = [text(a) for a in value.arguments] or (["1"] if value.name == "count" else [])
    shown = value.shown or value.name
    if value.name in _COLLECTED:
        shown, behind = _COLLECTED[value.name]
        return f"{spelling.call(shown, arguments, distinct=value.distinct)}{behind}"
    if value.name == "listagg":
        shown = value.name if value.order else shown
        arguments += ["NULL"] if len(arguments) == 1 else []
    made = spelling.call(shown, arguments, distinct=value.distinct)
    if value.name == "nth_value" and value.ignore_nulls:
        return f"{made} ignore nulls"
    if not value.order:
        return made
    keys = _keys(value.order)
    if value.name in ("percentile_cont", "percentile_disc"):
        keys = f"{text(value.order[0].value)}{' DESC' if value.order[0].descending else ''}"
    return f"{made} WITHIN GROUP (ORDER BY {keys})"


_COLLECTED = {
    "collect_list": ("collect_list", ""),
    "collect_all": ("collect_list", " RESPECT NULLS"),
    "collect_all_apart": ("collect_set", " RESPECT NULLS"),
}


def _mode(value: AggregateCall) -> str:
    """Spark says DESC where the least of several is meant."""
    if value.order:
        key, least = value.order[0].value, not value.order[0].descending
    elif len(value.arguments) > 1:
        key, least = value.arguments[0], text(value.arguments[1]) == "true"
    else:
        return f"mode({text(value.arguments[0])})"
    if not value.order and not least:
        return f"mode({text(key)})"
    return f"mode() WITHIN GROUP (ORDER BY {text(key)}{' DESC' if least else ''})"


def _keys(keys: Sequence[SortKey]) -> str:
    return ", ".join(
        f"{text(k.value)} {'DESC' if k.descending else 'ASC'} NULLS {'FIRST' if k.nulls_first else 'LAST'}"
        for k in keys
    )


@text.register(WindowCall)
def _(value: WindowCall) -> str:
    inside: list[str] = []
    if value.partition:
        inside.append("PARTITION BY " + ", ".join(map(text, value.partition)))
    if value.order:
        inside.append("ORDER BY " + _keys(value.order))
    inside.append(_frame(value))
    return f"{text(value.function)} OVER ({' '.join(inside)})"


def _frame(value: WindowCall) -> str:
    frame = value.frame
    if value.function.name in _PLACED:
        return "ROWS BETWEEN {0} FOLLOWING AND {0} FOLLOWING".format(_distance(value.function))
    if frame is None:
        rows = value.function.name in _BY_ROWS
        unit = "ROWS" if rows else "RANGE"
        end = "CURRENT ROW" if value.order else "UNBOUNDED FOLLOWING"
        unit = unit if value.order else "ROWS"
        return f"{unit} BETWEEN UNBOUNDED PRECEDING AND {end}"
    ends = zip((frame.start, frame.end), frame.written, ("PRECEDING", "FOLLOWING"), strict=True)
    first, last = (_bound(*each) for each in ends)
    return f"{frame.unit.upper()} BETWEEN {first} AND {last}"


def _bound(found: Any, written: Distance | None, side: str) -> str:
    """As it is written; what is in front of the row is the negative distance, which shows where Spark casts it."""
    if written is None:
        return f"UNBOUNDED {side}" if found is None else "CURRENT ROW"
    size = text(written.value)
    if not written.backward:
        return f"{size} FOLLOWING"
    return f"(- {size}) FOLLOWING" if written.cast else f"{size} PRECEDING"


def _distance(function: AggregateCall) -> str:
    """How many rows lag and lead go."""
    given = function.arguments[1] if len(function.arguments) > 1 else None
    number = None if given is None else whole(given)
    if function.name == "lag" and number is not None:
        # It computes its distance.
        return str(-number)
    size = "1" if given is None else text(given)
    if function.name == "lead":
        return size
    return size if size == "0" else size[1:] if size.startswith("-") else f"-{size}"


@text.register(Grouping)
def _(value: Grouping) -> str:
    if value.shown == "grouping__id":
        return value.shown
    return f"{value.shown}({', '.join(map(text, value.keys))})"


@text.register(Subquery)
def _(value: Subquery) -> str:
    outer = ", ".join(c.name for c in read_around(value.query))
    if value.kind == "scalar":
        return f"scalarsubquery({outer})"
    if value.kind == "exists":
        return f"exists({outer})"
    shown = f"({_sought(value.values)} IN (listquery({outer})))"
    return f"(NOT {shown})" if value.kind == "missed" else shown


def _sought(values: Sequence[Expr]) -> str:
    """What stands before IN (query): several values are a struct, whose fields have the names of columns."""
    if len(values) == 1:
        return text(values[0])
    parts: list[str] = []
    for place, value in enumerate(values):
        bare = value.value if isinstance(value, Cast) and not value.asked else value
        shown = text(bare)
        name = shown if isinstance(bare, (Column, Literal)) else f"_{place}"
        parts += [f"'{name}'", shown]
    return f"named_struct({', '.join(parts)})"


@text.register(Lambda)
def _(value: Lambda) -> str:
    names = ", ".join("namedlambdavariable()" for _ in value.parameters)
    return f"lambdafunction({text(value.body)}, {names})"


@text.register(Parameter)
def _(value: Parameter) -> str:
    return f":{value.shown}"
