"""A command on a pseudo-terminal, and what it shows there."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def typed(
    command: Sequence[str], answers: str, folder: Path, environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Runs the command in the folder with these lines typed: its exit code, and all that it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, answers.encode())
    shown = b""
    try:
        while data := os.read(ours, 4096):
            shown += data
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(), shown.decode().replace("\r\n", "\n")
