"""What a project and its command line say of golden tests."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pytest

from substrait_sql.errors import SubstraitSqlError
from substrait_sql.files import SUFFIXES
from substrait_sql.golden import names
from substrait_sql.golden.options import ORPHANS

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECK, UPDATE, REVIEW = "check", "update", "review"
DIALECT = "spark"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    root: what patterns are relative to. start: where pytest was called. plans: patterns of files that are collected.
    dialects: the first one is the usual one. tables: a folder of tables to run texts on. orphans: one of `ORPHANS`.
    mode: ``check``, ``update`` or ``review``.
    """

    root: Path
    start: Path
    plans: tuple[str, ...]
    dialects: tuple[str, ...]
    tables: Path | None
    orphans: str
    mode: str

    @property
    def writes(self) -> bool:
        """Whether golden files may be written."""
        return self.mode != CHECK

    @property
    def dialect(self) -> str:
        """The usual dialect."""
        return self.dialects[0]

    def is_plan(self, path: Path, named: bool = False) -> bool:
        """Whether a file is a test of its own. named: the command line names it."""
        if path.suffix.lower() not in SUFFIXES:
            return False
        return named or any(_matches(path, self._relative(path), pattern) for pattern in self.plans)

    def owns(self, folder: Path) -> bool:
        """Whether a pattern with a folder in it is about this folder."""
        place = self._relative(folder)
        parents = (PurePosixPath(p).parent.as_posix() for p in self.plans if "/" in p)
        return any(fnmatch(place, parent) for parent in parents)

    def golden_of_plan(self, plan: Path, dialect: str) -> Path:
        """The golden file beside a plan."""
        return names.of_plan(plan, dialect, self.dialect)

    def known(self, dialect: str) -> str:
        """A dialect as `render` takes it: a folder is relative to the root."""
        return str(self.root / dialect) if names.is_folder(dialect) else dialect

    def _relative(self, path: Path) -> str:
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()


def _matches(path: Path, place: str, pattern: str) -> bool:
    return fnmatch(place if "/" in pattern else path.name, pattern)


def settings_of(config: pytest.Config) -> Settings:
    """The settings. Raises `pytest.UsageError` for what makes no sense."""
    update, review = config.getoption("golden_update"), config.getoption("golden_review")
    if update and review:
        raise pytest.UsageError("--golden-update writes all, --golden-review asks: give one")
    orphans = config.getoption("golden_orphans") or config.getini("golden_sql_orphans")
    if orphans not in ORPHANS:
        raise pytest.UsageError(f"golden_sql_orphans is {', '.join(ORPHANS)}, not {orphans!r}")
    start = config.invocation_params.dir
    dialects = _list(config, "golden_sql_dialects") or (DIALECT,)
    if len({names.label(d) for d in dialects}) < len(dialects):
        raise pytest.UsageError(f"golden_sql_dialects has one twice: {' '.join(dialects)}")
    settings = Settings(
        config.rootpath,
        start,
        _list(config, "golden_sql_plans"),
        dialects,
        _tables(config, start),
        orphans,
        UPDATE if update else REVIEW if review else CHECK,
    )
    _check_dialects(settings)
    return settings


def _check_dialects(settings: Settings) -> None:
    """One that is not there is said once, and not by every plan."""
    from substrait_sql.dialect.dialect import load

    for each in settings.dialects:
        try:
            load(settings.known(each))
        except SubstraitSqlError as error:
            raise pytest.UsageError(f"golden_sql_dialects: {error}") from error


def _list(config: pytest.Config, name: str) -> tuple[str, ...]:
    found: Sequence[str] = config.getini(name)
    return tuple(found)


def _tables(config: pytest.Config, start: Path) -> Path | None:
    given, said = config.getoption("golden_tables"), config.getini("golden_sql_tables")
    folder = start / given if given else config.rootpath / said if said else None
    if folder is not None and not folder.is_dir():
        raise pytest.UsageError(f"golden tables: there is no folder {str(folder)!r}")
    return folder
