"""Plans on a standalone cluster of two workers on this machine, by a script, the command and `spark-submit`.

The `python3` of every PATH here has no packages: Spark's Python workers must be the caller's.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet

from substrait_sql import ExecutionError
from substrait_sql.run import session
from tests.support import everywhere, packages, tpch
from tests.support.cluster import HOME, Cluster, cluster, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

pytestmark = [pytest.mark.spark, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[2]
SUBMIT = HOME / "bin" / "spark-submit"
RUN = (sys.executable, "-m", "substrait_sql", "run")
JOB = (sys.executable, "-m", "substrait_sql.job")
SMALL = ("--conf", "spark.executor.memory=512m", "--conf", "spark.sql.shuffle.partitions=2")
SOME = ("files_arrow", "named_table")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tpch_tables: dict[str, Path]) -> Path:
    """Plans and tables."""
    made = tmp_path_factory.mktemp("cluster")
    context = tpch.datafusion_context(tpch_tables)
    queries = tpch.queries()
    everywhere.prepare(made, {n: tpch.datafusion_plan(context, queries[n]) for n in (1, 3)})
    for name, path in tpch_tables.items():
        (made / "data" / f"{name}.parquet").symlink_to(path)
    return made


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Cluster]:
    with cluster(folder / "spark") as made:
        yield made


def call(
    folder: Path, *command: object, cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A command in a shell whose virtual environment is not activated."""
    return subprocess.run(
        [str(c) for c in command],
        cwd=cwd or REPOSITORY,
        env=environment(folder, **variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def check(out: Path, names: Sequence[str], oracle: tpch.Oracle) -> None:
    """Fails unless there is a file of the right rows for each of these plans."""
    for name in names:
        table = parquet.read_table(out / f"{name}.parquet")
        rows = [tuple(row.values()) for row in table.to_pylist()]
        assert not (found := everywhere.wrong(name, rows, oracle)), f"{name}: {found}"


def told(done: subprocess.CompletedProcess[str]) -> str:
    """What is not Spark's own log. spark-submit sends what its script writes to stderr to stdout."""
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    return "\n".join(line for line in lines if line.startswith(("SS", "  ")))


def files(folder: Path, names: Sequence[str]) -> list[Path]:
    return [folder / "plans" / f"{name}.pb" for name in names]


def test_each_kind_of_read_on_a_session_of_the_callers_own(folder: Path, running: Cluster) -> None:
    command = (sys.executable, "-m", "tests.support.everywhere", folder, running.url, "[!q]*")
    done = call(folder, *command)
    found = [json.loads(line) for line in done.stdout.splitlines()][1:]
    assert [f[:2] for f in found if f[1]] == [], done.stderr[-3000:]
    there = len(list((folder / "plans").glob("[!q]*.pb")))
    assert len(found) == there + 3  # the named table is given in four ways


def test_by_spark_submit_with_a_zip(
    folder: Path, running: Cluster, oracle: tpch.Oracle, tmp_path: Path
) -> None:
    source = packages.copied(tmp_path / "source")
    archive = shutil.make_archive(str(tmp_path / "package"), "zip", source)
    job = shutil.copy(REPOSITORY / "substrait_sql" / "job.py", tmp_path)
    submit = (SUBMIT, "--master", running.url, *SMALL, "--py-files", archive)
    options = ("--tables", folder / "data", "-o", f"{tmp_path / 'out'}/")
    done = call(
        folder, *submit, job, *options, *files(folder, SOME),
        cwd=tmp_path, PYSPARK_DRIVER_PYTHON=sys.executable,
    )  # fmt: skip
    assert done.returncode == 0, told(done)
    check(tmp_path / "out", SOME, oracle)


def test_spark_submit_ends_with_the_exit_code_of_the_job(folder: Path, tmp_path: Path) -> None:
    """Started as the file of a wheel that is installed, on a session of Spark's own default settings."""
    wheel = packages.wheel(packages.copied(tmp_path / "checkout"), tmp_path)
    installed = packages.environment(tmp_path / "env")
    packages.install(installed, wheel, cwd=tmp_path)
    (job,) = installed.rglob("substrait_sql/job.py")
    submit = (SUBMIT, "--master", "local[1]", "--conf", "spark.ui.enabled=false", job)
    both = files(folder, ["virtual_table", "named_table"])
    python = str(packages.python(installed))
    done = call(folder, *submit, *both, "-f", "csv", cwd=tmp_path, PYSPARK_PYTHON=python)
    assert done.returncode == 1
    assert "id,name\n1,Ann\n2,Bob\n3,\n" in done.stdout
    assert "SS4003 the plan reads the table people" in told(done)


def test_what_comes_too_late_for_spark_submit() -> None:
    with pytest.raises(ExecutionError, match=r"SS4012 .*driver runs(?s:.*)spark-submit itself"):
        session._submitted(None, {"spark.driver.memory": "1g"})


def start(folder: Path, *command: object, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(c) for c in command],
        cwd=REPOSITORY,
        env=environment(folder, **variables),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait(until: Callable[[], bool], seconds: float = 180) -> bool:
    """Whether it comes to be within so many seconds."""
    end = time.monotonic() + seconds
    while not (met := until()) and time.monotonic() < end:
        time.sleep(0.2)
    return met


def test_a_driver_that_is_killed_leaves_nothing_behind(
    folder: Path, running: Cluster, tmp_path: Path
) -> None:
    command = (*RUN, "--master", running.url, *SMALL, "--tables", folder / "data")
    local = {"TMPDIR": str(tmp_path), "SPARK_LOCAL_DIRS": str(tmp_path)}
    job = start(folder, *command, folder / "endless.pb", **local)
    try:
        assert wait(lambda: job.poll() is not None or len(running.executors()) == 2)
        time.sleep(3)
        assert job.poll() is None
        assert list(tmp_path.iterdir())
    finally:
        job.kill()
        job.communicate()

    def left() -> list[object]:
        return [*running.executors(), *tmp_path.iterdir()]

    assert wait(lambda: not left(), 30), left()


def test_rows_are_right_when_a_worker_is_killed(
    folder: Path, running: Cluster, oracle: tpch.Oracle, tmp_path: Path
) -> None:
    """The last test of these: the cluster has a worker less. Spark does its tasks again on the other one."""
    out = tmp_path / "out"
    options = ("--master", running.url, *SMALL, "--tables", folder / "data", "-o", f"{out}/")
    names = ["q01", "q03"]
    job = start(folder, *JOB, *options, *files(folder, names))
    assert wait(lambda: job.poll() is not None or (out / "q01.parquet").exists())
    assert job.poll() is None
    running.workers.pop().kill()
    stderr = job.communicate(timeout=200)[1]
    assert job.returncode == 0, stderr
    check(out, names, oracle)
