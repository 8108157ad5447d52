"""Files of plans and of what is made of them: how they are called, and that they appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (
    ".json",
    ".pb",
    ".bin",
    ".binpb",
    ".proto",
    ".substrait",
    ".plan",
    ".txtpb",
    ".textproto",
    ".pbtxt",
    ".prototxt",
)
"""The endings by which a plan in a folder is known.

A file that is named may have any.
"""

_MARK = ".plan"


def stem(path: Path) -> str:
    """The name of a plan's file without its endings.

    >>> stem(Path("q3.pb")), stem(Path("q3.plan.json")), stem(Path("q3.plan"))
    ('q3', 'q3', 'q3')
    """
    name = path.stem
    return name[: -len(_MARK)] if name.lower().endswith(_MARK) and name != _MARK else name


def beside(path: Path, ending: str) -> Path:
    """The file beside a plan that has its name and this ending."""
    return path.with_name(stem(path) + ending)


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A file to write to, which becomes the one at this path when all went well. A device is written to as it is.

    Raises `ExecutionError` SS4013 if it cannot be written.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            yield path
            return
        with empty_beside(path) as made:
            yield made
            umask = os.umask(0)
            os.umask(umask)
            made.chmod(0o666 & ~umask)
            os.replace(made, os.path.realpath(path))
    except OSError as error:
        raise cannot_write(path, error) from error


@contextmanager
def empty_beside(path: Path) -> Iterator[Path]:
    """An empty file in the same folder, which is made if it is not there; gone afterwards unless it was renamed."""
    if path.is_dir():
        raise IsADirectoryError(0, "there is a folder of that name")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def cannot_write(path: Path, error: OSError) -> ExecutionError:
    """The error for a file that cannot be written."""
    return ExecutionError.of(
        "SS4013", f"cannot write {os.fspath(path)!r}: {error.strerror or error}"
    )
