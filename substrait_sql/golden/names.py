"""Where golden files lie, and how they are called."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from substrait_sql import files
from substrait_sql.golden.options import ENDING, FOLDER, folder_name

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEPT = "-_.,=+@ []()"
_LONGEST = 150


def ending(dialect: str, usual: str) -> str:
    """What the golden file of a dialect ends in: ``.sql`` for the usual one, ``.spark35.sql`` for another."""
    return ENDING if dialect == usual else f".{label(dialect)}{ENDING}"


def label(dialect: str) -> str:
    """The name of a dialect, or of its folder."""
    return Path(dialect).name if is_folder(dialect) else dialect


def is_folder(dialect: str) -> bool:
    """Whether a dialect is given by its folder."""
    return "/" in dialect or os.sep in dialect


def of_plan(plan: Path, dialect: str, usual: str) -> Path:
    """The golden file of a plan that is a file."""
    return files.beside(plan, ending(dialect, usual))


def of_test(module: Path, parts: Sequence[str], dialect: str, usual: str) -> Path:
    """The golden file of a test. parts: of its name, which may hold anything."""
    name = file_name(".".join(parts)) + ending(dialect, usual)
    return module.parent / FOLDER / folder_name(module) / name


def file_name(text: str) -> str:
    """A name that every file system takes, another one for every text.

    >>> file_name("test_of[a/b]")
    'test_of[a%2Fb]'
    """
    name = "".join(c if c.isalnum() or c in _KEPT else _quoted(c) for c in text)
    if name.startswith("."):
        name = "%2E" + name[1:]
    data = name.encode()
    if len(data) <= _LONGEST:
        return name
    digest = hashlib.sha256(data).hexdigest()[:12]
    return f"{data[: _LONGEST - 20].decode(errors='ignore')}-{digest}"


def _quoted(character: str) -> str:
    return quote(character, safe="", errors="surrogatepass")


def shown(path: Path, start: Path) -> str:
    """A path as a person types it, without what a terminal would obey."""
    try:
        name = os.path.relpath(path, start)
    except ValueError:  # another drive
        name = str(path)
    return shown_text(name if not name.startswith(f"..{os.sep}..") else str(path))


def shown_text(text: str) -> str:
    """A text without what a terminal would obey."""
    from substrait_sql.outline.literals import clean

    return clean(text)
