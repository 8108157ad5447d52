"""What Spark makes one type of: it takes decimal places away, silently, where no decimal holds all values.

A literal is written as short as it can be, and a zero of 37 places is an INT in SQL: beside a decimal of 37 places
Spark has room for 28 then. Under their very types values may fit together; those that do not are compared as
`dialect.apart` says, or refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import apart
from substrait_sql.dialect.operators import infix
from substrait_sql.dialect.results import meet
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.declared_types import (
    INTEGERS,
    TEXTS,
    TIMES,
    becomes,
    exact,
    fits,
    strange,
)
from substrait_sql.lower.value import Value
from substrait_sql.schema import types
from substrait_sql.select.block import BESIDE_SELECT
from substrait_sql.select.field import Field, Parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lower.context import Context
    from substrait_sql.select.block import Block
    from substrait_sql.wire.path import Path

_INT_DIGITS, _MOST_DIGITS = 10, 38


def require_alike(values: Sequence[Value], path: Path) -> bool:
    """Raises SS2115 for values that are compared, or chosen among, and have nothing in common.

    Each engine would cast another one of them: Spark the text to the number, DataFusion the number to the text. A time
    may stand beside a text that is a constant, as several producers write it: there all of them cast the text. A NULL
    of such a type loses it. Returns whether one did.
    """
    typed = [v for v in values if v.type is not None]
    known = [v for v in typed if not v.is_null] or typed[:1]
    for other in known[1:]:
        if are_apart(known[0].type, other.type) and not _reads_time(known[0], other):
            what = " and ".join(types.text(v.type) for v in (known[0], other))
            raise invalid("SS2115", f"{what} have nothing in common", path, "cast one of them")
    if len(known) == len(typed):
        return False
    apart = [v for v in typed if v.is_null and are_apart(known[0].type, v.type)]
    for value in apart:
        value.sql, value.type = exp.Null(), types.with_nullability(known[0].type, True)
    return bool(apart)


def require_among(needle: Value, elements: Value, path: Path) -> None:
    """Raises SS2115 for a value that Spark does not look for in a list: of elements of another kind.

    It looks for a decimal only among those of its very type.
    """
    for type in types.children(elements.type):
        require_alike([needle, Value(elements.sql, type)], path)
        kinds = {types.kind(needle.type), types.kind(type)}
        if None not in kinds and "decimal" in kinds and not types.same(needle.type, type):
            what = f"a {types.text(needle.type)} is looked for among values of {types.text(type)}"
            raise invalid("SS2115", what, path, "cast one of them")


def are_apart(one: Any, other: Any) -> bool:
    """Whether no cast that Spark puts in makes two types one: it casts no value that is inside of another."""
    inner, inside = types.children(one), types.children(other)
    if strange(one, other) or len(inner) != len(inside):
        return True
    return not all(becomes(a, b) and becomes(b, a) for a, b in zip(inner, inside, strict=True))


def _reads_time(one: Value, other: Value) -> bool:
    text, time = (one, other) if one.literal is not None else (other, one)
    kinds = types.kind(text.type), types.kind(time.type)
    return text.literal is not None and kinds[0] in TEXTS and kinds[1] in _TIMES


_TIMES = frozenset({*TIMES, "precision_time", "interval_day", "interval_year"})


def require_fitting(values: Sequence[Value], declared: Any, path: Path) -> None:
    """Raises SS2115 where a value that may be the result would lose digits or hours under its declared type."""
    to = types.kind(declared)
    for value in values:
        kind = types.kind(value.type)
        if kind in TIMES and not becomes(value.type, declared):
            what = f"a {types.text(value.type)} may be the result, a {types.text(declared)}"
            raise invalid("SS2115", what, path, "cast it to that type")
        exact_number = kind == "decimal" or (kind in ("fp32", "fp64") and to in INTEGERS)
        if exact_number and (to == "decimal" or to in INTEGERS) and not fits(value.type, declared):
            what = f"a {types.text(value.type)} has more digits than the result, {types.text(declared)}"
            raise invalid("SS2115", what, path, "cast it to that type")


def bring_together(values: Sequence[Value], cx: Context, path: Path) -> None:
    """Sees to it that values which Spark compares keep their digits. Raises SS2148 for decimals too far apart."""
    if not brought_together(values, cx, path):
        what = " and ".join(types.text(v.type) for v in values)
        raise refuse("SS2148", f"no decimal holds {what}", path, "cast them to one type")


def brought_together(
    values: Sequence[Value], cx: Context, path: Path, beside: Sequence[Any] = ()
) -> bool:
    """As `bring_together`; False where no decimal holds them, which have their very types then.

    beside: the types of what else they are compared with.
    """
    if meet([*map(held, values), *beside], short=True):
        return True
    for value in values:
        value.sql = exact(value.sql, value.sql_type, value.type, cx, path)
        value.sql_type = None
    return meet([*(v.type for v in values), *beside])


def compared(
    operator: type[exp.Expression], left: Value, right: Value, cx: Context, path: Path
) -> exp.Expression:
    """``left operator right``, exact whether a decimal holds both or not."""
    require_alike([left, right], path)
    if brought_together([left, right], cx, path):
        return infix(operator, left.sql, right.sql)
    return apart.compared(operator, left.sql, right.sql, [left.type, right.type])


def bring_to_rows(
    values: Sequence[Value], block: Block, cx: Context, path: Path
) -> tuple[Block, bool]:
    """The rows whose columns Spark compares with the values, one each, and whether some decimal holds each pair.

    Those that none holds have their very types.
    """
    together = True
    for i, value in enumerate(values):
        column = block.fields[i]
        require_alike([value, Value(value.sql, column.type, literal=column.literal)], path)
        if not meet([held(value), held(column)], short=True):
            block = with_exact(block, i, block.fields[i].type, cx, path)
            met = brought_together([value], cx, path, [block.fields[i].type])
            together = together and met
    return block, together


def with_exact(block: Block, column: int, declared: Any, cx: Context, path: Path) -> Block:
    """The block with a column of exactly that type."""
    field = block.fields[column]
    actual = held(field)
    if types.same(actual, declared):
        return block
    if not block.says_only(BESIDE_SELECT):
        block = block.close()
        field = block.fields[column]
    parts = Parts()
    sql = exact(field.emit(parts), actual, declared, cx, path, whole=of_key(block, field))
    block.fields[column] = Field(declared, field.name, sql=sql, parts=parts)
    return block


def with_places(value: Value) -> Value:
    """A decimal where Spark makes one type of several values: there ``0`` is an INT, of ten digits.

    Beside DECIMAL(3, 2) it is written as ``0.00``, and as it is where there is room for ten digits, or none at all, see
    `bring_together`.
    """
    node, type = value.sql, value.type
    if types.kind(type) != "decimal" or not isinstance(node, exp.Literal) or node.is_string:
        return value
    text, (precision, scale) = node.name, types.parameters(type)
    if "." in text or not precision - _INT_DIGITS < scale <= _MOST_DIGITS - _INT_DIGITS:
        return value
    digits = scale + len(text.lstrip("-0"))
    natural = types.decimal(max(digits, 1), scale)
    sql: exp.Expression = exp.Var(this=f"{text}BD")
    if scale:
        # One token with its sign, as all numbers are.
        sql = exp.Literal(this=f"{text}.{'0' * scale}", is_string=False)
    return Value(sql, type, None if types.same(natural, type) else natural, value.name)


def with_bare_nulls(values: list[Value], type: Any) -> list[Value]:
    """Those that say the type, of values that Spark makes one type of: NULL needs none beside them.

    The names of the fields of structs only a cast of NULL can say.
    """
    said = [value for value in values if not value.is_null]
    if not said or types.children(type):
        return values
    for value in values:
        if value.is_null:
            value.sql = exp.Null()
    return said


def held(value: Value | Field) -> Any:
    """The type of what the SQL yields."""
    return value.sql_type if value.sql_type is not None else value.type


def of_key(block: Block, field: Field) -> bool:
    """Whether the field is made of a struct that the rows are grouped by, and so has to stay the same expression."""
    return any(holds(field, key) for key in _struct_keys(block))


def _struct_keys(block: Block) -> Iterator[Field]:
    return (k for k in block.group or () if k.sql is not None and types.holds(k.type, "struct"))


def holds(field: Field, key: Field) -> bool:
    """Whether the expression of a key is one, or a part, of the field's."""
    return field.sql is not None and any(node == key.sql for node in field.sql.walk())
