"""Queries: SELECT, set operations, common table expressions, pipes, and the order of their rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tests.lift.drawn.draw import Around, Column, Draw, Query
from tests.lift.drawn.pipes import pipe
from tests.lift.drawn.selects import select
from tests.lift.drawn.windows import DIRECTIONS
from tests.oracle.run import Choices

OPERATIONS = (
    "UNION ALL",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "EXCEPT ALL",
    "INTERSECT ALL",
    "MINUS",
    "UNION DISTINCT",
)


def statement(rng: Choices, depth: int) -> Query:
    """A statement, of queries nested as deep."""
    d = Draw(rng, query)
    made = query(d, Around(queries=min(depth, 3)), depth)
    if made.ordered or " |> " in made.text or not d.chance(0.3):
        return made
    return (
        replace(made, text=f"{made.text}{_order(d, made)}", ordered=True)
        if _sortable(made)
        else made
    )


def query(
    d: Draw,
    around: Around,
    depth: int,
    kinds: tuple[str, ...] | None = None,
    names: tuple[str, ...] | None = None,
    single: bool = False,
    correlated: bool = False,
) -> Query:
    """A query; see `select` for what may be asked of it."""
    if single or correlated or depth <= 0:
        return select(d, around, max(depth, 0), kinds, names, single, correlated)
    form = d.pick(("select",) * 6 + ("set", "with", "pipe", "limit"))
    if form == "set":
        return _operation(d, around, depth, kinds, names)
    if form == "with":
        return _with(d, around, depth, kinds, names)
    if form == "pipe" and kinds is None and names is None and not around.outer:
        return pipe(d, around, depth)
    made = select(d, around, depth, kinds, names, False, False)
    if form == "limit" and _sortable(made):
        limit = d.pick(
            ("", " LIMIT 3", " LIMIT 2 OFFSET 1", " OFFSET 2", " LIMIT 1 + 1", " LIMIT ALL")
        )
        return Query(f"({made.text}{_order(d, made)}{limit})", made.columns) if around.outer else Query(
            f"{made.text}{_order(d, made)}{limit}", made.columns, True)  # fmt: skip
    return made


def _sortable(made: Query) -> bool:
    return bool(made.columns) and all(c.kind != "map" for c in made.columns)


def _order(d: Draw, made: Query) -> str:
    """By all columns: rows that are equal in them may come in any order."""
    form = d.pick(("ordinals", "names", "all"))
    if form == "all":
        return f" ORDER BY ALL{d.pick(('', ' DESC', ' NULLS LAST'))}"
    once = max(Counter(c.text for c in made.columns).values()) == 1
    keys = [c.text if form == "names" and once else str(n) for n, c in enumerate(made.columns, 1)]
    return f" ORDER BY {', '.join(k + d.pick(DIRECTIONS) for k in keys)}"


def _operation(
    d: Draw,
    around: Around,
    depth: int,
    kinds: tuple[str, ...] | None,
    names: tuple[str, ...] | None,
) -> Query:
    inside = replace(around, queries=0)
    wanted = kinds or tuple(
        d.pick(("int", "str", "big", "dec", "date", "bool"))
        for _ in range(1 + int(d.rng.random() * 3))
    )
    left = _plain(query(d, inside, depth - 1, kinds=wanted, names=names))
    operation = d.pick(OPERATIONS)
    if kinds is None and "UNION" in operation and d.chance(0.3):
        turned = tuple(reversed(left.columns))
        right = _plain(
            query(
                d,
                inside,
                depth - 1,
                kinds=tuple(c.kind for c in turned),
                names=tuple(c.text for c in turned),
            )
        )
        return Query(f"{left.text} {operation} BY NAME {right.text}", left.columns)
    other = tuple(
        d.pick(("big", "dec", "dbl")) if k == "int" and kinds is None and d.chance(0.3) else k
        for k in wanted
    )
    right = _plain(query(d, inside, depth - 1, kinds=other))
    columns = tuple(Column(c.text, o) for c, o in zip(left.columns, other, strict=True))
    text = f"{left.text} {operation} {right.text}"
    if d.chance(0.2):
        third = _plain(query(d, inside, depth - 1, kinds=wanted))
        text = f"{text} {d.pick(OPERATIONS)} {third.text}"
    return Query(text, columns)


def _plain(made: Query) -> Query:
    """A side of a set operation: with parentheses where it has an order, or is one itself."""
    bare = not made.ordered and made.text.startswith("SELECT") and not any(
        f" {o} " in made.text for o in ("UNION", "EXCEPT", "INTERSECT", "MINUS", "|>"))  # fmt: skip
    return made if bare else Query(f"({made.text})", made.columns)


def _with(
    d: Draw,
    around: Around,
    depth: int,
    kinds: tuple[str, ...] | None,
    names: tuple[str, ...] | None,
) -> Query:
    """Common table expressions, some under the names of tables and of others around."""
    shared, texts = around.shared, []
    taken: set[str] = set()
    for _ in range(1 + int(d.rng.random() * 2)):
        name = d.pick([x for x in ("w", "x1", "t", "u") if x not in taken])
        taken.add(name)
        made = query(d, Around((), shared, 1), depth - 1)
        if not made.columns or max(Counter(c.text for c in made.columns).values()) > 1:
            made = query(d, Around((), shared, 0), 0, kinds=("int", "str"), names=("k", "s"))
        columns = made.columns
        head = name
        if d.chance(0.2):
            columns = tuple(Column(f"c{n}", c.kind) for n, c in enumerate(columns, 1))
            head = f"{name}({', '.join(c.text for c in columns)})"
        texts.append(f"{head} AS ({made.text})")
        shared = (Query(name, columns), *(s for s in shared if s.text != name))
    body = query(d, replace(around, shared=shared), depth - 1, kinds=kinds, names=names)
    if body.text.startswith(("WITH", "(")):
        body = replace(body, text=f"SELECT * FROM ({body.text})")
    return Query(f"WITH {', '.join(texts)} {body.text}", body.columns, body.ordered)
