"""Which function of the standard is what Spark's means; one of our own extension where none is.

The lines of the dialect are read from right to left: a line that is written as a plain call or an operator means that
call, with those values of its options that need no other text. A line that needs a template or a rule says with
``lift`` what calls it is, if any (`substrait_sql.lift.encode.marks`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.dialect import load
from substrait_sql.dialect.files import official
from substrait_sql.lift.encode import marks
from substrait_sql.lift.encode.types import argument_type
from substrait_sql.lift.tree import TRUE, Case, Literal
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.lift.typing.table import known
from substrait_sql.schema import types as ty
from substrait_sql.schema.functions import FunctionName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.dialect.line import Line
    from substrait_sql.lift.tree import AggregateCall, Expr

_NAME = re.compile(r":([a-z]\w*)")
# Under which lines are found that are operators.
_OPERATORS = {"is not distinct from": "<=>"}


@dataclass(frozen=True, slots=True)
class Standard:
    """A call of the standard: its extension, its name with the signature, options, the type it gives."""

    urn: str
    name: str
    options: tuple[tuple[str, str], ...]
    type: Any
    arguments: tuple[marks.Given, ...] = ()


@cache
def _index(dialect: str) -> dict[tuple[str, str], list[tuple[Line, marks.Mark]]]:
    """The lines that lift, by kind and by Spark's name."""
    out: dict[tuple[str, str], list[tuple[Line, marks.Mark]]] = {}
    for folder in load(dialect).folders:
        for document in folder.documents():
            for (kind, _), lines in document.lines.items():
                for line in lines:
                    for mark in _marks(line) if not line.producer and line.stem else ():
                        out.setdefault((kind, _canonical(mark.name)), []).append((line, mark))
    return out


def _canonical(name: str) -> str:
    """A function by the first of its names: char_length is length."""
    found = known(name)
    return name if found is None else found.name


def _marks(line: Line) -> list[marks.Mark]:
    said = marks.of(line)
    if said is not None:
        return said
    name = _call_of(line)
    return [marks.Mark(name)] if name else []


def _call_of(line: Line) -> str:
    if line.metadata.get("rule") or line.metadata.get("enum"):
        return ""
    if line.text is not None:
        return _plain_call(line)
    system = line.row.get("system_metadata") or {}
    name = str(system.get("name", line.name)).lower()
    name = _OPERATORS.get(name, name)
    if system.get("notation") == "PREFIX":
        name = {"-": "negative", "~": "~", "not": "not"}.get(name, "")
    return name


# Operators that a template spells, over the line's arguments in their order.
_SPELLED = {
    "{0} IS NULL": "isnull", "{0} IS NOT NULL": "isnotnull", "{0} BETWEEN {1} AND {2}": "between",
    "{0} IS TRUE": "is true", "{0} IS NOT TRUE": "is not true", "{0} IS FALSE": "is false",
    "{0} IS NOT FALSE": "is not false",
}  # fmt: skip
_CALL = re.compile(r"(\w+)\((\*|(?:\{\d\}(?:, \{\d\})*)?)\)\Z")


def _plain_call(line: Line) -> str:
    """The function that a template calls with the line's arguments as they come; empty for any other template."""
    text = line.text or ""
    names = line.args or tuple(dict.fromkeys(_NAME.findall(text)))
    shape = text
    for place, name in enumerate(names):
        shape = re.sub(rf":{name}\b", f"{{{place}}}", shape)
    if shape in _SPELLED:
        return _SPELLED[shape]
    found = _CALL.match(shape)
    if found is None or found[2] not in ("*", ", ".join(f"{{{i}}}" for i in range(len(names)))):
        return ""
    return found[1].lower()


def standard(
    dialect: str,
    kind: str,
    name: str,
    arguments: Sequence[Expr],
    wanted: Any,
) -> Standard | None:
    """The standard's call for Spark's; None where no line is one.

    wanted: what Spark's function returns; a call of the standard that returns another type is one only where a cast
    makes the same of it.
    """
    types = [argument_type(a) for a in arguments]
    texts = [_literal_text(a) for a in arguments]
    nearest: Standard | None = None
    for each, mark in _index(dialect).get((kind, _canonical(name)), ()):
        given = mark.given(texts)
        if given is None:
            continue
        impl = _impl(each, tuple(x.short(types) for x in given))
        if impl is None:
            continue
        options = _options(each, mark)
        values = [x.type(types) for x in given if not x.enum]
        urn = f"extension:io.substrait:{each.stem}"
        if mark.guesses:
            function = FunctionName(urn, each.stem, each.name, impl)
            found = mark.gives(dialect, function, given, options or (), texts, types)
        else:
            found = official.returns(each.stem or "", each.kind, each.name, impl, values)
        lambdas = official.takes_lambdas(each.stem or "", each.kind, each.name, impl, values)
        # What the standard means for these types is not what Spark's function does.
        refused = any(ty.holds(v, r) for r in each.refused_types for v in values)
        if options is None or found is None or refused or not lambdas:
            continue
        made = Standard(urn, f"{each.name}:{impl}", options, found, given)
        if ty.same(found, wanted):
            return made
        if nearest is None and _castable(found, wanted):
            nearest = made
    return nearest


def _literal_text(found: Expr) -> str | None:
    if not isinstance(found, Literal) or found.value is None:
        return None
    return (
        str(found.value) if found.type.kind == "string" or found.type.kind in t.INTEGRAL else None
    )


def _castable(given: Any, wanted: Any) -> bool:
    """Whether a cast of the standard's result is what Spark gives: other widths of integers, digits in front, NULLs."""
    whole = ("i8", "i16", "i32", "i64")
    kinds = ty.kind(given), ty.kind(wanted)
    if kinds == ("list", "list"):
        # Spark says of more functions than the standard that a NULL may be in what they give.
        return bool(ty.same(ty.with_nullability(given.list.type, True), wanted.list.type))
    if kinds == ("decimal", "decimal"):
        return bool(given.decimal.scale == wanted.decimal.scale)
    return kinds[0] in whole and kinds[1] in whole


def _impl(line: Line, actual: tuple[str, ...]) -> str | None:
    for impl, parts in zip(line.impls, line.parsed, strict=True):
        wanted = parts
        if line.variadic is not None and actual:
            if len(actual) < line.variadic.get("min", 0):
                continue
            wanted = parts + parts[-1:] * (len(actual) - len(parts))
        if len(wanted) == len(actual) and all(
            w in (a, "any") for w, a in zip(wanted, actual, strict=True)
        ):
            return impl
    return None


def _options(line: Line, mark: marks.Mark) -> tuple[tuple[str, str], ...] | None:
    """The options' values that the call has; None where an option has none."""
    given = dict(mark.options)
    out: list[tuple[str, str]] = []
    for name, values in line.options.items():
        if name in given:
            out.append((name.lower(), given[name]))
            continue
        plain = [v for v, how in values.items() if how is True]
        if not plain:
            return None
        if len(plain) < len(values) or len(values) == 1:
            out.append((name.lower(), plain[0]))
    return tuple(out)


def over_in_order(found: AggregateCall) -> tuple[str, list[Expr]]:
    """The function and its arguments for WITHIN GROUP (ORDER BY x) with OVER, which has an order of its own."""
    key = found.order[0]
    if found.name == "listagg":
        return _listed(found)
    if found.name in ("percentile_cont", "percentile_disc"):
        return f"{found.name}_{'down' if key.descending else 'up'}", [key.value, *found.arguments]
    if found.name != "mode" or key.descending:
        message = f"a plan has no word for {found.name} with WITHIN GROUP and OVER"
        raise Misused(message, "SS5007")
    # The least of several.
    return found.name, [key.value, TRUE]


def _listed(found: AggregateCall) -> tuple[str, list[Expr]]:
    """Listagg with one key, whose NULLs are where Spark has them unless it is told otherwise."""
    key = found.order[0]
    if len(found.order) > 1 or key.nulls_first == key.descending:
        what = "listagg with OVER, and several keys or NULLS FIRST and LAST in WITHIN GROUP"
        raise Misused(f"a plan has no word for {what}", "SS5007")
    value, *rest = found.arguments
    nothing = Literal(value.type, False, "" if value.type.kind == "string" else b"")
    name = f"listagg_{'down' if key.descending else 'up'}"
    return name, [value, rest[0] if rest else nothing, key.value]


def ignoring_nulls(found: AggregateCall) -> tuple[str, list[Expr]]:
    """The function and its arguments for IGNORE NULLS."""
    given = list(found.arguments)
    if found.name in ("first", "last", "first_value", "last_value", "any_value"):
        return found.name, [*given[:1], TRUE]
    if found.name == "nth_value":
        return "nth_value_of_values", given
    if found.name in ("lag", "lead"):
        usual = (Literal(t.INT, False, 1), Literal(found.type, True, None))
        return f"{found.name}_of_values", [*given, *usual[len(given) - 1 :]]
    raise Misused(f"a plan has no word for {found.name} with IGNORE NULLS")


# They pass over rows whose first argument is NULL.
_PASS_NULL = frozenset({
    "max", "min", "count", "sum", "avg", "mean", "count_if", "collect_list", "array_agg", "collect_set", "median",
    "stddev", "stddev_samp", "stddev_pop", "std", "variance", "var_samp", "var_pop", "bool_and", "bool_or", "every",
    "some", "any", "percentile_cont", "percentile_disc", "bit_and", "bit_or", "bit_xor", "try_sum", "try_avg",
    "percentile", "approx_count_distinct",
})  # fmt: skip


def over_some_rows(found: AggregateCall) -> AggregateCall:
    """FILTER with OVER, for which a plan has no word: the function of NULL for rows that the filter takes away."""
    if found.name not in _PASS_NULL or found.condition is None:
        raise Misused(f"a plan has no word for {found.name} with FILTER and OVER")
    if found.order:
        key = found.order[0]
        kept = Case(key.value.type, True, ((found.condition, key.value),), None)
        return replace(found, order=(replace(key, value=kept),), condition=None)
    first, *rest = found.arguments or (TRUE,)
    kept = Case(first.type, True, ((found.condition, first),), None)
    return replace(found, arguments=(kept, *rest), condition=None)
