"""Operators over typed expressions, with the casts that Spark puts in: ANSI mode, as Spark 4.3 comes.

https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.lift import datetimes
from substrait_sql.lift.tree import Call, Case, Cast, Expr, In, Literal
from substrait_sql.lift.typing import arithmetic, casts, common
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.typing.types import SparkType

COMPARISONS = ("=", "<=>", "<", "<=", ">", ">=")


def cast(value: Expr, target: SparkType) -> Expr:
    """The value as Spark casts it by itself; unchanged where it is of the type, whatever can be NULL in it."""
    if same(value.type, target):
        return value
    if isinstance(value, Literal):
        if value.value is None:
            return Literal(target, True, None)
        if value.type.kind in t.INTEGRAL and _holds(target, value.value):
            nullable = casts.may_make_null(value.type, target)
            return Literal(target, nullable, value.value, value.written)
        if value.type.kind == target.kind == "decimal" and _keeps(value.type, target):
            return Literal(target, False, value.value, value.written)
    return Cast(
        target, value.nullable or casts.may_make_null(value.type, target), value, asked=False
    )


def _keeps(given: SparkType, target: SparkType) -> bool:
    """Whether a decimal type holds all values of another."""
    whole = given.precision - given.scale
    return given.scale <= target.scale and whole <= target.precision - target.scale


_BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}


def _holds(target: SparkType, number: int) -> bool:
    """Whether the constant is one of the type's as it stands."""
    if target.kind == "decimal":
        return abs(number) < int(10 ** (target.precision - target.scale))
    bits = _BITS.get(target.kind)
    return bits is not None and -(2**bits) <= number < 2**bits


def same(a: SparkType, b: SparkType) -> bool:
    """Whether two types are one, whatever may be NULL inside."""
    return _alike(a, b, named=True)


def alike(a: SparkType, b: SparkType) -> bool:
    """As `same`, whatever the fields of structs are called."""
    return _alike(a, b, named=False)


def _alike(a: SparkType, b: SparkType, *, named: bool) -> bool:
    """Whether two types are one, whatever may be NULL inside. named: the fields of structs have the same names, too."""
    if a.kind != b.kind or a.numbers != b.numbers or len(a.fields) != len(b.fields):
        return False
    fields = list(zip(a.fields, b.fields, strict=True))
    if named and any(x.name != y.name for x, y in fields):
        return False
    inside = [*zip(a.parts, b.parts, strict=True), *((x.type, y.type) for x, y in fields)]
    return all(_alike(x, y, named=named) for x, y in inside)


def binary(operator: str, left: Expr, right: Expr) -> Expr:
    """``left operator right``. Raises `Misused` where Spark refuses the types."""
    if operator in COMPARISONS:
        return comparison(operator, left, right)
    if operator in ("and", "or"):
        return _logical(operator, left, right)
    if operator in ("&", "|", "^"):
        return _bits(operator, left, right)
    return _arithmetic(operator, left, right)


def _arithmetic(operator: str, left: Expr, right: Expr) -> Expr:
    special = datetimes.arithmetic(operator, left, right)
    if special is not None:
        return special
    left, right = _numbers(operator, left, right)
    nullable = left.nullable or right.nullable or operator in ("/", "%", "div")
    if operator == "div":
        if left.type.kind not in (*t.INTEGRAL, "decimal"):
            raise _mismatch(operator, left, right)
        if left.type.kind != "decimal":
            left, right = cast(left, t.BIGINT), cast(right, t.BIGINT)
        return Call(t.BIGINT, nullable, "div", (left, right))
    if left.type.kind == "decimal":
        return Call(
            arithmetic.result(operator, left.type, right.type), nullable, operator, (left, right)
        )
    if operator == "/":
        left, right = cast(left, t.DOUBLE), cast(right, t.DOUBLE)
    return Call(left.type, nullable, operator, (left, right))


def _numbers(operator: str, left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Both sides as numbers that go together: of one type, or two decimals."""
    given = left, right
    if {left.type.kind, right.type.kind} <= {"string", "void"} and left.type != right.type:
        raise _mismatch(operator, *given)
    if left.type.kind == right.type.kind == "string":
        raise _mismatch(operator, *given)
    text = common.with_text(left.type, right.type)
    if text is not None:
        left, right = cast(left, text), cast(right, text)
    if left.type.kind == right.type.kind == "void":
        number = t.BIGINT if operator == "div" else t.DOUBLE
        left, right = cast(left, number), cast(right, number)
    if operator == "/" and left.type.kind == "void":
        # Spark looks at the left side alone here, and has a DOUBLE before it sees the decimal.
        left = cast(left, t.DOUBLE)
    found = decimals(left, right)
    if found is not None:
        return found
    kind = common.tightest(left.type, right.type)
    if kind is None or kind.kind not in t.NUMERIC:
        raise _mismatch(operator, *given)
    return cast(left, kind), cast(right, kind)


def decimals(left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
    """Two sides of which one is a decimal: both decimals of their own digits, or both doubles. None for others."""
    kinds = left.type.kind, right.type.kind
    if "decimal" not in kinds or not all(k in (*t.NUMERIC, "void") for k in kinds):
        return None
    if "float" in kinds or "double" in kinds:
        return cast(left, t.DOUBLE), cast(right, t.DOUBLE)
    if "void" in kinds:
        kind = left.type if kinds[1] == "void" else right.type
        return cast(left, kind), cast(right, kind)
    return _own_digits(left), _own_digits(right)


def _own_digits(value: Expr) -> Expr:
    if value.type.kind == "decimal":
        return value
    # Spark does not count the digits of TINYINT constants.
    if isinstance(value, Literal) and value.type.kind != "tinyint" and value.written is None:
        return cast(value, arithmetic.of_value(value.value))
    return cast(value, t.as_decimal(value.type))


def comparison(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison, both sides brought to one type."""
    given = left, right
    left, right = _comparable(operator, left, right)
    if not _ordered(left.type, equality=operator in ("=", "<=>")):
        raise _mismatch(operator, *given)
    nullable = operator != "<=>" and (left.nullable or right.nullable)
    return Call(t.BOOLEAN, nullable, operator, (left, right))


def _comparable(operator: str, left: Expr, right: Expr) -> tuple[Expr, Expr]:
    if alike(left.type, right.type):
        return left, right
    found = decimals(left, right)
    if found is not None:
        left, right = found
        kind = common.wider_decimal(left.type, right.type) or left.type
        return cast(left, kind), cast(right, kind)
    wanted = common.with_text(left.type, right.type) or common.tightest(left.type, right.type)
    if wanted is None:
        raise _mismatch(operator, left, right)
    return cast(left, wanted), cast(right, wanted)


def _ordered(kind: SparkType, *, equality: bool) -> bool:
    if kind.kind in ("map", "variant") or (kind.kind == "interval" and not equality):
        return False
    inside = (*kind.parts, *(f.type for f in kind.fields))
    return all(_ordered(x, equality=equality) for x in inside)


def _logical(operator: str, left: Expr, right: Expr) -> Expr:
    if left.type.kind == right.type.kind == "string":
        raise _mismatch(operator, left, right)
    sides = [condition(x, operator.upper()) for x in (left, right)]
    return Call(t.BOOLEAN, any(s.nullable for s in sides), operator, tuple(sides))


def condition(value: Expr, place: str) -> Expr:
    """A value where a truth is wanted: text and NULL are cast."""
    kind = casts.implicit(value.type, t.BOOLEAN)
    if kind is None:
        raise Misused(f"{place} wants BOOLEAN, not {str(value.type).upper()}")
    return cast(value, t.BOOLEAN)


def truth(value: Expr, clause: str) -> Expr:
    """The condition of a clause, which is BOOLEAN; behind groups and windows Spark casts what is none, as CAST does."""
    casted = clause in _CASTING and casts.can_cast(value.type, t.BOOLEAN)
    if value.type.kind != "boolean" and not casted:
        raise Misused(f"{clause} wants BOOLEAN, not {str(value.type).upper()}")
    return cast(value, t.BOOLEAN)


_CASTING = ("HAVING", "QUALIFY")


def negation(value: Expr) -> Expr:
    """NOT value."""
    made = condition(value, "NOT")
    return Call(t.BOOLEAN, made.nullable, "not", (made,))


def is_null(value: Expr, *, negated: bool = False) -> Expr:
    """Value IS [NOT] NULL."""
    return Call(t.BOOLEAN, False, "isnotnull" if negated else "isnull", (value,))


def minus(value: Expr) -> Expr:
    """-value."""
    signed = value.type.kind in (*t.NUMERIC, *t.INTERVALS)
    lowest = t.LOWEST.get(value.type.kind)
    if signed and isinstance(value, Literal) and value.value not in (None, lowest):
        written = Call(value.type, False, "negative", (value,))
        return Literal(value.type, False, -value.value, written)
    if value.type.kind in ("string", "void"):
        value = cast(value, t.DOUBLE)
    if value.type.kind not in (*t.NUMERIC, *t.INTERVALS, "interval"):
        raise Misused(f"- wants a number, not {str(value.type).upper()}")
    return Call(value.type, value.nullable, "negative", (value,))


def plus(value: Expr) -> Expr:
    """+value."""
    if value.type.kind in ("string", "void"):
        value = cast(value, t.DOUBLE)
    if value.type.kind not in (*t.NUMERIC, *t.INTERVALS, "interval"):
        raise Misused(f"+ wants a number, not {str(value.type).upper()}")
    return Call(value.type, value.nullable, "positive", (value,))


def inverted(value: Expr) -> Expr:
    """~value."""
    if value.type.kind == "void":
        value = cast(value, t.INT)
    if value.type.kind not in t.INTEGRAL:
        raise Misused(f"~ wants an integer, not {str(value.type).upper()}")
    return Call(value.type, value.nullable, "~", (value,))


def _bits(operator: str, left: Expr, right: Expr) -> Expr:
    given = left, right
    text = common.with_text(left.type, right.type)
    if text is not None:
        left, right = cast(left, text), cast(right, text)
    kind = common.tightest(left.type, right.type)
    if kind is not None and kind.kind == "void":
        kind = t.INT
    if kind is None or kind.kind not in t.INTEGRAL:
        raise _mismatch(operator, *given)
    left, right = cast(left, kind), cast(right, kind)
    return Call(kind, left.nullable or right.nullable, operator, (left, right))


def one_type(values: Sequence[Expr], what: str, finder: common.Finder = common.wider) -> list[Expr]:
    """The values brought to the type that holds them all. Raises `Misused` where there is none."""
    kinds = [v.type for v in values]
    if all(same(k, kinds[0]) for k in kinds):
        return list(values)
    found = common.of_all(kinds, finder)
    if found is None:
        listed = ", ".join(sorted({str(k).upper() for k in kinds}))
        raise Misused(f"{what} cannot put together {listed}")
    return [cast(v, found) for v in values]


def within(value: Expr, options: Sequence[Expr]) -> Expr:
    """Value IN (options)."""
    value, *options = one_type((value, *(_by_place(o, value.type) for o in options)), "IN")
    if not _ordered(value.type, equality=True):
        raise Misused(f"IN does not compare {str(value.type).upper()}")
    nullable = any(x.nullable for x in (value, *options))
    return In(t.BOOLEAN, nullable, value, tuple(options))


def _by_place(value: Expr, like: SparkType) -> Expr:
    """IN compares structs by the places of their fields: they take the names of the struct that is looked for."""
    kind = _renamed(value.type, like)
    if kind.kind != "struct" or value.type == kind or not same(kind, like):
        return value
    return cast(value, kind)


def _renamed(given: SparkType, like: SparkType) -> SparkType:
    """The type with the names of another one's fields."""
    if given.kind != "struct" or like.kind != "struct" or len(given.fields) != len(like.fields):
        return given
    pairs = zip(given.fields, like.fields, strict=True)
    return t.struct(t.Field(b.name, _renamed(a.type, b.type), a.nullable) for a, b in pairs)


def case(branches: Sequence[tuple[Expr, Expr]], otherwise: Expr | None, shown: str = "") -> Case:
    """CASE WHEN … THEN … ELSE … END, the results of one type."""
    conditions = [c for c, _ in branches]
    for each in conditions:
        if each.type.kind != "boolean" and not (shown and each.type.kind == "void"):
            raise Misused(f"WHEN wants BOOLEAN, not {str(each.type).upper()}")
    last = () if otherwise is None else (otherwise,)
    values = one_type((*(v for _, v in branches), *last), shown.upper() or "CASE")
    nullable = otherwise is None or any(v.nullable for v in values)
    pairs = zip((cast(c, t.BOOLEAN) for c in conditions), values, strict=False)
    return Case(values[0].type, nullable, tuple(pairs), values[-1] if last else None, shown=shown)


def _mismatch(operator: str, left: Expr, right: Expr) -> Misused:
    sides = f"{str(left.type).upper()} and {str(right.type).upper()}"
    return Misused(f"{operator.upper()} does not go between {sides}")
