"""Expressions and sources as a reader knows them from SQL, cut where they are long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.outline.literals import clean, name_of, shorten
from substrait_sql.review.meaning.facts import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from substrait_sql.review.meaning.model import Expr, Leaf

_LONGEST, _MOST_PARTS = 160, 120
_PASSING = ("pass", "key", "padded key", "measure", "window")


def text(expr: Expr, qualified: bool = False) -> str:
    """An expression. qualified: with the tables of its columns."""
    return clean(shorten(_Writer(qualified).write(expr), _LONGEST))


def texts(exprs: Iterable[Expr], qualified: bool = False) -> str:
    """Several, with commas."""
    return shorten(", ".join(text(e, qualified) for e in exprs) or "nothing", _LONGEST)


def name(leaf: Leaf) -> str:
    """What a source is called: a table by its name, an operator by what it reads."""
    if leaf.kind == "table":
        return ".".join(map(name_of, leaf.head)) or "a table without name"
    below = [name(each) for block in leaf.inputs for each in block.source.leaves()]
    of = f" of {shorten(', '.join(dict.fromkeys(below)), 60)}" if below else ""
    return f"{leaf.kind.replace('_', ' ')}{of}"


class _Writer:
    """Writes one expression, up to so many parts: shared ones may be in it any number of times."""

    def __init__(self, qualified: bool) -> None:
        self._qualified = qualified
        self._left = _MOST_PARTS

    def write(self, expr: Expr, inside: bool = False) -> str:
        self._left -= 1
        if self._left < 0:
            return "…"
        if expr.leaf is not None:
            return self._column(expr, expr.leaf, inside)
        match expr.kind:
            case "call":
                return self._call(expr, inside)
            case "in":
                return f"{self.write(expr.args[0], True)} IN ({self._list(expr.args[1].args)})"
            case "cast":
                return f"CAST({self.write(expr.args[0])} AS {expr.head[1]})"
            case "sort":
                how = expr.head[1].removeprefix("SORT_DIRECTION_").replace("_", " ")
                return f"{self.write(expr.args[0])} {how}"
            case "subquery":
                return self._subquery(expr)
            case "measure" | "window":
                return self._function(expr)
            case "filtered":
                found = self.write(expr.args[0])
                return f"{found} FILTER (WHERE {self.write(expr.args[1])})"
            case "padded" | "again":
                return self.write(expr.args[0], inside)
            case "IfThen":
                return self._case(expr)
        if not expr.args:
            return expr.shown or " ".join(expr.head)
        return f"{expr.shown or expr.kind}({self._list(expr.args)})"

    def _list(self, exprs: Iterable[Expr]) -> str:
        return ", ".join(self.write(e) for e in exprs)

    def _column(self, expr: Expr, leaf: Leaf, inside: bool) -> str:
        if expr.inner is not None and expr.head[1] in _PASSING:
            return self.write(expr.inner, inside)
        if leaf.kind == "set" and expr.head[1].isdigit():
            return self.write(leaf.inputs[0].outputs[int(expr.head[1])], inside)
        own = expr.shown or expr.head[1]
        shown = own if leaf.kind in ("table", "values") else f"{own} of {name(leaf)}"
        is_table = self._qualified and leaf.kind == "table" and leaf.head
        return f"{leaf.head[-1]}.{shown}" if is_table else shown

    def _call(self, expr: Expr, inside: bool) -> str:
        plain, args = expr.head[2], expr.args
        if len(args) == 2 and args[0].kind == "literal" != args[1].kind:
            # Comparisons have one form only, in which a value may have come first.
            turned = {**{v: k for k, v in words()["mirrored"].items()}, "equal": "equal"}
            if plain in turned:
                plain, args = turned[plain], args[::-1]
        operator = words()["operators"].get(plain)
        if operator and (len(args) == 2 or (len(args) > 2 and plain in words()["connectives"])):
            found = f" {operator} ".join(self.write(a, True) for a in args)
            return f"({found})" if inside else found
        if plain in words()["postfix"] and len(expr.args) == 1:
            return f"{self.write(expr.args[0], True)} {words()['postfix'][plain]}"
        if plain == "not" and args:
            return f"NOT {self.write(expr.args[0], True)}"
        return f"{name_of(expr.shown)}({self._list(expr.args)})"

    def _function(self, expr: Expr) -> str:
        distinct = "DISTINCT " if "distinct" in expr.head else ""
        parts = {p.kind: p.args for p in expr.args}
        found = f"{name_of(expr.shown)}({distinct}{self._list(parts['arguments'])})"
        said = []
        if "partitions" in parts:
            said.append(f"PARTITION BY {self._list(parts['partitions'])}")
        if "sorts" in parts:
            said.append(f"ORDER BY {self._list(parts['sorts'])}")
        if expr.kind == "window":
            return f"{found} OVER ({' '.join(said)})"
        return " ".join([found, *said])

    def _case(self, expr: Expr) -> str:
        said = []
        for part in expr.args:
            if part.kind == "IfClause" and len(part.args) == 2:
                said.append(f"WHEN {self.write(part.args[0])} THEN {self.write(part.args[1])}")
            else:
                said.append(f"ELSE {self.write(part)}")
        return f"CASE {' '.join(said)} END"

    def _subquery(self, expr: Expr) -> str:
        read = ", ".join(name(leaf) for b in expr.blocks for leaf in b.source.leaves())
        query = f"(a subquery of {shorten(read, 60)})"
        if "predicate_op 1" in expr.head:
            return f"EXISTS {query}"
        needles = self._list(expr.args)
        return f"{needles} IN {query}" if expr.head[1] == "in_predicate" else query
