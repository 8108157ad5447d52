"""A SELECT with its clauses."""

from __future__ import annotations

from dataclasses import replace

from tests.lift.drawn.draw import Around, Column, Draw, Env, Query
from tests.lift.drawn.expressions import condition, expression
from tests.lift.drawn.sources import From, key, source

NAMES = ("k", "s", "v", "c1", "c2", "total", "day")
UNORDERED = ("map",)


def select(
    d: Draw,
    around: Around,
    depth: int,
    kinds: tuple[str, ...] | None,
    names: tuple[str, ...] | None,
    single: bool,
    correlated: bool,
) -> Query:
    """A SELECT of these kinds of columns under these names; single: of one row.

    correlated: rather with columns of the queries around.
    """
    made = source(d, around, depth)
    outer = made.hides(around.outer)
    around = replace(around, outer=outer)
    columns = made.visible(d)
    env = Env(columns, around)
    where = _where(d, env, depth, correlated or (single and bool(outer)))
    if single:
        return _one_row(d, made, env, where, kinds, names, depth)
    inside = env if d.chance(0.1) else env.closed()
    form = d.pick(("plain", "plain", "plain", "grouped", "grouped", "windows", "distinct", "stars"))
    if form == "grouped":
        return _grouped(d, made, inside, where, kinds, names, depth)
    if form == "stars" and kinds is None and len(columns) > 0 and names is None:
        return _stars(d, made, where)
    return _plain(d, made, inside, where, kinds, names, depth, form)


def _where(d: Draw, env: Env, depth: int, wanted: bool) -> str:
    if not (wanted or d.chance(0.4)):
        return ""
    found = condition(d, env, min(depth, 3))
    if wanted and env.around.outer and d.chance(0.8):
        outer = d.pick(env.around.outer)
        own = [c for c in env.columns if c.kind == outer.kind and c.kind not in ("map",)]
        if own:
            found = f"{d.pick(own).text} {d.pick(('=', '=', '<=>', '<', '>='))} {outer.text}" + (
                f" AND ({found})" if d.chance(0.4) else ""
            )
    return f" WHERE {found}"


def _one_row(
    d: Draw,
    made: From,
    env: Env,
    where: str,
    kinds: tuple[str, ...] | None,
    names: tuple[str, ...] | None,
    depth: int,
) -> Query:
    """Measures without keys."""
    wanted = kinds or (d.pick(("int", "big", "dec", "dbl", "str", "date")),)
    closed = replace(env.closed(), around=replace(env.around, outer=(), queries=0))
    inside = Env((), replace(env.around, outer=(), queries=0), arguments=closed)
    items = [(expression(d, k, inside, 1), k) for k in wanted]
    listed = [f"any_value({t})" if "(" not in t else t for t, _ in items]
    named = _named(d, list(zip(listed, (k for _, k in items), strict=True)), names)
    return _query(f"SELECT {_items(named)} FROM {made.text}{where} HAVING count(*) >= 0", named)


def _plain(
    d: Draw, made: From, env: Env, where: str, kinds: tuple[str, ...] | None, names: tuple[str, ...] | None,
    depth: int, form: str,
) -> Query:  # fmt: skip
    windows: list[str] | None = [] if form == "windows" else None
    env = replace(env, windows=windows)
    wanted = kinds or tuple(d.kind() for _ in range(1 + int(d.rng.random() * 3)))
    items: list[tuple[str, str]] = []
    named: list[tuple[str, str, str]] = []
    for n, kind in enumerate(wanted):
        here = env
        lateral = [Column(a, k) for _, a, k in named if a and a not in _texts(env)]
        if lateral and d.chance(0.15) and windows is None:
            here = replace(env, columns=(*lateral, *env.columns))
        text = expression(d, kind, here, min(depth, 4))
        items.append((text, kind))
        named += _named(d, [(text, kind)], (names[n],) if names else None, {a for _, a, _ in named})
    distinct = "DISTINCT " if form == "distinct" and not {"map"} & set(wanted) else ""
    tail = ""
    if windows is not None and d.chance(0.4) and any(" OVER " in text for text, _ in items):
        over = [
            (a, k)
            for t, a, k in named
            if " OVER " in t and k in ("int", "big") and a not in _texts(env)
        ]
        tail = f" QUALIFY {over[0][0]} <= 3" if over else ""
    window = f" WINDOW {', '.join(windows)}" if windows else ""
    return _query(f"SELECT {distinct}{_items(named)} FROM {made.text}{where}{window}{tail}", named)


def _stars(d: Draw, made: From, where: str) -> Query:
    columns = [c for i in made.items for c in i.columns]
    names = [c.text for c in columns]
    text = "*"
    if made.merged:
        columns = []
    elif len(made.items) > 1 and d.chance(0.4):
        chosen = d.pick(made.items)
        text, columns = f"{chosen.name}.*", list(chosen.columns)
    elif d.chance(0.3) and len(set(names)) == len(names) > 1:
        gone = d.pick(columns)
        text, columns = f"* EXCEPT ({gone.text})", [c for c in columns if c is not gone]
    elif d.chance(0.3) and "r" in names and len(made.items) == 1:
        text, columns = "r.*, k", [Column("a", "int"), Column("b", "str"), Column("k", "int")]
    return Query(f"SELECT {text} FROM {made.text}{where}", tuple(columns))


def _grouped(
    d: Draw,
    made: From,
    env: Env,
    where: str,
    kinds: tuple[str, ...] | None,
    names: tuple[str, ...] | None,
    depth: int,
) -> Query:
    keys = [key(d, env) for _ in range(int(d.rng.random() * 3))]
    keys = list({k.text: k for k in keys}.values())
    bare = replace(env.around, outer=(), queries=0)
    arguments = Env(env.columns, bare)
    windows: list[str] | None = [] if d.chance(0.2) else None
    form = (
        d.pick(("list", "list", "ordinals", "aliases", "all", "rollup", "cube", "sets"))
        if keys
        else "none"
    )
    leaves = list(keys)
    if form in ("rollup", "cube", "sets"):
        leaves += [Column(f"grouping({keys[0].text})", "int"), Column("grouping_id()", "big")]
    plain_keys = form in ("ordinals", "aliases", "all")
    wanted = kinds or (*(k.kind for k in keys[: 2 if plain_keys or d.chance(0.7) else 0]), d.kind())
    inside = Env(tuple(leaves), bare, arguments=arguments, windows=windows)
    items, shown = [], []
    for kind in wanted:
        same = [k for k in keys if k.kind == kind and k not in shown]
        if same and (plain_keys or d.chance(0.7)):
            shown.append(same[0])
            items.append((same[0].text, kind))
        elif plain_keys:
            only = Env((), bare, arguments=arguments)
            items.append((expression(d, kind, only, 2), kind))
        else:
            items.append((expression(d, kind, inside, min(depth, 3)), kind))
    named = _named(d, items, names)
    if plain_keys and (not shown or (len(shown) < len(keys) and form != "all")):
        form, shown = "list", keys
    group = _group(d, form, keys, named, env)
    if not keys:
        named = [(t if "(" in t else f"any_value({t})", a, k) for t, a, k in named]
    having = ""
    if d.chance(0.3) or not keys:
        test = (
            "count(*) > 0"
            if d.chance(0.4) or not keys
            else condition(d, replace(inside, windows=None), 2)
        )
        having = f" HAVING {test}"
    window = f" WINDOW {', '.join(windows)}" if windows else ""
    return _query(f"SELECT {_items(named)} FROM {made.text}{where}{group}{having}{window}", named)


def _group(
    d: Draw, form: str, keys: list[Column], named: list[tuple[str, str, str]], env: Env
) -> str:
    listed = ", ".join(k.text for k in keys)
    places = {text: n for n, (text, _, _) in reversed(list(enumerate(named, 1)))}
    match form:
        case "none":
            return ""
        case "ordinals":
            return f" GROUP BY {', '.join(str(places[k.text]) for k in keys)}"
        case "aliases":
            aliases = {t: a for t, a, _ in named if a and a not in _texts(env)}
            return f" GROUP BY {', '.join(aliases.get(k.text, k.text) for k in keys)}"
        case "all":
            return " GROUP BY ALL"
        case "rollup" | "cube":
            return (
                f" GROUP BY {form.upper()}({listed})"
                if d.chance(0.7)
                else f" GROUP BY {listed} WITH {form.upper()}"
            )
        case "sets":
            sets = [f"({listed})", "()", f"({keys[0].text})", keys[-1].text]
            return f" GROUP BY GROUPING SETS ({', '.join(d.some(sets, 1, 3) or sets)})"
    return f" GROUP BY {listed}"


def _texts(env: Env) -> set[str]:
    return {c.text.split(".")[-1] for c in env.columns}


def _named(
    d: Draw,
    items: list[tuple[str, str]],
    names: tuple[str, ...] | None,
    taken: set[str] | None = None,
) -> list[tuple[str, str, str]]:
    """Each item with a name that no other has."""
    out: list[tuple[str, str, str]] = []
    used = set(taken or ())
    for n, (text, kind) in enumerate(items):
        name = names[n] if names else d.pick([x for x in NAMES if x not in used])
        used.add(name)
        out.append((text, name, kind))
    return out


def _items(named: list[tuple[str, str, str]]) -> str:
    return ", ".join(t if t == a else f"{t} AS {a}" for t, a, _ in named)


def _query(text: str, named: list[tuple[str, str, str]]) -> Query:
    return Query(text, tuple(Column(a, k) for _, a, k in named))
