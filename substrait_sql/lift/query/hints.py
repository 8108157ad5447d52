"""Hints of a SELECT that a plan has words for: https://spark.apache.org/docs/latest/sql-ref-syntax-qry-select-hints.html

``SHUFFLE_HASH(t)`` and ``MERGE(t)`` make a join a hash or a merge join, ``REPARTITION(n, a)`` is an exchange. All other
hints, and those that cannot be followed, are advice without a word in a plan: they are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.near import near, these
from substrait_sql.lift.relations import Exchange, Join, Scan, Shared
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.lift.context import Context
    from substrait_sql.lift.query.source import Source
    from substrait_sql.lift.scope import Scope
    from substrait_sql.lift.tree import Attribute, Relation

# What fits INT.
_COUNT = re.compile("[0-9]{1,9}")
_ALGORITHMS = {
    "SHUFFLE_HASH": "hash",
    "MERGE": "merge",
    "SHUFFLE_MERGE": "merge",
    "MERGEJOIN": "merge",
}
_INT_END = 2**31


@dataclass(frozen=True, slots=True)
class _Said:
    """One hint. names: of tables or columns, each with its parts; else a number."""

    word: str
    arguments: tuple[tuple[str, ...] | int, ...]
    node: Any


def _said(node: Any, cx: Context) -> Iterator[_Said]:
    hint = node.args.get("hint")
    for each in hint.expressions if hint is not None else ():
        if isinstance(each, (exp.JoinHint, exp.Anonymous)):
            word = str(each.this).upper()
            if word in _ALGORITHMS or word == "REPARTITION":
                yield _Said(word, tuple(_argument(a, word, cx) for a in each.expressions), each)


def _argument(node: Any, word: str, cx: Context) -> tuple[str, ...] | int:
    if isinstance(node, (exp.Table, exp.Column)):
        return tuple(p.name for p in node.parts)
    if isinstance(node, exp.Identifier) or (isinstance(node, exp.Literal) and node.is_string):
        return tuple(node.name.split("."))
    if word == "REPARTITION" and isinstance(node, exp.Literal) and _COUNT.fullmatch(node.name):
        return int(node.name)
    wanted = "a number of partitions and columns" if word == "REPARTITION" else "names of tables"
    raise cx.error("SS5003", f"the hint {word} takes {wanted}", node)


def mark_joins(node: Any, source: Source, cx: Context) -> None:
    """Notes at joins of FROM the algorithm that the SELECT wants. Of two hints for a table the first counts."""
    wanted: dict[tuple[str, ...], str] = {}
    for said in _said(node, cx):
        for name in said.arguments if said.word in _ALGORITHMS else ():
            assert isinstance(name, tuple)
            wanted.setdefault(tuple(p.casefold() for p in name), _ALGORITHMS[said.word])
    if wanted:
        _mark(source.relation, wanted)


def _mark(relation: Relation, wanted: dict[tuple[str, ...], str]) -> None:
    """Down to the tables of this FROM: what is in a derived table is not meant."""
    if _name(relation):
        return
    if isinstance(relation, Join) and not relation.lateral:
        for side in ("left", "right"):
            name = _name(getattr(relation, side))
            algorithm = next((a for n, a in wanted.items() if name[-len(n) :] == n), "")
            if algorithm and not relation.algorithm:
                relation.algorithm, relation.build = algorithm, side
    for below in relation.inputs:
        _mark(below, wanted)


def _name(side: Relation) -> tuple[str, ...]:
    """The parts of what the text calls the rows; nothing for what it gives no name."""
    if side.alias:
        return (side.alias.casefold(),)
    if isinstance(side, Shared):
        return (side.query.name.casefold(),)
    return tuple(p.casefold() for p in side.table) if isinstance(side, Scan) else ()


def repartitioned(
    node: Any, made: Relation, outputs: Sequence[Attribute], scope: Scope, cx: Context
) -> Relation:
    """The rows as ``REPARTITION`` spreads them: what the SELECT gives, before ORDER BY."""
    for said in reversed([s for s in _said(node, cx) if s.word == "REPARTITION"]):
        numbers = [a for a in said.arguments if isinstance(a, int)]
        columns = zip(said.arguments, said.node.expressions, strict=True)
        if len(numbers) > 1 or (numbers and said.arguments[0] != numbers[0]):
            raise cx.error(
                "SS5003", "the hint REPARTITION takes one number of partitions, first", said.node
            )
        count = numbers[0] if numbers else 0
        if numbers and not 0 < count < _INT_END:
            raise cx.error("SS5003", "the number of partitions is not that of any", said.node)
        keys: list[Attribute | None] = []
        for name, each in columns:
            if isinstance(name, tuple):
                with cx.about(each):
                    keys.append(_output(name, outputs, scope))
        if None not in keys and (keys or count):
            made = Exchange(made.columns, made, count, tuple(k for k in keys if k is not None))
    return made


def _output(name: tuple[str, ...], outputs: Sequence[Attribute], scope: Scope) -> Attribute | None:
    """The column of the output, None for one of FROM that does not come out."""
    found = [a for a in outputs if len(name) == 1 and a.name.casefold() == name[0].casefold()]
    if found:
        return found[0]
    if scope.local(name) is None:
        names = [a.name for a in outputs]
        raise Misused(
            f"there is no column {'.'.join(name)}",
            "SS5004",
            near(name[-1], names) or these("columns", names),
        )
    return None
