"""The wire layer: every retired form, every encoding, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format, text_format
from substrait import plan_pb2

import substrait_sql
from substrait_sql import wire
from substrait_sql.errors import DecodeError, InvalidPlanError, SubstraitSqlError, UnsupportedError
from substrait_sql.wire import history
from substrait_sql.wire.descriptors import Variant, message
from tests.wire import wire_forms as forms
from tests.wire.wire_forms import JSON_ONLY, PAIRS, READ, Pair

NAMES = [p.row for p in PAIRS]


def built(document: dict[str, Any], variant: Variant = Variant.HISTORY) -> Any:
    return json_format.ParseDict(document, message("Plan", variant)())


def tag(number: int, content: bytes) -> bytes:
    def varint(value: int) -> bytes:
        out = bytearray()
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes([*out, value])

    return varint(number << 3 | 2) + varint(len(content)) + content


def expected(pair: Pair) -> Any:
    if pair.row.startswith("37 unknown"):
        made = built(forms.plan(READ), Variant.TODAY)
        made.advanced_extensions.optimization.add(type_url="x/y.Z")
        return made
    return built(pair.new, Variant.TODAY)


@pytest.mark.parametrize("pair", PAIRS + JSON_ONLY, ids=lambda p: p.row)
def test_old_json(pair: Pair) -> None:
    assert wire.read(pair.old).plan == expected(pair)
    assert wire.read(json.dumps(pair.old)).plan == expected(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_old_binary(pair: Pair) -> None:
    assert wire.read(built(pair.old).SerializeToString()).plan == expected(pair)


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_old_text(pair: Pair) -> None:
    assert wire.read(text_format.MessageToString(built(pair.old))).plan == expected(pair)


@pytest.mark.parametrize("pair", PAIRS + JSON_ONLY, ids=lambda p: p.row)
def test_upgraded_plans_stay_as_they_are(pair: Pair) -> None:
    plan = wire.read(pair.old).plan
    for write in (wire.to_bytes, wire.to_json, wire.to_text, wire.to_message):
        assert wire.read(write(plan)).plan == plan, write.__name__


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_new_forms_need_no_upgrade(pair: Pair) -> None:
    assert wire.read(pair.new).plan == built(pair.new, Variant.TODAY)


def outcome(source: Any) -> str:
    """The SQL of a plan, or the code of what refuses it."""
    try:
        return substrait_sql.to_sql(source)
    except SubstraitSqlError as error:
        return error.code


@pytest.mark.parametrize("pair", PAIRS + JSON_ONLY, ids=lambda p: p.row)
def test_same_sql(pair: Pair) -> None:
    """The old form and the new one are the same SQL, or refused for the same reason."""
    assert outcome(pair.old) == outcome(pair.new)


def test_every_retired_field_is_read() -> None:
    """A retired field that is left over would be refused, so what is read is upgraded."""
    written = json.dumps([p.old for p in PAIRS + JSON_ONLY])
    names = {f.name: message(f.message, Variant.HISTORY).DESCRIPTOR for f in history.RETIRED}
    missing = [n for n, d in names.items() if f'"{d.fields_by_name[n].json_name}"' not in written]
    assert missing == []


def test_enum_message_read_as_a_string() -> None:
    """Row 11: the bytes of the old message are a valid string."""
    for old, new in (("\n\x04YEAR", "YEAR"), ("YEAR", "YEAR")):
        plan = built(forms.scalar(arguments=[{"enum": old}]))
        plan.version.minor_number = 19
        function = wire.read(plan.SerializeToString()).plan.relations[0].rel.project.expressions[0]
        assert [a.enum for a in function.scalar_function.arguments] == [new]
    plan = built(forms.scalar(arguments=[{"enum": "\x12\x00"}, {"value": forms.field(0)}]))
    plan.ClearField("version")
    function = wire.read(plan.SerializeToString()).plan.relations[0].rel.project.expressions[0]
    assert [a.WhichOneof("arg_type") for a in function.scalar_function.arguments] == ["value"]


def test_enum_message_in_text() -> None:
    new = text_format.MessageToString(built(forms.scalar(arguments=[{"enum": "YEAR"}])))
    old = new.replace('enum: "YEAR"', 'enum { specified: "YEAR" }')
    assert old != new
    assert wire.read(old).plan == wire.read(new).plan


def test_bare_timestamp_literal() -> None:
    """Row 24: a varint where a message is today."""
    for number, name, data, value in (
        (34, "precision_timestamp", b"\x05", 5),
        (35, "precision_timestamp_tz", b"\xff" * 9 + b"\x01", -1),
    ):
        literal = bytes([(number << 3) & 0x7F | 0x80, number >> 4]) + data
        plan = plan_pb2.Plan.FromString(built(forms.project({})).SerializeToString())
        plan.version.minor_number = 45
        plan.relations[0].rel.project.expressions[0].MergeFromString(tag(1, literal))
        read = wire.read(plan.SerializeToString())
        found = read.plan.relations[0].rel.project.expressions[0].literal
        assert (getattr(found, name).precision, getattr(found, name).value) == (6, value)
        assert "SS1103" in [d.code for d in read.diagnostics]


def test_virtual_table_of_0_58() -> None:
    """Row 14: a row was an expression under the same field number."""
    cases = (
        ({"literal": {"struct": {"fields": [{"i64": "1"}]}}}, {"fields": [forms.literal(1)]}),
        ({"nested": {"struct": {"fields": [forms.field(0)]}}}, {"fields": [forms.field(0)]}),
    )
    for row, new in cases:
        old = json_format.ParseDict(row, message("Expression", Variant.HISTORY)())
        table = tag(2, old.SerializeToString())
        data = tag(6, b"\x10\x3a") + tag(3, tag(1, tag(1, tag(5, table))))
        expressions = wire.read(data).plan.relations[0].rel.read.virtual_table.expressions
        assert [json_format.MessageToDict(e) for e in expressions] == [
            json_format.MessageToDict(
                json_format.ParseDict(new, message("Expression.Nested.Struct")())
            )
        ]


@pytest.mark.parametrize(
    ("minor", "count"), [(62, 0), (63, None), (70, None), (None, None)], ids=str
)
def test_absent_count_by_version(minor: int | None, count: int | None) -> None:
    fetch = wire.read(built(forms.fetch(minor)).SerializeToString()).plan.relations[0].rel.fetch
    assert (fetch.count_expr.literal.i64 if fetch.HasField("count_expr") else None) == count


def test_absent_count_without_version_in_an_old_plan() -> None:
    with pytest.raises(InvalidPlanError, match="no version") as error:
        wire.read(forms.fetch(None, offset="1"))
    assert error.value.code == "SS1011"


@pytest.mark.parametrize(("minor", "precision"), [(96, 6), (97, None), (106, None)])
def test_interval_type_by_version(minor: int, precision: int | None) -> None:
    plan = built(forms.cast({"intervalDay": {"nullability": "NULLABILITY_REQUIRED"}}))
    plan.version.minor_number = minor
    type_ = (
        wire.read(plan.SerializeToString()).plan.relations[0].rel.project.expressions[0].cast.type
    )
    assert (
        type_.interval_day.precision if type_.interval_day.HasField("precision") else None
    ) == precision


@pytest.mark.parametrize(("minor", "bounds"), [(85, 1), (101, 1), (102, 0)])
def test_bounds_by_version(minor: int, bounds: int) -> None:
    plan = built(forms.window(boundsType="BOUNDS_TYPE_UNSPECIFIED"))
    plan.version.minor_number = minor
    found = wire.read(plan.SerializeToString()).plan.relations[0].rel.project.expressions[0]
    assert found.window_function.bounds_type == bounds


def test_old_meanings_are_told() -> None:
    found = wire.read(forms.fetch(40)).diagnostics
    assert [(d.code, d.path, d.severity.value) for d in found] == [
        ("SS1102", "relations[0].rel.fetch", "warning")
    ]


# Detached subtrees and the draft


DETACHED = {
    "version": {"minorNumber": 107},
    "relations": [
        {
            "rel": {
                "project": {
                    "input": {"detachedRelOrdinal": 0},
                    "expressions": [{"detachedExpressionOrdinal": 1}],
                }
            },
            "detachedExpressions": [
                forms.literal(7),
                {"cast": {"type": forms.I64, "input": {"detachedExpressionOrdinal": 0}}},
            ],
            "detachedRels": [READ],
        }
    ],
}


def test_detached_subtrees_are_put_back() -> None:
    new = forms.project({"cast": {"type": forms.I64, "input": forms.literal(7)}})
    new["version"] = {"minorNumber": 107}
    for source in (DETACHED, built(DETACHED, Variant.TODAY).SerializeToString()):
        assert wire.read(source).plan == built(new, Variant.TODAY)


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([], "out of range"),
        ([forms.literal(7)], "out of range"),
        ([forms.literal(7), {"detachedExpressionOrdinal": 0}], "an ordinal itself"),
        (
            [
                forms.literal(7),
                {"cast": {"type": forms.I64, "input": {"detachedExpressionOrdinal": 1}}},
            ],
            "more than once",
        ),
    ],
)
def test_wrong_detached_subtrees(entries: list[Any], problem: str) -> None:
    relation = {**DETACHED["relations"][0], "detachedExpressions": entries}  # type: ignore[index]
    document = {**DETACHED, "relations": [relation]}
    for source in (document, built(document, Variant.TODAY).SerializeToString()):
        with pytest.raises(InvalidPlanError, match=problem) as error:
            wire.read(source)
        assert error.value.code == "SS1009"


def draft(version: int) -> Any:
    outer = {"directReference": {"structField": {}}, "outerReference": {"stepsOut": 1}}
    document = {
        "version": {"minorNumber": version},
        "relations": [
            {
                "rel": READ,
                "outerReferenceDeclarations": [{"outerReference": outer, "type": forms.I64}],
            },
            {"rel": {"reference": {"outerReferenceBindings": [forms.field(0)["selection"]]}}},
        ],
    }
    return built(document, Variant.TODAY)


def test_draft_declarations_under_their_own_number() -> None:
    """Row 41, 42: PlanRel.3 has another meaning since 0.105; the draft's is told by its content."""
    plan = draft(82)
    data = wire.to_bytes(plan)
    declaration = plan.relations[0].outer_reference_declarations[0].SerializeToString()
    assert tag(3, declaration) in data
    assert wire.read(data).plan == plan
    assert wire.read(wire.to_json(plan)).plan == plan
    assert wire.read(wire.to_text(plan)).plan == plan


def test_what_the_installed_bindings_lack() -> None:
    with pytest.raises(UnsupportedError) as error:
        wire.to_message(draft(82))
    assert error.value.code == "SS1012"
    assert isinstance(wire.to_message(wire.read(forms.plan(READ)).plan), plan_pb2.Plan)


# Encodings and kinds


def test_every_encoding_of_every_source(tmp_path: Path) -> None:
    document = forms.plan({"filter": {"input": READ, "condition": forms.field(0)}})
    plan = wire.read(document).plan
    data, text, written = wire.to_bytes(plan), wire.to_text(plan), json.dumps(document)
    released = plan_pb2.Plan.FromString(data)
    file = tmp_path / "no_extension"
    sources: list[Any] = [
        data,
        bytearray(data),
        text,
        text.encode(),
        written,
        written.encode(),
        released,
        plan,
    ]
    sources += [
        "\ufeff" + written,
        written.encode("utf-16"),
        " \n" + written,
        written.encode("utf-8-sig"),
    ]
    for source in sources:
        assert wire.read(source).plan == plan
        if isinstance(source, bytes):
            file.write_bytes(source)
            assert wire.read(file).plan == wire.read(str(file)).plan == plan
    assert wire.read(data).producer == "test"
    assert wire.read(data).version == (0, 40, 0)
    assert type(wire.read(data).plan) is message("Plan")


def test_both_spellings_of_json_keys() -> None:
    plan = wire.read(forms.plan({"filter": {"input": READ}})).plan
    snake = json_format.MessageToDict(plan, preserving_proto_field_name=True)
    assert wire.read(snake).plan == plan


def test_extended_expressions_are_told_from_plans() -> None:
    schema = READ["read"]["baseSchema"]
    document = {
        "version": {"minorNumber": 44, "producer": "p"},
        "extensionUris": [{"extensionUriAnchor": 1, "uri": "/functions_boolean.yaml"}],
        "referredExpr": [{"expression": forms.field(0), "outputNames": ["x"]}],
        "baseSchema": schema,
    }
    old = json_format.ParseDict(document, message("ExtendedExpression", Variant.HISTORY)())
    for source in (document, old.SerializeToString(), text_format.MessageToString(old), old):
        read = wire.read(source)
        assert (read.kind, read.producer, read.version) == ("extended_expression", "p", (0, 44, 0))
        assert read.plan.extension_urns[0].urn == "extension:io.substrait:functions_boolean"
        assert read.plan == wire.read(wire.to_bytes(read.plan)).plan


# What is refused


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        (b"", "SS1006", "empty"),
        ("", "SS1006", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "SS1001", "PNG"),
        (bytes(range(1, 60)), "SS1002", "first bytes are 01 02"),
        (b"\x1a\x00", "SS1001", "no relations"),
        ("{}", "SS1001", "empty"),
        ('{"SELECT": 1}', "SS1001", "its keys are: SELECT"),
        ("[1]", "SS1001", "an array"),
        ('{"relations" []}', "SS1003", "line 1, column 14"),
        ('{\n"relations": [1 2]}', "SS1003", "line 2, column 17"),
        (b'{"relations": "\xff"}', "SS1003", "byte 15"),
        ('{"relations": [{"rel": {"reed": {}}}]}', "SS1008", "did you mean read?"),
        ('{"relations": [{"rel": {"read": []}}]}', "SS1003", "an array stands where an object"),
        ('{"relations": {"rel": 1}}', "SS1003", "a list"),
        ('{"relations": [{"rel": {"set": {"op": "SET_OP_UNION"}}}]}', "SS1013", "SET_OP_UNION_ALL"),
        ('{"relations": [], "relations": []}', "SS1003", "'relations' is given twice"),
        ("relations { rel { reed { } } }", "SS1004", 'no field named "reed"'),
        ("nowhere/plan.pb", "SS1005", "nowhere/plan.pb"),
        ("eyJyZWxhdGlvbnMiOiBbXX0=", "SS1005", "base64"),
        (Path("nowhere/plan.pb"), "SS1005", "no file nowhere/plan.pb"),
        (42, "SS1001", "int"),
    ],
    ids=lambda v: str(v)[:30],
)
def test_what_is_no_plan(source: object, code: str, words: str) -> None:
    with pytest.raises(DecodeError) as error:
        wire.read(source)
    assert error.value.code == code
    assert words in str(error.value)
    assert len(str(error.value)) < 600


def test_directory_and_foreign_message(tmp_path: Path) -> None:
    for source in (tmp_path, str(tmp_path)):
        with pytest.raises(DecodeError, match="directory"):
            wire.read(source)
    with pytest.raises(DecodeError, match="Rel message"):
        wire.read(message("Rel")())


def test_unknown_fields_are_refused_with_their_place() -> None:
    plan = built(forms.plan({"filter": {"input": READ}}), Variant.TODAY)
    plan.relations[0].rel.filter.MergeFromString(tag(77, b"x"))
    for minor in (40, 106):
        plan.version.minor_number = minor
        with pytest.raises(DecodeError, match="FilterRel has no field 77") as error:
            wire.read(plan.SerializeToString())
        assert error.value.path == "relations[0].rel.filter"


@pytest.mark.parametrize("depth", [40, 62, 70, 90])
def test_unknown_fields_are_seen_however_deep(depth: int) -> None:
    """Protobuf's own discarding stops 64 messages down without a word."""
    relation = built(forms.plan(READ), Variant.TODAY).relations[0].rel.SerializeToString() + tag(
        77, b"x"
    )
    for _ in range(depth // 2):
        relation = tag(2, tag(2, relation))
    data = tag(6, b"\x10\x6a") + tag(3, tag(1, relation))
    with pytest.raises(DecodeError, match="field 77"):
        wire.read(data)


@pytest.mark.parametrize(
    "document",
    [
        forms.fetch(40, count="-2"),
        forms.fetch(40, offset="-1", count="1"),
        forms.join("hashJoin", leftKeys=[forms.field(0)["selection"]]),
        forms.project({"enum": {"specified": "X"}}),
        {**forms.scalar(args=[{"enum": {"specified": "ODD"}}]), **forms.opt("add:opt_i64")},
    ],
    ids=str,
)
def test_retired_fields_that_say_nothing_possible(document: dict[str, Any]) -> None:
    with pytest.raises(InvalidPlanError) as error:
        wire.read(document)
    assert error.value.code == "SS1010"


# Depth


def nested(levels: int) -> bytes:
    relation = b""
    parts = []
    size = 0
    for _ in range(levels):
        for _ in range(2):
            head = tag(2, b"")[:1] + tag(2, bytes(size))[1 : len(tag(2, bytes(size))) - size]
            parts.append(head)
            size += len(head)
    relation = b"".join(reversed(parts))
    return tag(3, tag(1, relation))


def test_deep_plans() -> None:
    data = nested(2_000)
    plan = wire.read(data).plan
    assert wire.to_bytes(plan) == data
    assert wire.read(wire.to_json(plan)).plan == plan
    assert wire.read(wire.to_text(plan)).plan == plan
    assert wire.to_message(plan).SerializeToString() == data


def test_too_deep_plans() -> None:
    sources: list[Any] = [
        nested(20_000),
        b"\x1a\x80\x80\x80\x08" + b"\x0b" * 100_000,
        "[" * 1_000_000,
    ]
    sources.append(
        '{"relations":[{"rel":' + '{"filter":{"input":' * 50_000 + "{}" + "}}" * 50_000 + "}]}"
    )
    for source in sources:
        with pytest.raises(DecodeError) as error:
            wire.read(source)
        assert error.value.code == "SS1007"


# Anything else


def test_damaged_plans_are_refused_or_read() -> None:
    luck = random.Random(7)
    for pair in PAIRS:
        for source in (built(pair.old).SerializeToString(), json.dumps(pair.old).encode()):
            for _ in range(40):
                damaged = bytearray(source[: luck.randrange(1, len(source) + 1)])
                damaged[luck.randrange(len(damaged))] = luck.randrange(256)
                try:
                    wire.read(bytes(damaged))
                except SubstraitSqlError as error:
                    assert len(str(error)) < 2_000
