"""``run --dry-run``: what would run, and what it would touch."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from substrait_sql.dialect.dialect import load
from substrait_sql.errors import UnsupportedError
from substrait_sql.policy.effects import effects
from substrait_sql.policy.listing import listing
from substrait_sql.policy.targets import hold_target
from substrait_sql.run.dry import analyse
from substrait_sql.run.targets.model import ToTable
from substrait_sql.run.targets.save import one_of, sink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from substrait_sql.run.targets.model import Target


def said(
    spark: Any, plan: Any, target: Target | None, path: Path | None, **given: Any
) -> Iterator[str]:
    """The lines about a plan. given: arguments of `analyse`. path: the file for its rows, if it is one.

    Raises what would be raised before rows are made.
    """
    rules, policy = load(given["dialect"]), given["policy"]
    where = None
    if target is not None:
        if policy is not None:
            hold_target(target.name, target.format, isinstance(target, ToTable), policy, rules)
        where = sink(spark, target, rules)
        if not where.is_wanted():
            yield f"  nothing      {target.name} is there, and would be left as it is"
            return
    looked = analyse(spark, plan, **given)
    frames = [frame for _, frame in looked if frame is not None]
    if where is not None:
        where.check(one_of(frames if len(frames) != 1 else frames[0]))
    for statement, _ in looked:
        name = ".".join(statement.target)
        yield f"  would run    root {statement.root}: {statement.kind}" + (
            f" {name}" if name else ""
        )
    if target is not None:
        kind = "table" if isinstance(target, ToTable) else f"{target.format} files"
        yield f"  would write  {kind} {target.name} ({_done(target)})"
    elif path is not None:
        yield f"  would write  {path}"
    # What alters a table has no effects that are known without a session.
    with suppress(UnsupportedError):
        yield from listing(effects(plan, dialect=given["dialect"])).splitlines()


def _done(target: Target) -> str:
    if target.mode == "overwrite":
        return "all rows that are there would be gone"
    return {"append": "to what is there"}.get(target.mode, "new")
