"""Runs a page as its reader would: what stands in its blocks of `console` and `python` is done, in order.

A line of `console` that begins with ``$`` is a command, the lines below it what it prints; ``# exit 1`` at its end says
how it ends, 0 otherwise. A block of `python` goes on where the one before has ended. If a block of `text` or `sql`
follows, that is what is printed. ``…`` in what is printed stands for the rest of a line, and on a line of its own for
any lines.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, NamedTuple

from substrait_sql.cli.app import run_app

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d+)$")


class Step(NamedTuple):
    """Something to do. kind: `console` or `python`; printed: what that shows, None if the page does not say."""

    kind: str
    text: str
    printed: str | None
    code: int = 0


def steps(page: str) -> Iterator[Step]:
    """The steps of a page."""
    blocks = list(_BLOCK.finditer(page))
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        kind, text = block.groups()
        shown = _printed(page, block, following)
        if kind == "python":
            yield Step(kind, text, shown)
        elif kind == "console":
            *before, last = _commands(text)
            yield from before
            yield last if shown is None else last._replace(printed=shown)


def _printed(page: str, block: re.Match[str], following: re.Match[str] | None) -> str | None:
    """The block of what is printed, which nothing may part from that of what is done."""
    if following is None or following[1] not in ("text", "sql"):
        return None
    return None if page[block.end() : following.start()].strip() else following[2]


def _commands(text: str) -> Iterator[Step]:
    for part in re.split(r"(?m)^\$ ", text)[1:]:
        command, _, printed = part.partition("\n")
        found = _EXIT.search(command)
        yield Step("console", _EXIT.sub("", command), printed, int(found[1]) if found else 0)


def do(step: Step, folder: Path, names: dict[str, Any]) -> str:
    """Does a step in the folder, which is the one that this process works in; what it prints, both streams in turn."""
    shown = io.StringIO()
    with redirect_stdout(shown), redirect_stderr(shown):
        if step.kind == "python":
            exec(compile(step.text, "page", "exec"), names)
            return shown.getvalue()
        words = shlex.split(step.text)
        if words[0] == "substrait-sql" and not {"|", ">", "&&"} & set(words):
            code = run_app(words[1:])
        else:
            done = subprocess.run(
                ["sh", "-c", step.text],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            code = done.returncode
            shown.write(done.stdout)
    assert code == step.code, f"{step.text}: exit {code}\n{shown.getvalue()}"
    return shown.getvalue()


def agree(printed: str, expected: str) -> bool:
    """Whether a page says what was printed, blanks at the ends of lines aside."""
    wanted = "\n".join(line.rstrip() for line in expected.strip("\n").splitlines())
    found = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    form = re.escape(wanted).replace(re.escape("\n…\n"), "\n(?s:.*)\n").replace("…", ".*")
    return re.fullmatch(form, found) is not None
