"""Whether a table's column holds what the plan declares: its Spark type against the Substrait type.

    same     every value is one of the plan's type already
    cast     another Spark type of which each value is one of the plan's, or makes the cast fail when rows are made
    refused  some value would become another one, or mean something else

What a Spark type cannot say (NULL, lengths of text, fine times, ranges of unsigned integers): see `run.tables.nulls`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from substrait_sql.run.quoting import quote
from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Text = Callable[[Any], str]

_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
_FLOATS = {"float": 7, "double": 15}
"""How many digits an integer may have for a float to hold each of them."""
_PLACES = {"float": 6, "double": 15}
"""How many digits a decimal may have for a float to give it back, digit by digit."""
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_LENGTH = re.compile(r"(?:var)?char\(\d+\)")
_MOMENTS = {"timestamp", "timestamp_ntz"}
_TIME = re.compile(r"time\(\d\)")
_NESTED = {"struct": "struct", "list": "array", "map": "map"}


@dataclass(slots=True)
class Fit:
    """What was found about a column. problems: (part of the column, what is wrong); the column is refused with any.

    zoned: the same of points in time that have a zone on one side only: in UTC both sides are one, elsewhere they are
    not. cast: whether a cast is needed. moved: whether fields of structs have to be put into another order first.
    """

    problems: list[tuple[str, str]] = field(default_factory=list)
    zoned: list[tuple[str, str]] = field(default_factory=list)
    cast: bool = False
    moved: bool = False

    @property
    def same(self) -> bool:
        """Whether the column can be read as it is."""
        return not (self.problems or self.zoned or self.cast or self.moved)


def fit(declared: Any, found: Any, text: Text) -> Fit:
    """How a Spark type fits a type of the plan.

    declared: a Substrait type, structs with the names that the plan has for their fields; None if the plan leaves it
    open. found: a pyspark ``DataType``. text: the dialect's SQL for a Substrait type, empty if there is none.

    >>> from pyspark.sql.types import DoubleType, IntegerType
    >>> sql = {"i64": "BIGINT", "decimal": "DECIMAL(15, 2)"}
    >>> fit(types.i64(), IntegerType(), lambda t: sql[types.kind(t)])
    Fit(problems=[], zoned=[], cast=True, moved=False)
    >>> fit(types.decimal(15, 2), DoubleType(), lambda t: sql[types.kind(t)]).problems
    [('', 'is double, and the plan declares decimal<15,2>')]
    """
    out = Fit()
    if types.kind(declared) is not None and text(declared):
        _compare(declared, found, "", text, out)
    return out


def _compare(declared: Any, found: Any, part: str, text: Text, out: Fit) -> None:
    kind = types.kind(declared)
    name = found.typeName()
    if name == "void":
        out.cast = True
    elif _NESTED.get(kind or "") == name:
        if kind == "struct":
            _compare_fields(declared, found, part, text, out)
        else:
            for child, inner, step in _children(declared, found):
                _compare(child, inner, part + step, text, out)
    else:
        wanted, given = _plain(text(declared)), _plain(found.simpleString())
        if wanted == given:
            return
        if converts(given, wanted) or (kind == "string" and name == "date"):
            # A date's text is the standard's, so none is lost and their order stays.
            out.cast = True
        else:
            problem = f"is {found.simpleString()}, and the plan declares {types.text(declared)}"
            moments = {wanted, given} == _MOMENTS
            (out.zoned if moments else out.problems).append((part, problem))


def _children(declared: Any, found: Any) -> Sequence[tuple[Any, Any, str]]:
    if types.kind(declared) == "list":
        return [(declared.list.type, found.elementType, ".element")]
    return [
        (declared.map.key, found.keyType, ".key"),
        (declared.map.value, found.valueType, ".value"),
    ]


def _compare_fields(declared: Any, found: Any, part: str, text: Text, out: Fit) -> None:
    names = list(declared.struct.sql_names)
    if not names and len(found.fields) != len(declared.struct.types):
        counts = f"has {len(found.fields)} fields, and the plan {len(declared.struct.types)}"
        out.problems.append((part, counts))
        return
    places: list[int] = []
    for i, child in enumerate(declared.struct.types):
        same = matches(names[i], found) if names else [i]
        if len(same) != 1:
            out.problems.append((part, _not_one(names[i], len(same), found)))
            continue
        place = same[0]
        places.append(place)
        inner = found.fields[place]
        out.cast |= bool(names) and inner.name != names[i]
        _compare(child, inner.dataType, f"{part}.{names[i] if names else i}", text, out)
    if places != list(range(len(found.fields))):
        out.moved = True
        if len(places) < len(found.fields) and ".key" in part:
            out.problems.append((part, "has more fields than the plan, and is the key of a map"))


def matches(name: str, found: Any) -> list[int]:
    """Where a struct or table of Spark's has fields of that name, in any case, as Spark looks them up."""
    return [i for i, f in enumerate(found.fields) if f.name.lower() == name.lower()]


def _not_one(name: str, count: int, found: Any) -> str:
    if count:
        return f"has {count} fields {name!r}, which differ in case at most"
    there = ", ".join(f.name for f in found.fields) or "none"
    return f"has no field {name!r}; fields there are: {there}"


def converts(found: str, declared: str) -> bool:
    """Whether an ANSI cast between two SQL types, without blanks, gives the same value, or fails where there is none.

    >>> converts("int", "bigint"), converts("bigint", "int"), converts("double", "bigint")
    (True, True, False)
    """
    if found == "float" and declared == "double":
        return True
    digits = _whole(found)
    if declared in _DIGITS:
        return digits > 0
    wanted, given = _DECIMAL.fullmatch(declared), _DECIMAL.fullmatch(found)
    if declared in _FLOATS:
        exact = given is not None and int(given[1]) <= _PLACES[declared]
        return exact or 0 < digits <= _FLOATS[declared]
    if wanted is not None:
        return digits > 0 or (given is not None and int(given[2]) <= int(wanted[2]))
    if declared == "string":
        return found.startswith("stringcollate") or _LENGTH.fullmatch(found) is not None
    if _TIME.fullmatch(declared):
        return _TIME.fullmatch(found) is not None and found <= declared
    return _interval(found) != "" and _interval(found) == _interval(declared)


def _whole(type: str) -> int:
    """How many digits the integers of a type have; 0 if they are no integers."""
    scale = _DECIMAL.fullmatch(type)
    return int(scale[1]) if scale is not None and scale[2] == "0" else _DIGITS.get(type, 0)


def _interval(type: str) -> str:
    """The family of an interval's type: Spark names one by its first and last field."""
    if not type.startswith("interval") or type == "interval":
        return ""
    return "months" if type.endswith(("year", "month")) else "days"


def _plain(type: str) -> str:
    return re.sub(r"[\s`]", "", type).lower()


def arranged(sql: str, declared: Any, found: Any, depth: int = 0) -> str:
    """The SQL of a value with the fields of its structs in the plan's order, and no others; a cast can follow.

    >>> from pyspark.sql.types import IntegerType, StructType
    >>> from substrait_sql.schema import naming
    >>> wanted = naming.with_names(types.struct([types.i32(), types.i32()]), ["a", "b"])
    >>> arranged("x", wanted, StructType().add("b", IntegerType()).add("a", IntegerType()))
    'IF(x IS NULL, NULL, struct(x.a AS a, x.b AS b))'
    """
    kind = types.kind(declared)
    if found.typeName() == "void" or kind not in _NESTED:
        return sql
    if kind == "struct":
        return _arranged_struct(sql, declared, found, depth)
    element = f"e{depth}"
    if kind == "list":
        inner = arranged(element, declared.list.type, found.elementType, depth + 1)
        return sql if inner == element else f"transform({sql}, {element} -> {inner})"
    key, value = f"k{depth}", f"v{depth}"
    keys = arranged(key, declared.map.key, found.keyType, depth + 1)
    values = arranged(value, declared.map.value, found.valueType, depth + 1)
    if keys != key:
        sql = f"transform_keys({sql}, ({key}, {value}) -> {keys})"
    if values != value:
        sql = f"transform_values({sql}, ({key}, {value}) -> {values})"
    return sql


def _arranged_struct(sql: str, declared: Any, found: Any, depth: int) -> str:
    names = declared.struct.sql_names
    places = [matches(n, found)[0] for n in names] or list(range(len(found.fields)))
    fields = []
    moved = places != list(range(len(found.fields)))
    for child, place in zip(declared.struct.types, places, strict=True):
        inner = found.fields[place]
        path = f"{sql}.{quote(inner.name)}"
        made = arranged(path, child, inner.dataType, depth)
        moved |= made != path
        fields.append(f"{made} AS {quote(inner.name)}")
    return f"IF({sql} IS NULL, NULL, struct({', '.join(fields)}))" if moved else sql
