"""The docstrings of what is public: each argument is spoken of, and examples say what they show."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from typing import TYPE_CHECKING, Any

import pytest

import substrait_sql
from substrait_sql import extensions, testing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PUBLIC = {
    name: getattr(substrait_sql, name)
    for name in substrait_sql.__all__
    if name not in ("demo", "__version__")
} | {
    f"{module.__name__.partition('.')[2]}.{name}": found
    for module in (extensions, testing)
    for name, found in vars(module).items()
    if inspect.isclass(found) or inspect.isfunction(found)
    if found.__module__.startswith(module.__name__) and not name.startswith(("_", "find_"))
}
# They call Spark.
RUN = ("execute", "local_session", "running")


def run_examples(found: Any, name: str, **names: Any) -> int:
    """How many there were."""
    home = importlib.import_module(found.__module__)
    tests = doctest.DocTestFinder(recurse=False).find(found, name, module=home, globs=names)
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    for test in tests:
        runner.run(test, out=said.append)
    assert not said, "".join(said)
    return runner.summarize(verbose=False).attempted


@pytest.mark.parametrize("name", PUBLIC)
def test_every_argument_is_spoken_of(name: str) -> None:
    """On a line of its own, which the site makes a list of."""
    found = PUBLIC[name]
    text = inspect.getdoc(found) or ""
    assert text.partition("\n")[0].endswith((".", '"'))
    if inspect.isclass(found) and (issubclass(found, Exception) or name == "Severity"):
        return
    if name.startswith("testing."):
        return
    given = [n for n in inspect.signature(found).parameters if n not in ("args", "kwargs")]
    lines = {
        re.match(r"(\w+): ", line)[1] for line in text.splitlines() if re.match(r"\w+: ", line)
    }
    spoken = {n for n in given if n in lines or f" {n}: " in text}
    assert set(given) == spoken, name
    assert lines <= set(given), name


@pytest.mark.parametrize("name", [n for n in PUBLIC if n not in RUN])
def test_examples(name: str) -> None:
    run_examples(PUBLIC[name], name)


def test_most_verbs_have_an_example() -> None:
    with_one = {n for n, found in PUBLIC.items() if ">>> " in (inspect.getdoc(found) or "")}
    verbs = {
        "check",
        "check_sql",
        "diff",
        "execute",
        "explain",
        "render",
        "report",
        "to_plan",
        "to_sql",
    }
    assert verbs <= with_one


def test_the_example_that_runs_a_plan(spark: SparkSession) -> None:
    assert run_examples(substrait_sql.execute, "execute") > 3
