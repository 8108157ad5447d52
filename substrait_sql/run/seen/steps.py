"""The statements of plans while they are given to Spark: each is described to it, logged, and told to who asks."""

from __future__ import annotations

import contextvars
import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from substrait_sql.run.seen.frames import note
from substrait_sql.run.seen.labels import described, description, name_of, tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame

    from substrait_sql.rendered import Rendered
    from substrait_sql.run.seen.frames import Made

LOG = logging.getLogger("substrait_sql")
LOG.addHandler(logging.NullHandler())
"""What is logged of runs: never the values of parameters, and the text of statements at DEBUG alone."""


@dataclass
class Step:
    """A statement that was given to Spark. seconds: how long that took, rows of a query not included."""

    made: Made
    frame: DataFrame | None = None
    seconds: float = 0.0


@dataclass
class Heard:
    """What a thread has done with plans. name: what they are called, if somebody has said. rendering: in seconds."""

    name: str = ""
    steps: list[Step] = field(default_factory=list)
    rendered: list[Rendered] = field(default_factory=list)
    rendering: float = 0.0


_LISTENERS: contextvars.ContextVar[tuple[Heard, ...]] = contextvars.ContextVar(
    "substrait_sql_heard", default=()
)


@contextmanager
def heard(name: str = "") -> Iterator[Heard]:
    """What this thread does with plans within. name: what they are called."""
    found = Heard(name)
    token = _LISTENERS.set((*_LISTENERS.get(), found))
    try:
        yield found
    finally:
        _LISTENERS.reset(token)


def name_within(plan: Any, rendered: Rendered) -> str:
    """What to call a plan: as whoever listens has said, or by itself."""
    said = [listener.name for listener in _LISTENERS.get() if listener.name]
    return said[-1] if said else name_of(plan, rendered)


def rendering(render: Callable[[], Rendered]) -> Rendered:
    """The SQL of a plan; how long it took is logged, and told to who asks."""
    begun = time.monotonic()
    rendered = render()
    seconds = time.monotonic() - begun
    for listener in _LISTENERS.get():
        listener.rendering += seconds
        listener.rendered.append(rendered)
    LOG.info("rendered in %.3f s: statements: %d", seconds, len(rendered.statements))
    return rendered


@contextmanager
def step(spark: Any, made: Made) -> Iterator[Step]:
    """A statement that is given to Spark within; its frame is to be set."""
    found = Step(made)
    for listener in _LISTENERS.get():
        listener.steps.append(found)
    what = description(made.name, made.statement)
    LOG.info("started: %s", what)
    LOG.debug("SQL of %s:\n%s", what, made.statement.sql)
    begun = time.monotonic()
    try:
        with described(spark, what, tags(made.name, made.statement)):
            yield found
    except BaseException as error:
        LOG.info("failed after %.3f s: %s: %s", time.monotonic() - begun, what, _code(error))
        raise
    finally:
        found.seconds = time.monotonic() - begun
    LOG.info("finished in %.3f s: %s", found.seconds, what)
    if found.frame is not None:
        note(found.frame, made)


def _code(error: BaseException) -> str:
    # What the error says may hold values.
    return str(getattr(error, "code", type(error).__name__))
