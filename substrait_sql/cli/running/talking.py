"""What the command ``run`` says of its work on stderr, if asked: ``--verbose``."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from substrait_sql.cli.batch import Batch


class _Said(logging.Handler):
    """Prints what is logged, beside the bar if there is one."""

    def __init__(self, batch: Batch) -> None:
        super().__init__()
        self.batch = batch
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))

    def emit(self, record: logging.LogRecord) -> None:
        with self.batch.paused():
            click.echo(self.format(record), err=True)


@contextmanager
def talking(batch: Batch, verbose: bool) -> Iterator[None]:
    """INFO of the library's log goes to stderr within, if asked."""
    if not verbose:
        yield
        return
    log = logging.getLogger("substrait_sql")
    handler, level = _Said(batch), log.level
    log.addHandler(handler)
    log.setLevel(min(logging.INFO, log.getEffectiveLevel()))
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
