"""Expressions that are one call of the standard: what the lines of the dialect write with more than one call.

``dialects/spark/lift/compositions.yaml`` has what `to_sql` writes for such calls over columns of a table, printed from
the lines (``python -m tests.tools.compositions --write``). Each text is lifted when an expression of its outermost kind
is met first; an expression is the call where it is the same tree with other expressions for the columns.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from substrait_sql.dialect.files import official
from substrait_sql.errors import SubstraitSqlError
from substrait_sql.lift.context import Context
from substrait_sql.lift.dispatch import query
from substrait_sql.lift.encode.types import encoded
from substrait_sql.lift.relations import Aggregate, Project
from substrait_sql.lift.schemas.catalog import Catalog, Table
from substrait_sql.lift.text.parse import statement
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Call,
    Case,
    Cast,
    Column,
    Expr,
    Lambda,
    Literal,
    occurrences,
    rewritten,
    walk,
)
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.parse import parse_schema
from substrait_sql.lift.typing.problems import Misused
from substrait_sql.resources import DIALECTS
from substrait_sql.schema import types as ty

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from substrait_sql.lift.typing.types import SparkType

TABLE = "args"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# What is no part of an expression's own, beside the expressions inside.
_ASIDE = frozenset({"nullable", "shown"})


@dataclass(frozen=True, eq=False, slots=True)
class Composition:
    """One text. arguments: words of enums, and the places of the table's columns, from 0 on. size: of the tree.

    general: the text is the same for columns of other types that the function takes, other digits of decimals say.
    """

    urn: str
    name: str
    options: tuple[tuple[str, str], ...]
    arguments: tuple[str | int, ...]
    tree: Expr
    columns: tuple[Attribute, ...]
    size: int
    general: bool
    kind: str
    line: Mapping[str, Any]

    def returns(self, types: Sequence[Any]) -> Any:
        """The type that the function gives for arguments of these types."""
        stem, (name, _, impl) = self.urn.rpartition(":")[2], self.name.partition(":")
        return official.returns(stem, self.kind, name, impl, types)

    def takes(self, types: Sequence[Any]) -> bool:
        """Whether the function has arguments of these types: where two are to be one type, they are."""
        name, _, impl = self.name.partition(":")
        rows = dict(official.impls(self.urn.rpartition(":")[2], self.kind, name))
        parts = [p for p in impl.split("_") if p != "req"]
        if "variadic" in rows[impl]:
            parts += parts[-1:] * (len(types) - len(parts))
        if not all(p in ("any", ty.short(t)) for p, t in zip(parts, types, strict=True)):
            return False
        found = official.derive(rows[impl], types)
        return found is not None and found[0] is not None and not found[1]


def composition(found: Expr) -> tuple[Composition, list[Expr]] | None:
    """The call of the standard that an expression is, with the expressions for its columns; None for all others."""
    return _found(found, "scalar")


def measure(found: Expr) -> AggregateCall | None:
    """The aggregate of the standard that an expression over aggregates is; None for all others.

    One FILTER of all of them is the aggregate's.
    """
    if not any(c.kind == "aggregate" for c in _of_root(root_of(found))):
        return None
    conditions = {e.condition for e in walk(found) if isinstance(e, AggregateCall)}
    condition = next(iter(conditions), None)
    if len(conditions) != 1:
        return None
    whole = _found(rewritten(found, _for_all_rows), "aggregate")
    if whole is None or any(isinstance(e, AggregateCall) for v in whole[1] for e in walk(v)):
        return None
    each, values = whole
    name = each.name.partition(":")[0]
    return AggregateCall(
        found.type, found.nullable, name, tuple(values), condition=condition, composed=each
    )


def _for_all_rows(found: Expr) -> Expr | None:
    return replace(found, condition=None) if isinstance(found, AggregateCall) else None


def _found(found: Expr, kind: str) -> tuple[Composition, list[Expr]] | None:
    for each in _of_root(root_of(found)):
        if each.kind != kind:
            continue
        bound = Match(each, any_types=each.general).of(found)
        if bound is None or not each.general:
            if bound is not None:
                return each, bound
            continue
        retyped = _over(each, tuple(b.type for b in bound))
        bound = None if retyped is None else Match(retyped).of(found)
        if retyped is not None and bound is not None:
            return retyped, bound
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


class Match:
    """One comparison of a composition's tree with an expression.

    any_types: types and the casts that follow from them are not looked at.
    """

    def __init__(self, wanted: Composition, any_types: bool = False) -> None:
        self._tree = wanted.tree
        self._columns = {id(c): i for i, c in enumerate(wanted.columns)}
        self._any_types = any_types
        self._bound: dict[int, Expr] = {}
        # Parameters of lambdas: those of the expression for those of the tree.
        self._parameters: dict[int, Attribute] = {}

    def of(self, found: Expr) -> list[Expr] | None:
        """The expressions for the columns; None where the expression is another one."""
        if not self._same(self._tree, found):
            return None
        return [self._bound[i] for i in range(len(self._columns))]

    def _same(self, wanted: Expr, found: Expr) -> bool:
        if self._any_types:
            wanted, found = _bare(wanted), _bare(found)
        if isinstance(wanted, Column):
            return self._column(wanted, found)
        if type(wanted) is not type(found) or not _alike(wanted, found, self._any_types):
            return False
        if isinstance(wanted, Lambda) and isinstance(found, Lambda):
            pairs = zip(wanted.parameters, found.parameters, strict=True)
            self._parameters |= {id(w): f for w, f in pairs}
        inside = wanted.children, found.children
        return len(inside[0]) == len(inside[1]) and all(
            self._same(w, f) for w, f in zip(*inside, strict=True)
        )

    def _column(self, wanted: Column, found: Expr) -> bool:
        place = self._columns.get(id(wanted.attribute))
        if place is None:
            own = self._parameters.get(id(wanted.attribute))
            return isinstance(found, Column) and found.attribute is own
        if not (self._any_types or t.same(wanted.type, found.type)):
            return False
        inner = set(map(id, self._parameters.values()))
        if any(isinstance(e, Column) and id(e.attribute) in inner for e in walk(found)):
            # There is no such value where the call is.
            return False
        return self._bound.setdefault(place, found) == found


def _bare(found: Expr) -> Expr:
    while isinstance(found, Cast) and not found.asked and not found.attempt:
        found = found.value
    return found


def _alike(wanted: Expr, found: Expr, any_types: bool) -> bool:
    """Whether two expressions of one class are the same but for what is inside."""
    if isinstance(wanted, Lambda):
        return len(wanted.parameters) == len(getattr(found, "parameters", ()))
    if isinstance(wanted, Literal) and repr(wanted.value) != repr(getattr(found, "value", None)):
        # -0.0 equals 0.0.
        return False
    aside = _ASIDE | {"type"} if any_types else _ASIDE
    own = (f.name for f in fields(wanted) if f.name not in wanted.inside and f.name not in aside)
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


@cache
def _over(each: Composition, types: tuple[SparkType, ...]) -> Composition | None:
    """The composition over columns of these types; None where the function does not take them."""
    try:
        fit = each.takes([encoded(kind, nullable=True) for kind in types])
        return lifted(each.line, types) if fit else None
    except (SubstraitSqlError, Misused):
        return None


def lifted(line: Mapping[str, Any], types: Sequence[SparkType] = ()) -> Composition:
    """One line of the file, over other types of its columns if some are given.

    Raises `SqlError` for a text that does not lift.
    """
    names = parse_schema(line["columns"]).fields
    if types:
        names = tuple(replace(n, type=kind) for n, kind in zip(names, types, strict=True))
    node, source = statement(f"SELECT {line['sql']} AS f FROM {TABLE}")
    made = query(node, Context(Catalog([Table((TABLE,), tuple(names))]), source, plain=True))
    assert isinstance(made, Project)
    (tree,) = made.expressions
    below = made.source
    if isinstance(below, Aggregate):
        calls = dict(zip(map(id, below.columns), below.measures, strict=True))
        tree = rewritten(
            tree, lambda e: calls.get(id(e.attribute)) if isinstance(e, Column) else None
        )
        below = below.source
    return Composition(
        f"extension:io.substrait:{line['stem']}",
        line["name"],
        tuple((line.get("options") or {}).items()),
        tuple(line["arguments"]),
        tree,
        below.columns,
        sum(1 for _ in occurrences(tree)),
        bool(line.get("general")),
        line.get("kind", "scalar"),
        line,
    )
