"""Where columns come from: plans small enough that the origins of each column are seen at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlglot import exp
from sqlglot.lineage import lineage

import substrait_sql
from substrait_sql.reporting.facts import facts
from tests.support import tpch
from tests.support.build import (
    ASC,
    R,
    add,
    count,
    eq,
    exists,
    gt,
    if_then,
    lit,
    multiply,
    plan,
    reference,
    scalar,
    set_,
    sum_,
    table,
    upper,
    virtual,
)
from tests.support.build.physical import grouping_sets, row_number
from tests.support.build.recursion import last_round, recursion
from tests.support.build.relations import lateral_join

if TYPE_CHECKING:
    pass

people = table("people", "id:i64 name:str? age:i32?")
orders = table("orders", "order:i64 person:i64 price:i64?")


def origins(made: Any) -> dict[str, tuple[list[str], list[str]]]:
    """By the name of each column of the result: columns of tables, functions."""
    said = facts("plan", made, "spark")
    found = {}
    for name, _, _, places, functions, whole in said["outputs"][-1]["columns"]:
        assert whole
        found[name] = (
            [_name(said, *pair) for pair in zip(places[::2], places[1::2], strict=True)],
            [said["functions"][f] for f in functions],
        )
    return found


def _name(said: dict[str, Any], node: int, column: int) -> str:
    read = said["nodes"][node]
    return f"{read['parts'][0].split(' ')[0]}.{read['source'][-1 - column]}"


joined = people.join(orders, "INNER", lambda r: eq(r[0], r[4]))
CASES: dict[str, tuple[R, dict[str, tuple[list[str], list[str]]]]] = {
    "passed on, in another order": (
        people.filter(lambda r: gt(r[0], lit(1, "i64")), emit=[1, 0]),
        {"a": (["people.name"], []), "b": (["people.id"], [])},
    ),
    "a mask": (
        table("people", "id:i64 name:str? age:i32?", mask=[2, 1]),
        {"a": (["people.age"], []), "b": (["people.name"], [])},
    ),
    "an expression of two tables": (
        joined.select(lambda r: [multiply(add(r[0], lit(1, "i64")), r[5]), upper(r[1])]),
        {
            "a": (["people.id", "orders.price"], ["multiply", "add"]),
            "b": (["people.name"], ["upper"]),
        },
    ),
    "a recursion, of its start and its step": (
        recursion(
            people.select(lambda r: [r[0], r[1]]),
            last_round("id:i64? name:str?")
            .join(orders, "INNER", lambda r: eq(r[0], r[2]))
            .select(lambda r: [r[3], upper(r[1])]),
        ),
        {"a": (["people.id", "orders.person"], []), "b": (["people.name"], ["upper"])},
    ),
    "a constant": (people.select(lambda r: [lit(1, "i64")]), {"a": ([], [])}),
    "keys and measures": (
        joined.aggregate(lambda r: [r[1]], lambda r: [sum_(r[5]), count()]),
        {
            "a": (["people.name"], []),
            "b": (["orders.price"], ["sum"]),
            "c": ([], ["count"]),
        },
    ),
    "through two projections": (
        people.project(lambda r: [upper(r[1])]).select(lambda r: [upper(r[3]), r[3]]),
        {"a": (["people.name"], ["upper"]), "b": (["people.name"], ["upper"])},
    ),
    "a union takes columns by their place": (
        set_("UNION_ALL", people.select(lambda r: [r[0]]), orders.select(lambda r: [r[1]])),
        {"a": (["people.id", "orders.person"], [])},
    ),
    "what is subtracted gives no values": (
        set_("MINUS_PRIMARY", people.select(lambda r: [r[0]]), orders.select(lambda r: [r[1]])),
        {"a": (["people.id"], [])},
    ),
    "a scalar subquery": (
        people.select(
            lambda r: [
                scalar(
                    orders.filter(lambda o: eq(o[1], r.outer(0, 1))).aggregate(
                        measures=lambda o: [sum_(o[2])]
                    )
                )
            ]
        ),
        {"a": (["orders.price"], ["sum"])},
    ),
    "EXISTS has no values": (
        people.select(lambda r: [exists(orders)]),
        {"a": ([], ["exists"])},
    ),
    "an outer reference that is returned": (
        people.select(lambda r: [scalar(orders.fetch(count=1).select(lambda o: [r.outer(1, 1)]))]),
        {"a": (["people.name"], [])},
    ),
    "conditions count": (
        people.select(
            lambda r: [if_then((gt(r[0], lit(1, "i64")), r[1]), otherwise=lit(None, "str"))]
        ),
        {"a": (["people.id", "people.name"], ["case", "gt"])},
    ),
    "a window function looks at its partitions and its order": (
        people.select(lambda r: [row_number((r[0], ASC), by=[r[2]])]),
        {"a": (["people.age", "people.id"], ["row_number"])},
    ),
    "grouping sets": (
        grouping_sets(orders, lambda r: [r[0], r[1]], [[0], [1]], lambda r: [sum_(r[2])]),
        {
            "a": (["orders.order"], []),
            "b": (["orders.person"], []),
            "c": (["orders.price"], ["sum"]),
            "d": ([], ["grouping_set"]),
        },
    ),
    "the left row of a lateral join": (
        lateral_join(
            people, orders.select(lambda o: [people.row.by_anchor(1, 7)]), "INNER", anchor=7
        ),
        {
            "a": (["people.id"], []),
            "b": (["people.name"], []),
            "c": (["people.age"], []),
            "d": (["people.name"], []),
        },
    ),
    "values are of no table": (
        virtual("a:i64", (1,), (2,)),
        {"a": ([], ["values"])},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_origins(case: str) -> None:
    relation, expected = CASES[case]
    assert origins(plan((relation, " ".join(expected)))) == expected


def test_a_shared_relation_is_followed() -> None:
    shared = people.select(lambda r: [upper(r[1])])
    both = set_("UNION_ALL", reference(0, shared), reference(0, shared))
    assert origins(plan(shared, (both, "a"))) == {"a": (["people.name"], ["upper"])}


def test_a_shared_relation_may_stand_behind() -> None:
    """As in the plans of `to_plan`, whose root is the first one."""
    shared = people.select(lambda r: [upper(r[1])])
    both = set_("UNION_ALL", reference(1, shared), reference(1, shared))
    result, _ = facts("plan", plan((both, "a"), shared), "spark")["outputs"]
    (column,) = result["columns"]
    assert column[3:] == [[4, -2], [0], 1]


def test_a_common_table_expression_is_followed() -> None:
    sql = "WITH c AS (SELECT upper(name) AS a FROM people) SELECT x.a FROM c AS x JOIN c AS y ON x.a = y.a"
    made = substrait_sql.to_plan(sql, schema={"people": {"id": "BIGINT", "name": "STRING"}})
    result = facts("plan", made, "spark")["outputs"][0]
    assert [column[5] for column in result["columns"]] == [1]


def test_what_nobody_knows_is_said() -> None:
    """Of an extension only whoever registered it knows what it returns."""
    document = {
        "version": {"minorNumber": 85},
        "relations": [
            {
                "root": {
                    "names": ["a"],
                    "input": {"extensionLeaf": {"detail": {"@type": "x/y", "value": ""}}},
                }
            }
        ],
    }
    said = facts("plan", document, "spark")
    assert not said["ok"]
    assert [row[-1] for output in said["outputs"] for row in output["columns"]] in ([], [0])


def test_grouping_sets_of_datafusion() -> None:
    """It returns the keys, a mask of those that the set leaves out, and then the measures."""
    made = grouping_sets(orders, lambda r: [r[0], r[1]], [[0], [1]], lambda r: [sum_(r[2])])
    document = plan((made, "a b c d"))
    document.version.minor_number, document.version.producer = 85, "datafusion"
    found = origins(document)
    assert found["c"] == ([], ["grouping_set"])
    assert found["d"] == (["orders.price"], ["sum"])


def test_the_mark_of_a_join() -> None:
    """What the condition looks at."""
    made = people.join(orders, "LEFT_MARK", lambda r: eq(r[0], r[4]))
    found = origins(plan((made, "a b c d")))
    assert found["a"] == (["people.id"], [])
    assert found["d"] == (["people.id", "orders.person"], ["mark", "equal"])


@pytest.mark.parametrize("number", [3, 7, 13, 15, 17, 22])
def test_it_is_what_sqlglot_reads_out_of_the_text(number: int, tpch_tables: Any) -> None:
    """The plan's ordinals and the names in the SQL lead to the same columns."""
    made = tpch.datafusion_plan(tpch.datafusion_context(tpch_tables), tpch.queries()[number])
    said = facts("plan", made, "spark")
    schema = {name: dict.fromkeys(columns, "string") for _, name, columns, _ in said["tables"]}
    for name, _, _, places, _, _ in said["outputs"][0]["columns"]:
        ours = {_name(said, *pair) for pair in zip(places[::2], places[1::2], strict=True)}
        read = lineage(name, said["sql"], schema=schema, dialect="spark")
        leaves = [n for n in read.walk() if isinstance(n.expression, exp.Table)]
        assert ours == {f"{n.expression.name}.{n.name.rpartition('.')[2]}" for n in leaves}


def test_what_is_written() -> None:
    """The rows of a table under the table's names."""
    document = plan((people.select(lambda r: [upper(r[1]), r[0]]), "x y"))
    rows = document.relations[0].root.input.__deepcopy__()
    write = document.relations[0].root.input.write
    write.input.CopyFrom(rows)
    write.named_table.names.append("made")
    write.table_schema.names.extend(["shout", "key"])
    write.table_schema.struct.types.add().string.nullability = 1
    write.table_schema.struct.types.add().i64.nullability = 2
    write.op = write.WRITE_OP_INSERT
    del document.relations[0].root.names[:]
    assert origins(document) == {
        "shout": (["people.name"], ["upper"]),
        "key": (["people.id"], []),
    }
