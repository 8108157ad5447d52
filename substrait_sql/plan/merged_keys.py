"""What Ibis has above a join: of two keys of one name a single column, which its plans do not show.

`t.join(u, "k")` has one `k` in Ibis. Its plan has the columns of both sides, and what stands right above the join
counts them so. A relation that passes rows on has Ibis's columns for what is above it, and a projection begins its emit
where those end. Such relations are given an emit here that leaves the second key out.

::

    Project(Filter(Join(t(k, a), u(k, b), k = k)), [$2], emit [3])     b, in Ibis: k, a, b
    Project(Filter(Join(…), emit [0, 1, 3]), [$2], emit [3])           b, in the plan
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import refuse
from substrait_sql.plan.join_types import JoinType, join_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.schema.functions import Functions
    from substrait_sql.wire.path import Path

_PASSING = ("filter", "sort", "fetch")
_JOINS = ("join", "cross")


class Column(NamedTuple):
    """What Ibis calls a column, as far as that is known: a projection or a group may call it otherwise."""

    name: str = ""
    sure: bool = False


Columns = list[Column]


class _Sides(NamedTuple):
    """A chain of joins, which Ibis has as one relation.

    columns: of all sides. same, maybe, hardly: keys of the right sides that have the name of the key of the left side
    that they equal, may have it, or had another one in their table.
    """

    columns: Columns
    same: list[int]
    maybe: list[int]
    hardly: list[int]

    def kept(self, told: int | None) -> list[int] | None:
        """The columns that Ibis has, None where nobody can tell. told: how many these are, if something says it."""
        if told is None and self.maybe:
            return None
        some = [*self.same, *self.maybe]
        likely: tuple[list[int], ...] = ([], self.same, some, [*some, *self.hardly])
        left_out = len(self.same) if told is None else max(len(self.columns) - told, 0)
        gone = next((keys for keys in likely if len(keys) == left_out), None)
        return None if gone is None else [i for i in range(len(self.columns)) if i not in gone]


def merge_keys(plan: Any, functions: Functions, path: Path) -> list[Path]:
    """Gives the relations of a plan of Ibis the columns that Ibis has there, in place.

    Returns where nothing in the plan says whether it is complete: Ibis leaves out a selection right above a join, too,
    and where no projection is above it nothing shows that.

    Raises `UnsupportedError` SS2206 where nobody can tell which columns Ibis has.
    """
    merging = _Merging(functions)
    for i, entry in enumerate(plan.relations):
        if entry.WhichOneof("rel_type") == "root":
            at, names = (path / "relations")[i] / "root" / "input", list(entry.root.names)
            columns = merging.returned(entry.root.input, len(names), at)
            if columns is not None and not _are_named(columns, names):
                raise _unknown(at)
    return merging.untold


class _Merging:
    """Goes through the relations of a plan, with the names of their columns as far as these are known."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self.untold: list[Path] = []

    def returned(self, rel: Any, told: int | None, path: Path) -> Columns | None:
        """What a relation returns to one that counts Ibis's columns; None where that is not known.

        told: how many there are, where something above says it.
        """
        kind = rel.WhichOneof("rel_type")
        node = getattr(rel, kind or "read")
        if kind in _JOINS:
            return self._leave_out(rel, told, node, path)
        if kind in _PASSING and node.input.WhichOneof("rel_type") in _JOINS:
            return self._leave_out(node.input, told, node, path / kind / "input")
        if kind in _PASSING:
            return self.returned(node.input, told, path / kind / "input")
        if kind == "read":
            return _of_table(node)
        if kind == "project":
            return self._projected(node, path / kind)
        if kind == "aggregate":
            return self._grouped(node, path / kind)
        if kind == "set":
            inputs = (path / kind) / "inputs"
            found = [self.returned(each, told, inputs[i]) for i, each in enumerate(node.inputs)]
            return [Column() for _ in found[0]] if found and found[0] is not None else None
        return None

    def seen(self, rel: Any, told: int | None, path: Path) -> Columns | None:
        """The columns that the expressions right above a relation count: all of a join, else what it returns."""
        if rel.WhichOneof("rel_type") not in _JOINS:
            return self.returned(rel, told, path)
        found = self._sides(rel, path)
        return None if found is None else found.columns

    def _leave_out(self, rel: Any, told: int | None, node: Any, path: Path) -> Columns | None:
        """The columns that Ibis has of a chain of joins, as the emit of a relation: the join, or what passes it on."""
        found = self._sides(rel, path)
        if found is None or node.common.WhichOneof("emit_kind") == "emit":
            return None
        kept = found.kept(told)
        if kept is None:
            raise _unknown(path)
        if told is None:
            self.untold.append(path)
        if len(kept) < len(found.columns):
            node.common.emit.output_mapping.extend(kept)
        return [found.columns[i] for i in kept]

    def _projected(self, node: Any, path: Path) -> Columns | None:
        """What a projection returns. Its emit begins where Ibis's columns of the input end."""
        emit = node.common.emit.output_mapping
        told = emit[0] if emit else None
        columns = self.seen(node.input, told, path / "input")
        if columns is None:
            return None
        width, joins = len(columns), node.input.WhichOneof("rel_type") in _JOINS
        if emit and told != width:
            if not joins:
                raise _unknown(path / "input")
            emit[:] = range(width, width + len(node.expressions))
        return [_passed(expression, columns) for expression in node.expressions]

    def _grouped(self, node: Any, path: Path) -> Columns | None:
        columns = self.seen(node.input, None, path / "input")
        if columns is None:
            return None
        keys = [_passed(key, columns) for key in node.grouping_expressions]
        return [*keys, *(Column() for _ in node.measures)]

    def _sides(self, rel: Any, path: Path) -> _Sides | None:
        """The columns of a chain of joins, and which of them Ibis may have merged with others."""
        kind = rel.WhichOneof("rel_type")
        node, at = getattr(rel, kind), path / kind
        if node.left.WhichOneof("rel_type") in _JOINS:
            left = self._sides(node.left, at / "left")
            if left is not None and not _returns_right(node.left, at / "left"):
                # Ibis counts the columns of that right side, too.
                raise _unknown(at / "left")
        else:
            first = self.returned(node.left, None, at / "left")
            left = None if first is None else _Sides(first, [], [], [])
        right = self.returned(node.right, None, at / "right")
        if left is None or right is None:
            return None
        if not _returns_right(rel, path):
            return left
        if kind == "join" and node.type == JoinType.INNER.logical:
            self._compare(node.expression, left, right, at / "expression")
        left.columns.extend(right)
        return left

    def _compare(self, condition: Any, left: _Sides, right: Columns, path: Path) -> None:
        """Notes which columns of the right side equal one of the left, by their names."""
        width = len(left.columns)
        for pair in self._equal(condition, path):
            one, other = sorted(pair)
            if not one < width <= other < width + len(right):
                continue
            a, b = left.columns[one], right[other - width]
            keys = left.maybe if a.name == b.name or not (a.name and b.name) else left.hardly
            if a.sure and b.sure:
                keys = left.same
            if other not in keys and (a.name == b.name or not (a.sure and b.sure)):
                keys.append(other)

    def _equal(self, condition: Any, path: Path) -> Iterator[tuple[int, int]]:
        """The columns that a condition, or a part of it that is behind no OR, compares by ``=``."""
        waiting = [condition]
        while waiting:
            part = waiting.pop()
            if part.WhichOneof("rex_type") != "scalar_function":
                continue
            call = part.scalar_function
            name = self._functions.get(call.function_reference, path).standard
            values = [argument.value for argument in call.arguments]
            if name == "and":
                waiting += values
            elif name == "equal" and len(values) == 2:
                one, other = map(_ordinal, values)
                if one is not None and other is not None:
                    yield one, other


def _returns_right(rel: Any, path: Path) -> bool:
    """Whether a join returns the columns of its right side."""
    kind = rel.WhichOneof("rel_type")
    return kind != "join" or join_type(rel.join, kind, path / kind / "type").returned.right


def _are_named(columns: Columns, names: list[str]) -> bool:
    """Whether the root may call these columns so: of two that have one name, Ibis adds something to one."""
    if len(columns) != len(names):
        return True
    return all(c.name in name for c, name in zip(columns, names, strict=True) if c.sure)


def _of_table(node: Any) -> Columns | None:
    schema = node.base_schema
    if node.HasField("projection") or node.common.WhichOneof("emit_kind") == "emit":
        return None
    if len(schema.names) != len(schema.struct.types):
        return [Column() for _ in schema.struct.types]
    return [Column(name, True) for name in schema.names]


def _passed(expression: Any, columns: Columns) -> Column:
    """What is known of the name of an expression: a column may have another one behind it."""
    ordinal = _ordinal(expression)
    if ordinal is None or ordinal >= len(columns):
        return Column()
    return Column(columns[ordinal].name)


def _ordinal(expression: Any) -> int | None:
    """The column that an expression is, None if it is more than that."""
    if expression.WhichOneof("rex_type") != "selection":
        return None
    segment = expression.selection.direct_reference
    if segment.WhichOneof("reference_type") != "struct_field" or segment.struct_field.HasField(
        "child"
    ):
        return None
    return int(segment.struct_field.field)


def _unknown(path: Path) -> Exception:
    return refuse(
        "SS2206",
        "columns above a join are counted as Ibis has them, and the plan does not show which these are",
        path,
        "do not select right above the join, but above the filter, order_by or limit there: that shows the columns",
    )
