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
    from substrait_sql.plan.habits import Habits
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
# The message, and how its producer means it.
Rule = Callable[[Any, "Habits"], Sequence[Part]]

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


def parts(rel: Any, habits: Habits, path: Path = ROOT) -> Sequence[Part]:
    """What a relation's output is made of. Raises where its kind has no rule: a width is never guessed."""
    kind = rel.WhichOneof("rel_type")
    if kind is None:
        raise invalid("SS2010", "the relation is empty: none of its kinds is set", path)
    found = parts_of(kind, getattr(rel, kind), habits)
    if found is None:
        raise refuse("SS2011", f"relations of kind {kind} have no SQL yet", path)
    return found


def parts_of(kind: str | None, node: Any, habits: Habits) -> Sequence[Part] | None:
    """The same of a relation's own message, None where the plan does not say it."""
    if kind == "extension_single":
        return _generator(generators.read(node.detail))
    if kind == "extension_multi":
        return None if recursion.read(node.detail) is None else (Passed("inputs"),)
    rule = SHAPES.get(kind or "")
    return None if rule is None else rule(node, habits)


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
def _passing(node: Any, habits: Habits) -> Sequence[Part]:
    return _INPUT


@shape("read")
def _read(node: Any, habits: Habits) -> Sequence[Part]:
    if node.HasField("projection"):
        return (Made("projection", node.projection.select.struct_items),)
    schema = node.base_schema
    return (Made("base_schema", schema.struct.types or schema.names),)


@shape("project")
def _project(node: Any, habits: Habits) -> Sequence[Part]:
    made = Made("expressions", node.expressions)
    if habits.project_replaces and node.common.WhichOneof("emit_kind") != "emit":
        return (made,)
    return (Passed("input"), made)


@shape("aggregate")
def _aggregate(node: Any, habits: Habits) -> Sequence[Part]:
    shown = keys_shown(node, habits)
    keys = Made("grouping_expressions", [node.grouping_expressions[i] for i in shown.keys])
    measures = Made("measures", node.measures)
    if not shown.numbered:
        return (keys, measures)
    return (keys, GROUPING_SET, measures) if shown.masked else (keys, measures, GROUPING_SET)


class Keys(NamedTuple):
    """What an aggregation returns beside its measures.

    keys: the places of those of its expressions that it returns. masked: whether the number of the grouping set is a
    mask of the keys, and stands before the measures. numbered: whether there is one.
    """

    keys: Sequence[int]
    masked: bool = False
    numbered: bool = False


def keys_shown(node: Any, habits: Habits) -> Keys:
    """The keys of an ``AggregateRel``, and the number of the set, as its producer has them.

    DataFusion writes the keys of each grouping set anew, and returns each key once.
    """
    every = range(len(node.grouping_expressions))
    if len(node.groupings) < 2 or habits.keys_apart:
        return Keys(every)
    numbered = not habits.sets_are_unnumbered
    sets = [list(dict.fromkeys(g.expression_references)) for g in node.groupings]
    if not habits.masks_grouping_sets(sets):
        return Keys(every, numbered=numbered)
    return Keys(sorted(set(first_alike(node))), masked=True, numbered=numbered)


def first_alike(node: Any) -> list[int]:
    """For each grouping expression the place of the first that is written the same."""
    first: dict[bytes, int] = {}
    return [
        first.setdefault(e.SerializeToString(deterministic=True), i)
        for i, e in enumerate(node.grouping_expressions)
    ]


@shape("set")
def _set(node: Any, habits: Habits) -> Sequence[Part]:
    return (Passed("inputs"),)


@shape("window")
def _window(node: Any, habits: Habits) -> Sequence[Part]:
    return (Passed("input"), Made("window_functions", node.window_functions))


@shape("expand")
def _expand(node: Any, habits: Habits) -> Sequence[Part]:
    """Columns beyond the defined ones are passed on; the number of the copy comes last."""
    return (Made("fields", node.fields), Passed("input", len(node.fields)), COPY)


def _joined(kind: str) -> Rule:
    def rule(node: Any, habits: Habits) -> Sequence[Part]:
        type = join_type(node, kind, ROOT / "type")
        left = (Passed("left"),) if type.returned.left else ()
        right = (Passed("right"),) if type.returned.right else ()
        return (*left, *right, *((MARK,) if type.mark else ()))

    return rule


for _kind in JOINS:
    SHAPES[_kind] = _joined(_kind)
