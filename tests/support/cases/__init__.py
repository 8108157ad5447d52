"""The hand-written plans of tests/plans, as code: every expectation is worked out by hand.

`python -m tests.support.cases` writes the files; tests/golden/test_plans.py checks that they are what
this code says.
A plan may just as well be dropped into tests/plans as a file with no code here: docs/testing.md.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format

from tests.support import rows as row_files
from tests.support.build import R, plan, table
from tests.support.plan_types import spark_type, split_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLANS = Path(__file__).parents[2] / "plans"

EMP = table("emp", "id:i64 name:str? dept:i64? salary:i64?")
DEPT = table("dept", "id:i64 name:str head:i64?")
L = table("l", "k:i64? a:str?")
RIGHT = table("r", "k:i64? b:i64?")
T1, T2, T3 = (table(f"t{i}", "x:i32?") for i in (1, 2, 3))

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Result:
    """What one root returns."""

    relation: R
    columns: str
    rows: Rows
    ordered: bool = False


@dataclass(frozen=True)
class Case:
    """A plan, why it is here, and what it returns."""

    area: str
    name: str
    about: str
    results: tuple[Result, ...]
    minor_version: int
    edit_json: Callable[[dict[str, Any]], None] | None = None
    binary: bool = False
    # Relations that the roots refer to, in front of them and behind them.
    before: tuple[R, ...] = ()
    after: tuple[R, ...] = ()

    @property
    def path(self) -> Path:
        return PLANS / self.area / f"{self.name}.{'pb' if self.binary else 'json'}"

    def plan_file(self) -> bytes:
        roots = [(r.relation, r.columns) for r in self.results]
        made = plan(*self.before, *roots, *self.after)
        made.version.minor_number = self.minor_version
        if self.binary:
            return made.SerializeToString(deterministic=True)
        tree = json_format.MessageToDict(made)
        if self.edit_json:
            self.edit_json(tree)
        return (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode()

    def rows_file(self) -> str:
        results = [
            row_files.Expected(
                columns=[names[0] for names in split_names(r.columns)],
                rows=r.rows,
                ordered=r.ordered,
                types=[
                    spark_type(t, names[1:])
                    for t, names in zip(r.relation.types, split_names(r.columns), strict=True)
                ],
            )
            for r in self.results
        ]
        return row_files.dump(self.about, results)


ALL: list[Case] = []


def case(
    area: str,
    about: str,
    relation: R | tuple[Result, ...],
    columns: str = "",
    rows: Rows | None = None,
    ordered: bool = False,
    **more: Any,
) -> None:
    """Add a plan: ``area`` is ``folder/name``; ``more`` is passed to `Case`."""
    folder, _, name = area.partition("/")
    results = (
        (Result(relation, columns, rows or [], ordered),) if isinstance(relation, R) else relation
    )
    ALL.append(Case(folder, name, about, results, more.pop("minor_version", 106), **more))


def load() -> Iterator[Case]:
    """Import every module of this package's folders, and return the cases they declare."""
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    yield from ALL
