"""What a plan will touch: known without Spark, and nothing is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import demo, effects
from substrait_sql.policy.calls import called

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = {"orders": "id INT, price DOUBLE, name STRING"}


def of(sql: str, **options: Any) -> substrait_sql.Effects:
    return effects(substrait_sql.to_plan(sql, schema=SCHEMA, **options))


def reading(**read: Any) -> dict[str, Any]:
    """A plan that returns the column of a read."""
    struct = {"types": [{"i64": {"nullability": 1}}], "nullability": 2}
    node = {"baseSchema": {"names": ["id"], "struct": struct}, **read}
    root = {"input": {"read": node}, "names": ["id"]}
    return {"version": {"minorNumber": 90}, "relations": [{"root": root}]}


def test_of_the_demo() -> None:
    found = effects(demo.PLAN)
    assert [t.name for t in found.tables_read] == [("customer",), ("orders",), ("lineitem",)]
    assert found.tables_read[0].path.startswith("relations[0].root.input.fetch.")
    assert not found.writes
    assert {f.origin for f in found.functions} == {"standard"}
    assert found.roots[0].statements == ("query",)
    assert found.roots[0].columns[0] == "l_orderkey"
    assert [v.path for v in found.variations] == ["relations[0].root.input.fetch"]


def test_a_write() -> None:
    found = of("CREATE TABLE sales.best AS SELECT id FROM orders WHERE price > :least",
               parameters={"least": "DOUBLE"})  # fmt: skip
    (target,) = found.tables_written
    assert (target.name, target.statement, target.path) == (
        ("sales", "best"),
        "ctas",
        "relations[0]",
    )
    assert found.writes
    assert [(p.anchor, p.type) for p in found.parameters] == [(1, "fp64?")]
    assert found.deterministic


@pytest.mark.parametrize(
    ("names", "format", "place"),
    [
        (["parquet", "/etc/x"], "parquet", "/etc/x"),
        (["CSV", "relative"], "csv", "relative"),
        (["org.acme.Source", "x"], "org.acme.source", "x"),
        (["spark_catalog", "delta", "/x"], "spark_catalog", "/x"),
    ],
)
def test_a_table_that_is_files(names: list[str], format: str, place: str) -> None:
    found = effects(reading(namedTable={"names": names}))
    assert not found.tables_read
    (file,) = found.files_read
    assert (file.format, file.place, file.pattern) == (format, place, True)


def test_files() -> None:
    items = [
        {"uriFile": "file:///data/a%20b.parquet", "parquet": {}},
        {"uriPathGlob": "s3a://lake/x/*.orc", "orc": {}},
        {"uriFile": "file:///data/a%20b.parquet", "parquet": {}},
    ]
    found = effects(reading(localFiles={"items": items}))
    seen = [(f.format, f.place, f.pattern, f.path[-8:]) for f in found.files_read]
    assert seen == [
        ("parquet", "file:///data/a b.parquet", False, "items[0]"),
        ("orc", "s3a://lake/x/*.orc", True, "items[1]"),
    ]


def named(sql: str, old: str, new: str) -> Any:
    """The plan of a text, calling a function of another name."""
    plan = substrait_sql.to_plan(sql, schema=SCHEMA)
    for item in plan.extensions:
        if item.extension_function.name.startswith(old):
            item.extension_function.name = new
    return plan


def test_functions_apart() -> None:
    plan = named("SELECT soundex(name) AS s, abs(price) AS p FROM orders", "soundex", "reflect")
    found = effects(plan)
    origins = {f.name: f.origin for f in found.functions}
    assert origins == {"reflect": "engine", "abs": "standard"}
    assert found.registered == ()


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT id FROM orders LIMIT 1", "no ORDER BY"),
        ("SELECT id FROM orders ORDER BY price LIMIT 1", "may leave rows equal"),
        ("SELECT current_date() AS d FROM orders", "current_date depends on"),
        ("SELECT collect_list(id) AS l FROM orders", "order of equal rows"),
        ("SELECT row_number() OVER (ORDER BY price) AS n FROM orders", "order of equal rows"),
        ("SELECT first(id) AS f FROM orders", "order of equal rows"),
    ],
)
def test_what_may_vary(sql: str, reason: str) -> None:
    found = of(sql)
    assert not found.deterministic
    assert any(reason in v.reason for v in found.variations), found.variations


def test_drawn_values() -> None:
    found = effects(named("SELECT soundex(name) AS s FROM orders", "soundex", "uuid"))
    assert [v.reason for v in found.variations] == ["uuid gives another value each time"]


def test_what_does_not() -> None:
    assert of("SELECT name, sum(price) AS s FROM orders GROUP BY name ORDER BY name").deterministic


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("SELECT f (x), g/* a */(1) FROM t", {"f", "g"}),
        ("SELECT `Reflect`(a) FROM t", {"reflect"}),
        ("SELECT `in`(a), x IN (1) FROM t", {"in"}),
        ("SELECT cat.db.f(a) FROM t", {"cat.db.f"}),
        ("SELECT 1 FROM t LATERAL VIEW mine(x) v AS y", {"mine"}),
        ("SELECT 1 FROM t JOIN LATERAL mine(x) AS v(y)", {"mine"}),
        ("INSERT INTO f (a, b) SELECT 'reflect(x)', 1 -- reflect(x)", set()),
        ("SELECT `a``b(`, f(x), '\\'', g(y), 'it''s', h(z) FROM t", {"f", "g", "h"}),
        ("SELECT `--`, f(x), '/*', g(y), `*/`", {"f", "g"}),
        ("SELECT /*+ BROADCAST(t) */ f(x) FROM t", {"f"}),
        ("CREATE TEMPORARY VIEW x USING y OPTIONS (path = 'f(x)')", set()),
        ("WITH w AS (SELECT 1) SELECT (1) FROM w GROUP BY (a)", set()),
    ],
)
def test_calls_in_a_text(sql: str, names: set[str]) -> None:
    assert set(called(sql)) == names


def test_on_the_command_line(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(reading(namedTable={"names": ["db", "odd\u001b2Jname"]})))
    code, out, _ = call("check", "--effects", path)
    assert code == 0
    assert "reads        db.odd\\x1b2Jname" in out
    code, out, _ = call("check", "--effects", "--format", "json", path)
    (said,) = json.loads(out)
    assert said["tables_read"] == [
        {"name": ["db", "odd\x1b2Jname"], "path": "relations[0].root.input.read"}
    ]
    assert said["writes"] is False
    assert said["deterministic"] is True
    assert call("check", "--effects", "--format", "sarif", path)[0] == 2


def test_a_plan_that_is_refused_has_none(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    path.write_text("{}")
    code, out, err = call("check", "--effects", "--format", "json", path)
    assert (code, json.loads(out)) == (1, [])
    assert "SS" in err


def test_where_rows_are_to_go(call: Any) -> None:
    """A target is the caller's: it is no statement of the plan."""
    found = effects(demo.PLAN, to_table="sales.`top ten`", to_files="/lake/top")
    assert [w.name for w in found.tables_written] == [("sales", "top ten")]
    assert [w.name for w in found.files_written] == [("/lake/top",)]
    assert found.writes
    assert (
        "writes file  /lake/top (save)"
        in call("check", "--effects", demo.PLAN, "--to-files", "/lake/top")[1]
    )
    assert call("check", demo.PLAN, "--to-files", "/lake/top")[0] == 2
