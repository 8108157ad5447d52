"""The command ``substrait-sql``.

Data goes to stdout, all else to stderr; exit 0 done, 1 refused or failed, 2 usage.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 128 + signal.SIGINT
READER_GONE = 1  # as click has it where it notices first


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments (the process's by default), and end the process."""
    try:
        from substrait_sql.cli.app import run_app

        code = run_app(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough. Point stdout elsewhere, or Python complains at
        # exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = READER_GONE
    sys.exit(code)
