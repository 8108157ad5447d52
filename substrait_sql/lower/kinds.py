"""Every relation and expression that has SQL: the modules of two packages, each of which registers what it lowers."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from substrait_sql.lower import expressions, relations


@cache
def register() -> None:
    """Imports all of them, once."""
    for package in (expressions, relations):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
