"""DataFusion's unsigned integers are found wherever a plan has a type, however it writes them."""

from __future__ import annotations

from typing import Any

import pytest

from substrait_sql.schema.user_defined import name_unsigned
from substrait_sql.wire import message

KINDS = {"i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64"}


def column(plan: Any) -> Any:
    return plan.relations.add().rel.read.base_schema.struct.types.add()


def nested(plan: Any) -> Any:
    return column(plan).list.type


def parameter_of_function(plan: Any) -> Any:
    return column(plan).func.parameter_types.add()


def target(plan: Any) -> Any:
    return plan.relations.add().rel.project.expressions.add().cast.type


def output(plan: Any) -> Any:
    call = plan.relations.add().rel.project.expressions.add().scalar_function
    reference = call.arguments.add().value.selection
    reference.direct_reference.struct_field.field = 1
    reference.root_reference.SetInParent()
    return call.output_type


def null(plan: Any) -> Any:
    return plan.relations.add().rel.filter.condition.literal.null


def element(plan: Any) -> Any:
    return plan.relations.add().rel.filter.condition.literal.empty_list.type


@pytest.mark.parametrize("nullability", [0, 1, 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "place", [column, nested, parameter_of_function, target, output, null, element]
)
def test_they_are_found(place: Any, kind: str, nullability: int) -> None:
    plan: Any = message("Plan")()
    made = place(plan)
    getattr(made, kind).type_variation_reference = 1
    getattr(made, kind).nullability = nullability
    name_unsigned(plan, plan.SerializeToString())
    assert made.user_defined.sql_name == KINDS[kind]
    assert made.user_defined.nullability == nullability


def test_others_stay() -> None:
    plan: Any = message("Plan")()
    signed = output(plan)
    signed.i8.nullability = 1
    other = column(plan)
    other.i32.type_variation_reference = 2
    before = plan.SerializeToString()
    name_unsigned(plan, plan.SerializeToString())
    assert plan.SerializeToString() == before
