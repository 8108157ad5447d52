"""What a run has seen of golden files. Under pytest-xdist each worker has a part, and tells it at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NEW, CHANGED = "new", "changed"


@dataclass
class Record:
    """Paths are texts, to be told among processes.

    claimed: golden files that a plan or a test has, without symbolic links. written: those that were written, and
    whether they are new. seen: files of SQL in the folders of the run. tests: of each file of tests, those that have
    golden files. partial: some tests of these folders were left out.
    """

    claimed: set[str] = field(default_factory=set)
    written: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    tests: dict[str, set[str]] = field(default_factory=dict)
    partial: bool = False

    def told(self) -> dict[str, Any]:
        """Everything in plain values."""
        return {
            "claimed": sorted(self.claimed),
            "written": dict(self.written),
            "seen": sorted(self.seen),
            "tests": {module: sorted(ids) for module, ids in self.tests.items()},
            "partial": self.partial,
        }

    def add(self, told: dict[str, Any]) -> None:
        """What another process has told."""
        self.claimed.update(told["claimed"])
        for path, how in told["written"].items():
            self.written[path] = NEW if NEW in (how, self.written.get(path)) else how
        self.seen.update(told["seen"])
        for module, ids in told["tests"].items():
            self.tests.setdefault(module, set()).update(ids)
        self.partial |= told["partial"]
