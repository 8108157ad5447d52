"""What a template of a user's own dialect may hold: one expression over the arguments, and nothing else.

A template becomes part of a query that is written by us: a subquery, a column, a window or a comment in it would read,
or hide, what the plan does not say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from substrait_sql.dialect import template
from substrait_sql.dialect.calls import aggregates
from substrait_sql.tree import releases

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from substrait_sql.dialect.builtins import Builtins
    from substrait_sql.dialect.model import Node

_ALLOWED = (
    *(exp.Placeholder, exp.Anonymous, exp.Literal, exp.Null, exp.Boolean, exp.HexString),
    *(exp.Cast, exp.TryCast, exp.DataType, exp.Case, exp.If, exp.Is, exp.Not, exp.And, exp.Or),
    *(exp.In, exp.Between, exp.Like, exp.ILike, exp.RegexpLike, exp.Escape, exp.Extract, exp.Var),
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.DPipe),
    *(exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot),
    *(exp.Lambda, exp.Identifier, exp.Dot, exp.Star, exp.IgnoreNulls, exp.RespectNulls),
)
_NOT_IN = {"scalar": ("aggregate", "window", "generator"), "aggregate": ("window", "generator")}
_ARTICLE = {
    "scalar": "a scalar",
    "aggregate": "an aggregate",
    "window": "a window",
    "generator": "a generator",
}


def problems(text: str, names: Collection[str], kind: str, builtins: Builtins) -> Iterator[str]:
    """What is wrong with a template. names: what may stand behind a colon; kind: of the function."""
    tree = _one_expression(text)
    if isinstance(tree, str):
        yield tree
        return
    strange = _strange(tree)
    if strange:
        yield strange
        return
    for node in tree.find_all(exp.Placeholder):
        if node.name not in names:
            known = ", ".join(f":{n}" for n in names) or "none"
            yield f"there is no argument :{node.name}; there are {known}"
        elif node.find_ancestor(exp.Lambda):
            yield f":{node.name} stands inside a lambda, whose parameter could hide a column of that name"
    yield from _identifiers(tree)
    if kind != "scalar":
        calls = list(aggregates(tree, builtins))
        if not calls:
            yield f"{_ARTICLE[kind]} function needs a call"
        for call in calls:
            yield from _aggregate(call, kind, builtins)
    else:
        for name in template.called_names(text):
            yield from called(name, kind, builtins)


def called(name: str, kind: str, builtins: Builtins) -> Iterator[str]:
    """What is wrong with calling this function for a function of that kind."""
    own = builtins.kind(name)
    if own in _NOT_IN.get(kind, ("generator",)):
        yield f"{name} is {_ARTICLE[own or '']} function of Spark, and this line is of {_ARTICLE[kind]} function"
    elif own == "scalar" and kind != "scalar":
        yield f"{name} is a scalar function of Spark, and this line is of {_ARTICLE[kind]} function"


def _aggregate(call: Node, kind: str, builtins: Builtins) -> Iterator[str]:
    inner = call.this if isinstance(call, (exp.IgnoreNulls, exp.RespectNulls)) else call
    yield from called(str(inner.this), kind, builtins)
    for nested in call.find_all(exp.Anonymous):
        if nested is not inner:
            yield from called(str(nested.this), "scalar", builtins)


def _one_expression(text: str) -> Node | str:
    if "${" in text:
        return "Spark replaces '${' before it reads a statement"
    try:
        tokens = sqlglot.tokenize(text, read=template.GRAMMAR)
        trees = releases.parse(text, template.GRAMMAR)
        found = template.parse(text) if len(trees) == 1 and trees[0] is not None else None
    except SqlglotError as error:
        first = str(error).split("\n")[0]
        return f"this cannot be read as SQL: {first}"
    if any(token.comments for token in tokens):
        return "a template has no comments"
    if found is None or any(t.token_type.name == "SEMICOLON" for t in tokens):
        return "a template is one expression"
    return found


def _strange(tree: Node) -> str:
    for node in tree.walk(prune=lambda n: isinstance(n, exp.DataType)):
        if isinstance(node, exp.Column):
            return f"{node.sql(template.GRAMMAR)} is no argument; those are written with a colon, :{node.name}"
        star = isinstance(node, exp.Star) and not isinstance(node.parent, exp.Anonymous)
        other = (isinstance(node, exp.In) and not node.expressions) or node.args.get("negate")
        if not isinstance(node, _ALLOWED) or star or other:
            return f"{node.sql(template.GRAMMAR)!r} has no place in a template"
        if isinstance(node, exp.Placeholder) and not node.args.get("this"):
            return "an argument has a name, :x"
    return ""


def _identifiers(tree: Node) -> Iterator[str]:
    """Bare names are the parameters of a lambda around them, or fields behind a dot."""
    for node in tree.find_all(exp.Identifier):
        if isinstance(node.parent, exp.Dot) and node.arg_key == "expression":
            continue
        around = node.find_ancestor(exp.Lambda)
        known: set[str] = set()
        while around is not None:
            known |= {p.name for p in around.expressions}
            around = around.find_ancestor(exp.Lambda)
        if node.name not in known and not node.find_ancestor(exp.DataType):
            yield f"{node.name} is no argument; those are written with a colon, :{node.name}"
    for dot in tree.find_all(exp.Dot):
        if not isinstance(dot.expression, exp.Identifier):
            yield f"{dot.sql(template.GRAMMAR)!r}: the name of a function in a template has no dots"
