"""https://substrait.io/expressions/specialized_record_expressions/: if-then and switch, both as CASE."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import results as results_of
from substrait_sql.dialect.facts import Facts
from substrait_sql.dialect.operators import call, is_bare_decimal
from substrait_sql.errors import invalid, refuse
from substrait_sql.lower.common_type import (
    bring_together,
    require_alike,
    with_bare_nulls,
    with_places,
)
from substrait_sql.lower.declared_types import (
    INTEGERS,
    NUMBERS,
    exact,
    fits,
    require_boolean,
    spelt_alike,
    widest_decimal,
)
from substrait_sql.lower.expression import expression, lowers
from substrait_sql.lower.expressions import guards
from substrait_sql.lower.expressions.casts.cast import cast_of_number
from substrait_sql.lower.expressions.grouping_bits import bits_of_choice, mask_of, set_number
from substrait_sql.lower.expressions.literal import literal
from substrait_sql.lower.value import Value
from substrait_sql.lower.widening import without_widening, written_type
from substrait_sql.schema import naming, types
from substrait_sql.select.field import Traits
from substrait_sql.tree.compare import same_text
from substrait_sql.tree.origin import join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lower.context import Env
    from substrait_sql.wire.path import Path


# What of a constant is no part of a name, how much of one a name has, and how long that makes it: else names would grow
# with each CASE around a CASE.
_NO_WORD, _LONGEST, _LONGEST_NAME = re.compile(r"[^a-z0-9]+"), 24, 50
_TEXTS = {"string", "varchar", "fixed_char"}
# What DataFusion makes of floats beside decimals.
_DECIMALS = {"fp32": types.decimal(14, 7), "fp64": types.decimal(30, 15)}


@lowers("if_then")
def if_then(message: Any, env: Env, path: Path) -> Value:
    """CASE WHEN … THEN … ELSE … END: the first branch whose condition is TRUE, evaluated no further than that."""
    bit = bits_of_choice(message, env, path)
    if bit is not None:
        return bit
    branches: list[tuple[exp.Expression, Value]] = []
    match: Value | None = None
    passed: frozenset[int] = frozenset()
    for i, clause in enumerate(message.ifs):
        at = (path / "ifs")[i]
        asked = getattr(clause, "if")
        if i == 0 and len(message.ifs) > 1 and clause.then.WhichOneof("rex_type") is None:
            # DataFusion writes CASE x WHEN … with x as a first branch that has no result.
            match = expression(asked, env, at / "if")
            continue
        condition = expression(asked, env, at / "if")
        if match is None:
            require_boolean(condition, at / "if")
            chosen = passed | guards.where_true(asked, env, at / "if")
            passed |= guards.where_not_true(asked, env, at / "if")
        else:
            bring_together([match, condition], env.context, at / "if")
            chosen = passed
            passed |= guards.unlike(getattr(message.ifs[0], "if"), asked.literal, env)
        branches.append((condition.sql, _result(clause.then, env, at / "then", chosen)))
    if not branches:
        raise invalid("SS2141", "if-then without a branch", path)
    otherwise = _otherwise(message, env, path, passed)
    found = case_of(match, branches, otherwise, env, path)
    _tell_apart(found, condition if match is None else match)
    if isinstance(found.sql, exp.Case) and _is_coalesce(message, env, path):
        found.sql = _first_of_two(found.sql)
    elif len(branches) == 1 and not env.parts.traits & (Traits.IMPURE | Traits.SUBQUERY):
        _as_magnitude(found, branches[0][1], otherwise)
    return found


def _as_magnitude(found: Value, then: Value, otherwise: Value | None) -> None:
    """``abs(x)`` for ``CASE WHEN x < 0 THEN 0 - x ELSE x END``: of whole numbers, where both fail for the least.

    A floating-point zero may have a sign, and a decimal has one more digit behind the minus.
    """
    case, kind = found.sql, types.kind(found.type)
    if not isinstance(case, exp.Case) or kind not in ("i32", "i64") or otherwise is None:
        return
    (branch,) = case.args["ifs"]
    asked, turned, kept, value = branch.this, branch.args["true"], case.args["default"], otherwise
    if isinstance(asked, exp.GT | exp.GTE):
        turned, kept, value = kept, turned, then
    elif not isinstance(asked, exp.LT | exp.LTE):
        return
    below = turned.this if isinstance(turned, exp.Neg) else None
    if isinstance(turned, exp.Sub) and _is_zero(turned.this):
        below = turned.expression
    same = below is not None and same_text(below, kept) and same_text(asked.this, kept)
    if (
        same
        and _is_zero(asked.expression)
        and value.sql_type is None
        and types.kind(value.type) == kind
    ):
        found.sql = call("abs", kept)
        join([asked, turned], found.sql)


def _is_zero(node: exp.Expression) -> bool:
    """Whether it is the constant 0, of whatever whole number."""
    return isinstance(node, exp.Literal | exp.Var) and node.name in ("0", "0L")


def _tell_apart(found: Value, asked: Value) -> None:
    """Names a CASE of one branch by its constant, too, as ``price_sunday``: columns of a pivot differ in nothing else.

    asked: the condition, or what a CASE with a subject compares.
    """
    (case, subject) = (found.sql, found.subject)
    if not isinstance(case, exp.Case) or len(case.args["ifs"]) != 1 or not subject:
        return
    when = case.args["ifs"][0].this
    constant = when.expression if isinstance(when, exp.EQ) else when
    if not isinstance(constant, exp.Literal):
        return
    said = constant.name if constant.is_string else f"{asked.subject}_{constant.name}"
    words = _NO_WORD.sub("_", said.lower()).strip("_")[:_LONGEST].rstrip("_")
    if words and words not in subject and len(subject) + len(words) < _LONGEST_NAME:
        found.name = found.subject = f"{subject}_{words}"


def _first_of_two(case: exp.Case) -> exp.Expression:
    """``coalesce(x, y)``; NULL behind it says nothing."""
    (branch,) = case.args["ifs"]
    first, otherwise = branch.args["true"], case.args.get("default")
    made = first if otherwise is None else call("coalesce", first, otherwise)
    join([branch.this], made)
    return made


def _is_coalesce(message: Any, env: Env, path: Path) -> bool:
    """Whether it is ``CASE WHEN x IS NOT NULL THEN x ELSE y END``, with an x that may as well be written once."""
    if len(message.ifs) != 1 or env.parts.traits & (Traits.IMPURE | Traits.SUBQUERY):
        return False
    condition, then = getattr(message.ifs[0], "if"), message.ifs[0].then
    if condition.WhichOneof("rex_type") != "scalar_function":
        return False
    asked = condition.scalar_function
    name = env.context.functions.get(asked.function_reference, (path / "ifs")[0] / "if")
    if name.standard != "is_not_null" or len(asked.arguments) != 1:
        return False
    return bool(asked.arguments[0].value == then)


@lowers("switch_expression")
def switch(message: Any, env: Env, path: Path) -> Value:
    """CASE match WHEN literal THEN …. A NULL arm can never match and leaves no text."""
    match = expression(message.match, env, path / "match")
    branches: list[tuple[exp.Expression, Value]] = []
    passed: frozenset[int] = frozenset()
    sets = set_number(message.match, env)
    if sets is not None:
        match.sql = exp.Anonymous(this="grouping_id")
    for i, clause in enumerate(message.ifs):
        at = (path / "ifs")[i]
        arm = getattr(clause, "if")
        then = _result(clause.then, env, at / "then", passed)
        passed |= guards.unlike(message.match, arm, env)
        if arm.WhichOneof("literal_type") != "null":
            if sets is not None:
                branches += [(exp.Literal.number(m), then) for m in mask_of(sets, arm)]
                continue
            value = literal(arm, env, at / "if")
            _require_type(value, match.type, at / "if")
            bring_together([match, value], env.context, at / "if")
            branches.append((value.sql, then))
    otherwise = _otherwise(message, env, path, passed)
    if not branches:
        if otherwise is None or not message.ifs:
            raise invalid("SS2141", "a switch without a branch that can match", path)
        return otherwise
    found = case_of(match, branches, otherwise, env, path)
    _tell_apart(found, match)
    return found


def _require_type(arm: Value, type: Any, path: Path) -> None:
    """An arm of a switch is of the type that is matched; text, decimals and integers in any size.

    substrait-python writes keys as i64 whatever the column is: that one integer equals another has one meaning.
    """
    a, b = types.kind(arm.type), types.kind(type)
    if (
        None not in (a, b)
        and a != b
        and not any({a, b} <= kinds for kinds in (_TEXTS, INTEGERS.keys()))
    ):
        raise invalid(
            "SS2145", f"a {types.text(arm.type)} is compared with a {types.text(type)}", path
        )


def _otherwise(message: Any, env: Env, path: Path, nonzero: frozenset[int]) -> Value | None:
    if not message.HasField("else"):
        return None
    return _result(getattr(message, "else"), env, path / "else", nonzero)


def _result(message: Any, env: Env, path: Path, nonzero: frozenset[int]) -> Value:
    """A branch. nonzero: the fields that are not zero where it is chosen."""
    with env.knowing(nonzero):
        return with_places(expression(message, env, path))


def case_of(
    match: Value | None,
    branches: Sequence[tuple[exp.Expression, Value]],
    otherwise: Value | None,
    env: Env,
    path: Path,
) -> Value:
    """``CASE match WHEN … THEN … ELSE … END``, its results of one type. branches: what is asked, and the results."""
    results = [value for _, value in branches]
    if otherwise is not None and not otherwise.is_null:
        results.append(otherwise)
    _check_results(results, path, env.context.habits.misses_casts)
    type = _result_type(results, otherwise, len(branches), _one_number(results, env, path))
    results = with_bare_nulls(results, type)
    without_widening(results, Facts(one_type=True))
    sql_type = _settle_branches(results, type, env, path)
    if sql_type is not None:
        sql_type = types.with_nullability(sql_type, types.nullable(type))
    ifs = [exp.If(this=when, true=value.sql) for when, value in branches]
    default = otherwise.sql if otherwise is not None and not otherwise.is_null else None
    node = exp.Case(this=match.sql if match is not None else None, ifs=ifs, default=default)
    return Value(node, type, sql_type, next((v.subject for v in results if v.subject), ""))


def _one_number(results: list[Value], env: Env, path: Path) -> Any:
    """The type of numbers of several types, None where there are none such.

    It is the one that Spark makes of them, unless the producer makes a decimal of floats beside decimals.
    """
    numbers = [v for v in results if v.type is not None]
    found = [v.type for v in numbers]
    kinds = {types.kind(t) for t in found}
    if not kinds <= NUMBERS or all(types.same(t, found[0]) for t in found[1:]):
        return None
    if env.context.habits.misses_casts and "decimal" in kinds:
        found = [_DECIMALS.get(types.kind(t) or "", t) for t in found]
    common = results_of.widest(found)
    if env.context.habits.misses_casts and not types.same(common, numbers[0].type):
        env.context.misses_casts = True
    if types.kind(common) == "decimal":
        for value in numbers:
            if types.kind(value.type) in _DECIMALS:
                value.sql = cast_of_number(value, common, env.context, path)
                value.type, value.sql_type, value.literal = common, None, None
    return common


def _result_type(results: list[Value], otherwise: Value | None, branches: int, number: Any) -> Any:
    """The branches' type, nullable as soon as one of them is, or a row can fall through. number: see `_one_number`."""
    type = number or next((v.type for v in results if v.type is not None), None)
    if type is None:
        return None
    falls_through = otherwise is None or len(results) == branches
    return types.with_nullability(
        type, falls_through or any(types.nullable(v.type) for v in results if v.type is not None)
    )


def _check_results(results: list[Value], path: Path, misses_casts: bool) -> None:
    """Raises SS2145 where branches are of types that have nothing in common.

    misses_casts: the producer makes an fp32 of integers beside those, and computes with it as such; Spark a double.
    """
    kinds = {types.kind(v.type) for v in results if types.kind(v.type) is not None}
    single = misses_casts and "fp32" in kinds and kinds <= {"fp32", *INTEGERS}
    if len(kinds) > 1 and (single or not (kinds <= NUMBERS or kinds <= _TEXTS)):
        type = next(v.type for v in results if types.kind(v.type) is not None)
        other = next(v.type for v in results if types.kind(v.type) not in (None, types.kind(type)))
        raise invalid(
            "SS2145", f"one branch is a {types.text(type)}, another a {types.text(other)}", path
        )
    require_alike(results, path)


def _named_alike(found: Sequence[Any], env: Env, path: Path) -> bool:
    """Whether types hold structs, and are one in SQL. found: those of the branches, then the one without names."""
    *held, declared = found
    first = held[0]
    if first is None or not types.inner_names(declared):
        return False
    return spelt_alike(naming.bare(first), naming.bare(declared), env.context, path) and all(
        t is not None and spelt_alike(t, first, env.context, path) for t in held[1:]
    )


def _settle_branches(results: list[Value], type: Any, env: Env, path: Path) -> Any:
    """Brings branches to one type. Returns what Spark makes of them where that is not the declared type."""
    if any(types.kind(v.type) == "func" for v in results):
        raise refuse("SS2158", "Spark cannot choose between functions", path)
    sql_types = [v.sql_type if v.sql_type is not None else v.type for v in results]
    if type is None or all(t is None or types.same(t, type) for t in sql_types):
        return None
    if all(is_bare_decimal(v.sql, t) for v, t in zip(results, sql_types, strict=True)):
        short = all(abs(int(v.sql.name)) < 1 << 31 for v in results)
        return types.i32() if short else types.i64()
    sql_types = [written_type(v) for v in results]
    first = sql_types[0]
    if all(types.same(t, first) for t in sql_types) and fits(first, type):
        return first
    if _named_alike([*sql_types, type], env, path):
        return naming.like(type, first)
    typed = any(
        v.sql_type is None and t is not None and types.same(t, type)
        for v, t in zip(results, sql_types, strict=True)
    )
    together = results_of.meet(sql_types, short=True)
    if together and typed and all(fits(t, type) for t in sql_types):
        return None  # one branch has the declared type, and Spark widens the others to it
    widest = widest_decimal(sql_types) if together else None
    if widest is not None and fits(widest, type):
        return widest
    for value in results:
        value.sql = exact(value.sql, value.sql_type, type, env.context, path)
        value.sql_type = None
    if not together:
        bring_together(results, env.context, path)
    return None
