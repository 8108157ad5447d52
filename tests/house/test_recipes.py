"""What CONTRIBUTING says of adding things, done: each recipe is followed on something fictional.

What a recipe lists is enough, and what is left out of it is refused: never other rows.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from substrait_sql import UnsupportedError, render, resources, to_sql
from substrait_sql.cli import commands
from substrait_sql.cli.app import run_app
from substrait_sql.dialect import dialect as dialects
from substrait_sql.dialect.load import available
from substrait_sql.lower import expression as expression_kinds
from substrait_sql.lower import expressions, kinds, relations
from substrait_sql.lower import relation as relation_kinds
from substrait_sql.plan import shapes
from tests.support.build import call, extreme, lit, plan, table, upper
from tests.support.build.physical import exchange

ROOT = Path(__file__).parents[2]
T = table("t", "a:str")
PASSING_ON = """
from substrait_sql.lower.relation import lowers, relation


@lowers("exchange")
def passed_on(message, cx, path, outer):
    return relation(message.input, cx, path / "input", outer)
"""
GREET = """
import click


@click.command()
def command() -> int:
    \"""Say hello.\"""
    click.echo("hello")
    return 0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose modules are forgotten afterwards, and no others. What is there has registered itself before."""
    kinds.register()
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the data, ``dialects`` and ``templates``, which is what dialects are read from."""
    for name in ("dialects", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name)
        monkeypatch.setattr(resources, name.upper(), tmp_path / name)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    dialects._packaged.cache_clear()
    available.cache_clear()


def without(path: Path, name: str) -> str:
    """Takes the lines of a function out of a file, and returns them."""
    rows = re.split(r"(?m)^(?=- |supported_)", path.read_text())
    taken = [row for row in rows if re.search(rf"\bname: {name}[,\n]", row)]
    assert taken
    path.write_text("".join(row for row in rows if row not in taken))
    return "".join(taken)


def test_a_relation_is_a_file_and_its_shape(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kind that is taken away: refused before, and its width is not guessed without its shape."""
    fictional = exchange(T, "round_robin", 2)
    lowerings = {k: v for k, v in relation_kinds._LOWERINGS.items() if k != "exchange"}
    monkeypatch.setattr(relation_kinds, "_LOWERINGS", lowerings)
    rule = shapes.SHAPES["exchange"]
    monkeypatch.delitem(shapes.SHAPES, "exchange")
    with pytest.raises(UnsupportedError, match="SS2011"):
        to_sql(plan(fictional))

    (folder / "passing_on.py").write_text(PASSING_ON)
    monkeypatch.setattr(relations, "__path__", [*relations.__path__, str(folder)])
    kinds.register.cache_clear()
    assert to_sql(plan(fictional)) == "SELECT\n  a\nFROM t"
    # What tests/schema/test_shapes.py finds missing; until then a plan that depends on it is refused.
    assert relation_kinds.supported() == {*shapes.SHAPES, *shapes.ELSEWHERE, "exchange"}
    with pytest.raises(UnsupportedError, match="SS2011"):
        shapes.parts(fictional.message, False)

    monkeypatch.setitem(shapes.SHAPES, "exchange", rule)
    assert relation_kinds.supported() == {*shapes.SHAPES, *shapes.ELSEWHERE}


def test_an_expression_is_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "fictional.py").write_text(
        "from substrait_sql.lower.expression import lowers\n\n\n"
        '@lowers("fictional")\ndef fictional(*given: object) -> None: ...\n'
    )
    monkeypatch.setattr(expressions, "__path__", [*expressions.__path__, str(folder)])
    monkeypatch.setattr(expression_kinds, "_LOWERINGS", dict(expression_kinds._LOWERINGS))
    kinds.register.cache_clear()
    assert "fictional" in expression_kinds.supported()


CALLS = {
    ("string.yaml", "repeat"): plan(
        T.select(lambda r: [call("string", "repeat:str_i64", "str?", r[0], lit(3, "i64"))])
    ),
    ("arithmetic.yaml", "max"): plan(
        table("t", "a:i32").aggregate(lambda _: [], lambda r: [extreme("max", r[0])])
    ),
}


@pytest.mark.parametrize(("file", "name"), CALLS, ids=lambda part: part)
def test_a_function_is_a_line(file: str, name: str, data: Path) -> None:
    """Of a function that is taken away: the line in the file of its extension brings it back, an aggregate's too."""
    asked = CALLS[file, name]
    expected = to_sql(asked)
    path = data / "dialects" / "spark" / file
    kept = path.read_text()
    without(path, name)
    forget()
    with pytest.raises(UnsupportedError, match="SS221"):
        to_sql(asked)
    path.write_text(kept)
    forget()
    assert to_sql(asked) == expected


def test_a_dialect_is_a_folder(data: Path) -> None:
    """What it does not say is said by the dialect that it extends."""
    folder = data / "dialects" / "fictional"
    folder.mkdir()
    (folder / "dialect.yaml").write_text("name: fictional\nmetadata: {extends: spark}\n")
    (folder / "string.yaml").write_text(
        'dependencies: {string: "extension:io.substrait:functions_string"}\n'
        "supported_scalar_functions:\n"
        "- {source: string, name: upper, supported_impls: [str], system_metadata: {name: ucase}}\n"
    )
    (data / "templates" / "fictional").mkdir()
    (data / "templates" / "fictional" / "view.sql.jinja").write_text(
        "CREATE VIEW {{ relation | ident }} AS\n{{ query }}\n"
    )
    forget()
    reverse = call("string", "reverse:str", "str?", upper(T.row[0]))
    asked = plan((T.select(lambda _: [reverse]), "b"))
    assert to_sql(asked, dialect="fictional") == "SELECT\n  reverse(ucase(a)) AS b\nFROM t"
    made = render(asked, dialect="fictional", statement="view", name="v").sql
    assert made == "CREATE VIEW v AS\nSELECT\n  reverse(ucase(a)) AS b\nFROM t"
    assert to_sql(asked) == "SELECT\n  reverse(upper(a)) AS b\nFROM t"


def test_a_subcommand_is_one_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "greet.py").write_text(GREET)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(folder)])
    assert run_app(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"
    run_app(["--help"])
    assert "Say hello." in capsys.readouterr().out


def test_the_files_of_the_recipes_are_there() -> None:
    """CONTRIBUTING names them; what is to be made has its name in capitals."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = page.partition("## Recipes")[2].partition("\n## ")[0]
    named = re.findall(r"`([\w./*]+/[\w./*]*)`", recipes)
    assert len(named) > 12
    assert [n for n in named if not re.search("[A-Z]{3}", n) and not any(ROOT.glob(n))] == []
