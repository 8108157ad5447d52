"""Types and function declarations as plans have them."""

from __future__ import annotations

import pytest

from substrait_sql.errors import InvalidPlanError
from substrait_sql.schema import types as ty
from substrait_sql.schema.functions import FunctionName, Functions, named, stem_of
from substrait_sql.wire.descriptors import message

TEXTS = [
    (ty.i32(), "i32", "i32"),
    (ty.string(nullable=True), "string?", "str"),
    (ty.decimal(15, 2, nullable=True), "decimal?<15,2>", "dec"),
    (ty.boolean(), "boolean", "bool"),
    (ty.fixed_char(3), "fixedchar<3>", "fchar"),
    (ty.varchar(9, nullable=True), "varchar?<9>", "vchar"),
    (ty.precision_timestamp(6), "precision_timestamp<6>", "pts"),
    (ty.precision_timestamp_tz(3), "precision_timestamp_tz<3>", "ptstz"),
    (ty.interval_day(6), "interval_day<6>", "iday"),
    (ty.list_(ty.i32(nullable=True)), "list<i32?>", "list"),
    (ty.map_(ty.string(), ty.i64(nullable=True)), "map<string, i64?>", "map"),
    (ty.struct([ty.i64(), ty.date(nullable=True)]), "struct<i64, date?>", "struct"),
    (ty.struct([], nullable=True), "struct?<>", "struct"),
]


@pytest.mark.parametrize(("t", "text", "short"), TEXTS)
def test_names(t, text, short):
    assert ty.text(t) == text
    assert ty.short(t) == short


def test_unknown_types():
    empty = message("Type")()
    assert ty.kind(None) is ty.kind(empty) is None
    assert ty.short(None) == "any"
    assert ty.text(empty) == "unknown"
    assert ty.nullable(empty)


def test_user_defined_types_are_named_by_anchor():
    t = message("Type")()
    t.user_defined.type_reference = 0
    t.user_defined.nullability = ty.REQUIRED
    assert ty.short(t) == "u!0"
    assert ty.short(t, {0: "point"}) == "u!point"


def test_nullability():
    t = ty.i64()
    assert not ty.nullable(t)
    assert ty.with_nullability(t, False) is t
    assert ty.text(ty.with_nullability(t, True)) == "i64?"
    assert ty.text(t) == "i64"
    unspecified = message("Type")()
    unspecified.i64.SetInParent()
    assert ty.nullable(unspecified)


def test_same_ignores_outer_nullability_and_variations_only():
    assert ty.same(ty.i64(), ty.i64(nullable=True))
    assert not ty.same(ty.list_(ty.i64()), ty.list_(ty.i64(nullable=True)))
    assert not ty.same(ty.decimal(10, 2), ty.decimal(11, 2))
    varied = message("Type")()
    varied.string.type_variation_reference = 2
    assert ty.same(varied, ty.string())


def test_same_value_ignores_decimal_precision_but_not_scale():
    assert ty.same_value(ty.decimal(10, 2), ty.decimal(38, 2, nullable=True))
    assert not ty.same_value(ty.decimal(10, 2), ty.decimal(10, 3))
    assert not ty.same_value(ty.i32(), ty.i64())


def test_field_count_is_depth_first():
    inner = ty.struct([ty.i32(), ty.struct([ty.string()])])
    assert ty.field_count(ty.i32()) == 1
    assert ty.field_count(inner) == 4
    assert ty.field_count(ty.list_(inner)) == 4
    assert ty.field_count(ty.map_(ty.struct([ty.i8()]), inner)) == 5


@pytest.mark.parametrize(
    ("urn", "stem"),
    [
        ("extension:io.substrait:functions_string", "functions_string"),
        ("/functions_arithmetic.yaml", "functions_arithmetic"),
        ("https://x.org/main/extensions/functions_boolean.yaml", "functions_boolean"),
        ("extension:io.substrait:unsigned_integers", "unsigned_integers"),
        ("extension:com.example:functions_string", None),
        ("https://x.org/my.yaml", None),
    ],
)
def test_stems(urn, stem):
    assert stem_of(urn) == stem


def test_names_without_a_usable_extension():
    nowhere = FunctionName(None, None, "add", None)
    folder = "https://github.com/substrait-io/substrait/blob/main/extensions/"
    assert named(None, "add") == named("", "add") == named(folder, "add") == nowhere
    assert named(None, "count:") == FunctionName(None, None, "count", "")
    assert not nowhere.foreign
    assert named("extension:com.example:x", "add:i64_i64").foreign


def plan_with(functions, urns=()):
    plan = message("Plan")()
    for anchor, urn in urns:
        item = plan.extension_urns.add()
        item.extension_urn_anchor, item.urn = anchor, urn
    for anchor, reference, name in functions:
        function = plan.extensions.add().extension_function
        function.function_anchor, function.name = anchor, name
        function.extension_urn_reference = reference
    return plan


def test_anchors_zero_are_anchors():
    plan = plan_with([(0, 0, "add:i64_i64")], [(0, "extension:io.substrait:functions_arithmetic")])
    assert Functions(plan)[0].stem == "functions_arithmetic"


def test_datafusion_declares_bare_names_nowhere():
    name = Functions(plan_with([(3, 4294967295, "date_part")]))[3]
    assert name == FunctionName(None, None, "date_part", None)


def test_undeclared_anchor():
    with pytest.raises(InvalidPlanError, match="SS2201 function anchor 7 is not declared") as error:
        Functions(plan_with([(1, 0, "add:i64_i64")])).get(7, "relations[0]")
    assert error.value.path == "relations[0]"


def test_anchor_declared_twice():
    with pytest.raises(InvalidPlanError, match="SS2202"):
        Functions(plan_with([(1, 0, "add:i64_i64"), (1, 0, "subtract:i64_i64")]))[1]
    assert Functions(plan_with([(1, 0, "add"), (1, 0, "add")]))[1].name == "add"


def test_urn_declared_twice():
    urns = [(1, "extension:io.substrait:functions_string"), (1, "extension:x:y")]
    with pytest.raises(InvalidPlanError, match="SS2203"):
        Functions(plan_with([(1, 1, "lower:str")], urns))[1]
