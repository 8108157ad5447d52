"""What a relation is, said once: the table of join types, and the columns of each kind of relation."""

from __future__ import annotations

from typing import Any

import pytest
import substrait.proto as pb

from substrait_sql.errors import InvalidPlanError, UnsupportedError
from substrait_sql.lower import kinds
from substrait_sql.lower.relation import supported
from substrait_sql.plan import join_types, shapes
from substrait_sql.plan.habits import Habits
from substrait_sql.plan.join_types import JOINS, JoinType, Sides
from substrait_sql.plan.shapes import Made, Passed
from substrait_sql.plan.widths import Widths
from substrait_sql.wire.fields import is_repeated
from substrait_sql.wire.inside import parts, within
from tests.oracle import joins
from tests.oracle.model import Table
from tests.support import build
from tests.support.build import table
from tests.support.plan_types import is_nullable, type_of

RELS = {f.name: f.message_type for f in pb.Rel.DESCRIPTOR.oneofs_by_name["rel_type"].fields}
LEFT, RIGHT = table("l", "k:i64 a:string"), table("r", "k2:i64 b:string c:i32")
KINDS = pytest.mark.parametrize("kind", JoinType, ids=str)


def _name(kind: JoinType) -> str:
    """The specification's name: SQL's full join is its outer one."""
    return "OUTER" if kind is JoinType.FULL else kind.name


@pytest.mark.parametrize(
    ("message", "which"),
    [
        (pb.JoinRel, "logical"),
        (pb.LateralJoinRel, "logical"),
        (pb.HashJoinRel, "physical"),
        (pb.MergeJoinRel, "physical"),
        (pb.NestedLoopJoinRel, "physical"),
    ],
)
def test_the_numbers_are_those_of_the_protobuf(message: Any, which: str) -> None:
    values = message.DESCRIPTOR.fields_by_name["type"].enum_type.values
    said = {v.name.removeprefix("JOIN_TYPE_"): v.number for v in values if v.number}
    assert {_name(kind): getattr(kind, which) for kind in JoinType} == said


def test_every_relation_with_a_join_type_is_a_join() -> None:
    typed = {kind for kind, message in RELS.items() if "type" in message.fields_by_name}
    assert {"cross", *typed} == set(JOINS)


@KINDS
def test_the_columns_are_those_of_the_oracle(kind: JoinType) -> None:
    found = build.join_types(_name(kind), LEFT.types, RIGHT.types)
    sides = [
        s.types
        for s, returned in ((LEFT, kind.returned.left), (RIGHT, kind.returned.right))
        if returned
    ]
    kinds = [t.WhichOneof("kind") for side in sides for t in side] + ["bool"] * kind.mark
    assert [t.WhichOneof("kind") for t in found] == kinds
    if kind.mark:
        assert found[-1] == type_of("bool?")
    padded = [*[kind.padded.left] * len(LEFT.types), *[kind.padded.right] * len(RIGHT.types)]
    if not kind.one_sided:
        assert [is_nullable(t) for t in found] == padded
    else:
        assert kind.padded == Sides(False, False)


@KINDS
def test_the_rows_are_those_of_the_oracle(kind: JoinType) -> None:
    """Of a row that nothing matches, and of rows that match: with what they are in the output, and how often."""
    one, none = Table(1, [(1,)]), Table(1, [])

    def rows(left: Table, right: Table) -> list[Any]:
        return joins._joined(_name(kind), left, right, lambda _, __: True).rows

    alone = Sides(bool(rows(one, none)), bool(rows(none, one)))
    assert alone == kind.unmatched
    for row in (*rows(one, none), *rows(none, one)):
        assert (None in row) == (kind.padded != Sides(False, False))
    # A row of a side that is a match of the other's only is not there twice as often if it is kept alone.
    pairs = [] if kind.form == "SINGLE" else rows(Table(1, [(1,), (1,)]), one)
    if kind.one_sided and kind.form != "ANTI":
        assert len(pairs) == (2 if kind.kept.left else 1)


@KINDS
def test_a_mirrored_type_is_the_same_of_the_other_side(kind: JoinType) -> None:
    other = kind.mirrored
    assert other.mirrored is kind
    assert (other.form, other.mark) == (kind.form, kind.mark)
    for of in ("kept", "returned", "padded", "as_matches", "unmatched"):
        assert getattr(other, of) == tuple(reversed(getattr(kind, of)))


def test_what_only_looks_for_matches() -> None:
    assert {k.name for k in JoinType if k.as_matches == Sides(False, True)} == {
        "LEFT",
        "LEFT_SEMI",
        "LEFT_ANTI",
        "LEFT_SINGLE",
        "LEFT_MARK",
    }
    assert JoinType.FULL.as_matches == Sides(True, True)
    assert JoinType.INNER.as_matches == Sides(False, False)


def test_lateral_joins_are_those_that_the_specification_names() -> None:
    allowed = {"INNER", "LEFT", "LEFT_SEMI", "LEFT_ANTI", "LEFT_SINGLE", "LEFT_MARK"}
    assert {k.name for k in JoinType if k.is_lateral} == allowed


def test_joins_of_a_select_are_found_by_their_words() -> None:
    assert join_types.of_sql("LEFT SEMI") is JoinType.LEFT_SEMI
    assert join_types.of_sql("CROSS") is JoinType.INNER
    for kind in (JoinType.INNER, JoinType.LEFT, JoinType.RIGHT, JoinType.FULL):
        assert join_types.outer(*kind.padded) is kind


@pytest.mark.parametrize("number", [0, 13])
def test_a_number_that_is_no_type_is_refused(number: int) -> None:
    node = pb.JoinRel(type=number)
    assert join_types.find(node, "join") is None
    with pytest.raises(InvalidPlanError, match="SS2042"):
        join_types.join_type(node, "join")


def test_every_kind_of_relation_has_a_shape_or_is_listed() -> None:
    """One rule, or a line that says who knows better, or that nobody is told: never two of these, and never none."""
    said = [*shapes.SHAPES, *shapes.ELSEWHERE, *shapes.STATEMENTS]
    assert sorted(said) == sorted(RELS)


def test_what_has_sql_has_a_width() -> None:
    kinds.register()
    assert supported() == {*shapes.SHAPES, *shapes.ELSEWHERE}


def _sample(kind: str) -> pb.Rel:
    """A relation of that kind with the inputs that it can have, of two and of three columns."""
    rel = pb.Rel()
    node = getattr(rel, kind)
    node.SetInParent()
    for field in RELS[kind].fields:
        if field.message_type is not None and field.message_type.name == "Rel":
            first, second = LEFT.message, RIGHT.message
            if is_repeated(field):
                getattr(node, field.name).extend([first, first])
            else:
                getattr(node, field.name).CopyFrom(second if field.name == "right" else first)
    if "type" in RELS[kind].fields_by_name:
        node.type = 1
    return rel


@pytest.mark.parametrize("kind", sorted(shapes.SHAPES))
@pytest.mark.parametrize("replaces", [False, True])
def test_a_shape_speaks_of_fields_that_the_relation_has(kind: str, replaces: bool) -> None:
    rel = _sample(kind)
    fields = RELS[kind].fields_by_name
    for part in shapes.parts(rel, Habits(project_replaces=replaces)):
        if isinstance(part, Passed):
            assert fields[part.field].message_type.name == "Rel"
            assert shapes.input_of(rel, part.field) == (
                RIGHT.message if part.field == "right" else LEFT.message
            )
        elif isinstance(part, Made):
            assert part.field in fields


def _grouped(*sets: list[int]) -> pb.AggregateRel:
    """Sets over the columns k, a, k, with two measures."""
    node = pb.AggregateRel()
    node.input.CopyFrom(LEFT.message)
    for i in (0, 1, 0):
        key = node.grouping_expressions.add()
        key.selection.direct_reference.struct_field.field = i
        key.selection.root_reference.SetInParent()
    node.groupings.extend(pb.AggregateRel.Grouping(expression_references=refs) for refs in sets)
    node.measures.extend([pb.AggregateRel.Measure()] * 2)
    return node


MASKED = _grouped([], [0], [1, 2])


@pytest.mark.parametrize(
    ("node", "habits", "keys", "fields"),
    [
        (MASKED, Habits(), [0, 1, 2], ["grouping_expressions", "measures", "grouping_set"]),
        (_grouped([0, 1, 2]), Habits(grouping_masks=True), [0, 1, 2], ["grouping_expressions", "measures"]),
        # DataFusion's: each key once, and the mask before the measures; in another order of keys it is none of its own.
        (MASKED, Habits(grouping_masks=True), [0, 1], ["grouping_expressions", "grouping_set", "measures"]),
        (_grouped([2], [0, 1]), Habits(grouping_masks=True), [0, 1, 2],
         ["grouping_expressions", "measures", "grouping_set"]),
        (MASKED, Habits(sets_are_unnumbered=True), [0, 1, 2], ["grouping_expressions", "measures"]),
        (MASKED, Habits(grouping_masks=True, sets_are_unnumbered=True), [0, 1], ["grouping_expressions", "measures"]),
        (MASKED, Habits(keys_apart=True), [0, 1, 2], ["grouping_expressions", "measures"]),
    ],
)  # fmt: skip
def test_an_aggregation_returns_its_keys_as_its_producer_does(
    node: pb.AggregateRel, habits: Habits, keys: list[int], fields: list[str]
) -> None:
    rel = pb.Rel(aggregate=node)
    found = shapes.parts(rel, habits)
    assert [getattr(part, "field", None) or part.name for part in found] == fields
    assert list(found[0].members) == [node.grouping_expressions[i] for i in keys]
    widths = Widths(pytest.fail, habits, pytest.fail, [])
    assert widths.direct(rel) == len(keys) + 2 + ("grouping_set" in fields)


@pytest.mark.parametrize("kind", shapes.STATEMENTS)
def test_a_statement_has_no_width(kind: str) -> None:
    with pytest.raises(UnsupportedError, match="SS2011"):
        _widths().of(_sample(kind))


def test_a_set_operation_without_inputs_has_no_width() -> None:
    with pytest.raises(InvalidPlanError, match="SS2061"):
        _widths().of(pb.Rel(set=pb.SetRel()))


WIDTHS = {
    # kind: columns before the emit, of inputs of two columns (the right one of a join: of three)
    **dict.fromkeys(shapes.PASSING, 2),
    **dict.fromkeys(JOINS, 5),
    "read": 0,
    "project": 2,
    "aggregate": 0,
    "set": 2,
    "window": 2,
    "expand": 3,
}


@pytest.mark.parametrize("kind", sorted(shapes.SHAPES))
def test_widths_and_where_a_column_comes_from(kind: str) -> None:
    rel, widths = _sample(kind), _widths()
    assert widths.direct(rel) == widths.of(rel) == WIDTHS[kind]
    assert widths.place(rel, -1) is None
    assert widths.place(rel, WIDTHS[kind]) is None
    for ordinal in range(WIDTHS[kind]):
        part, at = widths.place(rel, ordinal) or (None, -1)
        if isinstance(part, Passed):
            assert at == (ordinal - 2 if part.field == "right" else ordinal)
        else:
            assert (kind, part, at) == ("expand", shapes.COPY, 0)


def test_an_expansion_passes_on_what_it_does_not_define() -> None:
    rel = _sample("expand")
    rel.expand.fields.add()
    widths = _widths()
    assert widths.direct(rel) == 3
    assert widths.place(rel, 1) == (Passed("input", 1), 0)
    rel.expand.fields.add()
    rel.expand.fields.add()
    assert widths.direct(rel) == 4
    assert widths.passed(rel) == 3


def _widths() -> Widths:
    def unknown(*_: Any) -> Any:
        raise AssertionError

    return Widths(unknown, Habits(), unknown, [])


def test_messages_inside_a_message_come_in_the_order_of_the_plan() -> None:
    rel = LEFT.join(RIGHT, "INNER", lambda r: build.eq(r[0], r[2])).message
    names = [m.DESCRIPTOR.name for m in within(rel, closed=("ReadRel", "FunctionArgument", "Type"))]
    inner = ["Rel", "ReadRel"]
    call = ["Expression", "ScalarFunction", "Type", "FunctionArgument", "FunctionArgument"]
    assert names == ["Rel", "JoinRel", *inner, *inner, *call]
    assert [name for name, _ in parts(rel.join) if name != "common"] == [
        "left",
        "right",
        "expression",
    ]
