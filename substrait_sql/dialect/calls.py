"""Calls within SQL: the aggregates, an argument that stands in it several times, functions that the engine has not."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect import lacks, operators, results
from substrait_sql.dialect.files import official
from substrait_sql.errors import DialectError, UnsupportedError, refuse
from substrait_sql.schema import naming, types
from substrait_sql.schema.types import holds, kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

# How many nodes an argument may have that is written several times.
_SHORT = 12


def aggregates(sql: Node, builtins: Builtins) -> Iterable[Node]:
    """The aggregate calls in a mapping's SQL: the outermost ones that are no scalar functions of the engine."""
    if isinstance(sql, (exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)) or (
        isinstance(sql, exp.Anonymous) and builtins.kind(str(sql.this)) != "scalar"
    ):
        yield sql
    else:
        for child in sql.iter_expressions():
            yield from aggregates(child, builtins)


def make_distinct(nodes: Iterable[Node], call: Call) -> None:
    """Puts DISTINCT before the arguments of a call's aggregates in SQL; a count of rows among them has none."""
    made = False
    for node in nodes:
        sql = node.this if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)) else node
        arguments = sql.expressions
        if arguments and not isinstance(arguments[0], exp.Star):
            sql.set("expressions", [exp.Distinct(expressions=arguments)])
            made = True
    if not made:
        raise refuse(
            "SS2153",
            f"{call.function.name} has no values that could be distinct",
            call.path,
            "group by the columns that are to be distinct, and count the groups",
        )


def hold(call: Call) -> Node | None:
    """The only argument, if it is too long to be copied: `x` stands for it then, and `over` gives it back."""
    places = call.valued
    if len(places) != 1:
        return None
    held = places[0].sql
    if held is None or sum(1 for _ in islice(held.walk(), _SHORT + 1)) <= _SHORT:
        return None
    places[0].sql = exp.to_identifier("x")
    return held


def over(held: Node, sql: Node) -> Node:
    """SQL over `x` as SQL over the argument: a lambda over a list of one."""
    function = exp.Lambda(this=sql, expressions=[exp.to_identifier("x")])
    values = operators.call("transform", operators.call("array", held), function)
    return operators.call("element_at", values, exp.Literal.number(1))


def values_listed(value: Node, lacking: Collection[str]) -> tuple[Node, Node | None]:
    """A list of a column's values, its NULLs among them, as a window function; and the field of it that they are.

    ``collect_list(x) RESPECT NULLS``, or ``collect_list(named_struct('v', x))`` whose field is ``v``. lacking: what
    the engine has not got (`lacks`).
    """
    if lacks.LISTS_OF_NULLS not in lacking:
        return exp.RespectNulls(this=operators.call("collect_list", value)), None
    packed = operators.call("named_struct", exp.Literal.string("v"), value)
    return operators.call("collect_list", packed), exp.to_identifier("v")


def refuse_absent(tree: exp.Query, builtins: Builtins, root: int) -> None:
    """Raises SS2223 for a call of a function that the engine has not. root: that of the plan it is in."""
    absent = builtins.absent
    if not absent:
        return
    for call in tree.find_all(exp.Anonymous):
        if str(call.this).lower() in absent:
            name = str(call.this).lower()
            raise UnsupportedError.of(
                "SS2223",
                f"the SQL would call {name}, which the engine of this dialect has not",
                f"relations[{root}]",
                "another dialect may have it; docs/dialects.md says which there are",
            )


def check_lambdas(line: Line, impl: str, call: Call) -> None:
    """Raises SS2212 for a lambda of more parameters than the function gives: Spark's own may have a value for them."""
    given = [a.type for a in call.valued]
    fits = True
    if line.producer:
        fits = all(len(t.func.parameter_types) == 1 for t in given if kind(t) == "func")
    elif line.stem is not None:
        fits = official.takes_lambdas(line.stem, line.kind, line.name, impl, given)
    if not fits:
        message = (
            f"{call.function.name} gives a lambda another number of values than it has parameters"
        )
        raise refuse("SS2212", message, call.path, "")


def refuse_types(line: Line, call: Call) -> None:
    """Raises SS2222 for an argument of a type that the line does not take, or that holds one."""
    if line.doubtful_types.isdisjoint(call.kinds):
        return
    for refused, why in line.refused_types.items():
        if any(holds(t, refused) for t in call.types):
            raise refuse("SS2222", f"{call.function}: {why}", call.path, "")


def keep_decimals(call: Call) -> None:
    """Sees to it that ``0`` is a decimal where no other argument makes it one, and the result may be another for it.

    An argument of no known type may be a decimal.
    """
    if call.output_kind == "bool":
        return
    if not any(isinstance(a.sql, exp.Literal) for a in call.valued):
        return
    given = list(zip(call.valued, call.types, strict=True))
    bare = [a for a, t in given if operators.is_bare_decimal(a.sql, t)]
    if not bare or any(kind(t) in ("decimal", None) for a, t in given if a not in bare):
        return
    for argument in bare:
        assert argument.sql is not None
        argument.sql = operators.suffixed(argument.sql)


def check_open(wanted: Mapping[str, str], lines: Iterable[Line], place: str = "") -> None:
    """Raises `DialectError` SS2409 for a value of an option that no line has. place: where they are said."""
    known: dict[str, set[str]] = {}
    for line in lines:
        for name, values in line.options.items():
            known.setdefault(name, set()).update(values)
    for name, value in sorted(wanted.items()):
        if name not in known:
            there = sorted(n.lower() for n in known)
            what = f"no function has the option {name.lower()}"
        elif value not in known[name]:
            there = sorted(known[name])
            what = f"no function has the value {value} of the option {name.lower()}"
        else:
            continue
        raise DialectError.of("SS2409", what, place, f"there are: {', '.join(there)}")


def chosen(line: Line, call: Call, left_open: Mapping[str, str]) -> list[Any]:
    """What the call's options ask for, in the order of the line; nothing if it delivers them as it is.

    https://substrait.io/expressions/scalar_functions/#options: the first preference that can be delivered is used; an
    unknown option, or one with no deliverable preference, refuses the plan. left_open: the value of an option that the
    plan does not name, by name; the line's own else.
    """
    found: dict[str, Any] = {}
    for name, preferences in call.options:
        values = line.options.get(name.upper())
        if values is None:
            raise refuse(
                "SS2220",
                f"option {name} of {call.function} is not known here",
                call.path,
                _known(line),
            )
        preferred = next((p.upper() for p in preferences if p.upper() in values), None)
        if preferred is None:
            wanted = ", ".join(preferences) or "nothing"
            raise refuse(
                "SS2221",
                f"{call.function} cannot be delivered with {name} = {wanted}",
                call.path,
                _known(line),
            )
        call.chosen[name.upper()] = preferred
        how = values[preferred]
        if how is not True:
            found[name.upper()] = how
    for name, values in line.options.items():
        preferred = left_open.get(name) if left_open.get(name) in values else line.open.get(name)
        if name not in call.chosen and preferred is not None:
            call.chosen[name] = preferred
            if values[preferred] is not True:
                found[name] = values[preferred]
    return [found[name] for name in line.options if name in found]


def _known(line: Line) -> str:
    known = "; ".join(f"{n.lower()}: {', '.join(v)}" for n, v in line.options.items())
    return f"deliverable are {known}" if known else "this function takes no option here"


def brought_together(call: Call) -> bool:
    """Sees to it that arguments which Spark makes one type of keep their values: decimals may be too far apart."""
    if "decimal" not in call.kinds or results.meet(call.types, short=True):
        return True
    if call.make_exact is not None:
        call.make_exact(call)
    return results.meet(call.types)


def leave_types_out(call: Call) -> None:
    """The empty list as such, beside a list of its type: Spark makes one type of them."""
    others = [a for a in call.valued if not is_empty_list(a.sql)]
    for argument in call.valued:
        own = argument.type
        if argument not in others and own is not None:
            beside = [naming.bare(a.sql_type or a.type) for a in others if a.type is not None]
            if any(types.same(own, each) for each in beside):
                argument.sql = argument.sql.this  # type: ignore[union-attr]


def is_empty_list(node: Node | None) -> bool:
    """Whether it is ``CAST(array() AS …)``."""
    given = node.this if type(node) is exp.Cast else None
    return isinstance(given, exp.Anonymous) and given.name == "array" and not given.expressions
