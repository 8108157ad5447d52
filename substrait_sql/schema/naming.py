"""The field names of structs: Substrait's structs have none, SQL's must.

A column of a table has the names of the plan's base schema; every other struct is made by us, and all ours are alike:
``STRUCT<f0: …, f1: …>``. The names stand in the type of what the SQL yields (`sql_type`), in a field that only this
package's own message classes have; a declared type has none, which is what makes ``exact`` cast one into the other
where two structs must be of one type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from substrait_sql.schema import types

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def field_names(struct: Any) -> list[str]:
    """What SQL calls the fields of this struct type.

    >>> field_names(types.struct([types.i32(), types.i32()]))
    ['f0', 'f1']
    """
    names = list(struct.struct.sql_names)
    return names or [f"f{i}" for i in range(len(struct.struct.types))]


def named(type: Any, names: Sequence[str]) -> Any:
    """The type with these names for the struct fields inside it, depth first; the type itself if it holds none.

    The rule of ``NamedStruct.names`` and ``RelRoot.names``: a field's own name, then those inside it; a map's key
    before its value.
    """
    if not types.inner_names(type):
        return type
    out = _copy(type)
    _give(out, iter(names))
    return out


def in_front(names: Sequence[str], outputs: Sequence[Any]) -> list[str]:
    """Acero's names of outputs of these types, in the order that `named` reads.

    There, a name stands behind those inside of it, and elements of lists, keys, values and entries of maps have some.
    The names as they are where they are not those of such types.
    """
    waiting = list(names)
    found: list[list[str]] = []
    try:
        for type in reversed(outputs):
            found.append([waiting.pop(), *_taken(type, waiting)])
    except IndexError:
        return list(names)
    return list(names) if waiting else [name for each in reversed(found) for name in each]


def _taken(type: Any, waiting: list[str]) -> list[str]:
    """The names inside of a type, taken from the end."""
    kind, found = types.kind(type), []
    if kind == "map":
        waiting.pop()
    for child in reversed(types.children(type)):
        own = waiting.pop()
        found.append([own] * (kind == "struct") + _taken(child, waiting))
    return [name for each in reversed(found) for name in each]


def bare(type: Any) -> Any:
    """The type without names: what the plan declares."""
    if not types.inner_names(type):
        return type
    out = _copy(type)
    for struct in _structs(out):
        del struct.sql_names[:]
    return out


def like(type: Any, other: Any) -> Any:
    """The type with the names that the fields have in another type of the same shape."""
    if not types.inner_names(type):
        return type
    out = _copy(type)
    for struct, given in zip(_structs(out), _structs(other), strict=True):
        del struct.sql_names[:]
        struct.sql_names.extend(given.sql_names)
    return out


def known(held: Any, declared: Any) -> bool:
    """Whether it is known how an engine names the fields of structs in a value of the declared type. held: its type."""
    return held is not None and same_values(held, declared)


def alike(one: Any, other: Any) -> bool:
    """Whether Spark takes values of both types for ones of one type: their fields have the same names.

    It does not look at which of them may be NULL.
    """
    a, b = ([list(s.sql_names) for s in _structs(t)] for t in (one, other))
    return a == b and same_values(one, other)


def same_values(one: Any, other: Any) -> bool:
    """Whether both types have the same values but for NULL, whatever the names of fields are."""
    a, b = (types.text(bare(t)).replace("?", "") for t in (one, other))
    return a == b


def of_structs(type: Any) -> list[list[str]]:
    """The names of the fields of each struct in a type, none where they are not known."""
    return [list(struct.sql_names) for struct in _structs(type)]


def said(type: Any) -> Any:
    """The type, unless it holds a struct whose fields an engine may call as it likes; None then."""
    return type if type is None or all(each.sql_names for each in _structs(type)) else None


def with_names(struct: Any, names: Sequence[str]) -> Any:
    """The struct type with names for its own fields only."""
    out = _copy(struct)
    del out.struct.sql_names[:]
    out.struct.sql_names.extend(names)
    return out


def distinct(names: Sequence[str]) -> bool:
    """Whether Spark can tell the names apart; it does not look at their case."""
    return len({n.casefold() for n in names}) == len(names)


def _copy(type: Any) -> Any:
    out = types.unknown()
    out.CopyFrom(type)
    return out


def _give(type: Any, names: Iterator[str]) -> None:
    if types.kind(type) == "struct":
        del type.struct.sql_names[:]
        for child in type.struct.types:
            type.struct.sql_names.append(next(names, ""))
            _give(child, names)
        return
    for child in types.children(type):
        _give(child, names)


def _structs(type: Any) -> Iterator[Any]:
    stack = [type]
    while stack:
        each = stack.pop()
        if types.kind(each) == "struct":
            yield each.struct
        stack.extend(types.children(each))
