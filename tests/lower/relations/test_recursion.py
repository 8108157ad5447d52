"""Recursive queries: an extension relation of ours, see `plan.recursion`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import substrait.proto as pb
from google.protobuf.struct_pb2 import Struct

import substrait_sql
from substrait_sql import InvalidPlanError, SubstraitSqlError, UnsupportedError
from substrait_sql.plan.recursion import Recursive, write_recursion
from tests.support.build import R, add, eq, lit, lt, plan, reference, virtual
from tests.support.build.recursion import last_round, recursion

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

    from tests.support.build import Row

START = virtual("n:i64", (1,))


def counting(
    limit: int,
    more: Callable[[Row], Any] = lambda r: add(r[0], lit(1, "i64")),
    name: str = "r",
    most_rounds: int | None = None,
) -> R:
    step = last_round("n:i64?").filter(lambda r: lt(r[0], lit(limit, "i64")))
    return recursion(START, step.select(lambda r: [more(r)]), name, most_rounds)


def test_the_text() -> None:
    assert " ".join(substrait_sql.to_sql(plan((counting(4), "n"))).split()) == (
        "WITH RECURSIVE r AS ( SELECT 1L AS n UNION ALL SELECT n + 1 FROM r WHERE n < 4 ) SELECT n FROM r"
    )


def test_what_a_tree_says() -> None:
    text = str(substrait_sql.explain(plan((counting(4), "n"))))
    assert "extension multi  recursion r" in text
    assert "read  the round before (1 columns)" in text.replace("1 column)", "1 columns)")


def test_how_many_rounds_there_may_be() -> None:
    made = plan((counting(4, most_rounds=300), "n"))
    assert "WITH RECURSIVE r MAX RECURSION LEVEL 300 AS (" in substrait_sql.to_sql(made)
    assert "recursion r, at most 300 rounds" in str(substrait_sql.explain(made))


@pytest.mark.parametrize("said", [-1, 2**31, 1.5, True, "3", None])
def test_no_number_of_rounds(said: Any) -> None:
    """Then it is an extension that nobody knows."""
    message = recursion(START, START).message
    detail = Struct()
    message.extension_multi.detail.Unpack(detail)
    detail.update({"most_rounds": said})
    message.extension_multi.detail.Pack(detail)
    with pytest.raises(UnsupportedError, match="nobody has registered"):
        substrait_sql.to_sql(plan((R(message, START.types), "n")))


def test_what_is_another_meaning() -> None:
    """The name is none, the number of rounds is one, and so is what the step makes."""
    one, named, bound, other = (
        plan((made, "n"))
        for made in (
            counting(4),
            counting(4, name="numbers"),
            counting(4, most_rounds=9),
            counting(5),
        )
    )
    assert substrait_sql.diff(one, named).category == "same"
    assert substrait_sql.diff(one, bound).category == "rows"
    assert substrait_sql.diff(one, other).category == "rows"


@pytest.mark.spark
def test_a_recursion_that_has_too_many_rounds_fails(spark: SparkSession) -> None:
    """Four rounds make one to four."""
    enough, few = (plan((counting(4, most_rounds=most), "n")) for most in (4, 3))
    assert len(substrait_sql.execute(spark, enough).collect()) == 4
    with pytest.raises(Exception, match="RECURSION_LEVEL_LIMIT_EXCEEDED"):
        substrait_sql.execute(spark, few).collect()


@pytest.mark.spark
def test_rows(spark: SparkSession) -> None:
    """One to four; and one, two, four, eight."""
    for made, want in (
        (counting(4), [1, 2, 3, 4]),
        (counting(8, lambda r: add(r[0], r[0])), [1, 2, 4, 8]),
    ):
        found = substrait_sql.execute(spark, plan((made, "n"))).collect()
        assert sorted(row.n for row in found) == want


@pytest.mark.spark
def test_one_that_is_read_twice(spark: SparkSession) -> None:
    """Each number beside its successor."""
    made = counting(4)
    first, second = (reference(0, made) for _ in range(2))
    pairs = first.join(second, "INNER", lambda r: eq(add(r[0], lit(1, "i64")), r[1]))
    whole = plan(made, (pairs, "a b"))
    assert substrait_sql.to_sql(whole).count("UNION ALL") == 1
    found = substrait_sql.execute(spark, whole).collect()
    assert sorted(map(tuple, found)) == [(1, 2), (2, 3), (3, 4)]


@pytest.mark.spark
def test_one_inside_of_the_step_of_another(spark: SparkSession) -> None:
    """Each round of the outer one counts from its number to three: 1 to 3; of 2 and 3, 3 again; of that nothing."""
    outer = last_round("n:i64?", 0).filter(lambda r: lt(r[0], lit(3, "i64")))
    start = outer.select(lambda r: [add(r[0], lit(1, "i64"))])
    step = last_round("n:i64?").filter(lambda r: lt(r[0], lit(3, "i64")))
    inner = recursion(start, step.select(lambda r: [add(r[0], lit(1, "i64"))]), "inner")
    whole = plan((recursion(START, inner, "outer"), "n"))
    with pytest.raises(UnsupportedError, match="another common table expression") as raised:
        substrait_sql.to_sql(whole)
    assert raised.value.code == "SS2086"


BAD: dict[str, tuple[R, type[SubstraitSqlError], str]] = {
    "one input": (
        R(pb.Rel(extension_multi=pb.ExtensionMultiRel(inputs=[START.message])), START.types),
        InvalidPlanError,
        "two inputs",
    ),
    "other columns": (
        recursion(START, last_round("n:i64? m:i64?").select(lambda r: [r[0]])),
        InvalidPlanError,
        "not those of the start",
    ),
    "another type": (
        recursion(START, last_round("n:i32?").select(lambda _: [lit(1, "i64")])),
        InvalidPlanError,
        "not those of the start",
    ),
    "a step with more": (
        recursion(START, last_round("n:i64?").select(lambda r: [r[0], r[0]])),
        InvalidPlanError,
        "2 columns",
    ),
    "a step of another type": (
        recursion(START, last_round("n:i64?").select(lambda _: [lit("a", "str")])),
        InvalidPlanError,
        "column 0 is string",
    ),
    "outside": (last_round("n:i64?"), InvalidPlanError, "outside of the recursion"),
    "too far out": (
        recursion(START, last_round("n:i64?", 1)),
        InvalidPlanError,
        "outside of the recursion",
    ),
    "a struct of another type inside": (
        recursion(
            virtual("s:struct<i64>?", ((1,),)),
            last_round("s:struct<i64>?").select(lambda _: [lit((1,), "struct<i32>")]),
        ),
        UnsupportedError,
        "a recursion over struct",
    ),
    "a limit": (
        recursion(START, last_round("n:i64?").fetch(1)),
        UnsupportedError,
        "no LIMIT",
    ),
}
write_recursion(BAD["one input"][0].message.extension_multi.detail, Recursive("r"))


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_is_refused(name: str) -> None:
    made, kind, says = BAD[name]
    names = " ".join(f"c{i}" for i in range(len(made.types)))
    with pytest.raises(kind, match=says) as raised:
        substrait_sql.to_sql(plan((made, names)))
    assert raised.value.code in ("SS2085", "SS2086")


@pytest.mark.parametrize("dialect", ["spark35", "spark40"])
def test_releases_without_it(dialect: str) -> None:
    with pytest.raises(UnsupportedError, match="has no recursive queries"):
        substrait_sql.to_sql(plan((counting(4), "n")), dialect=dialect)


def test_recursions_that_read_the_one_before_grow_with_their_number() -> None:
    def text(count: int) -> str:
        more = (
            f"r{i}(n) AS (SELECT n FROM r{i - 1} UNION ALL SELECT n + 9 FROM r{i} WHERE n < 20)"
            for i in range(1, count)
        )
        first = "r0(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r0 WHERE n < 3)"
        sql = f"WITH RECURSIVE {', '.join([first, *more])} SELECT * FROM r{count - 1}"
        return substrait_sql.to_sql(substrait_sql.to_plan(sql, schema={}))

    assert len(text(40)) < 4.5 * len(text(10))
