"""Where the columns of a plan come from. References are ordinals, so that this is exact; no SQL is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.errors import InvalidPlanError
from substrait_sql.outline.parts import enum_words
from substrait_sql.plan import recursion
from substrait_sql.plan.scopes import columns, is_outer
from substrait_sql.plan.shapes import MARK, Added, Generated, Made, Passed, parts_of
from substrait_sql.wire.inside import placed_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from substrait_sql.outline.columns import Node
    from substrait_sql.outline.notation import Notation
    from substrait_sql.outline.walk import Step
    from substrait_sql.plan.habits import Habits
    from substrait_sql.plan.shapes import Part
    from substrait_sql.wire.path import Path

Place = tuple[int, int]
"""A relation by its number, and one of its output columns; -1 - n is column n of the table that it reads."""

# What is no call of a function, and makes a value all the same.
_WORDS = {
    "Cast": "cast",
    "IfThen": "case",
    "SwitchExpression": "case",
    "SingularOrList": "in",
    "MultiOrList": "in",
    "DynamicParameter": "parameter",
    "ExecutionContextVariable": "session",
}


class Origin(NamedTuple):
    """What a column is made of. functions: by whom, in the order of the plan. at: its expression, below the relation.

    A column that is passed on has one place, and neither functions nor an expression.
    """

    columns: tuple[Place, ...]
    functions: tuple[str, ...] = ()
    at: str = ""


class Trace(NamedTuple):
    """All that a column comes from: columns of tables, and functions on the way. whole: whether all of it is known."""

    sources: tuple[Place, ...]
    functions: tuple[str, ...]
    whole: bool


@dataclass(slots=True)
class _Host:
    """A record around. anchors: where in it that of each anchored relation begins."""

    record: list[Place]
    anchors: dict[int, int]
    lateral: bool


@dataclass(slots=True)
class Lineage:
    """The origins of all columns of a plan: for each relation by its number a list, None where that is not known.

    steps: the relations in the order of their numbers. roots: the number of the first one of each relation of the plan.
    """

    steps: Sequence[Step]
    roots: dict[int, int]
    notation: Notation
    habits: Habits
    origins: list[list[Origin] | None] = field(init=False)
    _numbers: dict[Node, int] = field(init=False)
    _subqueries: dict[str, int] = field(init=False)
    _hosts: list[tuple[_Host, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self._numbers = {step.node: i for i, step in enumerate(self.steps)}
        self._subqueries = {
            str(step.subquery.path): i
            for i, step in enumerate(self.steps)
            if step.subquery is not None
        }
        self._hosts = []
        for step in self.steps:
            self._hosts.append(self._around(step))
        self.origins = [self._of(i, step.node) for i, step in enumerate(self.steps)]

    def trace(self, place: Place) -> Trace:
        """All that an output column comes from, its own expression first."""
        seen = {place}
        waiting = [place]
        sources: list[Place] = []
        functions: dict[str, None] = {}
        whole = True
        while waiting:
            at = waiting.pop()
            if at[1] < 0:
                sources.append(at)
                continue
            known = self.origins[at[0]]
            if known is None or at[1] >= len(known):
                whole = False
                continue
            functions.update(dict.fromkeys(known[at[1]].functions))
            fresh = [p for p in known[at[1]].columns if p not in seen]
            seen.update(fresh)
            waiting += reversed(fresh)
        return Trace(tuple(sources), tuple(functions), whole)

    # -- records ----------------------------------------------------------------------------------

    def _record(self, node: Node) -> list[Place]:
        """What the expressions of a relation see."""
        if node.kind in ("read", "update"):
            number = self._numbers[node]
            round_of = self._recursion_of(node)
            if round_of is not None:
                return [(round_of, i) for i in range(len(node.record))]
            return [(number, -1 - i) for i in range(len(node.record))]
        return [(self._numbers[i], k) for i in node.inputs for k in range(len(i.columns))]

    def _recursion_of(self, node: Node) -> int | None:
        """The recursion whose rows of the round before a read has, None of any other read."""
        if node.kind != "read":
            return None
        steps_out = recursion.steps_of(node.message.extension_table.detail)
        while steps_out is not None:
            above = self.steps[self._numbers[node]].above
            if above is None:
                return None
            if above.kind == "extension_multi" and above.inputs[1:] and node is above.inputs[1]:
                if not steps_out:
                    return self._numbers[above]
                steps_out -= 1
            node = above
        return None

    def _around(self, step: Step) -> tuple[_Host, ...]:
        """The records around a relation, nearest first."""
        above = step.above
        if above is None:
            return ()
        hosts = self._hosts[self._numbers[above]]
        if step.subquery is not None:
            return (self._host(above), *hosts)
        if above.kind == "lateral_join" and above.inputs[1:] and step.node is above.inputs[1]:
            return (self._left(above), *hosts)
        return hosts

    def _host(self, node: Node) -> _Host:
        anchors: dict[int, int] = {}
        begin = 0
        for each in node.inputs:
            anchors[_anchor(each)] = begin
            begin += len(each.columns)
        anchors[_anchor(node)] = 0
        return _Host(self._record(node), anchors, lateral=False)

    def _left(self, node: Node) -> _Host:
        left = node.inputs[0]
        record = [(self._numbers[left], i) for i in range(len(left.columns))]
        return _Host(record, {_anchor(left): 0, _anchor(node): 0}, lateral=True)

    # -- one relation -----------------------------------------------------------------------------

    def _of(self, number: int, node: Node) -> list[Origin] | None:
        found = self._direct(number, node)
        if found is None:
            return None
        if node.emits:
            mapping = node.common.emit.output_mapping
            if any(not 0 <= i < len(found) for i in mapping):
                return None
            found = [found[i] for i in mapping]
        elif len(found) == len(node.columns) + 1 and node.kind == "aggregate":
            # The number of the grouping set, which not every producer means to return.
            found = found[:-1]
        return found if len(found) == len(node.columns) else None

    def _direct(self, number: int, node: Node) -> list[Origin] | None:
        """The columns before any emit."""
        if node.kind == "reference":
            shared = self.roots.get(node.message.subtree_ordinal)
            if shared is None:
                return None
            # The relation may stand behind this one, where nothing was known of it when this one was looked at.
            return [Origin(((shared, i),)) for i in range(len(self.steps[shared].node.columns))]
        if node.kind == "set":
            return self._set(node)
        if node.kind == "extension_multi" and recursion.read(node.message.detail) is not None:
            return self._columns_of(node.inputs)
        try:
            parts = parts_of(node.kind, node.message, self.habits)
        except InvalidPlanError:
            return None
        if parts is None:
            return None
        found = [self._part(number, node, part) for part in parts]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        return list(chain.from_iterable(known))

    def _set(self, node: Node) -> list[Origin] | None:
        """Column by column of all inputs; what is subtracted gives no values."""
        first = enum_words(node.message, "op").startswith("minus")
        return self._columns_of(node.inputs[:1] if first else node.inputs)

    def _columns_of(self, inputs: Sequence[Node]) -> list[Origin]:
        """Column by column of several inputs."""
        width = min((len(i.columns) for i in inputs), default=0)
        places = [tuple((self._numbers[i], k) for i in inputs) for k in range(width)]
        return [Origin(each) for each in places]

    def _part(self, number: int, node: Node, part: Part) -> list[Origin] | None:
        if isinstance(part, Passed):
            given = next((i for i in node.inputs if i.role == part.field), None)
            if given is None:
                return []
            at = self._numbers[given]
            return [Origin(((at, i),)) for i in part.picked(range(len(given.columns)))]
        if isinstance(part, Generated):
            return [self._generated(node, part)]
        if isinstance(part, Added):
            return [self._mark(number, node) if part is MARK else Origin((), (part.name,))]
        match part.field:
            case "base_schema" if node.kind == "read":
                ordinals: list[int] = list(range(len(part.members)))
            case "projection":
                ordinals = [item.field for item in part.members]
            case _:
                return [self._made(number, node, part, i) for i in range(len(part.members))]
        if node.message.WhichOneof("read_type") == "virtual_table":
            return [Origin((), ("values",)) for _ in ordinals]
        record = self._record(node)
        return [Origin((record[i],)) for i in ordinals if i < len(record)]

    def _generated(self, node: Node, part: Generated) -> Origin:
        """What a generator makes comes from its arguments."""
        at, width = self._numbers[node.inputs[0]], len(node.inputs[0].columns)
        read = range(max(width - part.arguments, 0), width)
        return Origin(tuple((at, i) for i in read), (part.generator,))

    def _made(self, number: int, node: Node, part: Made, index: int) -> Origin:
        """A column that an expression makes; a plain reference only passes one on."""
        message = part.members[index]
        record = self._record(node)
        place = (node.path / part.field)[index]
        found = self._expression(message, place, number, record)
        if node.kind == "window":
            for name in ("partition_expressions", "sorts"):
                for i, each in enumerate(getattr(node.message, name)):
                    at = (node.path / name)[i]
                    found = _both(found, self._expression(each, at, number, record))
        plain = not found.functions and len(found.columns) == 1 and _is_reference(message)
        return found if plain else found._replace(at=below(place, node.path).partition(".")[0])

    def _mark(self, number: int, node: Node) -> Origin:
        """The mark of a join: what its condition looks at."""
        fields = node.message.DESCRIPTOR.fields_by_name
        record = self._record(node)
        found = Origin((), ("mark",))
        for name in ("expression", "residual_expression"):
            if name in fields and node.message.HasField(name):
                at = node.path / name
                more = self._expression(getattr(node.message, name), at, number, record)
                found = _both(found, more)
        if "keys" in fields and len(node.inputs) == 2:
            width = len(node.inputs[0].columns)
            for key in node.message.keys:
                for side, seen in ((key.left, record[:width]), (key.right, record[width:])):
                    found = _both(found, Origin(tuple(_places(side, seen))))
        return found

    # -- expressions ------------------------------------------------------------------------------

    def _expression(self, message: Any, path: Path, number: int, record: list[Place]) -> Origin:
        """What an expression looks at. Of a subquery that only asks whether there are rows, nothing."""
        places: dict[Place, None] = {}
        functions: dict[str, None] = {}
        stack = [(message, path)]
        while stack:
            each, at = stack.pop()
            kind = each.DESCRIPTOR.name
            if kind == "Rel":
                inner = self._subqueries.get(str(at))
                if inner is not None:
                    width = len(self.steps[inner].node.columns)
                    places.update(dict.fromkeys((inner, i) for i in range(width)))
                continue
            if kind == "FieldReference":
                found = self._outer(each, number) if is_outer(each) else _places(each, record)
                places.update(dict.fromkeys(found))
            elif kind == "SetPredicate":
                functions[enum_words(each, "predicate_op")] = None
                continue
            elif kind in _WORDS:
                functions[_WORDS[kind]] = None
            elif "function_reference" in each.DESCRIPTOR.fields_by_name:
                functions[self.notation.function(each.function_reference)] = None
            stack += reversed(list(placed_parts(each, at, ("Literal", "Type"))))
        return Origin(tuple(places), tuple(functions))

    def _outer(self, reference: Any, number: int) -> Iterator[Place]:
        """The columns of the record around that a reference means."""
        outer, hosts = reference.outer_reference, self._hosts[number]
        begin = 0
        if outer.WhichOneof("outer_reference_type") == "rel_reference":
            anchor = outer.rel_reference
            host = next((h for h in hosts if anchor and anchor in h.anchors), None)
            begin = host.anchors[anchor] if host is not None else 0
        else:
            counted = [h for h in hosts if not h.lateral]
            host = counted[outer.steps_out - 1] if 0 < outer.steps_out <= len(counted) else None
        if host is not None:
            yield from _places(reference, host.record[begin:], outer=True)


def _places(reference: Any, record: list[Place], outer: bool = False) -> Iterator[Place]:
    """The columns of a record at which a reference begins."""
    root = reference.WhichOneof("root_type")
    if not outer and root not in (None, "root_reference"):
        return
    masked = reference.WhichOneof("reference_type") == "masked_reference"
    if masked or reference.direct_reference.WhichOneof("reference_type") == "struct_field":
        for step in columns(reference):
            if 0 <= step.field < len(record):
                yield record[step.field]


def _is_reference(message: Any) -> bool:
    """Whether an expression is a field of the record, whole."""
    if message.DESCRIPTOR.name != "Expression" or message.WhichOneof("rex_type") != "selection":
        return False
    return not message.selection.direct_reference.struct_field.HasField("child")


def _both(one: Origin, other: Origin) -> Origin:
    return Origin(
        tuple(dict.fromkeys((*one.columns, *other.columns))),
        tuple(dict.fromkeys((*one.functions, *other.functions))),
        one.at,
    )


def _anchor(node: Node) -> int:
    return node.common.rel_anchor if node.common is not None else 0


def below(path: Path, above: Path) -> str:
    """The steps of a path behind those of another one that it was made of, or all of them."""
    steps: list[str] = []
    at: Path | None = path
    while at is not None and at is not above:
        steps.append(at.step)
        at = at.parent
    return ".".join(filter(None, reversed(steps))).replace(".[", "[")
