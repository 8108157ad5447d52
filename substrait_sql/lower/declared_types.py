"""`Value`, a lowered expression with its types, and the casts that keep declared types true.

A plan declares the type of every expression; Spark derives its own for the text. Where the two hold the same values
the text is left alone, as a person would write it (``1``, not ``CAST(1 AS BIGINT)``); the exact type is put on at the
edges where it can be seen: the output of a root, the branches of a set operation, nested values, integer arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.operators import INTEGER_SUFFIXES, call, cast, is_bare_decimal, suffixed
from substrait_sql.dialect.results import as_decimal
from substrait_sql.dialect.strings import string_literal
from substrait_sql.errors import invalid
from substrait_sql.schema import naming, types
from substrait_sql.schema.unsigned import held, is_unsigned

if TYPE_CHECKING:
    from substrait_sql.lower.context import Context
    from substrait_sql.lower.value import Value
    from substrait_sql.wire.path import Path

INTEGERS = {"i8": 1, "i16": 2, "i32": 3, "i64": 4}
NUMBERS = frozenset({*INTEGERS, "decimal", "fp32", "fp64"})
TIMES = ("date", "precision_timestamp", "precision_timestamp_tz")
TEXTS = ("string", "varchar", "fixed_char")


def require_boolean(value: Value, path: Path) -> None:
    """Raises SS2113 for a condition of another type; some producers leave types out, also that of a NULL."""
    if isinstance(value.sql, exp.Null) and value.is_null:
        # Which Spark takes for a condition only where it is one of rows.
        value.sql = cast(value.sql, exp.Var(this="BOOLEAN"))
        return
    type = value.sql_type if value.sql_type is not None else value.type
    if types.kind(type) not in (None, "bool"):
        what = f"a condition is a boolean, and this is of type {types.text(type)}"
        raise invalid("SS2113", what, path, "compare it with something, or cast it")


def fits(sql_type: Any, declared: Any) -> bool:
    """Whether every value of `sql_type` is the same value of the declared type, so that no cast is needed yet."""
    if sql_type is None or declared is None:
        return True
    a, b = types.kind(sql_type), types.kind(declared)
    if a in INTEGERS and b in INTEGERS:
        return INTEGERS[a] <= INTEGERS[b]
    if a == "decimal" and b == "decimal":
        return bool(sql_type.decimal.scale <= declared.decimal.scale)
    if a in TEXTS and b in TEXTS:
        return True
    return types.same(held(sql_type), held(declared)) or _exact_in(sql_type, declared)


def _exact_in(sql_type: Any, declared: Any) -> bool:
    """Whether a time is declared finer than Spark holds any: what Spark yields is the value then."""
    return types.coarser(sql_type, declared) and types.parameters(declared)[0] > types.MICROS


def settle(value: Value, cx: Context, path: Path) -> Value:
    """The value with a cast where what Spark yields is not of the declared type."""
    if value.sql_type is None:
        return value
    if value.type is not None and types.same(value.sql_type, value.type):
        value.sql_type = None
        return value
    if types.kind(value.sql_type) == "bool" or (
        types.kind(value.type) == "bool"
        and _FAMILIES.get(types.kind(value.sql_type) or "") == "number"
    ):
        # Some producers declare the operand's type for a comparison (DuckDB: `gt:date_date` as date), or boolean
        # for a number (a test of DataFusion's: `logb`). The value is the function's.
        nullable = types.nullable(value.type) if value.type is not None else True
        value.type, value.sql_type = types.with_nullability(value.sql_type, nullable), None
        return value
    if strange(value.sql_type, value.type):
        found, declared = types.text(value.sql_type), types.text(value.type)
        raise invalid("SS2114", f"the call is declared as {declared}, and returns {found}", path)
    if types.holds(value.type, "struct") and naming.same_values(value.sql_type, value.type):
        return value
    if not fits(value.sql_type, value.type):
        # No cast says that what is inside of a value is never NULL.
        if not types.children(value.type) or not spelt_alike(value.sql_type, value.type, cx, path):
            value.sql = cast(value.sql, cx.type_node(value.type, path))
        value.sql_type = None
    return value


# Types between which producers err or disagree, so that a cast is what they mean; all others are a family of their own.
_FAMILIES = {
    **dict.fromkeys((*INTEGERS, "fp32", "fp64", "decimal"), "number"),
    **dict.fromkeys((*TEXTS, "uuid"), "text"),
    **dict.fromkeys(("binary", "fixed_binary"), "bytes"),
    **dict.fromkeys(TIMES, "time"),
}


def strange(one: Any, other: Any) -> bool:
    """Whether two types have nothing in common, so that no cast between them is what a producer means."""
    a, b = types.kind(one), types.kind(other)
    if a is None or b is None or "user_defined" in (a, b):
        return False
    return _FAMILIES.get(a, a) != _FAMILIES.get(b, b)


def becomes(type: Any, wanted: Any) -> bool:
    """Whether a cast to another type keeps the values or fails, in all that is inside of them.

    Some producers leave such casts out: between the inputs of a set operation, before a table.
    """
    if strange(type, wanted):
        return False
    a, b = types.kind(type), types.kind(wanted)
    if is_unsigned(type) != is_unsigned(wanted):
        return None in (a, b)
    if a in INTEGERS:
        return b not in ("fp32", "fp64")
    if a in TIMES and a != b:
        # A moment as a day would lose its hours.
        return a == "date" and b == "precision_timestamp"
    if a in ("decimal", "fp32", "fp64"):
        return fits(type, wanted)
    inner, inside = types.children(type), types.children(wanted)
    return len(inner) == len(inside) and all(map(becomes, inner, inside))


def exact(
    sql: exp.Expression,
    sql_type: Any,
    declared: Any,
    cx: Context,
    path: Path,
    *,
    whole: bool = False,
) -> exp.Expression:
    """The expression under exactly its declared type, for places where the type shows. whole: it must be in there.

    A decimal declared with fewer digits than Spark derives keeps Spark's: some producers declare another engine's
    rules (isthmus: the sum of ``decimal(15,2)`` as ``decimal(15,2)``), and the cast would only add overflows.
    """
    if sql_type is None or declared is None or types.same(sql_type, declared):
        # A number that no integer of Spark's holds is a decimal to it without a suffix, too.
        short = is_bare_decimal(sql, declared) and -(2**63) <= int(sql.name) < 2**63
        return suffixed(sql) if short else sql
    if types.kind(sql_type) in TEXTS and types.kind(declared) in TEXTS:
        return sql
    if types.inner_names(declared) and spelt_alike(sql_type, declared, cx, path):
        return sql
    if _exact_in(sql_type, declared):
        return sql
    if types.kind(sql_type) == "decimal" and types.kind(declared) == "decimal":
        same_scale = sql_type.decimal.scale == declared.decimal.scale
        longer = sql_type.decimal.precision > declared.decimal.precision
        if same_scale and longer and not cx.habits.exact_decimals:
            return sql
    if whole:
        return cast(sql, cx.type_node(declared, path))
    made = relabelled(sql, sql_type, declared, cx, path)
    if made is not None:
        return made
    if type(sql) is exp.Cast and types.same(naming.bare(sql_type), naming.bare(declared)):
        # Only the names of fields differ: one cast puts them on.
        sql = sql.this
    suffix = INTEGER_SUFFIXES.get(types.kind(declared) or "")
    if suffix and types.kind(sql_type) in INTEGERS and type(sql) is exp.Literal:
        return exp.Var(this=f"{sql.name}{suffix}")
    return cast(sql, cx.type_node(declared, path))


def spelt_alike(a: Any, b: Any, cx: Context, path: Path) -> bool:
    """Whether two types are one in SQL, which does not say what is nullable inside of a type."""
    return bool(cx.type_node(a, path).name == cx.type_node(b, path).name)


def relabelled(
    sql: exp.Expression, sql_type: Any, declared: Any, cx: Context, path: Path
) -> exp.Expression | None:
    """Structs made under other names, rather than a cast of them; None where they come from elsewhere."""
    if not types.inner_names(declared) or not spelt_alike(
        naming.bare(sql_type), naming.bare(declared), cx, path
    ):
        return None
    if isinstance(sql, exp.Cast) and isinstance(sql.this, exp.Null):
        return cast(sql.this, cx.type_node(declared, path))
    if isinstance(sql, exp.Case) and len(sql.args["ifs"]) == 1 and not sql.args.get("default"):
        (branch,) = sql.args["ifs"]
        inner = relabelled(branch.args["true"], sql_type, declared, cx, path)
        return inner and exp.Case(this=sql.this, ifs=[exp.If(this=branch.this, true=inner)])
    if isinstance(sql, (exp.Window, exp.Filter)):
        inner = relabelled(sql.this, sql_type, declared, cx, path)
        return inner and sql.__class__(**{**sql.args, "this": inner})
    if not isinstance(sql, exp.Anonymous):
        return None
    if types.kind(declared) == "struct" and sql.name == "named_struct":
        arguments: list[exp.Expression] = []
        before, after = sql_type.struct.types, declared.struct.types
        values = sql.expressions[1::2]
        for i, name in enumerate(naming.field_names(declared)):
            arguments += [string_literal(name), exact(values[i], before[i], after[i], cx, path)]
        return call("named_struct", *arguments)
    return _of_others(sql, sql_type, declared, cx, path)


# Calls that return a value of their first argument, a value of any, a list of the values of any.
_PICKED = ("max", "min", "first", "last", "any_value", "max_by", "min_by")
_LISTED = ("array", "array_agg", "collect_list", "collect_set")


def _of_others(
    sql: exp.Anonymous, before: Any, after: Any, cx: Context, path: Path
) -> exp.Expression | None:
    """The call, with the structs that it is given made under other names."""
    name, given = sql.name, sql.expressions
    if name in _PICKED:
        made = relabelled(given[0], before, after, cx, path)
        return made and call(name, made, *given[1:])
    if types.kind(after) != "list":
        return None
    before, after = before.list.type, after.list.type
    if name == "transform":
        listed, body = given
        made = relabelled(body.this, before, after, cx, path)
        return made and call(name, listed, exp.Lambda(this=made, expressions=body.expressions))
    found = [relabelled(each, before, after, cx, path) for each in given]
    return call(name, *filter(None, found)) if name in _LISTED and all(found) else None


def widest_decimal(sql_types: list[Any]) -> Any:
    """The decimal that Spark makes of decimals, and of integers beside them; None if there is none, or none so wide."""
    sizes = [as_decimal(t) for t in sql_types]
    if None in sizes or not any(types.kind(t) == "decimal" for t in sql_types):
        return None
    scale = max(s for _, s in filter(None, sizes))
    whole = max(p - s for p, s in filter(None, sizes))
    return types.decimal(whole + scale, scale) if whole + scale <= 38 else None
