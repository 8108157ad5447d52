"""What stands in FROM: tables, derived tables, VALUES, joins, LATERAL, PIVOT and UNPIVOT."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from tests.lift.drawn.draw import KEYS, Around, Column, Draw, Env, Query
from tests.lift.drawn.expressions import condition, expression
from tests.lift.drawn.tables import tables, texts

ALIASES = ("p", "q", "h", "j")
JOINS = (
    "JOIN",
    "LEFT JOIN",
    "RIGHT JOIN",
    "FULL JOIN",
    "LEFT SEMI JOIN",
    "LEFT ANTI JOIN",
    "CROSS JOIN",
    ",",
)
SUMS = {"int": "sum", "big": "max", "dec": "avg", "dbl": "min", "str": "max", "date": "min"}


@dataclass(frozen=True)
class Item:
    """A relation of FROM: its name there, and its columns."""

    text: str
    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class From:
    """A FROM clause. merged: columns that USING made one."""

    text: str
    items: tuple[Item, ...]
    merged: tuple[str, ...] = ()

    def visible(self, d: Draw | None = None) -> tuple[Column, ...]:
        """The columns as an expression may name them: with their relation, or alone where that is clear."""
        counts = Counter(c.text for i in self.items for c in i.columns)
        out: list[Column] = []
        for item in self.items:
            for c in item.columns:
                if item.columns.count(c) > 1 or (
                    c.text in self.merged and item is not self.items[0]
                ):
                    continue
                clear = counts[c.text] == 1 or c.text in self.merged
                if item.name and not (
                    clear and (d is None or d.chance(0.5) or c.text in self.merged)
                ):
                    out.append(Column(f"{item.name}.{c.text}", c.kind))
                elif clear:
                    out.append(c)
        return tuple(out)

    def hides(self, outer: tuple[Column, ...]) -> tuple[Column, ...]:
        """The columns of queries around that still have their names in here."""
        names = {i.name for i in self.items}
        own = {c.text for i in self.items for c in i.columns} | names
        return tuple(
            c for c in outer if (c.text.isidentifier() and c.text not in own)
            or ("." in c.text and "(" not in c.text and c.text.split(".")[0] not in own)
        )  # fmt: skip


def source(d: Draw, around: Around, depth: int) -> From:
    """A FROM clause."""
    first = item(d, around, depth, ALIASES)
    made = From(first.text, (first,))
    for _ in range(2):
        if depth > 0 and d.chance(0.3):
            made = _joined(d, made, around, depth)
    return made


def item(d: Draw, around: Around, depth: int, names: tuple[str, ...]) -> Item:
    """One relation, with a name of those."""
    name = d.pick(names)
    form = d.pick(
        (
            "table",
            "table",
            "table",
            "shared",
            "derived",
            "derived",
            "values",
            "pivot",
            "unpivot",
            "range",
        )
    )
    if form == "shared" and around.shared:
        query = d.pick(around.shared)
        return Item(f"{query.text} AS {name}", name, query.columns)
    if form == "derived" and depth > 0 and d.query is not None:
        return _derived(d, d.query(d, replace(around, outer=()), depth - 1), name)
    if form == "values":
        return _values(d, name)
    if form == "range":
        return Item(f"range(3) AS {name}", name, (Column("id", "big"),))
    if form in ("pivot", "unpivot") and depth > 0 and d.query is not None:
        return _pivot(d, around, name) if form == "pivot" else _unpivot(d, name)
    table = d.pick((*tables(), "t", "t", "u", "u", "n"))
    columns = tuple(Column(c, k) for c, k in tables()[table].items())
    if table not in {s.text for s in around.shared} and d.chance(0.4):
        return Item(f"{table} AS {name}({', '.join(f'{name}{n}' for n in range(len(columns)))})", name,
            tuple(Column(f"{name}{n}", c.kind) for n, c in enumerate(columns))) if d.chance(0.2) else Item(
            table, table, columns)  # fmt: skip
    if table in {s.text for s in around.shared}:
        columns = next(s.columns for s in around.shared if s.text == table)
    return Item(f"{table} {d.pick(('', 'AS '))}{name}", name, columns)


def _derived(d: Draw, query: object, name: str) -> Item:
    text, columns = query.text, query.columns  # type: ignore[attr-defined]
    if d.chance(0.2):
        renamed = tuple(Column(f"c{n}", c.kind) for n, c in enumerate(columns, 1))
        return Item(f"({text}) AS {name}({', '.join(c.text for c in renamed)})", name, renamed)
    return Item(f"({text}) AS {name}", name, columns)


def _values(d: Draw, name: str) -> Item:
    kinds = [d.pick(KEYS) for _ in range(1 + d.chance(0.6) + d.chance(0.3))]
    rows = [
        ", ".join("NULL" if n and d.chance(0.1) else d.pick(texts()["literals"][k]) for k in kinds)
        for n in range(1 + int(d.rng.random() * 3))
    ]
    columns = tuple(Column(f"{'xyz'[n]}{d.pick(('', '1'))}", k) for n, k in enumerate(kinds))
    text = f"(VALUES {', '.join(f'({r})' for r in rows)}) AS {name}"
    return Item(f"{text}({', '.join(c.text for c in columns)})", name, columns)


def _pivot(d: Draw, around: Around, name: str) -> Item:
    assert d.query is not None
    kind = d.pick(tuple(SUMS))
    inner = d.query(
        d,
        replace(around, outer=(), queries=0),
        1,
        kinds=("int", "str", kind),
        names=("k", "s", "v"),
    )
    values, aliased = d.some(("'a'", "'b'", "'x'", "NULL"), 1, 3), d.chance(0.5)
    listed = ", ".join(f"{v} AS v{n}" if aliased else v for n, v in enumerate(values))
    columns = [
        Column(f"v{n}" if aliased else f"`{v.strip(chr(39)).lower()}`", kind)
        for n, v in enumerate(values)
    ]
    if kind in ("int", "dec", "str"):
        columns = [
            replace_kind(c, {"int": "big", "dec": "dec", "str": "str"}[kind]) for c in columns
        ]
    pivot = f"PIVOT ({SUMS[kind]}(v) FOR s IN ({listed}))"
    return Item(
        f"(SELECT * FROM ({inner.text}) {pivot}) AS {name}", name, (Column("k", "int"), *columns)
    )


def replace_kind(column: Column, kind: str) -> Column:
    return Column(column.text, kind)


def _unpivot(d: Draw, name: str) -> Item:
    table, listed, kind = d.pick((("t", "k, v", "big"), ("u", "k, w", "int"), ("t", "k AS a, v AS b", "big"),
        ("t", "f, d", "dbl"), ("o", "id, k", "int")))  # fmt: skip
    gone = {x.split()[0] for x in listed.split(", ")}
    kept = tuple(Column(c, k) for c, k in tables()[table].items() if c not in gone)
    nulls = d.pick(("", "INCLUDE NULLS ", "EXCLUDE NULLS "))
    text = f"{table} UNPIVOT {nulls}(val FOR name IN ({listed})) AS {name}"
    return Item(text, name, (*kept, Column("name", "str"), Column("val", kind)))


def _joined(d: Draw, left: From, around: Around, depth: int) -> From:
    names = tuple(a for a in ALIASES if a not in {i.name for i in left.items})
    if d.query is not None and d.chance(0.12):
        return _lateral(d, left, around, depth, names[0])
    right = item(d, around, depth - 1, names)
    if right.name in {i.name for i in left.items}:
        return left
    kind = d.pick(JOINS)
    both = From("", (*left.items, right), left.merged)
    kept = left.items if "SEMI" in kind or "ANTI" in kind else both.items
    if kind in ("CROSS JOIN", ","):
        return From(
            f"{left.text}{'' if kind == ',' else ' '}{kind} {right.text}", kept, left.merged
        )
    shared = _shared(left, right)
    if shared and len(left.items) == 1 and d.chance(0.35):
        if len(kept) > 1 and d.chance(0.3):
            text = f"{left.text} NATURAL {kind} {right.text}"
            every = {c.text for c in left.items[0].columns} & {c.text for c in right.columns}
            return From(text, kept, tuple(every) if len(kept) > 1 else ())
        using = d.some(shared, 1, 2)
        return From(
            f"{left.text} {kind} {right.text} USING ({', '.join(using)})",
            kept,
            tuple(using) if len(kept) > 1 else (),
        )
    return From(
        f"{left.text} {kind} {right.text} ON {_on(d, left, right, both, around)}", kept, left.merged
    )


def _on(d: Draw, left: From, right: Item, both: From, around: Around) -> str:
    env = Env(both.visible(), replace(around, outer=(), queries=0))
    pairs = [
        f"{a.text} = {right.name}.{b.text}"
        for a in left.visible()
        for b in right.columns
        if a.kind == b.kind and a.kind in KEYS and "." in a.text
    ]
    if not pairs or d.chance(0.2):
        return condition(d, env, 1)
    found = d.pick(pairs)
    return f"{found} {d.pick(('AND', 'OR'))} ({condition(d, env, 1)})" if d.chance(0.25) else found


def _shared(left: From, right: Item) -> list[str]:
    theirs = {c.text: c.kind for c in right.columns}
    return [
        c.text for c in left.items[0].columns if theirs.get(c.text) == c.kind and c.kind != "map"
    ]


def _lateral(d: Draw, left: From, around: Around, depth: int, name: str) -> From:
    assert d.query is not None
    inside = replace(around, outer=left.visible(), queries=0)
    query = d.query(d, inside, depth - 1, correlated=True, single=d.chance(0.3))
    outer = {c.text.rpartition(".")[2]: c for c in left.visible() if _is_qualified(c)}
    if outer and d.chance(0.3):
        query = _passed_in(query, d.some(sorted(outer), 1, 2), outer)
    join = d.pick((", LATERAL", " CROSS JOIN LATERAL", " LEFT JOIN LATERAL", " JOIN LATERAL"))
    made = Item("", name, query.columns)
    both = From("", (*left.items, made), left.merged)
    on = ""
    if join.startswith((" LEFT", " JOIN")):
        on = f" ON {_on(d, left, made, both, around) if d.chance(0.4) else 'TRUE'}"
    return replace(both, text=f"{left.text}{join} ({query.text}) AS {name}{on}")


def _is_qualified(column: Column) -> bool:
    return "." in column.text and "(" not in column.text


def _passed_in(rows: Query, names: list[str], outer: dict[str, Column]) -> Query:
    """Columns from outside under their own names, as often as there are rows."""
    listed = ", ".join(outer[name].text for name in names)
    columns = tuple(Column(name, outer[name].kind) for name in names)
    return Query(f"SELECT {listed} FROM ({rows.text}) AS z", columns)


def key(d: Draw, env: Env) -> Column:
    """A value that rows are grouped by."""
    own = [c for c in env.columns if c.kind in KEYS]
    if own and not d.chance(0.3):
        return d.pick(own)
    kind = d.pick(KEYS)
    found = expression(
        d, kind, replace(env.closed(), around=replace(env.around, outer=(), queries=0)), 1
    )
    return Column(found, kind)
