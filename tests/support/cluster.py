"""Spark's own servers on this machine: a standalone cluster and a Connect server, which end with the test."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark

from substrait_sql.run.java import ensure_java
from tests.tools import class_archive

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOME = Path(pyspark.__file__).parent
_STARTS_WITHIN = 90


@dataclass
class Server:
    """A process of Spark's, in a process group of its own with all that it starts."""

    process: subprocess.Popen[bytes]
    log: Path

    def says(self, pattern: str) -> re.Match[str]:
        """Waits until its log has this, and raises if the process ends or takes too long."""
        end = time.monotonic() + _STARTS_WITHIN
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(pattern, self.log.read_text(errors="replace"))
            if found is not None:
                return found
            time.sleep(0.1)
        raise AssertionError(f"no {pattern!r} in\n{self.log.read_text(errors='replace')[-4000:]}")

    def kill(self) -> None:
        """Ends it and what it has started, at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass
class Cluster:
    """A master and its workers, of one core each. folder: what they write."""

    folder: Path
    master: Server
    workers: list[Server]

    @cached_property
    def url(self) -> str:
        """What ``--master`` takes."""
        return self.master.says(r"Starting Spark master at (spark://\S+)")[1]

    def executors(self) -> list[int]:
        """The executors that run now, by their process ids."""
        groups = {worker.process.pid for worker in self.workers}
        found = subprocess.run(
            ["ps", "-wweo", "pid=,pgid=,args="], capture_output=True, text=True, check=True
        ).stdout
        rows = [line.split(None, 2) for line in found.splitlines()]
        backend = "CoarseGrainedExecutorBackend"
        return [int(pid) for pid, group, args in rows if int(group) in groups and backend in args]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a shell without an active virtual environment: its python3 has no packages at all."""
    ensure_java()
    python3 = folder / "bare" / "python3"
    if not python3.exists():
        python3.parent.mkdir(parents=True)
        python3.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
        python3.chmod(0o755)
    set_elsewhere = ("SPARK_", "PYSPARK_", "VIRTUAL_ENV", "PYTHONPATH")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(set_elsewhere)}
    path = os.pathsep.join((str(python3.parent), os.environ["PATH"]))
    here = {"PATH": path, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": str(folder)}
    # Not in a variable of Spark's own, which its servers and executors do not read.
    java = {"JAVA_TOOL_OPTIONS": class_archive.options()}
    return kept | java | here | more


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A standalone cluster on free ports, with 1 GB for each worker's executors."""
    options = "-Dspark.master.rest.enabled=false"
    variables = environment(folder, SPARK_DAEMON_MEMORY="256m", SPARK_MASTER_OPTS=options)
    found = Cluster(folder, _start(folder / "master", variables, "master.Master", *_PLACE), [])
    try:
        given = [*_PLACE, "--cores", "1", "--memory", "1g"]
        for i in range(workers):
            home = folder / f"worker{i}"
            given_to_one = [*given, "--work-dir", str(home), found.url]
            found.workers.append(_start(home, variables, "worker.Worker", *given_to_one))
        for worker in found.workers:
            worker.says("Successfully registered with master")
        yield found
    finally:
        for server in (*found.workers, found.master):
            server.kill()


_PLACE = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")


@contextmanager
def connect_server(folder: Path, master: str = "local[2]") -> Iterator[tuple[Server, str]]:
    """A Spark Connect server on a free port, and what ``--remote`` takes."""
    options = {
        "spark.connect.grpc.binding.port": "0",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    pairs = [part for key, value in options.items() for part in ("--conf", f"{key}={value}")]
    main = "org.apache.spark.sql.connect.service.SparkConnectServer"
    variables = environment(folder, PYSPARK_PYTHON=sys.executable)
    given = ["--master", master, *pairs, "--class", main, "spark-internal"]
    server = _start(folder / "server", variables, "SparkSubmit", *given)
    try:
        port = server.says(r"Spark Connect server started at: \S+:(\d+)")[1]
        yield server, f"sc://127.0.0.1:{port}"
    finally:
        server.kill()


def _start(folder: Path, variables: Mapping[str, str], main: str, *arguments: str) -> Server:
    folder.mkdir(parents=True)
    # Even if this process is killed, and cannot end the server.
    with_us = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*with_us, HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{main}", *arguments],
            cwd=folder,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return Server(process, log)
