"""Every relation and expression that has SQL: the modules of two packages, each of which registers what it lowers.

A plan has few of the kinds that there are. The module of a kind is imported when a plan has it.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from substrait_sql.lower import expressions, relations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

T = TypeVar("T")

# Those that are not called what they lower. Any that is missing here takes longer to be found, and is.
_MODULES = {
    "if_then": "conditional",
    "interval_day_to_second": "interval",
    "interval_year_to_month": "interval",
    "scalar_function": "function",
    "set": "set_op",
    "singular_or_list": "in_list",
    "window_function": "window",
}


@cache
def register() -> None:
    """Imports all of them, once."""
    _import([*_modules(expressions), *_modules(relations)])


def find(kind: str | None, registered: Mapping[str, T], package: ModuleType) -> T | None:
    """The function for a kind that has not been needed so far, None if there is none.

    registered: where its module puts it. package: `relations` or `expressions`, where that module is.
    """
    if kind is None:
        return None
    ending = f".{_MODULES.get(kind, kind)}"
    _import([name for name in _modules(package) if name.endswith(ending)])
    if kind not in registered:
        register()
    return registered.get(kind)


def _modules(package: ModuleType) -> Sequence[str]:
    """The modules of a package and of those in it."""
    return _modules_in(package.__name__, tuple(package.__path__))


@cache
def _modules_in(package: str, folders: tuple[str, ...]) -> Sequence[str]:
    return [found.name for found in pkgutil.walk_packages(folders, f"{package}.")]


def _import(names: Sequence[str]) -> None:
    """Imports modules on a thread of its own, where there is room for it.

    Whoever asks may be deep inside of a plan. A module that fails half way would leave functions that do not work.
    """
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for name in names:
                importlib.import_module(name)
        except BaseException as error:  # handed on to the caller
            errors.append(error)

    thread = threading.Thread(target=work, name="substrait-sql-import")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
