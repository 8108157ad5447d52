"""``dialect new``, ``check`` and ``test``: a dialect made from the generator alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from substrait_sql import testing, to_plan, to_sql
from substrait_sql.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINES = """\
name: acme
dependencies: {string: "extension:io.substrait:functions_string"}
supported_scalar_functions:
- {source: string, name: reverse, supported_impls: [str], system_metadata: {name: acme_reverse}}
- {source: string, name: initcap, supported_impls: [str], metadata: {refused: acme makes other letters}}
"""


@pytest.mark.slow
def test_a_new_one(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    code, out, _ = call("dialect", "new", "acme", "--extends", "spark", "-o", tmp_path)
    assert code == 0
    assert len(out.splitlines()) == 6
    folder = tmp_path / "substrait_sql_acme"
    assert call("dialect", "check", folder)[1] == f"{folder} extends spark: nothing changed\n"
    (folder / "functions.yaml").write_text(LINES, encoding="utf-8")
    found = json.loads(call("dialect", "check", folder, "--json")[1])
    assert [(d["what"], d["name"], d["why"]) for d in found] == [
        ("lost", "initcap", "acme makes other letters"),
        ("changed", "reverse", ""),
    ]
    plan = to_plan("SELECT initcap(s) FROM t", schema={"t": {"s": "STRING"}})
    with pytest.raises(UnsupportedError, match="acme makes other letters"):
        to_sql(plan, dialect=folder)
    assert call("dialect", "test", folder)[0] == 0
    assert call("dialect", "new", "acme", "--extends", "spark", "-o", tmp_path)[0] == 1


def test_templates_to_begin_with(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    """That of the dialect that is extended, to be changed; one of no kind is refused, whoever asks for it."""
    new = ("dialect", "new", "acme", "--extends", "spark35", "-o", tmp_path)
    assert call(*new, "--template", "overwrite", "--template", "view")[0] == 0
    templates = tmp_path / "substrait_sql_acme/templates"
    assert "refuse" in (templates / "overwrite.sql.jinja").read_text("utf-8")

    class Acme(testing.Folder):
        dialect = templates.parent

    Acme().test_its_templates_are_read()
    (templates / "vue.sql.jinja").write_text("{{ query }}", encoding="utf-8")
    with pytest.raises(UnsupportedError, match="SS3217"):
        Acme().test_its_templates_are_read()


def test_what_there_is_not(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    for arguments in (("check", "nobody"), ("new", "acme", "--extends", "nobody", "-o", tmp_path)):
        code, _, said = call("dialect", *arguments)
        assert (code, said.startswith("SS2401 there is no dialect 'nobody'")) == (1, True)
    code, _, said = call(
        "dialect", "new", "acme", "--extends", "spark", "-o", tmp_path, "--template", "x"
    )
    assert (code, said[:6]) == (1, "SS3205")


def test_a_shipped_one(call: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = call("dialect", "check", "spark35")
    assert code == 0
    assert "lost    type" in out


def test_a_template_that_cannot_be_read(
    call: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    """Whether a statement needs it or not."""
    assert (
        call("dialect", "new", "acme", "--extends", "spark", "--template", "view", "-o", tmp_path)[
            0
        ]
        == 0
    )
    (tmp_path / "substrait_sql_acme/templates/view.sql.jinja").write_text("{% if %}", "utf-8")
    code, _, said = call("dialect", "check", tmp_path / "substrait_sql_acme")
    assert (code, said[:6]) == (1, "SS3210")


def test_a_name_that_is_taken(call: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    code, _, said = call("dialect", "new", "spark", "--extends", "spark", "-o", tmp_path / "new")
    assert code == 2
    assert "there is a dialect 'spark' already" in said
    assert not (tmp_path / "new").exists()
