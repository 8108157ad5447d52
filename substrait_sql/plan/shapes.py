"""The columns of each kind of relation: those of its inputs, and those that it makes.

One rule per kind says what the output is made of, part by part, before any emit. How many columns that is, what they
are called and where each comes from follows. https://substrait.io/relations/basics/ and the pages of the relations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from substrait_sql.errors import invalid, refuse
from substrait_sql.plan import generators, recursion
from substrait_sql.plan.join_types import JOINS, join_type
from substrait_sql.wire.path import ROOT

if TYPE_CHECKING:
    from substrait_sql.plan.generators import Generator
    from substrait_sql.wire.path import Path


T = TypeVar("T")


class Passed(NamedTuple):
    """The columns of an input, from `begin` on, without the last `left` ones.

    field: where it stands; of several inputs there, the first counts.
    """

    field: str
    begin: int = 0
    left: int = 0

    def picked(self, columns: Sequence[T]) -> Sequence[T]:
        """Those of the input's columns that are passed."""
        return columns[self.begin : max(len(columns) - self.left, self.begin)]


class Made(NamedTuple):
    """A column for each of some messages. field: where they stand."""

    field: str
    members: Sequence[Any]


class Added(NamedTuple):
    """A column that the relation adds of its own."""

    name: str


class Generated(NamedTuple):
    """A column of the rows that a generator makes of the last columns of its input. arguments: how many those are."""

    name: str
    generator: str
    arguments: int


Part = Passed | Made | Added | Generated
# replaces: whether a projection without an emit returns its expressions alone, as some producers mean it.
Rule = Callable[[Any, bool], Sequence[Part]]

MARK, GROUPING_SET, COPY = Added("mark"), Added("grouping_set"), Added("copy")
# The kinds that return the columns of their input as they are.
PASSING = ("filter", "sort", "fetch", "top_n", "exchange")
# Those of which the plan does not say what they return: whoever registered an extension does, and the subtree that a
# reference names.
ELSEWHERE = ("extension_leaf", "extension_single", "extension_multi", "reference")
# Those that change tables, and return no rows that a relation could read: nobody is told their width.
STATEMENTS = ("write", "ddl", "update")
SHAPES: dict[str, Rule] = {}


def shape(*kinds: str) -> Callable[[Rule], Rule]:
    """Registers the rule for relations of these kinds."""

    def register(rule: Rule) -> Rule:
        SHAPES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def parts(rel: Any, replaces: bool, path: Path = ROOT) -> Sequence[Part]:
    """What a relation's output is made of. Raises where its kind has no rule: a width is never guessed."""
    kind = rel.WhichOneof("rel_type")
    if kind is None:
        raise invalid("SS2010", "the relation is empty: none of its kinds is set", path)
    found = parts_of(kind, getattr(rel, kind), replaces)
    if found is None:
        raise refuse("SS2011", f"relations of kind {kind} have no SQL yet", path)
    return found


def parts_of(kind: str | None, node: Any, replaces: bool) -> Sequence[Part] | None:
    """The same of a relation's own message, None where the plan does not say it."""
    if kind == "extension_single":
        return _generator(generators.read(node.detail))
    if kind == "extension_multi":
        return None if recursion.read(node.detail) is None else (Passed("inputs"),)
    rule = SHAPES.get(kind or "")
    return None if rule is None else rule(node, replaces)


def _generator(made: Generator | None) -> Sequence[Part] | None:
    if made is None:
        return None
    new = (Generated(name, made.name, made.arguments) for name in made.columns)
    return (Passed("input", left=made.arguments), *new)


def input_of(rel: Any, field: str) -> Any:
    """A relation's input in a field; of several, as a set operation has them, the first. Raises where there is none."""
    value = getattr(getattr(rel, rel.WhichOneof("rel_type")), field)
    if hasattr(value, "ListFields"):
        return value
    if not value:
        raise invalid("SS2061", "a set operation needs two inputs or more", ROOT / field)
    return value[0]


_INPUT = (Passed("input"),)


@shape(*PASSING)
def _passing(node: Any, replaces: bool) -> Sequence[Part]:
    return _INPUT


@shape("read")
def _read(node: Any, replaces: bool) -> Sequence[Part]:
    if node.HasField("projection"):
        return (Made("projection", node.projection.select.struct_items),)
    schema = node.base_schema
    return (Made("base_schema", schema.struct.types or schema.names),)


@shape("project")
def _project(node: Any, replaces: bool) -> Sequence[Part]:
    made = Made("expressions", node.expressions)
    if replaces and node.common.WhichOneof("emit_kind") != "emit":
        return (made,)
    return (Passed("input"), made)


@shape("aggregate")
def _aggregate(node: Any, replaces: bool) -> Sequence[Part]:
    keys = Made("grouping_expressions", node.grouping_expressions)
    measures = Made("measures", node.measures)
    return (keys, measures, GROUPING_SET) if len(node.groupings) > 1 else (keys, measures)


@shape("set")
def _set(node: Any, replaces: bool) -> Sequence[Part]:
    return (Passed("inputs"),)


@shape("window")
def _window(node: Any, replaces: bool) -> Sequence[Part]:
    return (Passed("input"), Made("window_functions", node.window_functions))


@shape("expand")
def _expand(node: Any, replaces: bool) -> Sequence[Part]:
    """Columns beyond the defined ones are passed on; the number of the copy comes last."""
    return (Made("fields", node.fields), Passed("input", len(node.fields)), COPY)


def _joined(kind: str) -> Rule:
    def rule(node: Any, replaces: bool) -> Sequence[Part]:
        type = join_type(node, kind, ROOT / "type")
        left = (Passed("left"),) if type.returned.left else ()
        right = (Passed("right"),) if type.returned.right else ()
        return (*left, *right, *((MARK,) if type.mark else ()))

    return rule


for _kind in JOINS:
    SHAPES[_kind] = _joined(_kind)
