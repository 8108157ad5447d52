"""What CONTRIBUTING says of adding things, done: a file is found without being named anywhere, a line is enough."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from substrait_sql.cli import commands
from substrait_sql.cli.app import run_app
from substrait_sql.lower import expression as expression_kinds
from substrait_sql.lower import expressions, kinds, relations
from substrait_sql.lower import relation as relation_kinds


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose modules are forgotten afterwards, and no others."""
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def test_a_subcommand_is_one_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "greet.py").write_text(
        "import click\n\n\n@click.command()\ndef command() -> int:\n"
        '    """Say hello."""\n    click.echo("hello")\n    return 0\n'
    )
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(folder)])
    assert run_app(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"
    run_app(["--help"])
    assert "Say hello." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("package", "registry"),
    [(relations, relation_kinds), (expressions, expression_kinds)],
    ids=["a relation", "an expression"],
)
def test_a_kind_is_one_file(
    package: object, registry: object, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = registry.__name__  # type: ignore[attr-defined]
    (folder / "fictional.py").write_text(
        f'from {module} import lowers\n\n\n@lowers("fictional")\ndef fictional(*given: object) -> None: ...\n'
    )
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])  # type: ignore[attr-defined]
    monkeypatch.setattr(registry, "_LOWERINGS", dict(registry._LOWERINGS))  # type: ignore[attr-defined]
    assert "fictional" not in registry._LOWERINGS  # type: ignore[attr-defined]
    kinds.register.cache_clear()
    assert "fictional" in registry.supported()  # type: ignore[attr-defined]
