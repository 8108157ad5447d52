"""Which columns a name can mean: those of FROM, then those of the queries around.

https://spark.apache.org/docs/latest/sql-ref-name-resolution.html
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from substrait_sql.dialect.identifiers import WORDS
from substrait_sql.lift.near import near, these
from substrait_sql.lift.problems import UNKNOWN, Unknown
from substrait_sql.lift.tree import Attribute, Column, Constant, Expr, Literal, StructField
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


# How Spark calls a derived table that has no alias.
NO_NAME = "__auto_generated_subquery_name"


@dataclass(frozen=True, slots=True)
class Visible:
    """A column as a FROM clause shows it.

    qualifier: the parts of the table's name or its alias. nullable: outer joins make columns so. hidden: only a
    qualified name means it, as the second of two columns that USING made one. constant: what it is in each row, where
    Spark's optimizer knows that.
    """

    attribute: Attribute
    nullable: bool
    qualifier: tuple[str, ...] = ()
    hidden: bool = False
    constant: Constant | None = None

    @property
    def column(self) -> Column:
        """The column as an expression."""
        kind = self.attribute.type
        return Column(kind, self.nullable, self.attribute, constant=self.constant)

    @property
    def table(self) -> str:
        """The table's name or alias, for messages; empty where the text has none."""
        return "" if self.qualifier == (NO_NAME,) else ".".join(self.qualifier)

    @property
    def shown(self) -> str:
        """The column's name with that of its table, for messages."""
        return ".".join(filter(None, (self.table, self.attribute.name)))


class Ambiguous(Misused):
    """A name that means several columns."""


@dataclass(slots=True)
class Scope:
    """The columns that expressions of one SELECT see.

    outer: the scope of the query around, None for the outermost. aliases: what the select list has named so far, for
    names that no column has. first: what names mean that go before the columns, see `query.source`. lambdas:
    parameters of the functions around, innermost last. below: what arguments of aggregate functions see, where that is
    something else. soft: a name that means several of these columns means one of those around. lateral: they are what
    LATERAL has on its left. words: names that are functions too mean these, see `dialect.identifiers.WORDS`.
    """

    columns: list[Visible]
    outer: Scope | None = None
    aliases: dict[str, Expr] = field(default_factory=dict)
    lambdas: list[dict[str, Attribute]] = field(default_factory=list)
    below: Scope | None = None
    soft: bool = False
    lateral: bool = False
    words: bool = False
    first: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    _by_name: dict[str, list[Visible]] | None = field(default=None, init=False, compare=False)

    def resolve(self, parts: Sequence[str]) -> Expr | None:
        """The column a name of one or more parts means, with the fields of structs that follow; None for none.

        Raises `Ambiguous`.
        """
        found = self._lambda(parts) or self._first(parts)
        key = parts[0].casefold()
        is_word = len(parts) == 1 and key in WORDS
        if found is None and is_word and self.words:
            return None
        if found is None:
            try:
                found = self.local(parts)
            except (Ambiguous, Misused):
                if not self.soft or self.outer is None:
                    raise
        if found is not None:
            return found
        ends = is_word and not self.soft
        if key in self.aliases and not ends:
            return fields_of(self.aliases[key], parts[1:])
        return None if self.outer is None or ends else self.outer.resolve(parts)

    def _lambda(self, parts: Sequence[str]) -> Expr | None:
        for level in reversed(self.lambdas):
            attribute = level.get(parts[0].casefold())
            if attribute is not None:
                return fields_of(Column(attribute.type, attribute.nullable, attribute), parts[1:])
        return None

    def _first(self, parts: Sequence[str]) -> Expr | None:
        values = self.first.get(parts[0].casefold())
        if values is None or (len(parts) > 1 and self.local(parts) is not None):
            return None
        if len(values) > 1:
            raise Ambiguous(f"{'.'.join(parts)} is ambiguous: it may mean {len(values)} columns")
        return fields_of(values[0], parts[1:])

    def local(self, parts: Sequence[str]) -> Expr | None:
        """The column of this query's own FROM."""
        names = [p.casefold() for p in parts]
        for width in range(min(len(names) - 1, 4), -1, -1):
            found = self._named(names[:width], names[width])
            if found:
                return self._one(found, parts, width)
        return None

    def _named(self, qualifier: Sequence[str], name: str) -> list[Visible]:
        wanted = list(qualifier)
        out = []
        for each in self._called(name):
            if each.hidden and not wanted:
                continue
            own = [q.casefold() for q in each.qualifier]
            if not wanted or own[-len(wanted) :] == wanted:
                out.append(each)
        return out

    def _called(self, name: str) -> list[Visible]:
        if self._by_name is None:
            self._by_name = {}
            for each in self.columns:
                self._by_name.setdefault(each.attribute.name.casefold(), []).append(each)
        return self._by_name.get(name, [])

    def _one(self, found: list[Visible], parts: Sequence[str], width: int) -> Expr:
        distinct = {id(v.attribute.twin or v.attribute): v for v in reversed(found)}
        if len(distinct) > 1:
            listed = ", ".join(v.shown for v in found)
            raise Ambiguous(f"{'.'.join(parts)} is ambiguous: it may mean {listed}")
        column, name = found[0].column, parts[width]
        if name != column.attribute.name:
            column = replace(column, spelt=name)
        if self.lateral:
            column = replace(column, outer=f"outer({'.'.join([*found[0].qualifier, name])})")
        return fields_of(column, parts[width + 1 :])

    def qualified(self, qualifier: Sequence[str]) -> list[Visible]:
        """The columns of one table, for ``t.*``: first those that USING hides, as Spark lists them."""
        wanted = [q.casefold() for q in qualifier]
        found = [
            v for v in self.columns if [q.casefold() for q in v.qualifier][-len(wanted) :] == wanted
        ]
        return sorted(found, key=lambda v: not v.hidden)

    def alone(self) -> Scope:
        """The columns of this query without those of the queries around: Spark looks no further out."""
        tier = self.outer.alone() if self.soft and self.outer is not None else None
        return replace(self, outer=tier)

    def names(self) -> list[str]:
        """All names that could be meant, for suggestions."""
        own = [v.attribute.name for v in self.columns if v.attribute.name and not v.hidden]
        return own + ([] if self.outer is None else self.outer.names())


def fields_of(value: Expr, names: Sequence[str]) -> Expr:
    """``value.a.b``: fields of structs, entries of maps, fields of each struct of an array."""
    for name in names:
        value = field_of(value, name)
    return value


def field_of(value: Expr, name: str) -> Expr:
    """The field of a struct by its name. Raises `Misused` where there is none."""
    if value.type == UNKNOWN:
        raise Unknown
    if value.type.kind == "void":
        return Literal(value.type, True, None)
    if value.type.kind == "struct":
        found = [i for i, f in enumerate(value.type.fields) if f.name.casefold() == name.casefold()]
        if len(found) == 1:
            inner = value.type.fields[found[0]]
            return StructField(inner.type, value.nullable or inner.nullable, value, found[0])
        names = [f.name for f in value.type.fields]
        if found:
            raise Misused(f"the struct has several fields {name}: {', '.join(names)}")
        hint = near(name, names) or these("fields", names)
        raise Misused(f"the struct has no field {name}", "SS5004", hint)
    access: Callable[[Expr, str], Expr] | None = _ACCESS.get(value.type.kind)
    if access is None:
        raise Misused(f"{str(value.type).upper()} has no field {name}")
    return access(value, name)


_ACCESS: dict[str, Callable[[Expr, str], Expr]] = {}


def access(kind: str) -> Callable[[Callable[[Expr, str], Expr]], Callable[[Expr, str], Expr]]:
    """Registers what ``value.name`` means for a type that is no struct."""

    def register(function: Callable[[Expr, str], Expr]) -> Callable[[Expr, str], Expr]:
        _ACCESS[kind] = function
        return function

    return register


def visible(attributes: Iterable[Attribute], qualifier: Sequence[str] = ()) -> list[Visible]:
    """The columns of a table under one name."""
    return [Visible(a, a.nullable, tuple(qualifier)) for a in attributes]
