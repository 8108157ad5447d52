"""Expressions of a kind, of templates."""

from __future__ import annotations

import re
from dataclasses import replace

from tests.lift.drawn.draw import Around, Column, Draw, Env
from tests.lift.drawn.tables import texts
from tests.lift.drawn.windows import window

PLACE = re.compile(r"\{(\w+)(?:\|([^}]*))?\}")
ALONE = re.compile(r"[\w.]+|'[^']*'|CASE .* END|[A-Z_]+ '[^']*'")
CALL = re.compile(r"\w*\(")


def expression(d: Draw, kind: str, env: Env, depth: int) -> str:
    """A value of that kind."""
    made = _leaf(d, kind, env, min(depth, 0)) if depth <= 0 or d.chance(0.35) else None
    if made is None:
        made = _composed(d, kind, env, depth - 1)
    return made


def condition(d: Draw, env: Env, depth: int) -> str:
    """What WHERE, HAVING and ON ask."""
    return expression(d, "bool", env, max(depth, 1))


def _leaf(d: Draw, kind: str, env: Env, depth: int) -> str:
    own = [c.text for c in env.columns if c.kind == kind]
    outer = [c.text for c in env.around.outer if c.kind == kind]
    if outer and d.chance(0.35):
        return d.pick(outer)
    if own and not d.chance(0.15):
        return d.pick(own)
    if env.arguments is not None and kind in texts()["aggregates"]:
        return _measure(d, kind, env.arguments, 1)
    if env.columns and depth > -2 and d.chance(0.75):
        return _filled(d, d.pick(texts()["calls"][kind]), env, depth - 1)
    return d.pick(texts()["literals"][kind])


def _composed(d: Draw, kind: str, env: Env, depth: int) -> str:
    if env.around.queries > 0 and d.query is not None and d.chance(0.12):
        return _subquery(d, kind, env, depth)
    if env.windows is not None and d.chance(0.25):
        found = window(d, kind, env, depth, expression)
        if found is not None:
            return found
    if env.arguments is not None and kind in texts()["aggregates"] and d.chance(0.4):
        return _measure(d, kind, env.arguments, depth)
    return _filled(d, d.pick(texts()["calls"][kind]), env, depth)


def _measure(d: Draw, kind: str, env: Env, depth: int) -> str:
    text = _filled(d, d.pick(texts()["aggregates"][kind]), env.plain(), depth)
    if text.endswith(")") and text.count("(") == 1 and d.chance(0.15):
        return f"{text} FILTER (WHERE {condition(d, _no_queries(env), 1)})"
    return text


def _no_queries(env: Env) -> Env:
    return replace(env, around=replace(env.around, queries=0), arguments=None, windows=None)


def _filled(d: Draw, template: str, env: Env, depth: int) -> str:
    def fill(match: re.Match[str]) -> str:
        here = env
        if match[2]:
            names = dict(pair.split(":") for pair in match[2].split(","))
            kept = tuple(c for c in env.columns if c.text not in names)
            here = replace(
                _no_queries(env),
                columns=(*(Column(n, k) for n, k in names.items()), *kept),
                around=Around(queries=0),
            )
        found = expression(d, match[1], here, depth)
        if _alone(found) or ("::" not in found and _whole_argument(template, match)):
            return found
        return f"({found})"

    return PLACE.sub(fill, template)


def _whole_argument(template: str, match: re.Match[str]) -> bool:
    """Whether the place is between commas and parentheses of a call."""
    before, after = template[: match.start()].rstrip(), template[match.end() :]
    return before.endswith(("(", ",")) and after[:1] in (",", ")") and template[0].isalpha()


def _alone(text: str) -> bool:
    """Whether no operator beside it takes it apart: a name, a literal, a call."""
    if ALONE.fullmatch(text):
        return True
    found = CALL.match(text)
    if found is None:
        return False
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == ")" and depth == 0:
            return at == len(text) - 1
    return False


def _subquery(d: Draw, kind: str, env: Env, depth: int) -> str:
    """A scalar subquery, or a condition about one."""
    assert d.query is not None
    visible = (*env.columns, *env.around.outer) if env.arguments is None else env.columns
    inside = replace(env.around, outer=visible, queries=env.around.queries - 1)
    if kind != "bool" or d.chance(0.2):
        return f"({d.query(d, inside, depth, kinds=(kind,), single=True).text})"
    if d.chance(0.5):
        negated = d.pick(("", "NOT "))
        return f"{negated}EXISTS ({d.query(d, inside, depth, correlated=True).text})"
    needles = [d.pick(("int", "str", "big", "dec", "date")) for _ in range(1 + d.chance(0.15))]
    needle = ", ".join(expression(d, k, _no_queries(env), depth - 1) for k in needles)
    rows = d.query(d, inside, depth, kinds=tuple(needles), correlated=d.chance(0.5))
    return f"({needle}) {d.pick(('IN', 'NOT IN'))} ({rows.text})"
