"""An argument that SQL writes twice, and that is long, as the parameter of a lambda over a list of one.

    least(x, y)    get(transform(array(<long>), x -> CASE WHEN x < y THEN x ELSE y END), 0)

A column of a derived table reads better. But nested calls would need a query for every few of them, and Spark parses
some two hundred; so that is done for the first ones only.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.dialect.operators import call
from substrait_sql.spark.clauses import Clause

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lower.context import Env
    from substrait_sql.lower.value import Value

_LETTERS = "xyzuvw"
# So many derived tables are nested for such arguments before the rest are parameters.
MOST_ROUNDS = 4


def may_bind(env: Env) -> bool:
    """Whether a long argument may be a parameter: where it can be no column, or others are one below others."""
    if env.parts.traits & Clause.LAMBDA.forbids:
        return False
    return bool(env.lambdas) or env.block.rounds >= MOST_ROUNDS


def parameter_names(
    env: Env, count: int, used: int = 0, usual: Sequence[str] = ()
) -> list[exp.Identifier]:
    """``x``, ``y``, …: other names than those of the lambdas around.

    used: how many of the letters are taken besides. usual: what the parameters are called where that is free.
    """
    taken = {p.name for level in env.lambdas for p in level}
    free = (name for name in _letters() if name not in taken and name not in usual[:count])
    for _ in range(used):
        next(free)
    names = [
        usual[i] if i < len(usual) and usual[i] not in taken else next(free) for i in range(count)
    ]
    return [exp.Identifier(this=name, quoted=False) for name in names]


def _letters() -> Iterator[str]:
    yield from _LETTERS
    yield from (f"x{i}" for i in itertools.count(1))


class Bound:
    """A value that is a parameter's from here on. used: how many others of the same call are."""

    def __init__(self, value: Value, env: Env, used: int = 0) -> None:
        (self.name,) = parameter_names(env, 1, used)
        self.sql = value.sql
        value.sql = self.name

    def around(self, body: exp.Expression) -> exp.Expression:
        """The body, with the value for its parameter."""
        return called_with(self.sql, self.name, body)


def called_with(
    argument: exp.Expression, name: exp.Identifier, body: exp.Expression
) -> exp.Expression:
    """``get(transform(array(argument), name -> body), 0)``."""
    inner = exp.Lambda(this=body, expressions=[name])
    return call("get", call("transform", call("array", argument), inner), exp.Literal.number(0))
