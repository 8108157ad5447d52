"""The release of a session, and the dialect that is for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.dialect import load
from substrait_sql.dialect.load import available
from substrait_sql.errors import ExecutionError

if TYPE_CHECKING:
    from substrait_sql.dialect.dialect import Dialect


def check_release(spark: Any, dialect: Dialect) -> None:
    """Raises SS4028 for a session that is older than what the dialect is for, and names the dialect that fits."""
    since, release = dialect.target.since, str(getattr(spark, "version", ""))
    if not since or not release or _numbers(release) >= _numbers(since):
        return
    other = _fitting(release, dialect)
    hint = (
        f'use dialect="{other}", or a folder that extends it'
        if other
        else "there is no dialect for that release"
    )
    raise ExecutionError.of(
        "SS4028",
        f"the session is Spark {release}, and the dialect {dialect.name} is for {since} and newer",
        hint=hint,
    )


def fitting(spark: Any, dialect: str) -> str:
    """The shipped dialect that is for a session: this one, or of those that are like it the nearest older one."""
    found = load(dialect)
    since, release = found.target.since, str(getattr(spark, "version", ""))
    if not since or not release or _numbers(release) >= _numbers(since):
        return dialect
    return _fitting(release, found) or dialect


def _fitting(release: str, dialect: Dialect) -> str:
    """The shipped dialect of the nearest release that is not newer, of those that extend this one; or nothing."""
    # The last one of a chain is what all dialects extend.
    own = set(dialect.chain[:-1])
    found = [
        (_numbers(each.target.since), each.name)
        for each in map(load, available())
        if own & set(each.chain) and each.target.since
    ]
    return max((f for f in found if f[0] <= _numbers(release)), default=((), ""))[1]


def _numbers(release: str) -> tuple[int, ...]:
    """The first two numbers: ``4.3.0-SNAPSHOT`` is (4, 3)."""
    return tuple(int(n) for n in re.findall(r"\d+", release)[:2])
