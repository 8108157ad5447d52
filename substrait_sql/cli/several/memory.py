"""What the processes of the command do about memory."""

from __future__ import annotations

import atexit
import gc


def collect_seldom() -> None:
    """Makes Python look for garbage less often: next to nothing of what is imported and read ever becomes some.

    What plans leave behind is still found, some megabytes later. When the process ends, Python would look through all
    that there is, several times, before the system takes it back: that is left out. A short command takes a third less
    time.
    """
    gc.set_threshold(100_000, 20, 20)
    # Once, however often a process is told.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
