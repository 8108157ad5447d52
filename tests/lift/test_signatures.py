"""The signatures of Spark's functions, and drawn calls of them against its analyser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from substrait_sql import to_plan, to_sql
from substrait_sql.dialect import builtins
from substrait_sql.lift.typing import results
from substrait_sql.lift.typing import types as t
from substrait_sql.lift.typing.calls import Argument, Misused, Unknown
from substrait_sql.lift.typing.parse import NotAType, parse_schema, parse_type
from substrait_sql.lift.typing.rules import CHECKS, COERCIONS, NULLABLE, RETURNS, RULES
from substrait_sql.lift.typing.signatures import known, lambda_parameters, resolve
from substrait_sql.lift.typing.table import table
from substrait_sql.resources import DIALECTS
from tests.lift import spark_says, spark_types
from tests.lift.signatures import compare, drawn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODULE = "the module that has it is not loaded in Spark as it comes"
JAVA = "it runs any method of a Java class, and what it returns is not known before"
WITHOUT = {
    "cast": "the syntax CAST(x AS type); the name alone is no function",
    "from_avro": MODULE, "to_avro": MODULE, "schema_of_avro": MODULE,
    "from_protobuf": MODULE, "to_protobuf": MODULE,
    "java_method": JAVA, "reflect": JAVA, "try_reflect": JAVA,
}  # fmt: skip
# Spark's grammar has them, and no registry: their first argument is a word.
SYNTAX = {"timestampadd", "timestampdiff"}

BUILTINS = builtins.read((DIALECTS / "spark" / "builtins.txt").read_text(encoding="utf-8"))


def test_every_function_has_a_line_or_a_reason() -> None:
    assert set(BUILTINS.kinds) == (set(table()) - SYNTAX) | set(WITHOUT)
    assert not set(table()) & set(WITHOUT)


def test_what_is_drawn_is_not_deterministic() -> None:
    assert {n for n, line in table().items() if not line.deterministic} == set(BUILTINS.drawn)


def test_the_kinds_are_those_of_the_signatures() -> None:
    odd = {
        n
        for n, line in table().items()
        if n not in SYNTAX and line.kind not in (BUILTINS.kind(n), "cast")
    }
    assert odd == set()


@pytest.mark.parametrize(
    "line", sorted(set(table().values()), key=lambda s: s.name), ids=lambda s: s.name
)
def test_lines_name_rules_that_there_are(line) -> None:
    for each in (line, *line.others):
        if each.rule:
            assert each.rule in RULES
            assert not each.returns
            continue
        assert each.coercion in {"implicit", "exact", "given", *COERCIONS}
        assert not each.check or each.check in CHECKS
        anything = [Argument(_anything(e), nullable=True) for e in each.args]
        if each.returns not in RETURNS:
            results.said(each.returns, anything)
        if each.nullable not in NULLABLE:
            assert results.nullable(each.nullable, anything) is not None
        assert each.deterministic == (not each.why)


def _anything(expected) -> t.SparkType:
    """A type with parts of all kinds: which one it is does not matter."""
    return t.SparkType("map", parts=(t.INT, t.INT))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("decimal", t.decimal(10, 0)),
        ("DEC(5)", t.decimal(5, 0)),
        ("struct<a: INT NOT NULL, `b c`: array<string>>",
         t.struct([t.Field("a", t.INT, nullable=False), t.Field("b c", t.array(t.STRING))])),
        ("interval day to second", t.DAY_SECOND),
        ("INTERVAL YEAR", t.SparkType("interval_year", (0, 0))),
        ("interval", t.CALENDAR_INTERVAL),
        ("timestamp without time zone", t.TIMESTAMP_NTZ),
        ("map<string,map<int,void>>", t.map_(t.STRING, t.map_(t.INT, t.VOID))),
        ("time(0)", t.SparkType("time", (0,))),
    ],
)  # fmt: skip
def test_types_are_read(text: str, expected: t.SparkType) -> None:
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    "text", ["", "integr", "array<int", "decimal(39,0)", "struct<a>", "int, string", "a int"]
)
def test_what_is_no_type(text: str) -> None:
    with pytest.raises(NotAType):
        parse_type(text)


def test_schemas_are_columns_or_a_type() -> None:
    assert parse_schema("a INT, b STRING") == parse_type("struct<a: int, b: string>")
    assert parse_schema("array<int>") == t.array(t.INT)


def _column(kind: t.SparkType, *, nullable: bool = True) -> Argument:
    return Argument(kind, nullable=nullable)


def test_text_is_cast_to_the_number_that_is_wanted() -> None:
    found = resolve("SQRT", [_column(t.STRING, nullable=False)])
    assert found.name == "sqrt"
    assert found.arguments == (t.DOUBLE,)
    assert (found.type, found.nullable) == (t.DOUBLE, True)


def test_a_struct_has_the_names_of_its_arguments() -> None:
    given = [Argument(t.INT, nullable=False, name="k"), Argument(t.STRING, nullable=True)]
    fields = (t.Field("k", t.INT, nullable=False), t.Field("col2", t.STRING))
    assert resolve("struct", given).type == t.struct(fields)


def test_refusals_say_what_is_expected() -> None:
    with pytest.raises(Misused, match=r"the second argument of substring must be int, not boolean"):
        resolve("substr", [_column(t.STRING), _column(t.BOOLEAN)])
    with pytest.raises(Misused, match=r"substring takes 2 to 3 arguments, not 1"):
        resolve("substr", [_column(t.STRING)])
    with pytest.raises(Unknown):
        resolve("levenshtien", [_column(t.STRING)])
    assert known("levenshtien") is None


def test_lambdas_get_the_elements() -> None:
    array = _column(t.array(t.INT, holds_null=False))
    assert lambda_parameters("transform", [array], 1, 2) == [(t.INT, False), (t.INT, False)]
    start = Argument(t.BIGINT, nullable=False, constant=True, value=0)
    assert lambda_parameters("reduce", [array, start], 2, 2) == [(t.BIGINT, True), (t.INT, False)]
    entries = [_column(t.map_(t.STRING, t.DATE))] * 2
    assert lambda_parameters("map_zip_with", entries, 2, 3) == [
        (t.STRING, False), (t.DATE, True), (t.DATE, True),
    ]  # fmt: skip
    with pytest.raises(Misused, match="has 1 parameters, not 2"):
        lambda_parameters("exists", [array], 1, 2)


@pytest.fixture(scope="module")
def analyser(spark: SparkSession) -> SparkSession:
    spark.conf.set("spark.sql.timeType.enabled", "true")
    spark_says.quiet()
    spark_types.table(spark)
    yield spark
    spark.catalog.dropTempView(spark_types.TABLE)
    spark.conf.unset("spark.sql.timeType.enabled")


@pytest.mark.spark
def test_drawn_calls_are_typed_as_by_spark(analyser: SparkSession) -> None:
    found = compare(analyser, list(drawn(330, seed=2026)))
    assert found.accepted > 180
    assert not [(c.sql("scalar"), difference) for c, difference in found.differences]


@pytest.mark.spark
def test_the_names_of_a_struct_of_times(analyser: SparkSession) -> None:
    """sqlglot reads TIME in a type as TIMESTAMP."""
    sql = "SELECT to_xml(named_struct('time', TIME '14:30:45.1', 'n', 1), map('indent', '')) AS x"
    text = to_sql(to_plan(sql, schema={}))
    assert "STRUCT<`time`: TIME(6), n: INT>" in text
    wanted = "<ROW><time>14:30:45.1</time><n>1</n></ROW>"
    assert [analyser.sql(each).collect()[0].x.replace("\n", "") for each in (sql, text)] == [
        wanted, wanted,
    ]  # fmt: skip
