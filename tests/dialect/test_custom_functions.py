"""Functions and types of a user's own: the example of docs/custom_functions.md, and what the page promises.

Expected rows are worked by hand: what each function does is said here, in Python or in SQL.
"""

from __future__ import annotations

import copy
import math
import secrets
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import substrait_sql
from substrait_sql import (
    DialectError,
    ExecutionError,
    InvalidPlanError,
    SubstraitSqlError,
    UnsupportedError,
)
from substrait_sql.cli import main
from substrait_sql.dialect import load
from substrait_sql.dialect.files import json_schema
from substrait_sql.dialect.files.extension_file import schema_of
from substrait_sql.run.init import run_file
from tests.support.cases import PLANS
from tests.support.json_plans import NULLABLE, REQUIRED, field, lit, project, read, values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "custom_functions"
PAGE = DOCS / "custom_functions.md"
URN = "extension:com.acme:x"

# --- the example of the page ---


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_page_shows_the_files() -> None:
    shown = (
        "acme/dialect.yaml",
        "acme/extensions/site.yaml",
        "acme/functions.yaml",
        "functions.sql",
    )
    for name in shown:
        assert f"```\n{(EXAMPLE / name).read_text()}```" in page().replace(
            "```yaml", "```"
        ).replace("```sql", "```")


@pytest.fixture
def _forgotten(spark: SparkSession) -> Iterator[None]:
    yield
    spark.sql("DROP TEMPORARY FUNCTION IF EXISTS acme_distance")


@pytest.mark.usefixtures("_forgotten")
def test_the_page_shows_the_sql_and_the_rows(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--dialect", EXAMPLE / "acme", "--init", EXAMPLE / "functions.sql"]
    arguments += ["--tables", EXAMPLE / "tables", "--show-sql", EXAMPLE / "plan.json"]
    with pytest.raises(SystemExit) as done:
        main(["run", *map(str, arguments)])
    out, err = capfd.readouterr()
    assert done.value.code == 0, err
    assert f"```sql\n{err.strip()}\n```" in page()
    assert f"```\n{out.strip()}\n```" in page()
    # NORTH: 5 and 20 km; SOUTH: 10 km, and a trip to nowhere.
    assert [line.split() for line in out.splitlines()[2:]][:2] == [
        ["NORTH", "20.0", "12.5"],
        ["SOUTH", "10.0", "10.0"],
    ]


def test_check_and_explain_take_the_folder(capfd: pytest.CaptureFixture[str]) -> None:
    for verb in ("check", "explain", "render"):
        with pytest.raises(SystemExit) as done:
            main([verb, "--dialect", str(EXAMPLE / "acme"), str(EXAMPLE / "plan.json")])
        assert done.value.code == 0
    out = capfd.readouterr().out
    assert out.startswith("ok ")
    assert "usual: fp64?" in out


@pytest.mark.usefixtures("_forgotten")
def test_the_example_with_a_function_in_python(spark: SparkSession) -> None:
    given: dict[str, Any] = {
        "dialect": EXAMPLE / "acme",
        "tables": {"trips": EXAMPLE / "tables" / "trips.json"},
    }
    with pytest.raises(ExecutionError, match="SS4019.*acme_distance") as missing:
        substrait_sql.execute(spark, EXAMPLE / "plan.json", **given)
    assert "spark.udf.register" in str(missing.value)
    spark.udf.register(
        "acme_distance",
        lambda a, b: None if a is None or b is None else math.hypot(a.x - b.x, a.y - b.y),
        "double",
    )
    frame: Any = substrait_sql.execute(spark, EXAMPLE / "plan.json", **given)
    assert [tuple(r) for r in frame.collect()] == [("NORTH", 20.0, 12.5), ("SOUTH", 10.0, 10.0)]


# --- plans and dialects made here ---

HERE = Path(__file__).parent / "custom_functions"
EXTENSION = yaml.safe_load((HERE / "extension.yaml").read_text())
LINES = yaml.safe_load((HERE / "lines.yaml").read_text())
# Each with the message, and the files that are not as they are here.
BAD = yaml.safe_load((HERE / "bad.yaml").read_text())


def write(folder: Path, **files: Any) -> Path:
    """A dialect folder; a name with two underscores is one in a folder. None leaves the file out."""
    contents = {
        "dialect": {"metadata": {"extends": "spark"}},
        "lines": LINES,
        "extensions__x": EXTENSION,
        **files,
    }
    for name, content in contents.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
            path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("acme"))


TYPES = ("Grid_Point", "code", "blob", "vector")


def t(text: str) -> dict[str, Any]:
    """A type: ``i64?``, ``decimal:5:2``, ``u!code``."""
    name, *numbers = text.rstrip("?").split(":")
    nullability = NULLABLE if text.endswith("?") else REQUIRED
    if name.startswith("u!"):
        names = [n.lower() for n in TYPES]
        anchor = names.index(name[2:].lower()) + 1
        return {"userDefined": {"typeReference": anchor, "nullability": nullability}}
    found: dict[str, Any] = {"nullability": nullability}
    if numbers:
        found |= {"precision": int(numbers[0]), "scale": int(numbers[1])}
    return {name: found}


def user(name: str, *fields: dict[str, Any], nullable: bool = False) -> dict[str, Any]:
    anchor = [n.lower() for n in TYPES].index(name.lower()) + 1
    value = {"typeReference": anchor, "struct": {"fields": list(fields)}}
    return {"literal": {"userDefined": value, "nullable": nullable}}


class P:
    """A plan under construction: functions are declared when they are called."""

    def __init__(self, urn: str | None = URN, *, uri: bool = False) -> None:
        self.urn = urn
        self.uri = uri
        self.functions: list[tuple[int, str]] = []

    def anchor(self, name: str, official: str = "") -> int:
        space = 2 if official else 1
        if official:
            self.official = official
        if (space, name) not in self.functions:
            self.functions.append((space, name))
        return self.functions.index((space, name)) + 1

    def call(
        self, name: str, out: str | None, *arguments: Any, official: str = "", **options: str
    ) -> Any:
        given = [{"enum": a} if isinstance(a, str) else {"value": a} for a in arguments]
        found = {"functionReference": self.anchor(name, official), "arguments": given}
        if out is not None:
            found["outputType"] = t(out)
        if options:
            found["options"] = [{"name": n, "preference": [v]} for n, v in options.items()]
        return {"scalarFunction": found}

    def over(self, name: str, out: str, *arguments: Any, **window: Any) -> Any:
        found = {
            "functionReference": self.anchor(name),
            "outputType": t(out),
            "arguments": values(*arguments),
            **window,
        }
        return {"windowFunction": found}

    def read(self, columns: str) -> Any:
        """columns: ``k:i64 x:fp64?`` of the table t."""
        pairs = [c.partition(":") for c in columns.split()]
        return read([n for n, _, _ in pairs], [t(x) for _, _, x in pairs])

    def project(self, source: Any, width: int, *expressions: Any) -> Any:
        return project(source, *expressions, emit=range(width, width + len(expressions)))

    def aggregate(
        self, source: Any, keys: list[Any], *measures: tuple[str, str, Any], **more: Any
    ) -> Any:
        made = [
            {
                "measure": {
                    "functionReference": self.anchor(name),
                    "outputType": t(out),
                    "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
                    "arguments": [{"value": x}],
                    **more,
                }
            }
            for name, out, x in measures
        ]
        sets = [{"expressionReferences": list(range(len(keys)))}]
        return {
            "aggregate": {
                "input": source, "groupingExpressions": keys, "groupings": sets, "measures": made
            }
        }  # fmt: skip

    def plan(self, rel: Any, width: int) -> dict[str, Any]:
        anchors = [{"extensionUrnAnchor": 1, "urn": self.urn}] if self.urn else []
        found: dict[str, Any] = {"version": {"minorNumber": 96}, "extensionUrns": anchors}
        key = "extensionUrnReference"
        if self.uri:
            found["extensionUrns"] = []
            found["extensionUris"] = [{"extensionUriAnchor": 1, "uri": self.urn}]
            key = "extensionUriReference"
        if any(space == 2 for space, _ in self.functions):
            official = f"extension:io.substrait:functions_{self.official}"
            found["extensionUrns"].append({"extensionUrnAnchor": 2, "urn": official})
        declared = [
            {"extensionFunction": {key: space, "functionAnchor": i, "name": name}}
            for i, (space, name) in enumerate(self.functions, 1)
        ]
        declared += [
            {"extensionType": {key: 1, "typeAnchor": i, "name": name}}
            for i, name in enumerate(TYPES, 1)
        ]
        found["extensions"] = declared
        names = [f"c{i}" for i in range(width)]
        found["relations"] = [{"root": {"names": names, "input": rel}}]
        return found

    def of(self, columns: str, *expressions: Any) -> dict[str, Any]:
        """The plan that projects these expressions over the table."""
        width = len(columns.split())
        return self.plan(self.project(self.read(columns), width, *expressions), len(expressions))


def rows(
    spark: SparkSession, plan: Any, acme: Path, schema: str, *data: Any
) -> list[tuple[Any, ...]]:
    frame = spark.createDataFrame(list(data), schema)
    found = substrait_sql.execute(spark, plan, dialect=acme, tables={"t": frame})
    assert not isinstance(found, list)
    return [tuple(r) for r in found.collect()]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    """The session with the functions of acme."""
    import pandas as pd
    from pyspark.sql.functions import pandas_udf, udf

    def typical(x: pd.Series) -> float:
        return math.prod(x) ** (1 / len(x))

    typical.__annotations__ = {"x": pd.Series, "return": float}
    spark.udf.register("acme_typical", pandas_udf(typical, "double"))
    spark.udf.register("acme_shout", lambda s: None if s is None else s.upper() + "!", "string")
    spark.udf.register("acme_tenfold", lambda x: None if x is None else x * 10, "decimal(6,2)")
    spark.udf.register(
        "acme_dice", udf(lambda: secrets.randbits(53) / 2**53, "double").asNondeterministic()
    )
    return spark


# --- scalar functions ---


def test_arguments_have_the_declared_types(session: SparkSession, acme: Path) -> None:
    p = P()
    literals = [
        lit(i64="5"), lit(i8=5), lit(fp32=1.5), lit(string="a"),
        lit(decimal={"value": "lgAAAAAAAAAAAAAAAAAAAA==", "precision": 5, "scale": 2}),
    ]  # fmt: skip
    plan = p.of("k:i64", *(p.call("kind_of:any", "string", x) for x in literals))
    expected = ("bigint", "tinyint", "float", "string", "decimal(5,2)")
    assert rows(session, plan, acme, "k bigint", (1,)) == [expected]


def test_overloads_and_results(session: SparkSession, acme: Path) -> None:
    p = P()
    plan = p.of(
        "k:i64? d:decimal:5:2? s:string?",
        p.call("pick:any", "i64?", field(0), lit(i64="7")),
        p.call("tenfold:dec", "decimal:6:2?", field(1)),
        p.call("tenfold:dec", None, field(1)),
        p.call("tenfold:i64", "i64?", field(0)),
        p.call("measured:i64_req", "i64?", field(0), "CM"),
        p.call("count:any", "string?", field(2)),
        p.call("upper:str", "string?", field(2), official="string"),
    )
    found = rows(
        session, plan, acme, "k bigint, d decimal(5,2), s string",
        (3, Decimal("1.25"), "a"), (None, None, None),
    )  # fmt: skip
    assert found == [
        (3, Decimal("12.50"), Decimal("12.50"), 30, 300, "one a", "A!"),
        (7, None, None, None, None, None, None),
    ]
    # The result that the plan leaves out is that of the return expression.
    columns = substrait_sql.render(plan, dialect=acme).statements[0].columns
    assert str(columns[2].type) == "decimal?<6,2>"


def test_integers_and_values_in_rows(session: SparkSession, acme: Path) -> None:
    p = P()
    row = {"fields": [user("Grid_Point", {"i32": 2}, {"string": "b"}), lit(string="ab")]}
    schema = {
        "names": ["g", "s"],
        "struct": {"nullability": REQUIRED, "types": [t("u!grid_point"), t("string")]},
    }
    values = {"read": {"virtualTable": {"expressions": [row, row]}, "baseSchema": schema}}
    again = p.call("again:str_i64", "string", field(1), lit(i64="3"))
    plan = p.plan(p.project(values, 2, p.call("x_of", "i32", field(0)), again), 2)
    assert rows(session, plan, acme, "k bigint") == [(2, "ababab"), (2, "ababab")]


def test_a_lambda_over_records_of_a_table(acme: Path) -> None:
    """The official `transform` and one of acme's own are written alike: names of fields stay."""
    plan = (PLANS / "lambda" / "field_of_an_element.json").read_text()
    own = plan.replace("extension:io.substrait:functions_list", URN)
    assert own != plan
    assert substrait_sql.to_sql(own, dialect=acme) == substrait_sql.to_sql(plan)


def test_options(session: SparkSession, acme: Path) -> None:
    p = P()
    plan = p.of("k:i64", p.call("tenfold:i64", "i64?", field(0), overflow="NULL"))
    assert rows(session, plan, acme, "k bigint", (2,), (2**62,)) == [(20,), (None,)]
    silent = p.of("k:i64", p.call("tenfold:i64", "i64?", field(0), overflow="SILENT"))
    with pytest.raises(UnsupportedError, match="SS2221"):
        substrait_sql.to_sql(silent, dialect=acme)


def test_what_gives_another_value_each_time_is_called_once(
    session: SparkSession, acme: Path
) -> None:
    p = P()
    inner = p.project(p.read("k:i64"), 1, p.call("dice", "fp64"))
    outer = p.project(inner, 1, field(0), field(0))
    plan = p.plan(outer, 2)
    assert substrait_sql.to_sql(plan, dialect=acme).count("acme_dice") == 1
    found = rows(session, plan, acme, "k bigint", (1,), (2,), (3,))
    assert all(a == b for a, b in found)
    assert len({a for a, _ in found}) == 3


def test_a_field_of_an_argument_that_is_an_expression(session: SparkSession, acme: Path) -> None:
    p = P()
    inner = p.call(
        "pick:any", "u!grid_point?", field(0), user("Grid_Point", {"i32": 9}, {"string": "z"})
    )
    plan = p.of("g:u!grid_point?", p.call("x_of:u!grid_point", "i32?", inner))
    data = ((5, "a"),), (None,)
    assert rows(session, plan, acme, "g struct<x: int, label: string>", *data) == [(5,), (9,)]


def test_extensions_by_their_place(session: SparkSession, acme: Path) -> None:
    for urn in ("https://acme.com/substrait/x.yaml", "/x.yaml"):
        p = P(urn, uri=True)
        plan = p.of("g:u!grid_point?", p.call("x_of", "i32?", field(0)))
        assert "(g).x" in substrait_sql.to_sql(plan, dialect=acme)
    p = P("https://acme.com/substrait/y.yaml", uri=True)
    with pytest.raises(UnsupportedError, match="SS2211"):
        substrait_sql.to_sql(p.of("k:i64", p.call("tenfold", "i64", field(0))), dialect=acme)


def test_a_bare_name_is_the_standards(acme: Path) -> None:
    """Acme has a scalar `count`, Substrait an aggregate; `pair` is acme's alone."""
    p = P(None)
    assert "array(" in substrait_sql.to_sql(
        p.of("k:i64", p.call("pair", None, field(0), field(0))), dialect=acme
    )
    with pytest.raises(UnsupportedError, match="SS221"):
        substrait_sql.to_sql(p.of("k:i64", p.call("count", "string", field(0))), dialect=acme)
    # Substrait's functions do not become acme's because of their name.
    assert "count(k)" in substrait_sql.to_sql(
        p.plan(p.aggregate(p.read("k:i64"), [], ("count", "i64", field(0))), 1), dialect=acme
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.call("tenfold:i64", "i64", lit(i32=1)), r"SS2212 .*does not take \(i32\)"),
        (lambda p: p.call("pick:any", "i64", field(0)), "SS2212"),
        (lambda p: p.call("pick:any", "i64", *[field(0)] * 4), "SS2212"),
        (lambda p: p.call("pick:any", "i64", field(0), lit(string="a")), "SS2214 any1 of .* two types: i64, string"),
        (lambda p: p.call("pair:any_any", None, field(0), lit(i32=1)), "SS2214"),
        (lambda p: p.call("tenfold:i64", "string", field(0)), "SS2214 .* declared as string; .* it is i64"),
        (lambda p: p.call("measured:i64_req", "i64", field(0), "KM"), "SS2222 .*no SQL for KM"),
        (lambda p: p.call("measured:i64_req", "i64", field(0), "MILE"), "SS2214 .* knows no MILE, only M, CM, KM"),
        (lambda p: p.call("strictly:i64_i64", "i64?", *[field(0)] * 2), r"SS2214 .*takes .* type i64\?, not i64"),
        (lambda p: p.call("forgotten:i64", "i64", field(0)), r"SS2210 .* has no line(.|\n)*supported_scalar_functions"),
        (lambda p: p.call("tenfolt:i64", "i64", field(0)), r"SS2213 .* has no scalar function tenfolt(.|\n)*tenfold"),
        (lambda p: p.call("tenfold:i64", "i64", field(0), rounding="UP"), "SS2220"),
    ],
)  # fmt: skip
def test_calls_that_are_refused(acme: Path, call: Any, message: str) -> None:
    p = P()
    plan = p.of("k:i64", call(p))
    with pytest.raises(SubstraitSqlError, match=message):
        substrait_sql.to_sql(plan, dialect=acme)


def test_an_unknown_extension(acme: Path) -> None:
    p = P("extension:com.other:y")
    with pytest.raises(
        UnsupportedError, match="SS2211 .*extension:com.other:y.*\n.*\n.*dialect folder"
    ):
        substrait_sql.to_sql(p.of("k:i64", p.call("tenfold:i64", "i64", field(0))), dialect=acme)


# --- aggregates and windows ---


def test_aggregates(session: SparkSession, acme: Path) -> None:
    p = P()
    plan = p.plan(
        p.aggregate(p.read("k:i64 x:fp64"), [field(0)], ("typical:fp64", "fp64?", field(1))), 2
    )
    data = (1, 1.0), (1, 4.0), (2, 9.0)
    found = rows(session, plan, acme, "k bigint, x double", *data)
    assert sorted(found) == [(1, 2.0), (2, 9.0)]
    p = P()
    plan = p.plan(p.aggregate(p.read("x:fp64"), [], ("typical_log:fp64", "fp64?", field(0))), 1)
    # (1 + 49 + 25) / 3 is 25.
    assert rows(session, plan, acme, "x double", (1.0,), (7.0,), (5.0,)) == [(5.0,)]
    assert rows(session, plan, acme, "x double") == [(None,)]


def test_an_aggregate_over_no_rows_is_one_row(session: SparkSession, acme: Path) -> None:
    p = P()
    plan = p.plan(p.aggregate(p.read("x:fp64"), [], ("typical:fp64", "fp64?", field(0))), 1)
    assert rows(session, plan, acme, "x double", (1.0,), (16.0,)) == [(4.0,)]
    assert rows(session, plan, acme, "x double") == [(None,)]
    p = P()
    plan = p.plan(p.aggregate(p.read("x:fp64"), [], ("surely:fp64", "fp64", field(0))), 1)
    assert rows(session, plan, acme, "x double", (3.0,)) == [(3.0,)]
    with pytest.raises(Exception, match="no value over no rows"):
        rows(session, plan, acme, "x double")


def test_an_aggregate_that_is_none(session: SparkSession, tmp_path: Path) -> None:
    """A scalar function that a line takes for an aggregate must not return a row per row."""
    session.udf.register("acme_plain", lambda x: x, "double")
    lines = {
        "dependencies": {"x": URN},
        "supported_aggregate_functions": [
            {"source": "x", "name": "typical", "supported_impls": ["fp64"], "system_metadata": {"name": "acme_plain"}}
        ],
    }  # fmt: skip
    p = P()
    plan = p.plan(p.aggregate(p.read("x:fp64"), [], ("typical:fp64", "fp64?", field(0))), 1)
    with pytest.raises(Exception, match="MISSING_GROUP_BY"):
        rows(session, plan, write(tmp_path, lines=lines), "x double", (1.0,), (2.0,))


def test_aggregates_that_are_refused(acme: Path) -> None:
    states = {"phase": "AGGREGATION_PHASE_INITIAL_TO_INTERMEDIATE"}
    sort = {"sorts": [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_FIRST"}]}
    for more, code in ((states, "SS2152"), (sort, "SS2153")):
        p = P()
        plan = p.plan(
            p.aggregate(p.read("x:fp64"), [], ("typical:fp64", "fp64?", field(0)), **more), 1
        )
        with pytest.raises(UnsupportedError, match=code):
            substrait_sql.to_sql(plan, dialect=acme)
    p = P()
    rel = p.aggregate(p.read("k:i64 x:fp64"), [field(0)], ("typical:fp64", "fp64?", field(1)))
    rel["aggregate"]["groupings"].append({"expressionReferences": []})
    with pytest.raises(UnsupportedError, match="SS2059"):
        substrait_sql.to_sql(p.plan(rel, 3), dialect=acme)


SORTED = {"sorts": [{"expr": field(0), "direction": "SORT_DIRECTION_ASC_NULLS_FIRST"}]}
RUNNING = {
    **SORTED,
    "boundsType": "BOUNDS_TYPE_ROWS",
    "lowerBound": {"unbounded": {}},
    "upperBound": {"currentRow": {}},
}


def test_windows(session: SparkSession, acme: Path) -> None:
    p = P()
    plan = p.of(
        "k:i64 x:fp64",
        field(0),
        p.over("typical:fp64", "fp64?", field(1), **RUNNING),
        p.over("before:any", "fp64?", field(1), **SORTED),
    )
    found = rows(session, plan, acme, "k bigint, x double", (1, 1.0), (2, 4.0), (3, 16.0))
    assert [(a, round(b, 9), c) for a, b, c in sorted(found)] == [
        (1, 1.0, None), (2, 2.0, 1.0), (3, 4.0, 4.0)
    ]  # fmt: skip


def test_a_frame_that_may_be_empty(acme: Path) -> None:
    ends = {
        "lowerBound": {"following": {"offset": "2"}},
        "upperBound": {"following": {"offset": "1"}},
    }
    p = P()
    plan = p.of("k:i64 x:fp64", p.over("typical:fp64", "fp64?", field(1), **{**RUNNING, **ends}))
    with pytest.raises(UnsupportedError, match="SS2177 what typical is over no rows"):
        substrait_sql.to_sql(plan, dialect=acme)


def test_an_aggregate_in_a_subquery(session: SparkSession, acme: Path) -> None:
    """Over the rows of t whose k is that of the row, and over all: 1 and 16, 9; none has k + 1 = 3."""
    p = P()
    outer = {
        "selection": {
            "directReference": {"structField": {"field": 0}},
            "outerReference": {"stepsOut": 1},
        }
    }
    more = p.call("add:i64_i64", "i64", outer, lit(i64="1"), official="arithmetic")
    values = []
    for condition in (None, outer, more):
        source = p.read("k:i64 x:fp64")
        if condition is not None:
            equal = p.call("same", "bool", field(0), condition)
            source = {"filter": {"input": source, "condition": equal}}
        inner = p.aggregate(source, [], ("typical:fp64", "fp64?", field(1)))
        values.append({"subquery": {"scalar": {"input": inner}}})
    plan = p.of("k:i64 x:fp64", field(0), *values)
    found = rows(session, plan, acme, "k bigint, x double", (1, 1.0), (1, 16.0), (2, 9.0))
    every = (1 * 16 * 9) ** (1 / 3)
    assert [(k, round(a, 9), b, c) for k, a, b, c in sorted(found)] == [
        (1, round(every, 9), 4.0, 9.0), (1, round(every, 9), 4.0, 9.0), (2, round(every, 9), 9.0, None)
    ]  # fmt: skip


def test_what_is_shared_is_drawn_once(session: SparkSession, acme: Path) -> None:
    p = P()
    shared = p.aggregate(p.read("k:i64 x:fp64"), [field(0)], ("typical:fp64", "fp64?", field(1)))
    reference: Any = {"reference": {"subtreeOrdinal": 0}}
    both = {"set": {"inputs": [reference, reference], "op": "SET_OP_UNION_ALL"}}
    plan = p.plan(both, 2)
    plan["relations"].insert(0, {"rel": shared})
    assert "rand() >= 0" in substrait_sql.to_sql(plan, dialect=acme)
    found = rows(session, plan, acme, "k bigint, x double", (1, 1.0), (1, 16.0))
    assert found == [(1, 4.0), (1, 4.0)]


# --- types ---


def test_values_of_own_types(session: SparkSession, acme: Path) -> None:
    p = P()
    null = lit(null=t("u!grid_point?"))
    plan = p.of(
        "g:u!grid_point? c:u!code b:u!blob?",
        user("Grid_Point", {"i32": 3}, {"string": "it's"}),
        user("Grid_Point", {"i32": 3}, {"null": t("string?")}),
        user("code", {"i64": "8"}),
        null,
        field(0), field(1), field(2),
        p.call("kind_of:any", "string", user("code", {"i64": "8"})),
    )  # fmt: skip
    found = rows(
        session,
        plan,
        acme,
        "g struct<x: int, label: string>, c bigint, b string",
        ((1, "a"), 4, "xyz"),
    )
    assert found == [((3, "it's"), (3, None), 8, None, (1, "a"), 4, "xyz", "bigint")]
    types = [c.spark_type for c in substrait_sql.render(plan, dialect=acme).statements[0].columns]
    assert types[:4] == [
        "STRUCT<x: INT, label: STRING>", "STRUCT<x: INT, label: STRING>", "BIGINT",
        "STRUCT<x: INT, label: STRING>",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (user("Grid_Point", {"i32": 3}), "SS2138 the value has 1 fields, u!grid_point has 2"),
        (user("Grid_Point", {"i64": "3"}, {"string": "a"}), "SS2138 the field is of type i32, not i64"),
        (user("Grid_Point", {"null": t("i32?")}, {"string": "a"}), "SS2138 .*i32, not NULL"),
        (user("blob", {"string": "a"}), "SS2132"),
        (lit(null=t("u!vector?")), "SS2301"),
        ({"cast": {"type": t("string"), "input": user("code", {"i64": "8"})}}, "SS2139 a cast of u!code"),
        ({"cast": {"type": t("u!code"), "input": lit(i64="8")}}, "SS2139"),
    ],
)  # fmt: skip
def test_values_that_are_refused(acme: Path, value: Any, message: str) -> None:
    with pytest.raises(SubstraitSqlError, match=message):
        substrait_sql.to_sql(P().of("k:i64", value), dialect=acme)


# --- the folder ---

SIMPLE = P()
TENFOLD = SIMPLE.of("k:i64", SIMPLE.call("tenfold:i64", "i64", field(0)))


def changed(**metadata: Any) -> dict[str, Any]:
    """A dialect with one line, for tenfold:i64."""
    line = {"source": "x", "name": "tenfold", "supported_impls": ["i64"], **metadata}
    return {"dependencies": {"x": URN}, "supported_scalar_functions": [line]}


def test_a_change_counts_at_once(tmp_path: Path) -> None:
    folder = write(tmp_path, lines=changed(metadata={"sql": ":x * 10"}))
    assert "k * 10" in substrait_sql.to_sql(TENFOLD, dialect=folder)
    write(tmp_path, lines=changed(metadata={"sql": ":x * 11"}))
    assert "k * 11" in substrait_sql.to_sql(TENFOLD, dialect=folder)


def test_folders_extend_folders(tmp_path: Path) -> None:
    write(tmp_path / "base", lines=changed(metadata={"sql": ":x * 10"}))
    main = {"metadata": {"extends": "../base"}}
    write(
        tmp_path / "near",
        dialect=main,
        extensions__x=None,
        lines=changed(metadata={"sql": "10 * :x"}),
    )
    assert "10 * k" in substrait_sql.to_sql(TENFOLD, dialect=f"{tmp_path}/near")
    write(tmp_path / "far", dialect=main, extensions__x=None, lines=None)
    assert "k * 10" in substrait_sql.to_sql(TENFOLD, dialect=tmp_path / "far")


def test_statements_come_from_the_dialect_that_is_extended(acme: Path) -> None:
    found = substrait_sql.to_sql(TENFOLD, dialect=acme, statement="view", name="v")
    assert found.startswith("CREATE OR REPLACE VIEW v")


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["message"][:60])
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, case: dict[str, Any]) -> None:
    files = {name: content for name, content in case.items() if name != "message"}
    with pytest.raises(DialectError, match=case["message"]):
        substrait_sql.to_sql(TENFOLD, dialect=write(tmp_path / "acme", **files))


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    lines = changed(metadata={"sql": ":y", "integers": ["z"]})
    with pytest.raises(DialectError) as found:
        substrait_sql.check(TENFOLD, dialect=write(tmp_path, lines=lines))
    assert [d.code for d in found.value.diagnostics] == ["SS2406", "SS2407"]


def test_a_bad_dialect_ends_the_command_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path, lines="a: [1")
    with pytest.raises(SystemExit) as done:
        main(["check", "--dialect", str(folder), *[str(EXAMPLE / "plan.json")] * 2])
    assert done.value.code == 2
    assert capfd.readouterr().err.count("SS2404") == 1


def test_what_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "nothing", tmp_path / "file"):
        with pytest.raises(DialectError, match="SS2403"):
            substrait_sql.to_sql(TENFOLD, dialect=path)
    with pytest.raises(UnsupportedError, match=r"SS2401(.|\n)*\./acme"):
        substrait_sql.to_sql(TENFOLD, dialect="acme")


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_the_schema_is_read_as_others_read_it(data: st.DataObject) -> None:
    """A key of a right file taken away, renamed or given another value: refused exactly where jsonschema does."""
    schema, right = SCHEMAS[data.draw(st.integers(0, 1))]
    document = copy.deepcopy(right)
    places = list(_places(document))
    inside, key = places[data.draw(st.integers(0, len(places) - 1))]
    change = data.draw(st.sampled_from(["drop", "rename", "replace"]))
    value = data.draw(
        st.sampled_from([None, 1, 0, -1, True, "a", "", [], {}, ["a", "a"], {"a": 1}, 1.5])
    )
    if change == "replace":
        inside[key] = value
    else:
        taken = inside.pop(key)
        if change == "rename" and isinstance(inside, dict):
            inside["strange"] = taken
    ours = list(json_schema.problems(document, schema, schema))
    assert (not ours) == jsonschema.Draft202012Validator(schema).is_valid(document), document


SCHEMAS = [
    (schema_of("dialects", "dialect_schema.yaml"), LINES),
    (schema_of("extensions", "simple_extensions_schema.yaml"), EXTENSION),
]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from _places(inner)


# --- what Spark itself says ---


# The registry has these aggregates in a group of their own, beside scalars.
UNDER_VECTORS = {"vector_avg", "vector_sum"}


def test_the_list_of_sparks_functions(spark: SparkSession) -> None:
    registry = spark._jsparkSession.sessionState().functionRegistry()  # type: ignore[attr-defined]
    groups = {"agg_funcs": "aggregate", "window_funcs": "window", "generator_funcs": "generator"}
    tables = spark._jsparkSession.sessionState().tableFunctionRegistry()  # type: ignore[attr-defined]
    found = registry.listFunction().iterator()
    seen = 0
    while found.hasNext():
        name = found.next()
        group = registry.lookupFunction(name).get().getGroup()
        text = str(name.funcName())
        if text.isidentifier() and group != "" and not text.startswith("acme_"):
            wanted = "generator" if tables.lookupFunction(name).isDefined() else "scalar"
            if text in UNDER_VECTORS:
                wanted = "aggregate"
            assert load("spark").builtins.kind(text) == groups.get(group, wanted), text
            seen += 1
    assert seen > 500


def test_statements_of_a_file(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "init.sql"
    path.write_text(
        "-- one; two\nCREATE TEMPORARY FUNCTION acme_semi() RETURNS STRING RETURN 'a;b';\n\n"
        "CREATE TEMPORARY FUNCTION acme_two() RETURNS INT RETURN 2"
    )
    run_file(spark, path)
    assert tuple(spark.sql("SELECT acme_semi(), acme_two()").collect()[0]) == ("a;b", 2)
    path.write_text("SELECT 1;\nCREATE NONSENSE;\n")
    with pytest.raises(ExecutionError, match=r"SS4020(.|\n)*init.sql:2"):
        run_file(spark, path)
    with pytest.raises(ExecutionError, match="SS4020"):
        run_file(spark, tmp_path / "nothing.sql")
    for name in ("acme_semi", "acme_two"):
        spark.sql(f"DROP TEMPORARY FUNCTION {name}")


def test_invalid_plans_are_told_apart(acme: Path) -> None:
    p = P()
    with pytest.raises(InvalidPlanError):
        substrait_sql.to_sql(p.of("k:i64", p.call("tenfold:i64", "string", field(0))), dialect=acme)
