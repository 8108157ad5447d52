"""Expressions that are one call of the standard: what the lines of the dialect write with more than one call.

``dialects/spark/lift/compositions.yaml`` has what `to_sql` writes for such calls over columns of a table, printed from
the lines (``python -m tests.tools.compositions --write``). Each text is lifted when an expression of its outermost kind
is met first; an expression is the call where it is the same tree with other expressions for the columns.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.dialect.files import official
from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.relations import Project
from substrait_sql.lift.schemas.catalog import Catalog, Table
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.tree import Attribute, Call, Case, Cast, Column, Expr, Literal, walk
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.parse import parse_schema
from substrait_sql.resources import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TABLE = "args"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What is no part of an expression's own, beside the expressions inside.
_ASIDE = frozenset({"nullable", "shown"})


@dataclass(frozen=True, slots=True)
class Composition:
    """One text. arguments: words of enums, and the places of the table's columns, from 0 on. size: of the tree."""

    urn: str
    name: str
    options: tuple[tuple[str, str], ...]
    arguments: tuple[str | int, ...]
    tree: Expr
    columns: tuple[Attribute, ...]
    size: int

    def returns(self, types: Sequence[Any]) -> Any:
        """The type that the function gives for arguments of these types."""
        stem, (name, _, impl) = self.urn.rpartition(":")[2], self.name.partition(":")
        return official.returns(stem, "scalar", name, impl, types)


def composition(found: Expr) -> tuple[Composition, list[Expr]] | None:
    """The call of the standard that an expression is, with the expressions for its columns; None for all others."""
    for each in _of_root(root_of(found)):
        bound: dict[int, Expr] = {}
        if _matches(each.tree, found, {id(c): i for i, c in enumerate(each.columns)}, bound):
            return each, [bound[i] for i in range(len(each.columns))]
    return None


def root_of(found: Expr) -> str:
    """What an expression is on the outside, for the index."""
    match found:
        case Call():
            return f"{found.name} {len(found.arguments)}"
        case Cast():
            return f"cast {found.type.kind} {_outermost(found.value)}"
        case Case():
            return f"case {len(found.children)} {_outermost(found.children[0])}"
    return ""


def _outermost(found: Expr) -> str:
    return found.name if isinstance(found, Call) else type(found).__name__


def _matches(wanted: Expr, found: Expr, columns: Mapping[int, int], bound: dict[int, Expr]) -> bool:
    if isinstance(wanted, Column):
        place = columns[id(wanted.attribute)]
        return t.same(wanted.type, found.type) and bound.setdefault(place, found) == found
    if type(wanted) is not type(found) or not _alike(wanted, found):
        return False
    pairs = wanted.children, found.children
    return len(pairs[0]) == len(pairs[1]) and all(
        _matches(w, f, columns, bound) for w, f in zip(*pairs, strict=True)
    )


def _alike(wanted: Expr, found: Expr) -> bool:
    """Whether two expressions of one class are the same but for what is inside."""
    if isinstance(wanted, Literal) and repr(wanted.value) != repr(getattr(found, "value", None)):
        # -0.0 equals 0.0.
        return False
    own = (f.name for f in fields(wanted) if f.name not in wanted.inside and f.name not in _ASIDE)
    return all(getattr(wanted, name) == getattr(found, name) for name in own)


@cache
def _index() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The lines by what they are on the outside."""
    path = DIALECTS / "spark" / "lift" / "compositions.yaml"
    out: dict[str, list[Mapping[str, Any]]] = {}
    for line in yaml.load(path.read_bytes(), _LOADER)["compositions"]:
        out.setdefault(line["root"], []).append(line)
    return out


@cache
def _of_root(root: str) -> Sequence[Composition]:
    """The compositions of a kind, the largest first."""
    return sorted(map(lifted, _index().get(root, ())), key=lambda c: -c.size)


def lifted(line: Mapping[str, Any]) -> Composition:
    """One line of the file. Raises `SqlError` for a text that does not lift."""
    names = tuple(parse_schema(line["columns"]).fields)
    node, source = statement(f"SELECT {line['sql']} AS f FROM {TABLE}")
    made = query(node, Context(Catalog([Table((TABLE,), names)]), source))
    assert isinstance(made, Project)
    (tree,) = made.expressions
    return Composition(
        f"extension:io.substrait:{line['stem']}",
        line["name"],
        tuple((line.get("options") or {}).items()),
        tuple(line["arguments"]),
        tree,
        made.source.columns,
        sum(1 for _ in walk(tree)),
    )
