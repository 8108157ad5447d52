"""Renders plans with the installed package: ``python -I installed.py < wanted.json``.

wanted: pairs of a dialect and the path of a plan. Prints their texts, and for a refused plan its code; the releases
that it did so with; and where the package is. Knows nothing of the checkout.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import substrait_sql


def text(dialect: str, plan: str) -> str:
    try:
        return substrait_sql.to_sql(Path(plan), dialect=dialect)
    except substrait_sql.SubstraitSqlError as error:
        return f"refused: {error.code}"


def release(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def main() -> None:
    asked = json.load(sys.stdin)
    answer = {
        "texts": [text(dialect, plan) for dialect, plan in asked["plans"]],
        "releases": {name: release(name) for name in asked["packages"]},
        "place": substrait_sql.__file__,
    }
    json.dump(answer, sys.stdout)


main()
