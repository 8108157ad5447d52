"""Lambdas of functions, and what stands in the place of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift import functions
from substrait_sql.lift.dispatch import lift
from substrait_sql.lift.tree import Attribute, Expr, Lambda
from substrait_sql.lift.typing import signatures
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.lift.context import Context


def of_node(name: str, node: Any, before: Sequence[Expr], place: int, cx: Context) -> Expr:
    """A lambda, whose parameters have the types that the arguments before it say."""
    names = [p.name for p in node.expressions]
    if len({n.casefold() for n in names}) < len(names):
        raise Misused("the parameters of a lambda have different names")
    kinds = signatures.lambda_parameters(
        name, [functions.argument(e) for e in before], place, len(names)
    )
    parameters = [
        Attribute(n, kind, nullable, bound=True)
        for n, (kind, nullable) in zip(names, kinds, strict=True)
    ]
    scope = replace(
        cx.scope, lambdas=[*cx.scope.lambdas, {p.name.casefold(): p for p in parameters}]
    )
    body = lift(node.this, replace(cx.inside(scope), draws=False))
    return Lambda(body.type, body.nullable, tuple(parameters), body)


def places(name: str) -> Sequence[int]:
    """The places of a function's lambdas among its arguments, from 1 on."""
    found = signatures.known(name)
    return found.lambdas if found is not None else ()


def without_parameters(
    name: str, node: Any, before: Sequence[Expr], place: int, cx: Context
) -> Expr:
    """``transform(xs, 1)``: the body of a lambda whose parameters nobody can name, as few as there may be."""
    around = node.parent

    def of_as_many(count: int) -> Expr:
        names = [exp.to_identifier(f"\0{i}") for i in range(count)]
        whole = exp.Lambda(this=node, expressions=names)
        whole.parent = around
        return of_node(name, whole, before, place, cx)

    for count in (1, 2):
        try:
            return of_as_many(count)
        except Misused:
            continue
    return of_as_many(3)
