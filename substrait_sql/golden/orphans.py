"""Golden files that nothing has any more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from substrait_sql import files
from substrait_sql.golden import names
from substrait_sql.golden.options import ENDING, FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection

    from substrait_sql.golden.record import Record
    from substrait_sql.golden.settings import Settings


def orphans(record: Record, settings: Settings, passed: Collection[str]) -> list[Path]:
    """The files, sorted. passed: the tests that came to their end; one that did not may have more files.

    Only folders that were given as a whole have any, and none has where some tests were left out.
    """
    if record.partial:
        return []
    ours = {Path(path).parent for path in record.claimed}
    found = []
    for path in map(Path, sorted(record.seen)):
        real = Path(os.path.realpath(path))
        if str(real) in record.claimed:
            continue
        if path.parent.parent.name == FOLDER:
            orphan = _left_by_tests(path, record, passed)
        else:
            orphan = real.parent in ours or settings.owns(path.parent)
            orphan = orphan and _left_by_plan(path, settings)
        found += [path] if orphan else []
    return found


def _left_by_tests(path: Path, record: Record, passed: Collection[str]) -> bool:
    """Whether the tests that might have a golden file are gone, or have all passed without it."""
    folder = path.parent
    modules = [folder.parent.parent / name for name in (f"{folder.name}.py", folder.name)]
    there = [str(module) for module in modules if module.exists()]
    return all(module in record.tests and record.tests[module].issubset(passed) for module in there)


def _left_by_plan(path: Path, settings: Settings) -> bool:
    """Whether there is no plan of that name, with a dialect in the name or without."""
    stem = path.name.removesuffix(ENDING)
    plans = {files.stem(p) for p in path.parent.iterdir() if p.suffix.lower() in files.SUFFIXES}
    if stem in plans:
        return False
    plan, _, dialect = stem.rpartition(".")
    return plan not in plans or dialect not in dialects(settings)


def dialects(settings: Settings) -> set[str]:
    """The names that may stand before ``.sql``."""
    from substrait_sql.dialect.load import available

    return {*map(names.label, settings.dialects[1:]), *available()} - {settings.dialect}
