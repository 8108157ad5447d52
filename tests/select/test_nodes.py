"""Nodes of the tree are sqlglot's: what we have to know of them is behind `substrait_sql.tree.origin`.

Sqlglot's compiled build takes no attributes that its classes do not have. The plain one takes any, and says nothing.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

import substrait_sql
from substrait_sql.select.item import Item
from tests.golden.test_plans import RENDERED
from tests.support import tpch

ROOT = Path(__file__).parents[2]
WANTED = ROOT / "tests/support/compiled.txt"

# Runs where sqlglot is compiled: base64 plans in, their texts out.
RENDER = """
import base64, json, sys
from sqlglot.expressions import core
import substrait_sql
assert not core.__file__.endswith(".py"), core.__file__
json.dump([substrait_sql.to_sql(base64.b64decode(plan)) for plan in json.load(sys.stdin)], sys.stdout)
"""


@pytest.fixture
def strict_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes that neither take nor are asked for an attribute which is not sqlglot's."""
    known = {slot for kind in exp.Expression.__mro__ for slot in vars(kind).get("__slots__", ())}
    plain = exp.Expression.__setattr__

    def refuse_to_set(node: exp.Expression, attribute: str, value: object) -> None:
        assert attribute in known, f"an attribute of ours on a {type(node).__name__}: {attribute}"
        plain(node, attribute, value)

    def refuse_to_get(node: exp.Expression, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise AssertionError(f"a {type(node).__name__} is asked for {attribute}")

    monkeypatch.setattr(exp.Expression, "__setattr__", refuse_to_set)
    monkeypatch.setattr(exp.Expression, "__getattr__", refuse_to_get, raising=False)


@pytest.mark.slow
def test_no_attribute_is_hung_on_a_node(strict_nodes: None) -> None:
    for path in RENDERED:
        assert substrait_sql.to_sql(path)


def test_one_module_each_knows_the_inside_of_sqlglot() -> None:
    """What is noted of a node, and how a printer finds what prints one. The way back reads sqlglot's own notes."""
    package = ROOT / "substrait_sql"
    texts = {p.relative_to(package).as_posix(): p.read_text("utf-8") for p in package.rglob("*.py")}
    texts = {name: text for name, text in texts.items() if not name.startswith("lift/")}
    inside = {"tree/origin.py": r"\.(meta\b|meta_get|_meta)\b", "text/printer.py": r"\._dispatch\b"}
    for module, words in inside.items():
        assert [name for name, text in texts.items() if re.search(words, text)] == [module]


def test_the_check_finds_an_attribute(strict_nodes: None) -> None:
    node = exp.Column(this=None)
    with pytest.raises(AssertionError, match="on a Column: item"):
        node.item = 1
    with pytest.raises(AssertionError, match="asked for reference"):
        getattr(node, "reference", None)


def test_a_copy_of_sqlglots_is_refused() -> None:
    """It would be a column without a name: `field.clone` makes one that is named."""
    node = exp.Table(this=exp.to_identifier("t"))
    Item("t", ["a"], node=node)
    with pytest.raises(TypeError, match=r"field\.clone"):
        copy.deepcopy(node)


@pytest.mark.slow
def test_texts_of_the_compiled_build(tpch_tables: dict[str, Path]) -> None:
    subprocess.run(["make", "-s", ".venv-compiled/.ready"], cwd=ROOT, check=True)
    context = tpch.datafusion_context(tpch_tables)
    plans = [path.read_bytes() for path in RENDERED]
    plans += [tpch.datafusion_plan(context, sql) for sql in tpch.queries().values()]
    made = subprocess.run(
        [ROOT / ".venv-compiled/bin/python", "-c", RENDER],
        input=json.dumps([base64.b64encode(plan).decode() for plan in plans]),
        stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    for plan, text in zip(plans, json.loads(made.stdout), strict=True):
        assert text == substrait_sql.to_sql(plan)


def test_the_compiled_build_has_the_packages_that_we_have() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [x for x in WANTED.read_text("utf-8").splitlines() if not x.startswith("#")]
    others = {x for x in wanted if "sqlglot" not in x}
    assert others <= set(project["dependencies"])
    assert project["optional-dependencies"]["fast"] == [x for x in wanted if "sqlglot" in x]
