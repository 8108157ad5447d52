"""What FROM has so far: rows, and the columns by which they can be named; and the entries of the select list."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from substrait_sql.lift.problems import is_open, no_rows
from substrait_sql.lift.query.constants import constants_of
from substrait_sql.lift.relations import Filter, Generate, Project, Values
from substrait_sql.lift.scope import Scope, Visible, visible
from substrait_sql.lift.tree import (
    AggregateCall,
    Attribute,
    Column,
    Expr,
    Relation,
    WindowCall,
    column,
    holds,
)
from substrait_sql.lift.typing.problems import Misused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set


@dataclass(slots=True)
class Source:
    """What FROM gives so far: rows, and the columns by which they can be named."""

    relation: Relation
    columns: list[Visible]


@dataclass(slots=True)
class Item:
    """One entry of the select list. auto: nobody named it. lateral: it reads the name of an entry before it."""

    value: Expr
    name: str
    auto: bool
    node: Any = None
    lateral: bool = False


def values_by_name(items: Sequence[Item]) -> dict[str, dict[int, Expr]]:
    """What each name of a select list means, in lower case: more than one value where it is ambiguous.

    A column that is listed twice without AS is one, two that are called alike by AS are not.
    """
    found: dict[str, dict[int, Expr]] = {}
    for item in items:
        key = id(item)
        if isinstance(item.value, Column) and not isinstance(item.node, exp.Alias):
            key = id(item.value.attribute)
        found.setdefault(item.name.casefold(), {})[key] = item.value
    return found


def outputs_of(items: Sequence[Item], own: Set[int]) -> list[Attribute]:
    """The columns that come out: those of FROM themselves where they are only handed on. own: these by identity.

    One of a query around is another column here: an outer join beside it makes this one NULL, and not that.
    """
    out: list[Attribute] = []
    times = Counter(id(i.value.attribute) for i in items if isinstance(i.value, Column))
    first: dict[int, Attribute] = {}
    for each in items:
        value = each.value
        if (
            isinstance(value, Column)
            and id(value.attribute) in own
            and value.attribute.name == each.name
            and value.nullable == value.attribute.nullable
            # AS makes a column of its own, beside the one that it names again.
            and not (isinstance(each.node, exp.Alias) and times[id(value.attribute)] > 1)
        ):
            out.append(value.attribute)
        else:
            made = Attribute(each.name, value.type, value.nullable, each.auto)
            if each.lateral:
                made.twin = _named_entry(each, items, out)
            out.append(made)
        if isinstance(value, Column) and not isinstance(each.node, exp.Alias) and not each.lateral:
            # One column, however its name is spelt.
            same = first.setdefault(id(value.attribute), out[-1])
            out[-1].twin = out[-1].twin if same is out[-1] else same
    return out


def _named_entry(found: Item, items: Sequence[Item], made: Sequence[Attribute]) -> Attribute | None:
    """The column of the entry of the list that this one only names."""
    same = [a for i, a in zip(items, made, strict=False) if i.value is found.value]
    return same[0] if same and same[0].name.casefold() == found.name.casefold() else None


def tell_nullable(outputs: Sequence[Attribute], items: Sequence[Item]) -> None:
    """Over groups a column can be NULL where it could not before, or the other way round."""
    for each, item in zip(outputs, items, strict=True):
        if not (isinstance(item.value, Column) and item.value.attribute is each):
            each.nullable = item.value.nullable


def repeated(items: Sequence[Item], columns: Sequence[Visible]) -> dict[str, tuple[Expr, ...]]:
    """The names of a select list that mean several of its values, and none of these columns, which go before them."""
    shown = {v.attribute.name.casefold() for v in columns}
    found = values_by_name(items)
    return {n: tuple(v.values()) for n, v in found.items() if len(v) > 1 and n not in shown}


def qualify_scope(items: Sequence[Item], scope: Scope) -> Scope:
    """What QUALIFY sees, and HAVING beside windows, as of Spark 4.3; found by drawing, documented nowhere.

    Where the select list has a window function the condition is about the rows that come of it: a name is one of the
    list, or a column that those functions read as it is; what neither has is a column of FROM. Where it has none the
    columns of FROM come first.

    scope: the columns of FROM, and the names of the list behind them.
    """
    windowed = [each.value for each in items if holds(each.value, WindowCall)]
    found = values_by_name(items)
    if not windowed:
        return replace(scope, first=repeated(items, scope.columns))
    for value in windowed:
        for each in _read_as_it_is(value):
            found.setdefault(each.attribute.name.casefold(), {}).setdefault(
                id(each.attribute), each
            )
    return replace(scope, first={name: tuple(values.values()) for name, values in found.items()})


def _read_as_it_is(value: Expr) -> Iterator[Column]:
    """The columns that stand beside a window function, and those that are an argument or a key of one by themselves."""
    if isinstance(value, Column):
        yield value
    elif isinstance(value, WindowCall):
        keys = [key.value for key in value.order]
        direct = (*value.function.children, *value.partition, *keys)
        yield from (each for each in direct if isinstance(each, Column))
    elif not isinstance(value, AggregateCall):
        for each in value.children:
            yield from _read_as_it_is(each)


def no_rows_from() -> Source:
    """A query without FROM has one row without columns."""
    return Source(Values((), ((),)), [])


def named(found: Relation, node: Any, qualifier: Sequence[str]) -> Source:
    """The rows under the alias of the text, or their own name."""
    alias = node.args.get("alias")
    if alias is None or not (alias.name or alias.args.get("columns")):
        return Source(found, _shown(found, qualifier))
    names = [c.name for c in alias.args.get("columns") or ()]
    if names and not is_open(found.columns):
        if len(names) != len(found.columns):
            raise Misused(f"{alias.name} names {len(names)} columns of {len(found.columns)}")
        found = renamed(found, names)
    if alias.name:
        found.alias = alias.name
    return Source(found, _shown(found, (alias.name,) if alias.name else qualifier))


def _shown(found: Relation, qualifier: Sequence[str]) -> list[Visible]:
    known = constants_of(found)
    shown = visible(found.columns, qualifier)
    return [replace(v, constant=known.get(id(v.attribute))) for v in shown] if known else shown


def unknown(beside: Source | None = None) -> Source:
    """What stands for an item of FROM that failed: any column may be one of its."""
    found = no_rows()
    shown = visible(found.columns)
    return (
        Source(found, shown)
        if beside is None
        else replace(beside, columns=[*beside.columns, *shown])
    )


def renamed(found: Relation, names: Sequence[str]) -> Relation:
    """The rows with other names for the columns. Raises `Misused` for another number of names."""
    if len(names) != len(found.columns):
        raise Misused(f"{len(names)} names are given to {len(found.columns)} columns")
    columns = tuple(
        Attribute(n, c.type, c.nullable) for n, c in zip(names, found.columns, strict=True)
    )
    if isinstance(found, Values):
        return Values(columns, found.rows, alias=found.alias)
    if isinstance(found, Generate) and not found.source.columns:
        return replace(found, columns=columns)
    return Project(columns, found, tuple(column(c) for c in found.columns), alias=found.alias)


def filtered(found: Source, condition: Expr) -> Source:
    """The rows for which the condition is true."""
    made = Filter(found.relation.columns, found.relation, condition)
    return replace(found, relation=made)


def flat(found: Source) -> Relation:
    """The rows with the columns that are shown, and those only."""
    shown = [v for v in found.columns if not v.hidden]
    columns = tuple(_as_seen(v) for v in shown)
    if len(columns) == len(found.relation.columns) and all(
        map(_same, columns, found.relation.columns)
    ):
        return found.relation
    return Project(columns, found.relation, tuple(v.column for v in shown))


def _same(a: Attribute, b: Attribute) -> bool:
    return a is b


def _as_seen(v: Visible) -> Attribute:
    """The column itself, or one that can be NULL where an outer join makes it so."""
    own = v.attribute
    return (
        own if own.nullable == v.nullable else Attribute(own.name, own.type, v.nullable, own.auto)
    )
