"""A query as the text of a dbt model: tables are calls of `source` and `ref`, parameters calls of a macro."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.dialect.identifiers import identifier
from substrait_sql.errors import refuse
from substrait_sql.export.jinja import escaped, quoted
from substrait_sql.lower.plan import lower
from substrait_sql.text.generate import generate
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.export.split import Part
    from substrait_sql.lower.plan import Lowered
    from substrait_sql.rendered import Column, Source

_KINDS = re.compile(
    r"(boolean|i8|i16|i32|i64|fp32|fp64|decimal|string|varchar|date|precision_timestamp|"
    r"precision_timestamp_tz)\b"
)
"""The types of which Spark reads every value from a text."""


@dataclass(frozen=True, slots=True)
class Query:
    """The text of a model. tables: the sources that it reads, reads: the other models. times: it has times of day."""

    text: str
    columns: tuple[Column, ...]
    tables: tuple[Source, ...]
    reads: tuple[str, ...]
    parameters: Mapping[str, str]
    times: bool


def query_of(
    part: Part,
    dialect: Dialect,
    models: Mapping[tuple[str, ...], str],
    prefix: str,
    source: Callable[[Source], tuple[str, str]],
    package: str = "",
) -> Query:
    """The text of a part of a plan.

    models: the models by the tables that stand for them. prefix: what stands before the names of variables. source: the
    source and the table of it that dbt knows a table by. package: whose macros ours are, with a dot, if not the
    project's own. Raises `SubstraitSqlError`.
    """
    given = lower(part.decoded, dialect)
    _refuse_more_than_a_query(given)
    word = _unused(part.decoded.plan)
    marks = {s.key: f"{word}{i}" for i, s in enumerate(given.sources)}
    lowered = lower(part.decoded, dialect, {key: (mark,) for key, mark in marks.items()})
    (root,) = lowered.roots
    assert root.query is not None
    calls: dict[str, str] = {}
    for each in given.sources:
        mark = marks[each.key]
        if each.key in models:
            calls[mark] = f"{{{{ ref({quoted(models[each.key])}) }}}}"
        else:
            calls[mark] = f"{{{{ source({', '.join(map(quoted, source(each)))}) }}}}"
    parameters = {n: _checked(n, kind) for n, kind in lowered.parameters.items()}
    for node in list(root.query.find_all(exp.Placeholder)):
        mark = f"{word}_{node.name}"
        calls[mark] = f"{{{{ {package}substrait_sql_parameter({quoted(prefix + node.name)}) }}}}"
        node.replace(exp.Column(this=identifier(mark)))
    text = escaped(generate(root.query, dialect.target))
    text = re.sub(rf"\b{word}\w*", lambda found: calls[found[0]], text)
    return Query(
        text,
        _distinct(root.columns),
        tuple(s for s in given.sources if s.key not in models),
        tuple(models[s.key] for s in given.sources if s.key in models),
        {prefix + n: kind for n, kind in parameters.items()},
        lowered.times,
    )


def _refuse_more_than_a_query(lowered: Lowered) -> None:
    (root,) = lowered.roots
    at = (ROOT / "relations")[root.index]
    if root.actions:
        raise refuse(
            "SS6101",
            "the plan writes or defines something, and a dbt model is a query",
            at,
            "export the query; dbt makes the table",
        )
    if lowered.views:
        raise refuse(
            "SS6101",
            "the files are read through a temporary view, which a dbt model cannot make",
            at,
            "read a table of a catalog, or Parquet files",
        )


def _unused(plan: Any) -> str:
    """The beginning of words that the plan holds nowhere: nothing else in the text can be one of them."""
    held = plan.SerializeToString().decode("latin-1").lower()
    n = 0
    while f"marked{n}x" in held:
        n += 1
    return f"marked{n}x"


def _checked(name: str, kind: str) -> str:
    if not _KINDS.match(kind):
        raise refuse(
            "SS6102",
            f"parameter {name} is a {kind}, which no variable of dbt can be",
            ROOT / "parameter_bindings",
            "bind it in the plan",
        )
    return kind


def _distinct(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of a model: Spark makes no table and no view of two of one name."""
    names = [c.name.casefold() for c in columns]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise refuse(
            "SS6104",
            f"a model cannot have two columns of one name: {', '.join(twice)}",
            ROOT,
            "give the plan's root distinct names",
        )
    return columns
