"""What Spark's jobs are called while a plan runs: a description for the UI and the event log, and tags to find them."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.files import stem
from substrait_sql.run.settings import is_connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from substrait_sql.rendered import Rendered, Statement

OWN: Final = "substrait-sql"
"""The tag of every job of a plan, and how the others begin."""

_DESCRIPTION = "spark.job.description"
_LONGEST_PATH = 4096
_NAMED = 3


def name_of(plan: Any, rendered: Rendered | None = None) -> str:
    """What to call a plan: its file's name, else the columns that its first root names."""
    if isinstance(plan, os.PathLike):
        return stem(Path(plan))
    short = isinstance(plan, str) and len(plan) < _LONGEST_PATH
    if short and "\n" not in plan and os.path.exists(plan):
        return stem(Path(plan))
    columns = next((s.columns for s in rendered.statements if s.columns), ()) if rendered else ()
    names = [c.name for c in columns[:_NAMED]] + ["…"] * (len(columns) > _NAMED)
    return f"plan of {', '.join(names)}" if names else "plan"


def description(name: str, statement: Statement) -> str:
    """The description of the jobs of a statement.

    >>> from substrait_sql.rendered import Statement
    >>> description("q3", Statement("SELECT 1", "query", 0))
    'q3: query, relations[0]'
    """
    target = f" {'.'.join(statement.target)}" if statement.target else ""
    return f"{name}: {statement.kind}{target}, {node(statement)}"


def node(statement: Statement) -> str:
    """The root that a statement is made of, as a path of the plan."""
    return f"relations[{statement.root}]"


def tags(name: str, statement: Statement | None = None) -> tuple[str, ...]:
    """The tags of the jobs of a plan, or of one of its statements."""
    found = [OWN, _tag("plan", name)] if name else [OWN]
    if statement is not None:
        found += [_tag("node", node(statement)), _tag("kind", statement.kind)]
    return tuple(found)


def _tag(key: str, value: str) -> str:
    # Spark takes no commas in a tag: it joins them with these.
    return f"{OWN}.{key}=" + re.sub(r"[,\s]+", "_", value)


@contextmanager
def described(spark: Any, text: str | None, tags: Iterable[str]) -> Iterator[None]:
    """The jobs that this thread starts within have this description and these tags, besides those that it had.

    None leaves the description as it is. A Connect server describes its jobs itself: there are the tags alone.
    """
    jobs: Any = spark if is_connect(spark) else spark.sparkContext
    add, remove, there = (
        (jobs.addTag, jobs.removeTag, jobs.getTags)
        if is_connect(spark)
        else (jobs.addJobTag, jobs.removeJobTag, jobs.getJobTags)
    )
    known = there()
    fresh = [tag for tag in dict.fromkeys(tags) if tag not in known]
    was = None
    if text is not None and not is_connect(spark):
        was = jobs.getLocalProperty(_DESCRIPTION)
        jobs.setLocalProperty(_DESCRIPTION, text)
    try:
        for tag in fresh:
            add(tag)
        yield
    finally:
        for tag in fresh:
            remove(tag)
        if text is not None and not is_connect(spark):
            jobs.setLocalProperty(_DESCRIPTION, was)


def cancel(spark: Any, tag: str) -> None:
    """Ends the jobs of a tag, of whichever thread."""
    if is_connect(spark):
        spark.interruptTag(tag)
    else:
        spark.sparkContext.cancelJobsWithTag(tag)
