"""Changes a folder and is killed at each line on the way: ``python -m tests.run.targets.killing FOLDER MODE PLAIN``.

A child for each line of `folder` that is run, killed by SIGKILL before it; what is there then is printed as JSON: the
rows that a reader of the folder finds, and those that it finds once the next run has settled.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from substrait_sql.run.targets import folder

OLD, NEW = ["a.parquet", "b.parquet", "d=1/c.parquet"], ["x.parquet", "d=1/y.parquet"]


def fill(where: Path, names: list[str]) -> None:
    """Files that hold their own names."""
    for name in names:
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_text(name, encoding="utf-8")


def found(where: Path) -> list[str] | None:
    """The files of a folder, None if it is not there."""
    if not where.exists():
        return None
    files = [p for p in where.rglob("*") if p.is_file()]
    assert all(p.read_text(encoding="utf-8") == str(p.relative_to(where)) for p in files)
    return sorted(str(p.relative_to(where)) for p in files)


def change(target: Path, mode: str) -> None:
    """What a run does."""
    folder.settle(target)
    with folder.draft(target) as made:
        fill(made, NEW)
        if mode == "append":
            folder.add(made, target)
        else:
            folder.put(made, target, replace=mode == "overwrite")


def killed_at(line: int, target: Path, mode: str) -> bool:
    """Runs it in a process of its own; whether that was killed before it was done."""
    pid = os.fork()
    if pid == 0:
        left = line

        def trace(frame: Any, event: str, given: Any) -> Any:
            nonlocal left
            del given
            if frame.f_code.co_filename != folder.__file__:
                return trace
            left -= event == "line"
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return trace

        sys.settrace(trace)
        change(target, mode)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def main(where: str, mode: str, plain: str) -> None:
    if plain == "plain":
        # A file system that cannot exchange two folders.
        folder._swapped = lambda one, other: False
    line, seen = 0, []
    while True:
        target = Path(where) / str(line) / "rows"
        if mode != "fail":
            fill(target, OLD)
        killed = killed_at(line, target, mode)
        at_once = found(target)
        folder.settle(target)
        beside = sorted(p.name for p in target.parent.iterdir()) if target.parent.exists() else []
        seen.append((at_once, found(target), [n for n in beside if n != "rows"]))
        if not killed:
            break
        line += 1
    print(json.dumps(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
