"""What ``known.yaml`` says."""

from __future__ import annotations

from functools import cache

import yaml

from substrait_sql.resources import PACKAGE

_FILE = PACKAGE / "policy" / "known.yaml"


@cache
def _lists() -> dict[str, frozenset[str]]:
    read: dict[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {key: frozenset(words.split()) for key, words in read.items()}


def data_sources() -> frozenset[str]:
    """Spark's data sources, in lower case."""
    return _lists()["data_sources"]


def denied() -> frozenset[str]:
    """Functions of Spark's own that any policy denies."""
    return _lists()["denied"]


def words() -> frozenset[str]:
    """Words of SQL that stand before a parenthesis and are no functions."""
    return _lists()["words"]


def of_the_moment() -> frozenset[str]:
    """Functions that say when, where or by whom they are called."""
    return _lists()["of_the_moment"]
