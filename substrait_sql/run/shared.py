"""What several results of a plan have in common is computed once, while a caller makes their rows.

A relation that roots share stands in the text of each, as a common table expression of the same name and body. Spark
knows a query that it keeps (`persist`) wherever it is part of another: nothing in the results has to be changed.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from substrait_sql.arguments import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import DataFrame
    from sqlglot.dialects.dialect import Dialect as Grammar

    from substrait_sql.rendered import Statement

# What results have in common with others, by each result.
_COMMON: weakref.WeakKeyDictionary[DataFrame, tuple[DataFrame, ...]] = weakref.WeakKeyDictionary()


@contextmanager
def shared(frames: Sequence[DataFrame]) -> Iterator[None]:
    """Compute what the results of a plan share once, while their rows are made in this block; then let go of it.

    frames: what `execute` returned for a plan with several roots.

    Spark keeps it in memory, and on disk where that is too small. What the session keeps already is left alone.

    >>> import substrait_sql
    >>> frames = substrait_sql.execute(spark, plan)  # doctest: +SKIP
    >>> with substrait_sql.shared(frames):  # doctest: +SKIP
    ...     rows = [frame.collect() for frame in frames]
    """
    expect("frames", frames, (list, tuple), "the list of DataFrames that execute() returned")
    found = {id(part): part for frame in frames for part in _COMMON.get(frame, ())}
    kept: list[DataFrame] = []
    try:
        for part in found.values():
            if not (part.storageLevel.useMemory or part.storageLevel.useDisk):
                kept.append(part)
                part.persist()
        yield
    finally:
        for part in kept:
            with suppress(Exception):  # the session may have ended, and all that it kept
                part.unpersist()


def note(
    frames: Sequence[DataFrame],
    statements: Sequence[Statement],
    run_one: Callable[[Statement], DataFrame],
    grammar: Grammar,
) -> None:
    """Notes what results have in common. frames: the results of the statements, if each is one query."""
    if len(frames) < 2 or any(s.kind != "query" for s in statements):
        return
    parts = {text: run_one(replace(s, sql=text)) for text, s in common(statements, grammar)}
    for frame, statement in zip(frames, statements, strict=True):
        own = tuple(parts[text] for text in bodies(statement.sql, grammar) if text in parts)
        if own:
            _COMMON[frame] = own


def common(statements: Sequence[Statement], grammar: Grammar) -> list[tuple[str, Statement]]:
    """The queries that stand in several statements, each with the first of them."""
    first: dict[str, Statement] = {}
    found: dict[str, Statement] = {}
    for statement in statements:
        for text in dict.fromkeys(bodies(statement.sql, grammar)):
            if text in first:
                found[text] = first[text]
            first.setdefault(text, statement)
    return list(found.items())


def bodies(sql: str, grammar: Grammar) -> list[str]:
    """The queries in the WITH at the beginning of a text, of those that name no other one.

    >>> from substrait_sql.dialect import load
    >>> bodies("WITH a AS (SELECT (1) AS x), b AS (SELECT x FROM a) SELECT * FROM b", load("spark").target.grammar)
    ['SELECT (1) AS x']
    """
    tokens: list[Any] = grammar.tokenize(sql) if sql[:4].upper() == "WITH" else []
    found: list[str] = []
    names: set[str] = set()
    at = 1
    while at + 2 < len(tokens) and tokens[at + 1].text.upper() == "AS":
        names.add(tokens[at].text.lower())
        begin = at + 2
        end = _closing(tokens, begin)
        inside = {t.text.lower() for t in tokens[begin + 1 : end]}
        if not inside & (names - {tokens[at].text.lower()}):
            found.append(sql[tokens[begin].end + 1 : tokens[end].start].strip())
        if end + 1 >= len(tokens) or tokens[end + 1].token_type.name != "COMMA":
            break
        at = end + 2
    return found


def _closing(tokens: Sequence[Any], begin: int) -> int:
    """Where the parenthesis ends that begins here."""
    depth = 0
    for at in range(begin, len(tokens)):
        kind = tokens[at].token_type.name
        depth += (kind == "L_PAREN") - (kind == "R_PAREN")
        if depth == 0:
            return at
    return len(tokens) - 1
