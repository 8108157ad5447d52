"""The command ``substrait-sql``.

Data goes to stdout, all else to stderr; exit 0 done, 1 refused or failed, 2 usage.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, TextIO

from substrait_sql.cli.several.memory import collect_seldom

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNALLED = 128  # and the number of the signal, as a shell has it
FAILED = 1  # as click has it where it notices first that a reader is gone


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments (the process's by default), and end the process."""
    collect_seldom()
    _open_closed()
    try:
        from substrait_sql.cli.app import run_app

        code = run_app(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        print("interrupted", file=sys.stderr)
        code = SIGNALLED + getattr(error, "number", signal.SIGINT)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _give_up(sys.stdout)
        code = FAILED
    except OSError as error:
        _give_up(sys.stdout)
        code = FAILED
        try:
            print(f"SS4013 cannot write the output: {error.strerror}", file=sys.stderr)
        except OSError:
            _give_up(sys.stderr)
    sys.exit(code)


def _open_closed() -> None:
    """Put the null device where the caller has closed a stream: else the next file that is opened would stand there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _give_up(stream: TextIO) -> None:
    """Point a stream elsewhere: Python would try again to write what is left, and complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
