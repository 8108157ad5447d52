"""What plans of older releases of Ibis, DuckDB and pyarrow have shown, cut down to it; rows against DuckDB's own."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import substrait_sql
from substrait_sql import InvalidPlanError, UnsupportedError
from tests.support import rows, run
from tests.support.json_plans import (
    BOOL,
    DAY,
    DOUBLE,
    I64,
    TEXT,
    Json,
    call,
    cast,
    decimal,
    field,
    functions,
    literal,
    moment,
    of,
    plan,
    project,
    text,
)
from tests.support.json_plans import read as bare_read

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INT, BYTES = of("i32"), of("binary")


def read(names: list[str], types: list[Json]) -> Json:
    """A read with the mask that DuckDB always writes."""
    items = [{"field": i} for i in range(len(names))]
    return bare_read(names, types, projection={"select": {"structItems": items}})


def of_ibis(rel: Json, minor: int | None, *names: str, columns: list[str] | None = None) -> Json:
    """A plan as Ibis writes it; minor: None for the releases up to 2.28, which say neither version nor producer."""
    document = plan(rel, columns or ["x"], "ibis-substrait", minor or 0)
    document["extensionUris"] = [
        {"extensionUriAnchor": 1, "uri": "" if minor is None else "/functions_arithmetic.yaml"}
    ]
    document["extensions"] = [
        {"extensionFunction": {"extensionUriReference": 1, "functionAnchor": i, "name": n}}
        for i, n in enumerate(names)
    ]
    if minor is None:
        del document["version"]
    return document


# --- DuckDB ---------------------------------------------------------------------------------------


# What 2.29, -2.25 and 1.99 of a type become as another one, in 1.0 and in 1.1.3.
CUT = [
    ((4, 2), (10, 1), "2.2 -2.2 1.9", "2.3 -2.3 2.0"),
    ((4, 2), (2, 1), "2.2 -2.2 1.9", "2.2 -2.2 1.9"),
    ((4, 2), (3, 0), "2 -2 1", "2 -2 2"),
    ((9, 3), (8, 1), "2.2 -2.2 1.9", "2.3 -2.3 2.0"),
    ((9, 3), (4, 1), "2.2 -2.2 1.9", "2.2 -2.2 1.9"),
    ((9, 2), (8, 1), "2.2 -2.2 1.9", "2.2 -2.2 1.9"),
    ((18, 2), (18, 1), "2.2 -2.2 1.9", "2.3 -2.3 2.0"),
    ((18, 2), (10, 0), "2 -2 1", "2 -2 1"),
    ((38, 10), (38, 1), "2.2 -2.2 1.9", "2.3 -2.3 2.0"),
    ((38, 10), (18, 1), "2.2 -2.2 1.9", "2.2 -2.2 1.9"),
]


@pytest.mark.spark
def test_duckdb_cuts_decimals(spark: SparkSession) -> None:
    """The rows of 1.0, which always cuts, and of 1.1.3, which rounds where the type has room for more digits."""
    texts = [Decimal("2.29"), Decimal("-2.25"), Decimal("1.99")]
    for minor, expected in ((48, 2), (53, 3)):
        columns = [chr(ord("a") + i) for i in range(len(CUT))]
        casts = [cast(field(i), decimal(*target)) for i, (_, target, *_) in enumerate(CUT)]
        rel = project(read(columns, [decimal(*source) for source, *_ in CUT]), *casts)
        frame = spark.createDataFrame(
            [(x,) * len(CUT) for x in texts],
            ", ".join(
                f"{name} DECIMAL{source}" for name, (source, *_) in zip(columns, CUT, strict=True)
            ),
        )
        found = run.last_rows(spark, plan(rel, columns, "DuckDB", minor), {"t": frame})
        want = list(zip(*([Decimal(x) for x in row[expected].split()] for row in CUT), strict=True))
        assert not rows.difference(found, want), minor


def test_nobody_else_cuts_decimals() -> None:
    rel = project(read(["d"], [decimal(10, 2)]), cast(field(0), decimal(8, 1)), emit=[1])
    assert text(plan(rel, ["x"], "isthmus", 53)) == "SELECT CAST(d AS DECIMAL(8, 1)) AS x FROM t"
    wider = project(read(["d"], [decimal(10, 2)]), cast(field(0), decimal(12, 3)))
    assert text(plan(wider, ["x"], "DuckDB", 53)) == "SELECT CAST(d AS DECIMAL(12, 3)) AS x FROM t"


@pytest.mark.spark
def test_duckdb_shifts_to_zero(spark: SparkSession) -> None:
    """The rows of 1.1.3: nothing is left of a number that is shifted by a negative count, or by all of its bits."""
    counts = [0, 1, 7, 8, 31, 32, 63, 64, -1, -(2**31), None]
    types = [(of("i8"), "TINYINT", -128, 8), (INT, "INT", -13, 32), (of("i64"), "BIGINT", -9, 64)]
    for type, name, number, bits in types:
        read_ = read(["x", "y"], [type, type])
        rel = project(read_, call(0, type, field(0), field(1)))
        usable = [y for y in counts if y is None or abs(y) < 128 or bits > 8]
        frame = spark.createDataFrame([(number, y) for y in usable], "x BIGINT, y BIGINT")
        frame = frame.selectExpr(f"CAST(x AS {name}) AS x", f"CAST(y AS {name}) AS y")
        made = plan(rel, ["z"], "DuckDB", 53, extensions=functions(">>"))
        want = [None if y is None else number >> y if 0 <= y < bits else 0 for y in usable]
        assert [r[0] for r in run.last_rows(spark, made, {"t": frame})] == want, name
    for count, sql in ((2, "shiftright(x, 2)"), (40, "x * 0"), (-1, "x * 0")):
        rel = project(read(["x"], [INT]), call(0, INT, field(0), {"literal": {"i32": count}}))
        made = plan(rel, ["z"], "DuckDB", 53, extensions=functions(">>"))
        assert text(made) == f"SELECT {sql} AS z FROM t"


def counted(name: str, minor: int, invocation: str = "AGGREGATION_INVOCATION_ALL") -> Json:
    """SELECT count(a), whose column DuckDB names by the query's text."""
    measure = {"functionReference": 0, "invocation": invocation, "outputType": I64}
    measure |= {"arguments": [{"value": field(0)}], "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
    rel = {"aggregate": {"input": read(["a"], [I64]), "measures": [{"measure": measure}]}}
    return plan(rel, [name], "DuckDB", minor, extensions=functions("count"))


@pytest.mark.spark
def test_duckdb_aggregates(spark: SparkSession) -> None:
    """The rows of 1.1.3: a product over NULLs is NULL, a median of decimals is cut off towards zero."""
    small = decimal(10, 2)
    columns = [("product", DOUBLE, 1), ("median", small, 2), ("median", small, 3)]
    measures = [
        {"measure": {
            "functionReference": i, "outputType": type, "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
            "arguments": [{"value": field(at)}],
        }} for i, (_, type, at) in enumerate(columns)
    ]  # fmt: skip
    mask = {"select": {"structItems": [{"field": i} for i in range(4)]}}
    table = read(["g", "f", "d", "e"], [I64, DOUBLE, small, small])
    table["read"]["projection"] = mask
    grouping = [{"groupingExpressions": [field(0)]}]
    rel = {"aggregate": {"input": table, "groupings": grouping, "measures": measures}}
    document = plan(
        rel, ["g", "x", "y", "z"], "DuckDB", 53, extensions=functions(*(c[0] for c in columns))
    )
    given = [
        (1, 2.0, "-0.04", "0.01"),
        (1, 3.5, "-0.01", "0.02"),
        (2, None, "-0.03", None),
        (2, None, "0.00", None),
    ]
    rows_of = [(g, f, Decimal(d), Decimal(e) if e else None) for g, f, d, e in given]
    frame = spark.createDataFrame(rows_of, "g BIGINT, f DOUBLE, d DECIMAL(10, 2), e DECIMAL(10, 2)")
    got = run.last_rows(spark, document, {"t": frame})
    wanted = [(1, 7.0, Decimal("-0.02"), Decimal("0.01")), (2, None, Decimal("-0.01"), None)]
    assert not rows.difference(got, wanted), substrait_sql.to_sql(document)


def test_duckdb_leaves_out_what_the_name_says() -> None:
    """DuckDB 1.0 and 1.1: FILTER is in the column's name only; in 1.0 DISTINCT as well."""
    lost = [counted("count(a) FILTER (WHERE (a > 2))", m) for m in (48, 53)]
    lost.append(counted("count(DISTINCT a)", 48))
    for document in lost:
        with pytest.raises(UnsupportedError, match="SS2004"):
            substrait_sql.to_sql(document)
    kept = counted("count(DISTINCT a)", 53, "AGGREGATION_INVOCATION_DISTINCT")
    assert "count(DISTINCT a) AS" in text(kept)
    kept["version"]["producer"] = "somebody"
    assert "count(DISTINCT a) AS" in text(kept)


def quotient(function: str, divisor: Json, minor: int, type: Json = DOUBLE) -> str:
    rel = project(read(["a", "b"], [type, type]), call(0, type, field(0), divisor))
    return text(plan(rel, ["x"], "DuckDB", minor, extensions=functions(function)))


def test_duckdb_by_zero() -> None:
    """1 % 0 and 1 // 0 are NULL; 1 / 0 is in DuckDB 1.0, and infinite in 1.1."""
    assert quotient("divide", field(1), 48) == "SELECT try_divide(a, b) AS x FROM t"
    why = "/* a quotient by zero is infinite or NaN, where / would fail */"
    infinite = f"SELECT {why} coalesce(try_divide(a, b), a * power(b, -1)) AS x FROM t"
    assert quotient("divide", field(1), 53) == infinite
    assert quotient("divide", {"literal": {"fp64": -2.5}}, 48) == "SELECT a / -2.5D AS x FROM t"
    assert quotient("//", field(1), 53) == "SELECT try_divide(a, b) AS x FROM t"
    assert quotient("//", field(1), 53, I64) == "SELECT a DIV nullif(b, 0) AS x FROM t"
    assert quotient("//", literal(7), 53, I64) == "SELECT a DIV 7 AS x FROM t"
    assert quotient("%", field(1), 53, I64) == "SELECT try_mod(a, b) AS x FROM t"
    assert quotient("%", literal(-7), 53, I64) == "SELECT a % -7 AS x FROM t"
    assert quotient("modulus", field(1), 53, I64) == "SELECT try_mod(a, b) AS x FROM t"
    assert quotient("%", field(1), 48) == "SELECT try_mod(a, b) AS x FROM t"
    # Of doubles 1.1 has NaN there, under both names of the function.
    nan = "SELECT coalesce(try_mod(a, b), a * b * double('NaN')) AS x FROM t"
    assert {quotient(name, field(1), 53) for name in ("modulus", "%")} == {nan}


def test_duckdb_offset_without_a_limit() -> None:
    """DuckDB 1.0 writes the least number of 64 bits."""
    fetch = {"fetch": {"input": read(["a"], [I64]), "offset": 9, "count": str(-(2**63))}}
    assert text(plan(fetch, ["a"], "DuckDB", 48)) == "SELECT a FROM t OFFSET 9"
    with pytest.raises(InvalidPlanError, match="SS1010"):
        substrait_sql.to_sql(plan(fetch, ["a"], "somebody", 48))


NAMES = ["id", "s", "d", "ts", "b", "n"]
TYPES = [I64, TEXT, DAY, moment(6), BYTES, decimal(10, 2)]
# What the plan calls, its type and arguments; the same in SQL.
CALLS: list[tuple[str, Json, list[Json], str]] = [
    ("~", I64, [field(0)], "~id"),
    ("&", I64, [field(0), literal(3)], "id & 3"),
    ("|", I64, [field(0), literal(8)], "id | 8"),
    ("xor", I64, [field(0), literal(5)], "xor(id, 5)"),
    ("//", I64, [field(0), literal(-2)], "id // -2"),
    ("%", I64, [field(0), literal(0)], "id % 0"),
    ("**", DOUBLE, [cast(field(0), DOUBLE), {"literal": {"fp64": 2}}], "id ** 2"),
    ("^", DOUBLE, [cast(field(0), DOUBLE), {"literal": {"fp64": 3}}], "id ^ 3"),
    ("regexp_matches", BOOL, [field(1), {"literal": {"string": "p+"}}], "regexp_matches(s, 'p+')"),
    ("hex", TEXT, [field(1)], "hex(s)"),
    ("to_hex", TEXT, [field(0)], "to_hex(id)"),
    ("sha256", TEXT, [field(1)], "sha256(s)"),
    ("strlen", I64, [field(1)], "strlen(s)"),
    ("octet_length", I64, [field(4)], "octet_length(b)"),
    ("to_base64", TEXT, [field(4)], "to_base64(b)"),
    ("lcase", TEXT, [field(1)], "lcase(s)"),
    ("ucase", TEXT, [field(1)], "ucase(s)"),
    ("unicode", INT, [field(1)], "unicode(s)"),
    ("array_extract", TEXT, [field(1), literal(2)], "s[2]"),
    ("array_extract", TEXT, [field(1), literal(-1)], "s[-1]"),
    ("last_day", DAY, [field(2)], "last_day(d)"),
    ("levenshtein", I64, [field(1), {"literal": {"string": "Zurich"}}], "levenshtein(s, 'Zurich')"),
    ("monthname", TEXT, [field(2)], "monthname(d)"),
    ("dayname", TEXT, [field(3)], "dayname(ts)"),
    ("weekofyear", I64, [field(2)], "weekofyear(d)"),
    ("isoyear", I64, [field(2)], "isoyear(d)"),
    ("epoch_ms", I64, [field(3)], "epoch_ms(ts)"),
    ("epoch_us", I64, [field(3)], "epoch_us(ts)"),
    *(
        ("date_diff", I64, [{"literal": {"string": unit}}, field(2), {"literal": {"date": 18262}}],
         f"date_diff('{unit}', d, DATE '2020-01-01')")
        for unit in ("day", "month", "year")
    ),
]  # fmt: skip
ROWS = [
    (1, "apple", dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 10, 11, 12, 123456), b"a", "2.29"),
    (-5, "Zürich", dt.date(2021, 1, 1), dt.datetime(1969, 12, 31, 23, 59, 59, 500999), b"\x00\xff", "-2.29"),
    (0, "", dt.date(1969, 7, 20), dt.datetime(2000, 2, 29), b"", "2.25"),
    (None, None, None, None, None, None),
]  # fmt: skip


@pytest.mark.spark
def test_duckdb_functions(spark: SparkSession) -> None:
    """What DuckDB calls by its own names returns what DuckDB itself returns."""
    calls = [call(i, c[1], *c[2]) for i, c in enumerate(CALLS)]
    rel = project(read(NAMES, TYPES), field(0), *calls, cast(field(5), decimal(8, 1)))
    columns = ["id", *(f"x{i}" for i in range(len(CALLS))), "cut"]
    document = plan(rel, columns, "DuckDB", 53, extensions=functions(*(c[0] for c in CALLS)))
    own = [(*r[:5], Decimal(str(r[5])) if r[5] else None) for r in ROWS]
    schema = "id BIGINT, s STRING, d DATE, ts TIMESTAMP_NTZ, b BINARY, n DECIMAL(10, 2)"
    table = spark.createDataFrame(own, schema)
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t (id BIGINT, s VARCHAR, d DATE, ts TIMESTAMP, b BLOB, n DECIMAL(10, 2))"
    )
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", own)
    # Of the decimals these are DuckDB 1.1's digits; later ones round.
    query = f"SELECT id, {', '.join(c[3] for c in CALLS)} FROM t"
    cut = {1: Decimal("2.2"), -5: Decimal("-2.2"), 0: Decimal("2.2"), None: None}
    wanted = [(*row, cut[row[0]]) for row in connection.execute(query).fetchall()]
    got = run.last_rows(spark, document, {"t": table})
    assert not rows.difference(got, wanted), substrait_sql.to_sql(document)


def test_duckdb_functions_that_take_literals() -> None:
    """The end of a month has a name for each unit; the position of a character may be 0, where there is none."""
    table = read(["s", "d", "i"], [TEXT, DAY, I64])
    week = call(0, I64, {"literal": {"string": "week"}}, field(1), field(1))
    for bad, name in ((week, "date_diff"), (call(0, TEXT, field(0), field(2)), "array_extract")):
        document = plan(project(table, bad), ["x"], "DuckDB", 53, extensions=functions(name))
        with pytest.raises(UnsupportedError, match="SS2222"):
            substrait_sql.to_sql(document)


# --- Ibis -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("minor", [None, 24, 50, 56])
def test_ibis_positions_are_those_of_the_plan(minor: int | None) -> None:
    """s[0:3] is substring(s, 0, 3) there. The first character is 1 in a plan: consumer-testing has two for this one."""
    start, length = ({"literal": {"i8": i}} for i in (0, 3))
    made = call(0, TEXT, field(0), start, length)
    rel = project(bare_read(["s", "i"], [TEXT, INT]), made, emit=[2])
    assert text(of_ibis(rel, minor, "substring")) == "SELECT substring(s, 1, 2) AS x FROM t"


def test_ibis_capitalizes() -> None:
    """What is behind the first letter is put in lower case; the standard's function leaves it."""
    rel = project(bare_read(["s"], [TEXT]), call(0, TEXT, field(0)), emit=[1])
    assert text(of_ibis(rel, 50, "capitalize")) == (
        "SELECT concat(upper(left(s, 1)), lower(substring(s, 2))) AS x FROM t"
    )
    assert "lower" not in text(plan(rel, ["x"], "somebody", 50, extensions=functions("capitalize")))


def test_ibis_before_versions() -> None:
    """Up to 2.28 neither version nor producer is written, but an extension without a name; nobody else does that."""
    number = read(["a"], [I64])
    rel = project(number, call(0, DOUBLE, field(0), field(0)), emit=[1])
    assert text(of_ibis(rel, None, "divide")) == "SELECT a / a AS x FROM t"
    named = of_ibis(rel, None, "divide")
    named["extensionUris"][0]["uri"] = "/functions_arithmetic.yaml"
    assert text(named) == "SELECT CAST(a DIV a AS DOUBLE) AS x FROM t"


def test_ibis_options_among_arguments() -> None:
    """2.14 has them in front, and no signature that tells; over floats nothing overflows."""
    for type, sql in ((I64, "a + a"), (DOUBLE, "a + a")):
        made = call(0, type, field(0), field(0))
        made["scalarFunction"]["arguments"].insert(0, {"enum": "ERROR"})
        document = of_ibis(project(read(["a"], [type]), made, emit=[1]), None, "add")
        assert text(document) == f"SELECT {sql} AS x FROM t"
    made["scalarFunction"]["arguments"][0] = {"enum": "NOBODY_KNOWS"}
    with pytest.raises(UnsupportedError, match="SS2212"):
        substrait_sql.to_sql(document)


@pytest.mark.parametrize("minor", [None, 24, 32])
def test_ibis_keys(minor: int | None) -> None:
    """group_by(["g", "b"]) up to 3.0: each key is a grouping, and all of them are one."""
    groupings = [{"groupingExpressions": [field(i)]} for i in range(2)]
    measure = {"functionReference": 0, "outputType": I64, "arguments": [{"value": field(2)}]}
    measure |= {"phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT"}
    table = bare_read(["g", "b", "a"], [TEXT, BOOL, I64])
    rel = {"input": table, "groupings": groupings, "measures": [{"measure": measure}]}
    document = of_ibis({"aggregate": rel}, minor, "sum", columns=["g", "b", "x"])
    assert text(document) == "SELECT g, b, sum(a) AS x FROM t GROUP BY g, b"


def listed(option: Json, minor: int | None) -> Json:
    condition = {"singularOrList": {"value": field(0), "options": [option]}}
    rel = {"filter": {"input": bare_read(["a", "c"], [I64, I64]), "condition": condition}}
    return of_ibis(rel, minor, "lt", columns=["a", "c"])


def test_ibis_lists() -> None:
    """notin is written as isin up to 3.0; a.isin(u.k) as a list of one column of a's own table up to 3.2."""
    for minor in (None, 24, 32):
        with pytest.raises(UnsupportedError, match="SS2169"):
            substrait_sql.to_sql(listed(literal(3), minor))
    assert text(listed(literal(3), 49)) == "SELECT a, c FROM t WHERE a IN (3)"
    with pytest.raises(UnsupportedError, match="SS2169"):
        substrait_sql.to_sql(listed(field(0), 49))
    assert text(listed(field(1), 50)) == "SELECT a, c FROM t WHERE a IN (c)"


def test_ibis_exists() -> None:
    """(t.id == u.k).any() compares u.k with u.k in the plan: the column of t is lost."""
    same = call(0, BOOL, field(0), field(0))
    inside = {"filter": {"input": bare_read(["k"], [I64]), "condition": same}}
    exists = {"setPredicate": {"predicateOp": "PREDICATE_OP_EXISTS", "tuples": inside}}
    rel = {"filter": {"input": bare_read(["id"], [I64]), "condition": {"subquery": exists}}}
    for minor in (24, 50):
        with pytest.raises(UnsupportedError, match="SS2168"):
            substrait_sql.to_sql(of_ibis(rel, minor, "equal", columns=["id"]))
    outer: Any = {"outerReference": {"stepsOut": 1}, "directReference": {"structField": {}}}
    same["scalarFunction"]["arguments"][0] = {"value": {"selection": outer}}
    assert "EXISTS" in text(of_ibis(rel, 50, "equal", columns=["id"]))


BEST = (
    "arg_max",
    "argmax",
    "max_by",
    "arg_min",
    "argmin",
    "min_by",
    "arg_max_null",
    "arg_min_null",
)
KEYED = [
    ("x", 1, 2.5),
    (None, 9, 9.5),
    (None, 0, -1.0),
    ("y", 5, float("nan")),
    ("z", None, None),
    ("x", 3, 0.0),
]


@pytest.mark.spark
def test_duckdb_values_beside_the_greatest(spark: SparkSession) -> None:
    """arg_max leaves rows without a value out, arg_max_null does not; the mode is over any type."""
    calls = [(name, key) for name in BEST for key in (1, 2)]
    measures = [
        {
            "functionReference": BEST.index(name),
            "outputType": TEXT,
            "arguments": [{"value": field(0)}, {"value": field(key)}],
            "phase": "AGGREGATION_PHASE_INITIAL_TO_RESULT",
        }
        for name, key in calls
    ]
    mode = {**measures[0], "functionReference": len(BEST), "arguments": [{"value": field(0)}]}
    table = read(["v", "k", "f"], [TEXT, of("i64"), DOUBLE])
    rel = {"input": table, "measures": [{"measure": m} for m in (*measures, mode)]}
    names = [f"x{i}" for i in range(len(calls) + 1)]
    declared = functions(*BEST, "mode")
    made = plan({"aggregate": rel}, names, "DuckDB", 53, extensions=declared)
    asked = ", ".join(f"{name}(v, {'vkf'[key]})" for name, key in calls)
    con = duckdb.connect()
    con.execute("CREATE TABLE t (v VARCHAR, k BIGINT, f DOUBLE)")
    con.executemany("INSERT INTO t VALUES (?, ?, ?)", KEYED)
    for where in ("", "WHERE v IS NULL", "WHERE k < 0"):
        want = con.execute(f"SELECT {asked}, mode(v) FROM t {where}").fetchall()
        frame = spark.createDataFrame(KEYED, "v STRING, k BIGINT, f DOUBLE")
        found = run.last_rows(spark, made, {"t": frame.filter(where[6:] or "TRUE")})
        assert not rows.difference(found, want), where
