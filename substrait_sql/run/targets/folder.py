"""A folder whose files become others at once: those are written beside it, and then the two change places.

Whoever looks at any time, or after the process was killed at any time, finds all old files or all new ones. Where the
file system cannot exchange two folders there is a moment without one, and what was there is put back by the next run.

The folder beside it has the process in its name: one whose process is gone is garbage, and is cleared away.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import os
import re
import shutil
import socket
import sys
import time
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW, OLD = "new", "old"
_AT_WORK: Final = "_temporary"
"""Where Spark keeps what a writer has not finished."""

_WEEK = 7 * 24 * 3600
_HERE = -100  # AT_FDCWD: names are as they are given.
_SWAP = 2  # RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS


def beside(target: Path, what: str) -> Path:
    """A hidden folder beside the target that is this run's. what: `NEW` or `OLD`."""
    run = f"{_machine()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
    return target.with_name(f".{target.name}.substrait_sql-{what}-{run}")


def is_there(target: Path) -> bool:
    """Whether there is such a folder, or would be once `settle` has looked after it."""
    return target.exists() or any(what == OLD for _, what, _, _ in _left(target))


def settle(target: Path) -> None:
    """Puts back what a run that is gone had taken away, and clears up behind such runs."""
    with _alone(target):
        for path, what, _, _ in _left(target):
            if what == OLD and not target.exists():
                path.rename(target)
    for path, _, machine, pid in _left(target):
        own = machine == _machine()
        if (own and not _is_alive(pid)) or (not own and _age(path) > _WEEK):
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def draft(target: Path) -> Iterator[Path]:
    """The place for a new folder. What is there at the end is removed, and so are empty folders made for it."""
    made = beside(target, NEW)
    missing = [p for p in target.parents if not p.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()


def put(made: Path, target: Path, *, replace: bool) -> None:
    """The new folder is the target; what that was is where the new one has been, if it was there.

    Raises `FileExistsError` or another `OSError` for a target that is there and is not to be replaced.
    """
    with _alone(target):
        if not (replace and target.exists()):
            made.rename(target)
            return
        shutil.copymode(target, made)
        _exchange(made, target)


def add(made: Path, target: Path) -> None:
    """The target has its files and the new ones. They are linked, not copied, so that it takes a moment.

    Raises `ExecutionError`: SS4030 while another writer is at work, SS4072 where files cannot be linked.
    """
    _refuse_writers(target, target)
    with _alone(target):
        shutil.copymode(target, made)
        linked = _link_all(target, made)
        _exchange(made, target)
        try:
            _refuse_writers(made, target)
        except ExecutionError:
            _exchange(made, target)
            raise
        # What writers of other kinds have added between the two steps.
        for path in _files(made):
            if path not in linked and not (target / path).exists():
                _link(made / path, target / path)


def foreign(target: Path) -> list[str]:
    """What is in a folder and neither data nor hidden: nobody wants that replaced by mistake."""
    if not target.is_dir():
        return [target.name]
    data = re.compile(r"part-|[^.].*\.(parquet|pq|orc|csv|json|jsonl|ndjson)(\.\w+)?$", re.I)
    return sorted(
        entry.name
        for entry in os.scandir(target)
        if entry.name[0] not in "._"
        and not ("=" in entry.name if entry.is_dir() else data.match(entry.name))
    )


def partitions(target: Path) -> list[str]:
    """The columns by whose values a folder is divided, as the names of folders say."""
    found: list[str] = []
    while True:
        inner = sorted(e.name for e in os.scandir(target) if e.is_dir() and "=" in e.name)
        if not inner:
            return found
        found.append(inner[0].partition("=")[0])
        target = target / inner[0]


def has_data(folder: Path) -> bool:
    """Whether there is a file of rows in it."""
    return any(path.name[0] not in "._" for path in _files(folder))


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """One run at a time lets folders change places, where the file system has locks. They end with their process."""
    try:
        above = os.open(target.parent, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(above, fcntl.LOCK_EX)
        yield
    finally:
        os.close(above)


def _left(target: Path) -> Iterator[tuple[Path, str, str, int]]:
    """The folders beside a target that runs have made: path, what it is, machine, process."""
    begin = re.escape(f".{target.name}.substrait_sql-")
    pattern = re.compile(rf"{begin}({NEW}|{OLD})-([0-9a-f]{{8}})-(\d+)-[0-9a-f]{{8}}")
    with suppress(OSError):
        for name in sorted(os.listdir(target.parent)):
            found = pattern.fullmatch(name)
            if found is not None:
                yield target.with_name(name), found[1], found[2], int(found[3])


def _machine() -> str:
    """This machine since it was started: the numbers of its processes mean nothing on another."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    said = boot.read_text() if boot.exists() else ""
    return hashlib.sha256(f"{socket.gethostname()}\n{said}".encode()).hexdigest()[:8]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0


def _exchange(made: Path, target: Path) -> None:
    """The two change places: at once where the system can, else the old one goes first."""
    if _swapped(made, target):
        return
    aside = beside(target, OLD)
    target.rename(aside)
    try:
        made.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    aside.rename(made)


def _swapped(one: Path, other: Path) -> bool:
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return bool(library.renamex_np(first, second, _SWAP) == 0)
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        return bool(library.renameat2(_HERE, first, _HERE, second, _SWAP) == 0)
    return False


def _files(folder: Path) -> Iterator[Path]:
    """All files and links below a folder, as paths in it."""
    for path, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(path, name))]
        yield from (Path(path, name).relative_to(folder) for name in (*names, *links))


def _link_all(target: Path, made: Path) -> set[Path]:
    linked = set(_files(target))
    for path in linked:
        if not (made / path).exists():
            _link(target / path, made / path)
    return linked


def _link(there: Path, here: Path) -> None:
    here.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(there, here, follow_symlinks=False)
    except OSError as error:
        raise ExecutionError.of(
            "SS4072",
            f"files cannot be added at once here: {error.strerror}",
            hint="the file system has no hard links: overwrite, or write to a folder of its own each time",
        ) from error


def _refuse_writers(folder: Path, target: Path) -> None:
    if (folder / _AT_WORK).exists():
        raise ExecutionError.of(
            "SS4030",
            f"another writer is at work in {str(target)!r}, or has left {_AT_WORK} there",
            hint=f"wait for it; if there is none, remove {_AT_WORK}",
        )
