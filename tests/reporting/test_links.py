"""The text of each relation."""

from __future__ import annotations

from typing import Any

from substrait_sql.reporting.facts import facts
from tests.support.build import ASC, R, eq, gt, in_, lit, plan, set_, sum_, table, upper

people = table("people", "id:i64 name:str? age:i32?")
orders = table("orders", "number:i64 person:i64 price:i64?")


def said(relation: R, names: str) -> list[tuple[str, list[str]]]:
    """The word of each relation, and what lights up with it; a query with all that it is part of in brackets."""
    found = facts("plan", plan((relation, names)), "spark")

    def cut(numbers: list[int]) -> list[str]:
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [" ".join(found["sql"][a:b].split()) for a, b in pairs]

    def of(span: list[Any]) -> list[str]:
        return cut(span[0]) or [f"({text})" for text in cut(span[1])]

    return [
        (node["word"], of(span)) for node, span in zip(found["nodes"], found["spans"], strict=True)
    ]


def test_clauses() -> None:
    relation = (
        people.filter(lambda r: gt(r[2], lit(18, "i32")))
        .join(orders, "INNER", lambda r: eq(r[0], r[4]))
        .aggregate(lambda r: [r[1]], lambda r: [sum_(r[5])])
        .sort(lambda r: [(r[1], ASC)])
        .fetch(count=10, offset=2)
    )
    assert said(relation, "name total") == [
        ("fetch", ["LIMIT 10", "OFFSET 2"]),
        ("sort", ["ORDER BY total NULLS LAST"]),
        ("aggregate", ["sum(orders.price)", "GROUP BY people.name"]),
        ("join", ["JOIN orders ON people.id = orders.person"]),
        ("filter", ["people.age > 18"]),
        ("read", ["people"]),
        ("read", ["orders"]),
    ]


def test_a_relation_without_words_of_its_own() -> None:
    """A projection of plain columns is the SELECT list, and a subquery has a text inside another one's."""
    relation = people.filter(lambda r: in_(orders.select(lambda o: [o[1]]), r[0])).select(
        lambda r: [r[1]]
    )
    assert said(relation, "name") == [
        ("project", ["SELECT name"]),
        ("filter", ["id IN ( SELECT orders.person FROM orders )"]),
        ("project", ["SELECT orders.person"]),
        ("read", ["orders"]),
        ("read", ["people"]),
    ]


def test_what_is_written_once() -> None:
    """Equal relations of which one query is made light up at the same place."""
    grown = people.aggregate(lambda r: [upper(r[1])], lambda r: [sum_(r[0])])
    relation = set_("UNION_ALL", grown, grown)
    _, first, read, second, again = said(relation, "a b")
    assert first == second
    assert read == again == ("read", ["people"])
    assert "upper(name)" in first[1][0]


def test_the_order_of_a_set() -> None:
    """It stands behind the last branch, and is none of that one's."""
    both = set_("UNION_ALL", people.select(lambda r: [r[0]]), orders.select(lambda r: [r[1]]))
    found = said(both.sort(lambda r: [(r[0], ASC)]).fetch(count=3), "a")
    assert found[:2] == [("fetch", ["LIMIT 3"]), ("sort", ["ORDER BY a"])]
