"""A dialect is a folder: other quotes, words, settings and printers, said in `dialect.yaml` and nowhere else."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlglot
import yaml

import substrait_sql
from substrait_sql import DialectError, UnsupportedError, resources
from substrait_sql.dialect import load
from substrait_sql.dialect import target as said
from substrait_sql.dialect.dialect import Dialect
from tests.golden.test_plans import RENDERED
from tests.support.build import eq, lit, plan, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = [
    {"name": "spark.sql.mapKeyDedupPolicy", "value": "EXCEPTION", "why": "a key comes once"},
    {"name": "spark.sql.crossJoin.enabled", "value": "true", "why": "joins need no condition"},
]
ORDERS = table("sales orders", 'id:i64 order:str? a"b:str?')
TEXT_OR_NAME = re.compile(r"'(?:\\.|[^'\\])*'|`(?:[^`]|``)*`", re.DOTALL)
PLAN = plan((ORDERS.filter(lambda r: eq(r[1], lit("it's", "str"))), "id order out"))


def folder(path: Path, name: str = "acme", **metadata: Any) -> Path:
    """A dialect over Spark's with this metadata."""
    made = path / name
    made.mkdir(exist_ok=True)
    rest = {"extends": "spark", **metadata}
    text = yaml.safe_dump({"name": name, "metadata": rest}, sort_keys=False)
    (made / "dialect.yaml").write_text(text)
    return made


def _in_double_quotes(found: re.Match[str]) -> str:
    if found[0].startswith("'"):
        return found[0]
    return '"' + found[0][1:-1].replace("``", "`").replace('"', '""') + '"'


@pytest.fixture
def acme(tmp_path: Path) -> Path:
    return folder(tmp_path, quotes='"', settings=SETTINGS)


# --- another quoting and two settings ---


def test_names_have_the_quotes_of_the_dialect(acme: Path) -> None:
    assert substrait_sql.to_sql(PLAN, dialect=acme) == (
        'SELECT\n  id,\n  "order",\n  "a""b" AS out\n'
        'FROM "sales orders"\nWHERE\n  "order" = \'it\\\'s\''
    )
    assert substrait_sql.check(PLAN, dialect=acme) == []
    assert substrait_sql.explain(PLAN, dialect=acme) == substrait_sql.explain(PLAN)


def test_a_folder_that_was_read_is_only_compared(
    acme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each plan asks whether its files are still the same, and not what else there is: that takes ten times as long."""
    first = load(acme)

    def asked() -> dict[str, Path]:
        raise AssertionError

    for name in ("installed", "offered"):
        monkeypatch.setattr(f"substrait_sql.dialect.custom.folder.{name}", asked)
    assert load(acme) is first


def test_settings_are_added_to_those_of_spark(acme: Path) -> None:
    sparks, found = (substrait_sql.render(PLAN, dialect=d).settings for d in ("spark", acme))
    other = {k: v for k, v in found.items() if sparks.get(k) != v}
    # The third is Spark's own, which says what it is where names are in double quotes.
    assert other == {
        **{s["name"]: s["value"] for s in SETTINGS},
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    }
    assert list(found)[: len(sparks)] == list(sparks)
    reasons = {s.name: s.why for s in load(acme).settings}
    assert reasons["spark.sql.crossJoin.enabled"] == "joins need no condition"


def test_all_plans_differ_by_their_quotes_alone(acme: Path) -> None:
    quoted = 0
    for path in RENDERED:
        text = path.with_suffix(".sql").read_text("utf-8").removesuffix("\n")
        names = TEXT_OR_NAME.sub(_in_double_quotes, text)
        if names != text:
            assert substrait_sql.to_sql(path, dialect=acme) == names, path
            quoted += 1
    assert quoted > 10


@pytest.mark.parametrize("name", ['"order lines"', ["order lines"]])
def test_statements(acme: Path, name: Any) -> None:
    made = substrait_sql.render(PLAN, dialect=acme, statement="view", name=name).sql
    head, _, query = made.partition(" AS\n")
    assert head == 'CREATE OR REPLACE VIEW "order lines"'
    assert query == substrait_sql.to_sql(PLAN, dialect=acme)


def test_a_name_cannot_end_its_statement(acme: Path) -> None:
    for name in ('t"; DROP TABLE x; --', "`", "a'b"):
        made = substrait_sql.render(PLAN, dialect=acme, statement="insert", name=[name]).sql
        assert made.startswith(f'INSERT INTO "{name.replace(chr(34), chr(34) * 2)}"\n')


def test_annotations_are_where_they_were(acme: Path) -> None:
    there, here = (substrait_sql.render(PLAN, dialect=d, annotate=True) for d in ("spark", acme))
    assert here.source_map == there.source_map
    assert here.sql == there.sql.replace('`a"b`', '"a""b"').replace("`", '"')


def test_a_dialect_over_that_one_inherits_it(acme: Path, tmp_path: Path) -> None:
    other = folder(tmp_path, "other", extends="../acme")
    assert load(other).settings.always == load(acme).settings.always
    assert substrait_sql.to_sql(PLAN, dialect=other) == substrait_sql.to_sql(PLAN, dialect=acme)


def test_a_dialect_that_ships_is_such_a_folder(
    acme: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but the folder is needed: its functions, types and templates are those that it extends."""
    shipped = tmp_path / "dialects"
    shutil.copytree(resources.DIALECTS, shipped)
    shutil.copytree(acme, shipped / "fictional")
    expected = substrait_sql.to_sql(PLAN, dialect=acme)
    monkeypatch.setattr(resources, "DIALECTS", shipped)
    made = substrait_sql.render(PLAN, dialect="fictional", statement="insert", name="t")
    assert made.sql == f"INSERT INTO t\n{expected}"
    assert made.settings == load(acme).settings.always


COMPILED = """
import sys, substrait_sql
from sqlglot.expressions import core
assert not core.__file__.endswith(".py"), core.__file__
given = sys.stdin.buffer.read()
sys.stdout.write(substrait_sql.render(given, dialect=sys.argv[1], statement="view", name="v").sql)
"""


@pytest.mark.parametrize("metadata", [{"quotes": '"'}, {"printer": "tsql"}], ids=str)
def test_sqlglots_compiled_build_prints_the_same(tmp_path: Path, metadata: dict[str, Any]) -> None:
    made = folder(tmp_path, **metadata)
    root = resources.ROOT
    subprocess.run(["make", "-s", ".venv-compiled/.ready"], cwd=root, check=True)
    python = root / ".venv-compiled/bin/python"
    env = {**os.environ, "PYTHONPATH": str(root)}
    text = subprocess.run(
        [python, "-c", COMPILED, str(made)],
        input=PLAN.SerializeToString(), stdout=subprocess.PIPE, check=True, env=env,
    ).stdout.decode()  # fmt: skip
    assert text == substrait_sql.render(PLAN, dialect=made, statement="view", name="v").sql


@pytest.mark.spark
def test_rows(spark: SparkSession, acme: Path) -> None:
    schema = 'id bigint, `order` string, `a"b` string'
    orders = spark.createDataFrame([(1, "it's", "x"), (2, "order", "y")], schema)
    keys = [s["name"] for s in SETTINGS]
    before = {key: spark.conf.get(key, None) for key in keys}
    frame = substrait_sql.execute(spark, PLAN, dialect=acme, tables={"sales orders": orders})
    assert [tuple(row) for row in frame.collect()] == [(1, "it's", "x")]
    assert frame.columns == ["id", "order", "out"]
    assert {key: spark.conf.get(key, None) for key in keys} == before


# --- words, functions, printers ---


def test_words_are_added_and_the_file_is_read_again(tmp_path: Path) -> None:
    made = folder(tmp_path, reserved="words.txt")
    (made / "words.txt").write_text("ID")
    assert "`id`" in substrait_sql.to_sql(PLAN, dialect=made)
    assert "`order`" in substrait_sql.to_sql(PLAN, dialect=made)
    (made / "words.txt").write_text("others")
    assert "`id`" not in substrait_sql.to_sql(PLAN, dialect=made)


def test_functions_are_added(tmp_path: Path) -> None:
    made = folder(tmp_path, builtins="functions.txt")
    (made / "functions.txt").write_text("# ours\nacme_sum aggregate\nacme_draw scalar drawn\n")
    known = load(made).builtins
    assert [known.kind(n) for n in ("acme_sum", "abs", "acme_other")] == [
        "aggregate",
        "scalar",
        None,
    ]
    assert [known.is_drawn(n) for n in ("acme_draw", "rand", "abs")] == [True, True, False]


def test_a_printer_comes_with_its_quotes(tmp_path: Path) -> None:
    text = substrait_sql.to_sql(PLAN, dialect=folder(tmp_path, printer="tsql"))
    assert 'SELECT\n  id,\n  [order],\n  [a"b] AS out\nFROM [sales orders]' in text
    # Whose texts have no escapes but for the quote itself.
    assert "[order] = 'it''s'" in text
    assert sqlglot.parse_one(text, read="tsql").named_selects == ["id", "order", "out"]


def test_what_a_printer_has_no_words_for_is_refused(tmp_path: Path) -> None:
    made = folder(tmp_path, printer="tsql")
    hint = next(p for p in RENDERED if "/*+" in p.with_suffix(".sql").read_text("utf-8"))
    with pytest.raises(UnsupportedError, match="SS3209(.|\n)*TSQL does not print"):
        substrait_sql.to_sql(hint, dialect=made)


def test_where_nobody_has_said_which_words_need_quotes_all_names_have_them() -> None:
    assert load("default").names.quote("a") == '"a"'


# --- what is wrong with a folder ---


def _setting(**row: Any) -> dict[str, Any]:
    return {"settings": [{"name": "x.y", "value": "1", "why": "it is", **row}]}


@pytest.mark.parametrize(
    ("metadata", "where", "message"),
    [
        ({"setings": []}, "setings", "did you mean settings"),
        ({"quotes": "'"}, "quotes", "is not one of"),
        ({"printer": "sparkle"}, "printer", "sqlglot has no dialect 'sparkle'"),
        ({"reserved": "none.txt"}, "reserved", "there is no such file"),
        ({"builtins": "../acme/dialect.yaml"}, "builtins", "there is no such file"),
        (_setting(value=True), "settings[0].value", "must be a text, not True"),
        (_setting(never="2"), "settings[0]", "or one that a session must never have"),
        (_setting(**{"in": "("}), "settings[0]", "is no pattern"),
        (_setting(only="2"), "settings[0]", "or must only have"),
        (_setting(once="2"), "settings[0].once", "is not known here"),
        ({"settings": [{"name": "x", "why": "it is"}]}, "settings[0]", "a setting has a value"),
        (
            {"settings": [{"name": "x", "never": "1", "reads": "2", "why": "it is"}]},
            "settings[0]",
            "leave `reads` out",
        ),
        ({"settings": [{"name": "x", "value": "1"}]}, "settings[0]", "'why' is missing"),
        (
            _setting(name="spark.sql.ansi.enabled", value="false"),
            "settings[0]",
            "texts rely on spark.sql.ansi.enabled=true",
        ),
        (
            _setting(name="spark.sql.ansi.doubleQuotedIdentifiers", value="true"),
            "settings[0]",
            "texts rely on spark.sql.ansi.doubleQuotedIdentifiers=false",
        ),
        (
            _setting(name="spark.sql.legacy.timeParserPolicy", value="legacy"),
            "settings[0]",
            "no session may have spark.sql.legacy.timeParserPolicy=legacy",
        ),
        (
            _setting(name="spark.sql.columnNameOfCorruptRecord", value="bad"),
            "settings[0]",
            "no session may have spark.sql.columnNameOfCorruptRecord=bad",
        ),
        (
            {
                "settings": [
                    {"name": "spark.sql.icu.caseMappings.enabled", "never": "true", "why": "other"}
                ]
            },
            "settings[0]",
            "sessions are asked for spark.sql.icu.caseMappings.enabled already: other letters",
        ),
    ],
)
def test_what_is_wrong(tmp_path: Path, metadata: dict[str, Any], where: str, message: str) -> None:
    with pytest.raises(DialectError) as error:
        load(folder(tmp_path, **metadata))
    (found,) = error.value.diagnostics
    assert (found.code, where in found.path, message in found.message) == ("SS2410", True, True)


def test_only_dialect_yaml_speaks_for_the_dialect(acme: Path) -> None:
    (acme / "functions.yaml").write_text("metadata: {quotes: '[]'}\n")
    with pytest.raises(
        DialectError, match=r"SS2404 quotes has no effect here(.|\n)*functions.yaml"
    ):
        load(acme)


def test_data_of_the_authors_own_is_let_be(tmp_path: Path) -> None:
    assert load(folder(tmp_path, owner="team a", reviewed=2026))


@pytest.mark.parametrize("name", ["default", "spark"])
def test_the_folders_that_ship_are_right(name: str) -> None:
    (found, *_) = Dialect(name).folders
    text_of = lambda file: (found.path / file).read_text("utf-8")  # noqa: E731
    assert list(said.problems(found.main.get("metadata", {}), text_of)) == []


def test_every_setting_is_on_the_page_about_them() -> None:
    page = (resources.ROOT / "docs" / "safety.md").read_text("utf-8")
    together = "decorrelate…LegacyIncorrect…"
    for each in load("spark").settings:
        assert f"`{each.name}`" in page or ("LegacyIncorrect" in each.name and together in page)


# --- no other module says which dialect it is ---

# The defaults of the verbs and of the command; what templates are written in; what statements run on. The way back
# reads Spark's SQL.
SAY = {
    *("pipeline.py", "cli/options.py", "run/execute.py", "export/dbt.py", "export/manifest.py"),
    *("reporting/report.py", "review/diff/compare.py", "review/diff/execution.py"),
    *("review/diff/statements.py", "testing/cases/run.py", "golden/settings.py"),
    *("dialect/template.py", "policy/effects.py"),
    *("run/quoting.py", "run/dry.py", "run/targets/save.py"),
    # The version of Spark, and the name of an argument.
    *("run/seen/record.py", "arguments.py"),
}


def test_no_module_names_a_dialect() -> None:
    package = resources.ROOT / "substrait_sql"
    named = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if package / "lift" not in path.parents
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value == "spark"
    }
    assert named == SAY


def test_a_setting_said_again_keeps_how_texts_are_read(tmp_path: Path) -> None:
    row = {"name": "spark.sql.caseSensitive", "value": "false", "why": "as below"}
    path = folder(tmp_path, settings=[row])
    assert load(path).settings.read_with == load("spark").settings.read_with
