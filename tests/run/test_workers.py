"""Which Python is sent to Spark's workers. What they then run is tested where there are some: `test_cluster`."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from substrait_sql.run import workers
from substrait_sql.run.workers import as_this_python, hint

OTHER = "/opt/python"


class Context(SimpleNamespace):
    """Of a session that was started with Spark's own choice."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def session(master: str, **conf: str) -> Any:
    settings = {key.replace("_", "."): value for key, value in conf.items()}
    return SimpleNamespace(
        sparkContext=Context(master=master, pythonExec="python3"),
        conf=SimpleNamespace(get=settings.get),
    )


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nobody has chosen a Python."""
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    return monkeypatch


def sent(spark: Any) -> str:
    with as_this_python(spark):
        found: str = spark.sparkContext.pythonExec
    assert spark.sparkContext.pythonExec == "python3"
    return found


def test_a_local_master_runs_the_drivers(nobody: pytest.MonkeyPatch) -> None:
    assert sent(session("local[2]")) == sys.executable


@pytest.mark.parametrize("master", ["local[2]", "spark://host:7077"])
def test_one_that_somebody_has_chosen_goes_first(nobody: pytest.MonkeyPatch, master: str) -> None:
    assert sent(session(master, spark_pyspark_python=OTHER)) == OTHER
    nobody.setenv("PYSPARK_PYTHON", "/env/python")
    assert sent(session(master)) == "/env/python"
    assert sent(session(master, spark_pyspark_python=OTHER)) == OTHER


RELEASE = "{}.{}".format(*sys.version_info)


@pytest.mark.parametrize(
    ("answers", "runs"),
    [
        ({RELEASE}, sys.executable),
        ({"none"}, "python3"),
        ({RELEASE, "none"}, "python3"),
        ({"2.7"}, "python3"),
        (set(), "python3"),
    ],
)
def test_a_cluster_runs_the_drivers_where_all_workers_have_it(
    nobody: pytest.MonkeyPatch, answers: set[str], runs: str
) -> None:
    asked = []

    def answer(context: object) -> set[str]:
        asked.append(context)
        return answers

    nobody.setattr(workers, "_answers", answer)
    spark = session("spark://host:7077")
    assert [sent(spark), sent(spark)] == [runs, runs]
    assert len(asked) == 1


def test_workers_are_asked_in_a_shell() -> None:
    """It reads what it is given, and says `none` where there is no such Python."""

    def ask(path: str) -> str:
        command = ["sh", "-c", workers._ASK, path]
        done = subprocess.run(command, input="0\n", capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout.strip()

    assert ask(sys.executable) == RELEASE
    assert ask(os.path.join(OTHER, "nowhere")) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "ModuleNotFoundError: No module named 'pyarrow'",
        "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.10",
        'IOException: Cannot run program "/nonexistent/python": error=2, No such file or directory',
    ],
)
def test_errors_of_workers_are_about_python(text: str) -> None:
    assert f"must be a Python {RELEASE}" in hint(RuntimeError(text))
    assert not hint(RuntimeError("[PATH_NOT_FOUND] Path does not exist"))
