"""Plans with something in them that the specification forbids: each is refused, at the node that has it.

What stands beside it is what real producers write and mean, and is not refused.
"""

from __future__ import annotations

from typing import Any

import pytest

import substrait_sql
from substrait_sql import InvalidPlanError
from tests.support.json_plans import I64, REQUIRED, Json, field, literal, of, schema, values
from tests.wire.old_plans import plan, scalar, shown, table, urns

T = table("t", a=I64, s=of("string"), b=of("bool"), d={"date": {"nullability": REQUIRED}})
WIDTH = 4
TRUE = {"literal": {"boolean": True}}


def expression(made: Json) -> Json:
    return shown(made, 108, T, WIDTH)


def lit(**content: Any) -> Json:
    return expression({"literal": content})


def null(kind: str, nullability: str = REQUIRED, **more: Any) -> Json:
    return lit(null={kind: {"nullability": nullability, **more}})


def relation(kind: str, **content: Any) -> Json:
    return plan({kind: {"input": T, **content}}, WIDTH, 108)


def cell(type: Json, value: Json) -> Json:
    """A virtual table of one row."""
    rows = {"expressions": [{"fields": [value]}]}
    return plan({"read": {"baseSchema": schema(["x"], [type]), "virtualTable": rows}}, 1, 108)


def case(*ifs: Json, match: Json | None = None, otherwise: Json | None = None) -> Json:
    content: Json = {"ifs": list(ifs)}
    if otherwise is not None:
        content["else"] = otherwise
    if match is not None:
        return expression({"switchExpression": {"match": match, **content}})
    return expression({"ifThen": content})


def arm(when: Json, then: Json) -> Json:
    return {"if": when, "then": then}


def calls(name: str, output: Json, *arguments: Json) -> Json:
    made = scalar(output, arguments=values(*arguments))
    return shown(made, 108, T, WIDTH, **urns(name))


def union(one: Json, other: Json) -> Json:
    inputs = [table("t", a=one), table("s", a=other)]
    return plan({"set": {"op": "SET_OP_UNION_ALL", "inputs": inputs}}, 1, 108)


TEXT = {"string": {"nullability": REQUIRED}}
CELL = "virtual_table.expressions[0].fields[0]"
INVALID = {
    "a cell of another type": ("SS2027", CELL, cell(I64, {"literal": {"i32": 1}})),
    "a text in a column of longer ones": (
        "SS2027", CELL, cell(of("fixedChar", length=3), {"literal": {"fixedChar": "ab"}})
    ),
    "a varchar in a column of text": (
        "SS2027", CELL, cell(TEXT, {"literal": {"varChar": {"value": "a", "length": 5}}})
    ),
    "a NULL in a column without": (
        "SS2027", CELL, cell(I64, {"literal": {"null": of("i64")}})
    ),
    "a read without a schema": ("SS2025", "input.read", plan({"read": {"namedTable": {"names": ["t"]}}}, 0, 108)),
    "an i8 too large": ("SS2143", "literal", lit(i8=128)),
    "an i16 too small": ("SS2143", "literal", lit(i16=-32769)),
    "text longer than its varchar": ("SS2143", "literal", lit(varChar={"value": "too long", "length": 3})),
    "too many years": ("SS2143", "literal", lit(intervalYearToMonth={"years": 10_000, "months": 1})),
    "too many days": ("SS2143", "literal", lit(intervalDayToSecond={"days": 3_650_000, "seconds": 1, "precision": 6})),
    "a NULL of a type without": ("SS2144", "literal", null("string")),
    "a negative length": ("SS2303", "literal", null("varchar", "NULLABILITY_NULLABLE", length=-1)),
    "fixed text of no length": ("SS2303", "literal", null("fixedChar", "NULLABILITY_NULLABLE")),
    "a projection of nothing": ("SS2031", "project.expressions", relation("project")),
    "a sort by nothing": ("SS2181", "sort.sorts", relation("sort")),
    "a filter by text": ("SS2113", "filter.condition", relation("filter", condition=field(1))),
    "a join by a date": (
        "SS2113",
        "join.expression",
        plan({"join": {"left": T, "right": T, "type": "JOIN_TYPE_INNER", "expression": field(3)}}, 8, 108),
    ),
    "an if by a number": ("SS2113", "if_then.ifs[0].if", case(arm(field(0), field(0)))),
    "a switch without an arm": ("SS2141", "switch_expression", case(match=field(0), otherwise=field(0))),
    "a switch between types": (
        "SS2145", "switch_expression.ifs[0].if", case(arm({"fp64": 1}, field(0)), match=field(0), otherwise=field(0))
    ),
    "branches of several types": ("SS2145", "if_then", case(arm(field(2), field(0)), otherwise=field(1))),
    "a union of numbers and text": ("SS2065", "set.inputs[1]", union(I64, TEXT)),
    "a union that would round": ("SS2065", "set.inputs[1]", union(of("decimal", precision=9, scale=2), of("fp64"))),
    "a union that would cut digits": (
        "SS2065",
        "set.inputs[1]",
        union(of("decimal", precision=9, scale=2), of("decimal", precision=9, scale=3)),
    ),
    "text declared as a number": ("SS2114", "scalar_function", calls("string/upper:str", of("i64"), field(1))),
    "a number declared as text": ("SS2114", "scalar_function", calls("arithmetic/abs:i64", TEXT, field(0))),
    "a number declared as a date": ("SS2114", "scalar_function", calls("arithmetic/abs:i64", of("date"), field(0))),
}  # fmt: skip


@pytest.mark.parametrize(("code", "place", "made"), INVALID.values(), ids=INVALID)
def test_refused(code: str, place: str, made: Json) -> None:
    with pytest.raises(InvalidPlanError) as refused:
        substrait_sql.to_sql(made)
    assert refused.value.code == code
    assert refused.value.path.endswith(place)


VALID = {
    "an i8 of a variation, as DataFusion writes a u8": {
        **lit(i8=200, typeVariationReference=1),
        "version": {"minorNumber": 108, "producer": "datafusion"},
    },
    "text of a varchar without a length, as DuckDB declares it": lit(varChar={"value": "abc"}),
    "a projection that only picks, as DataFusion makes it": relation(
        "project", common={"emit": {"outputMapping": [1, 0, 2, 3]}}
    ),
    "numbers of several types in a CASE, as DataFusion and Ibis leave them": case(
        arm(field(2), {"literal": {"i32": 1}}), otherwise=field(0)
    ),
    "texts of several lengths in a CASE": case(
        arm(field(2), {"literal": {"fixedChar": "ab"}}), otherwise={"literal": {"fixedChar": "abc"}}
    ),
    "a NULL as an arm": case(
        arm({"null": of("string")}, field(0)), arm({"i64": "1"}, literal(2)), match=field(0)
    ),
    "a value of a nullable type in a column without": cell(
        I64, {"literal": {"i64": "1", "nullable": True}}
    ),
    "a NULL where there may be one": cell(of("i64"), {"literal": {"null": of("i64")}}),
    "a schema that is nullable itself": plan(
        {
            "read": {
                "baseSchema": {"names": ["a"], "struct": {"types": [I64], **of("x")["x"]}},
                "namedTable": {"names": ["t"]},
            }
        },
        1,
        108,
    ),
    "another number, which is cast": calls("arithmetic/abs:i64", of("fp64"), field(0)),
    "a comparison declared as its operands, as DuckDB does": calls(
        "comparison/gt:any_any", of("date"), field(3), field(3)
    ),
    "a union of decimals of more and fewer digits before the point, as DataFusion leaves them": union(
        of("decimal", precision=9, scale=2), of("decimal", precision=12, scale=2)
    ),
    "a union of integers": union(of("i32"), I64),
    "the longest interval": lit(intervalDayToSecond={"days": -3_650_000, "precision": 6}),
}


@pytest.mark.parametrize("made", VALID.values(), ids=VALID)
def test_not_refused(made: Json) -> None:
    assert substrait_sql.to_sql(made).startswith("SELECT")
