"""What lies beside a plan: other plans, and golden files of dialects. A folder is read once, however many are in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from substrait_sql.files import stem
from substrait_sql.golden.options import ENDING

if TYPE_CHECKING:
    from pathlib import Path

    from substrait_sql.golden.settings import Settings


class Neighbours:
    """The files of a folder.

    plans: those that are tests, by their names without endings. middles: what stands between such a name and ``.sql``.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.plans: dict[str, list[Path]] = {}
        self.middles: dict[str, list[str]] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix == ENDING:
                name, dot, middle = path.stem.rpartition(".")
                if dot:
                    self.middles.setdefault(name, []).append(middle)
            elif settings.is_plan(path) and path.is_file():
                self.plans.setdefault(stem(path), []).append(path)
