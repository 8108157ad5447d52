"""`explain`: exact text for small plans, and no plan whatever that it cannot show."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from substrait_sql import SubstraitSqlError, explain, wire
from substrait_sql.dialect.dialect import load
from substrait_sql.outline.tree import outline
from substrait_sql.wire.decode import Decoded
from substrait_sql.wire.fields import is_repeated
from tests.support import json_plans
from tests.support.json_plans import BOOL, I64, TEXT, Json, field, lit, values

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"

PLANS = Path(__file__).parents[1] / "plans"
FILES = sorted(
    p
    for suffix in ("*.json", "*.pb", "*.txtpb")
    for p in PLANS.rglob(suffix)
    if p.parent.name != "tables" and not p.name.endswith(".rows.json")
)

NAMES = ["equal:any_any", "gt:any_any", "sum:i64", "and:bool", "row_number:"]


def plan(rel: Json, *names: str, shared: tuple[Json, ...] = ()) -> Json:
    made = json_plans.plan(
        rel, names, "hand-written", 106, extensions=json_plans.functions(*NAMES, urn=0, first=1)
    )
    made["relations"] = [{"rel": s} for s in shared] + made["relations"]
    return made


def read(name: str, *names: str, types: tuple[Json, ...] = (), **more: Any) -> Json:
    return json_plans.read(names, types or [I64] * len(names), name, **more)


def call(name: str, *arguments: dict[str, Any], type_: dict[str, Any] = BOOL) -> dict[str, Any]:
    return {"scalarFunction": function(name, *arguments, type_=type_)}


def function(name: str, *arguments: dict[str, Any], type_: dict[str, Any] = I64) -> dict[str, Any]:
    anchor = next(i for i, n in enumerate(NAMES, 1) if n.startswith(name + ":"))
    return {"functionReference": anchor, "arguments": values(*arguments), "outputType": type_}


def lines(text: str) -> list[str]:
    return text.splitlines()


def test_names_types_and_root_names() -> None:
    grouped = {
        "aggregate": {
            "input": {
                "filter": {
                    "input": read("items", "flag", "price", types=(TEXT, I64)),
                    "condition": call("gt", field(1), lit(i64="100")),
                }
            },
            "groupings": [{"expressionReferences": [0]}],
            "groupingExpressions": [field(0)],
            "measures": [{"measure": function("sum", field(1))}],
        }
    }
    key = {"expr": field(1), "direction": "SORT_DIRECTION_DESC_NULLS_LAST"}
    text = explain(plan({"sort": {"input": grouped, "sorts": [key]}}, "flag", "total"))
    assert lines(text) == [
        "plan by hand-written 0.106.0",
        "root 0: [flag, total]",
        "  sort  total desc nulls last  -> flag: string?, total: i64",
        "    aggregate  by flag; sum(price)",
        "      filter  gt(price, 100)  -> flag: string?, price: i64",
        "        read  items (2 columns)",
    ]


def test_join_with_names_that_both_sides_have() -> None:
    joined = {
        "join": {
            "left": read("l", "k", "a"),
            "right": read("r", "k", "b"),
            "expression": call("equal", field(0), field(2)),
            "type": "JOIN_TYPE_LEFT",
            "common": {"emit": {"outputMapping": [3, 0, 0]}, "hint": {"alias": "pairs"}},
        }
    }
    text = explain(plan(joined, "b", "k", "again"))
    assert lines(text)[2:] == [
        "  join  left on equal($0, $2); emit 3, 0, 0; alias pairs  -> b: i64?, k: i64, k: i64",
        "    read  l (2 columns)  -> k: i64, a: i64",
        "    read  r (2 columns)  -> k: i64, b: i64",
    ]


def test_subquery_and_outer_reference() -> None:
    inner = {
        "filter": {
            "input": read("orders", "o_custkey"),
            "condition": call("equal", field(0), field(0, outerReference={"stepsOut": 1})),
        }
    }
    exists = {"subquery": {"setPredicate": {"predicateOp": "PREDICATE_OP_EXISTS", "tuples": inner}}}
    both = call("and", call("gt", field(1), lit(i64="0")), exists)
    text = explain(
        plan(
            {"filter": {"input": read("customer", "c_custkey", "c_age"), "condition": both}},
            "k",
            "a",
        )
    )
    assert lines(text)[2:] == [
        "  filter  and(gt(c_age, 0), exists(subquery 1))  -> c_custkey: i64, c_age: i64",
        "    subquery 1:",
        "      filter  equal(o_custkey, outer(c_custkey))  -> o_custkey: i64",
        "        read  orders (1 column)",
        "    read  customer (2 columns)",
    ]


def test_shared_relation_and_set() -> None:
    reference = {"reference": {"subtreeOrdinal": 0}}
    union = {"set": {"inputs": [reference, reference], "op": "SET_OP_UNION_ALL"}}
    text = explain(plan(union, "a", shared=(read("t", "a"),)))
    assert lines(text)[1:] == [
        "relation 0:",
        "  read  t (1 column)  -> a: i64",
        "root 1: [a]",
        "  set  union all of 2  -> a: i64",
        "    reference  relation 0  -> a: i64",
        "    reference  relation 0  -> a: i64",
    ]


def test_literals() -> None:
    values = [
        lit(string="it's " + "x" * 50),
        lit(date=10_471),
        lit(decimal={"value": "OTAAAAAAAAAAAAAAAAAAAA==", "precision": 9, "scale": 2}),
        lit(null=TEXT),
        lit(precisionTimestamp={"value": "1500", "precision": 3}),
        lit(intervalDayToSecond={"days": 1, "seconds": 30, "precision": 6}),
        lit(fp32=0.1),
        lit(binary="AAE="),
        {"cast": {"type": I64, "input": lit(string="1")}},
        {"ifThen": {"ifs": [{"if": lit(boolean=True), "then": lit(i32=1)}], "else": lit(i32=2)}},
        {"singularOrList": {"value": lit(i32=1), "options": [lit(i32=1), lit(i32=2)]}},
    ]
    common = {"emit": {"outputMapping": [1, 2, 3, 4]}}
    source = {"project": {"input": read("t", "a"), "expressions": values, "common": common}}
    text = explain(plan(source, "a", "b", "c", "d"))
    assert lines(text)[2:7] == [
        "  project",
        "      'it''s xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', 1998-09-02, 123.45, null::string, "
        "1970-01-01 00:00:01.5, interval 1 day 30 seconds, 0.1, x'0001',",
        "        cast('1' as i64), case when true then 1 else 2 end, 1 in (1, 2)",
        "      emit 1..4",
        "      -> a: string, b: date, c: decimal<9,2>, d: string?",
    ]


def test_what_has_no_sql_is_shown_all_the_same() -> None:
    windowed = {
        "window": {
            "input": read("t", "a", "b"),
            "windowFunctions": [
                {
                    **function("row_number"),
                    "lowerBound": {"unbounded": {}},
                    "upperBound": {"currentRow": {}},
                    "boundsType": "BOUNDS_TYPE_ROWS",
                }
            ],
            "partitionExpressions": [field(0)],
            "sorts": [{"expr": field(1), "direction": "SORT_DIRECTION_ASC_NULLS_FIRST"}],
            "common": {"advancedExtension": {"enhancement": {"@type": "type.example/Odd"}}},
        }
    }
    found = lines(explain(plan(windowed, "a", "b", "n")))
    assert found[2:5] == [
        "  window  row_number() rows between unbounded preceding and current row; partition by a; "
        "order by b asc nulls first; enhancement type.example/Odd",
        "      -> a: i64, b: i64, n: i64",
        "    read  t (2 columns)  -> a: i64, b: i64",
    ]
    assert found[-1].startswith("not lowered: SS20")


def test_virtual_table_and_fetch() -> None:
    rows = [
        {"fields": [lit(i64="1"), lit(string="a")]},
        {"fields": [lit(i64="2"), lit(string="b")]},
    ]
    struct = {"types": [I64, TEXT], "nullability": "NULLABILITY_REQUIRED"}
    values = {
        "read": {
            "baseSchema": {"names": ["n", "s"], "struct": struct},
            "virtualTable": {"expressions": rows},
        }
    }
    fetch = {"fetch": {"input": values, "countExpr": lit(i64="10"), "offsetExpr": lit(i64="5")}}
    assert lines(explain(plan(fetch, "n", "s")))[2:] == [
        "  fetch  limit 10, offset 5  -> n: i64, s: string?",
        "    read  values (2 columns); 2 rows, the first (1, 'a')",
    ]


def test_nothing_reaches_the_terminal() -> None:
    evil = "\x1b[31mred\u202e\n"
    source = read(evil, evil, filter=call("equal", field(0), lit(string=evil)))
    text = explain(plan(source, evil))
    assert all(line.isprintable() for line in lines(text))
    assert r"\x1b[31mred\u202e\x0a" in text


@pytest.mark.parametrize("depth", [2_000, 6_000])
def test_deep(depth: int) -> None:
    plan_ = wire.message("Plan")()
    rel = plan_.relations.add().root.input
    for _ in range(depth):
        rel.filter.condition.literal.boolean = False
        rel = rel.filter.input
    rel.read.named_table.names.append("t")
    rel.read.base_schema.SetInParent()
    found = lines(outline(Decoded(plan_, "plan", (), "", None), load("spark")))
    assert sum("filter  false" in line for line in found) == depth
    assert max(map(len, found)) < 160


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PLANS).with_suffix("")))
def test_every_plan(path: Path) -> None:
    text = explain(path)
    assert text == explain(path)
    assert all(len(line) <= 160 or line.startswith("not lowered:") for line in lines(text))
    assert "root" in text or "relation 0" in text


# Messages nobody would write -----------------------------------------------------------------------

NESTING = ("Rel", "Expression", "Literal", "Type", "ReferenceSegment", "Select")


def fill(message: Any, rng: random.Random, depth: int) -> Any:
    """Set fields at random, and one of nearly every oneof."""
    for f in message.DESCRIPTOR.fields:
        if f.containing_oneof is None and rng.random() < 0.6:
            set_field(message, f, rng, depth)
    for oneof in message.DESCRIPTOR.oneofs:
        if rng.random() < 0.97:
            set_field(message, rng.choice(list(oneof.fields)), rng, depth)
    return message


def set_field(message: Any, f: Any, rng: random.Random, depth: int) -> None:
    if f.message_type is not None and f.message_type.name in NESTING and depth <= 0:
        return
    for _ in range(rng.randint(0, 2) if is_repeated(f) else 1):
        if f.message_type is None:
            value = scalar(f, rng)
            if is_repeated(f):
                getattr(message, f.name).append(value)
            else:
                setattr(message, f.name, value)
        elif is_repeated(f):
            fill(getattr(message, f.name).add(), rng, depth - 1)
        else:
            inner = getattr(message, f.name)
            inner.SetInParent()
            fill(inner, rng, depth - 1)


def scalar(f: Any, rng: random.Random) -> Any:
    if f.enum_type is not None:
        return rng.choice([v.number for v in f.enum_type.values] + [99])
    kinds = {
        f.CPPTYPE_BOOL: [True, False],
        f.CPPTYPE_FLOAT: [0.1, float("nan")],
        f.CPPTYPE_DOUBLE: [0.1, float("-inf")],
        f.CPPTYPE_INT64: [0, 1, -5, 2**62],
        f.CPPTYPE_INT32: [0, 1, -1, 2**31 - 1],
        f.CPPTYPE_STRING: ["", "a", "b\x1b"] if f.type != f.TYPE_BYTES else [b"", b"\0" * 16],
    }
    return rng.choice(kinds.get(f.cpp_type, [0, 1, 2**32 - 1]))


@pytest.mark.parametrize("kind", [f.name for f in wire.message("Rel").DESCRIPTOR.fields])
def test_any_relation(kind: str) -> None:
    message = wire.message("Plan")
    for seed in range(60):
        rng = random.Random(f"{kind} {seed}")
        made = message()
        rel = made.relations.add().root.input
        set_field(rel, rel.DESCRIPTOR.fields_by_name[kind], rng, rng.randint(2, 6))
        text = outline(Decoded(made, "plan", (), "me", (0, 1, 0)), load("spark"))
        assert all(line.isprintable() for line in lines(text))


@pytest.mark.parametrize("kind", [f.name for f in wire.message("Expression").DESCRIPTOR.fields])
def test_any_expression(kind: str) -> None:
    for seed in range(60):
        rng = random.Random(f"{kind} {seed}")
        made = wire.message("ExtendedExpression")()
        expression = made.referred_expr.add().expression
        set_field(expression, expression.DESCRIPTOR.fields_by_name[kind], rng, rng.randint(2, 6))
        text = outline(Decoded(made, "extended_expression", (), "", None), load("spark"))
        assert all(line.isprintable() for line in lines(text))


def test_what_is_no_plan_raises() -> None:
    with pytest.raises(SubstraitSqlError):
        explain(b"")


def test_a_warning_is_no_reason_for_no_sql() -> None:
    assert "not lowered" not in explain(GALLERY / "joins.pb")
    assert "not lowered: SS2170" in explain(GALLERY / "refused.pb")
