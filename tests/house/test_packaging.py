"""`dialects/` and `templates/` are found in a plain checkout, an editable install and a wheel.

Each of them renders the demo plan.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import substrait_sql
from tests.support.packages import ROOT, call, copied, environment, install, python, wheel

# Prints the folder that the data was found in, then the SQL of the demo plan.
PROGRAM = """
import sys
import substrait_sql
from substrait_sql import demo, resources
assert resources.DIALECTS.is_dir() and resources.TEMPLATES.is_dir()
assert (resources.DIALECTS / "spark").is_dir() and (resources.TEMPLATES / "default").is_dir()
assert sorted(p.suffix for p in demo.TABLES.iterdir()) == [".parquet"] * 3
print(resources.ROOT.resolve())
print(substrait_sql.to_sql(demo.PLAN))
assert "function start()" in substrait_sql.report({"demo": demo.PLAN})
assert "pyspark" not in sys.modules
"""


def demo(output: str) -> tuple[Path, str]:
    root, _, sql = output.partition("\n")
    return Path(root), sql


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone holds, without what this folder has gathered since."""
    return copied(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="module")
def expected() -> str:
    import substrait_sql
    from substrait_sql import demo

    return substrait_sql.to_sql(demo.PLAN) + "\n"


@pytest.mark.slow
def test_plain_checkout(checkout: Path, expected: str, tmp_path: Path) -> None:
    env = environment(tmp_path / "env")
    root, sql = demo(call(python(env), "-c", PROGRAM, cwd=checkout, PYTHONPATH=str(checkout)))
    assert root == checkout.resolve()
    assert sql == expected


@pytest.mark.slow
def test_zip(checkout: Path, expected: str, tmp_path: Path) -> None:
    """As `spark-submit --py-files` has it: what is no Python is unpacked, and gone with the process."""
    env = environment(tmp_path / "env")
    archive = shutil.make_archive(str(tmp_path / "substrait_sql"), "zip", checkout)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    variables = {"PYTHONPATH": archive, "TMPDIR": str(scratch)}
    root, sql = demo(call(python(env), "-c", PROGRAM, cwd=tmp_path, **variables))
    assert scratch.resolve() in root.parents
    assert sql == expected
    assert not list(scratch.iterdir())
    run = (python(env), "-m", "substrait_sql.job", "--help")
    assert "--master" in call(*run, cwd=tmp_path, **variables, NO_COLOR="1")


def test_modules_find_their_files_in_a_zip() -> None:
    """They ask `resources.PACKAGE`, which is a folder on a disk."""
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "substrait_sql").rglob("*.py")
        if "Path(__file__)" in path.read_text(encoding="utf-8")
    ]
    # The second one is run in a checkout.
    assert sorted(found) == ["substrait_sql/demo/make.py", "substrait_sql/resources.py"]


@pytest.mark.slow
def test_editable_install(checkout: Path, expected: str, tmp_path: Path) -> None:
    env = environment(tmp_path / "env")
    install(env, "--editable", checkout, cwd=tmp_path)
    root, sql = demo(call(python(env), "-c", PROGRAM, cwd=tmp_path))
    assert root == checkout.resolve()
    assert sql == expected


@pytest.mark.slow
def test_wheel(checkout: Path, expected: str, tmp_path: Path) -> None:
    made = wheel(checkout, tmp_path)
    names = zipfile.ZipFile(made).namelist()
    for needed in (
        "py.typed",
        "dialects/spark/",
        "templates/new_dialect/",
        "testing/cases/contradictions.yaml",
        "demo/plan.pb",
    ):
        assert any(n.startswith(f"substrait_sql/{needed}") for n in names), needed
    assert not [n for n in names if n.startswith(("tests/", "bench/", "dialects/", "templates/"))]
    env = environment(tmp_path / "env")
    install(env, made, cwd=tmp_path)
    root, sql = demo(call(python(env), "-c", PROGRAM, cwd=tmp_path))
    assert root.name == "substrait_sql"
    assert env.resolve() in root.parents
    assert sql == expected
    script = env / "bin" / "substrait-sql"
    assert "Usage" in call(script, "--help", cwd=tmp_path, NO_COLOR="1")
    assert "--golden-update" in call(python(env), "-m", "pytest", "--help", cwd=tmp_path)


FUNCTIONS = """\
name: acme
dependencies: {string: "extension:io.substrait:functions_string"}
supported_scalar_functions:
- {source: string, name: reverse, supported_impls: [str], system_metadata: {name: acme_reverse}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("editable", [[], ["--editable"]])
def test_a_dialect_that_is_a_package(
    checkout: Path, expected: str, tmp_path: Path, editable: list[str]
) -> None:
    """Made by the generator, with a template of its own, installed and called by its name."""
    env = environment(tmp_path / "env")
    install(env, checkout, cwd=tmp_path)
    script = env / "bin" / "substrait-sql"
    call(script, "dialect", "new", "acme", "--extends", "spark", "--template", "view", cwd=tmp_path)
    folder = tmp_path / "acme/substrait_sql_acme"
    template = folder / "templates/view.sql.jinja"
    template.write_text("{# Ours. #}\nCREATE VIEW {{ relation | ident }} AS\n{{ query }}\n")
    (folder / "functions.yaml").write_text(FUNCTIONS)
    install(env, *editable, tmp_path / "acme", cwd=tmp_path)
    if not editable:
        shutil.rmtree(tmp_path / "acme")
    plan = env / "plan.pb"
    shutil.copy(checkout / "substrait_sql/demo/plan.pb", plan)
    wrapped = ("--statement", "view", "--name", "v")
    made = call(script, "render", "-d", "acme", *wrapped, plan, cwd=tmp_path)
    assert made == f"CREATE VIEW v AS\n{expected}"
    assert "acme_reverse" not in made
    checked = call(script, "dialect", "check", "acme", cwd=tmp_path)
    assert checked.endswith("acme extends spark: 1 changed\n")


BROUGHT_BY = {
    "antlr4": "substrait",
    "google": "protobuf",
    "rich": "rich_click",
    "substrait_antlr": "substrait",
    "yaml": "PyYAML",
}


# What has an extra of its own, and what those have who test a dialect.
EXTRAS = {"pyiceberg", "pyspark", "pytest"}


@pytest.mark.slow
def test_what_is_imported_is_installed_with_the_package() -> None:
    """``run … -o rows.parquet`` works after ``pip install .``; only reading Iceberg tables has an extra of its own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    installed = {re.split(r"[^\w-]", d)[0].replace("-", "_") for d in project["dependencies"]}
    found = set()
    for path in (ROOT / "substrait_sql").rglob("*.py"):
        if path.parent.name == "demo":
            continue  # making the demo's data is not using the package
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {name.partition(".")[0] for name in names}
    found -= sys.stdlib_module_names | {"substrait_sql"}
    assert {BROUGHT_BY.get(name, name) for name in found} == installed | EXTRAS


def test_pages_name_modules_that_exist() -> None:
    """A path in a page, such as ``lower/plan.py``, is one of the package, of the tests, or of the repository."""
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"]
    named = {
        m for p in pages for m in re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", p.read_text("utf-8"))
    }
    assert len(named) > 20
    missing = {
        name
        for name in named
        if not any((base / name).exists() for base in (ROOT, ROOT / "substrait_sql"))
    }
    assert not missing


def test_nothing_cites_what_is_not_here() -> None:
    """A reader cannot open the notes that the project was begun with: a fact stands here, or has a public page."""
    cited = re.compile(
        r"\b(?:spark|spec|design|peers|style)\.md\b|\bspec \d|\bwire table\b|\bLaws?, \d"
    )
    here = Path(__file__).resolve()
    found = [
        f"{path.relative_to(ROOT)}: {cited.findall(text)}"
        for folder in ("substrait_sql", "tests", "docs", "dialects", "templates", "bench")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".yaml", ".sql", ".jinja")
        and path.resolve() != here
        and cited.search(text := path.read_text("utf-8"))
    ]
    assert not found


def test_no_package_hides_a_verb() -> None:
    """A package of a verb's name would take its place in `substrait_sql` as soon as something in it is imported."""
    inside = {path.stem for path in (ROOT / "substrait_sql").iterdir()}
    assert not inside & set(substrait_sql.__all__) - {"demo"}
