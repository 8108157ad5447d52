"""`render(comments=True)`: what a plan says besides stands in comments, and the statement is the same."""

from __future__ import annotations

import sqlglot
from google.protobuf.wrappers_pb2 import StringValue

from substrait_sql import render, to_sql
from tests.support.build import eq, gt, lit, plan, table

people = table("people", "id:i64 name:str?")
orders = table("orders", "number:i64 person:i64")


def made(note: str = "only adults", alias: str = "p"):
    joined = people.filter(lambda r: gt(r[0], lit(1, "i64"))).join(
        orders, "INNER", lambda r: eq(r[0], r[3])
    )
    document = plan((joined, "id name number person"))
    document.version.git_hash = "abc"
    join = document.relations[0].root.input.join
    common = join.left.filter.common
    common.advanced_extension.optimization.add().Pack(StringValue(value=note))
    read = join.right.read.common.hint
    read.stats.row_count, read.stats.record_size = 1500, 12
    read.advanced_extension.optimization.add(type_url="x.example/Sorted")
    join.left.filter.input.read.common.hint.alias = alias
    return document


def test_what_is_kept() -> None:
    assert to_sql(made(), comments=True) == (
        "/* made by hand-written, Substrait 0.106.0; revision abc */\n"
        "/* filter: only adults */\n"
        "SELECT\n"
        "  p.id,\n"
        "  p.name,\n"
        "  orders.number,\n"
        "  orders.person\n"
        "/* read: alias p */\n"
        "FROM people AS p\n"
        "/* read: about 1,500 rows; 12 bytes a row; optimization x.example/Sorted */\n"
        "JOIN orders\n"
        "  ON p.id = orders.person\n"
        "WHERE\n"
        "  p.id > 1"
    )


def test_the_spans_are_those_of_the_text() -> None:
    rendered = render(made(), comments=True)
    lines = rendered.sql.split("\n")
    found = {s.path.rpartition(".")[2]: s for s in rendered.spans}
    span = found["expression"]
    assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == "p.id = orders.person"


def test_with_paths() -> None:
    text = to_sql(made(), comments=True, annotate=True)
    assert "/* filter: only adults */" in text
    assert "/* relations[0].root.input.join.left.filter.input.read */" in text


def test_no_text_ends_its_comment() -> None:
    hostile = "*/ DROP TABLE t; /* \n-- \u2028 \u202e /*+ BROADCAST(t) */*/"
    text = to_sql(made(hostile, hostile), comments=True)
    plain = to_sql(made(hostile, hostile))
    assert "\u202e" not in text.split("SELECT")[0]
    first = next(line for line in text.split("\n") if line.startswith("/* filter"))
    assert first == (
        "/* filter: * / DROP TABLE t; / * \\u000a-- \\u2028 \\u202e / *+ BROADCAST(t) * / * / */"
    )
    assert sqlglot.parse_one(text, read="spark") == sqlglot.parse_one(plain, read="spark")
    assert text.count("/*") == text.count("*/")
