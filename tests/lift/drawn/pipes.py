"""Queries of pipe operators."""

from __future__ import annotations

from dataclasses import replace

from tests.lift.drawn.draw import Around, Column, Draw, Env, Query
from tests.lift.drawn.expressions import condition, expression
from tests.lift.drawn.tables import tables

STEPS = ("where", "select", "extend", "set", "drop", "aggregate", "as", "join", "order", "union", "distinct", "window",
    "rename")  # fmt: skip


def pipe(d: Draw, around: Around, depth: int) -> Query:
    """A table, and what is made of it step by step."""
    table = d.pick([t for t in tables() if t not in {s.text for s in around.shared}] or ["n"])
    columns = [Column(c, k) for c, k in tables()[table].items()]
    lines = [d.pick((f"FROM {table}", f"TABLE {table}", f"SELECT * FROM {table}"))]
    if table in {s.text for s in around.shared}:
        columns = list(next(s for s in around.shared if s.text == table).columns)
    for _ in range(1 + int(d.rng.random() * 4)):
        made = _step(d, d.pick(STEPS), columns, around, min(depth, 2))
        if made is not None:
            lines.append(made[0])
            columns = made[1]
    return Query(" |> ".join(lines), tuple(columns))


def _step(
    d: Draw, step: str, columns: list[Column], around: Around, depth: int
) -> tuple[str, list[Column]] | None:
    env = Env(tuple(columns), replace(around, outer=(), queries=min(around.queries, 1)))
    kind = d.kind()
    fresh = [
        x
        for x in ("n1", "n2", "n3", "n4", "n5", "k", "s", "v")
        if x not in {c.text for c in columns}
    ]
    match step:
        case "where":
            return f"WHERE {condition(d, env, depth)}", columns
        case "select":
            chosen = d.some(columns, 1, 3)
            item = expression(d, kind, env, depth)
            listed = ", ".join(c.text for c in chosen)
            return f"SELECT {listed}, {item} AS {fresh[0]}", [*chosen, Column(fresh[0], kind)]
        case "extend":
            return f"EXTEND {expression(d, kind, env, depth)} AS {fresh[0]}", [
                *columns,
                Column(fresh[0], kind),
            ]
        case "window":
            windows: list[str] = []
            text = expression(d, "big", replace(env, windows=windows), depth)
            return (
                None
                if windows
                else (f"EXTEND {text} AS {fresh[0]}", [*columns, Column(fresh[0], "big")])
            )
        case "set":
            one = d.pick(columns)
            text = expression(d, one.kind, env, depth)
            return f"SET {one.text} = {text}", columns
        case "drop" if len(columns) > 1:
            gone = d.pick(columns)
            return f"DROP {gone.text}", [c for c in columns if c != gone]
        case "aggregate":
            return _aggregate(d, columns, env)
        case "as":
            return "AS g", columns
        case "join":
            other = d.pick(("e", "o"))
            kind = d.pick(("LEFT SEMI", "LEFT ANTI"))
            ints = [c for c in columns if c.kind == "int"]
            if not ints:
                return None
            return f"{kind} JOIN {other} AS g2 ON g2.k = {d.pick(ints).text}", columns
        case "order" if all(c.kind != "map" for c in columns):
            limit = d.pick(("", " |> LIMIT 3", " |> LIMIT 2 OFFSET 1"))
            return f"ORDER BY {', '.join(c.text for c in columns)}{limit}", columns
        case "union":
            word = d.pick(("UNION ALL", "EXCEPT ALL", "INTERSECT ALL", "UNION"))
            if any(c.kind == "map" for c in columns):
                return None
            listed = ", ".join(expression(d, c.kind, Env(()), 0) for c in columns)
            return f"{word} SELECT {listed}", columns
        case "distinct" if all(c.kind != "map" for c in columns):
            return "SELECT DISTINCT *", columns
        case "rename":
            one = d.pick(columns)
            rest = [Column(fresh[0], c.kind) if c == one else c for c in columns]
            return (
                f"SELECT {', '.join(f'{c.text} AS {fresh[0]}' if c == one else c.text for c in columns)}",
                rest,
            )
    return None


def _aggregate(d: Draw, columns: list[Column], env: Env) -> tuple[str, list[Column]]:
    kind = d.pick(("big", "dbl", "dec", "str"))
    bare = Env(env.columns)
    text = expression(d, kind, Env((), arguments=bare), 2)
    text = text if "(" in text else "count(*)"
    kind = "big" if text == "count(*)" else kind
    keys = [c for c in d.some(columns, 0, 2) if c.kind != "map" and c.text != "n1"]
    group = f" GROUP BY {', '.join(c.text for c in keys)}" if keys else ""
    return f"AGGREGATE {text} AS n1{group}", [*keys, Column("n1", kind)]
