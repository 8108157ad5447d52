"""Where ``-o`` sends output: a file, or a file per plan in a folder."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.inputs import targets
from substrait_sql.files import beside, cannot_write, empty_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.cli.inputs import Input


@dataclass(frozen=True, slots=True)
class Output:
    """What was given with ``-o``. slash: it ends in one, which a `Path` does not keep."""

    path: Path
    slash: bool = False

    @classmethod
    def of(cls, text: str) -> Output:
        """The output of this name."""
        return cls(Path(text), text.endswith(("/", os.sep)))

    @property
    def folder(self) -> bool:
        """Whether even a single plan goes to a file of its own name in there."""
        return self.slash or self.path.is_dir()


# It takes a type argument since click 8.4 only.
class _OutputType(click.ParamType):  # type: ignore[type-arg]
    """A path that keeps its slash at the end."""

    name = "path"

    def convert(self, value: Any, param: Any, ctx: Any) -> Output:
        del param, ctx
        return value if isinstance(value, Output) else Output.of(value)


OUTPUT_TYPE = _OutputType()
OUTPUT = click.option(
    "-o", "--output", type=OUTPUT_TYPE, metavar="FILE|DIR", help="Write here, not to stdout."
)


def files_of(inputs: Sequence[Input], output: Output | None, suffix: str) -> dict[Input, Path]:
    """The file that the output of each plan goes to; empty if that is stdout."""
    if output is None:
        return {}
    if len(inputs) > 1 and output.path.is_file():
        raise click.UsageError(f"several plans go to a folder, and {str(output.path)!r} is a file")
    if output.folder or len(inputs) > 1:
        return targets(inputs, output.path, suffix)
    return {inputs[0]: output.path}


def files_beside(inputs: Sequence[Input], suffix: str) -> dict[Input, Path]:
    """The file beside each plan, of the plan's name but for its endings."""
    out: dict[Input, Path] = {}
    for item in inputs:
        if not isinstance(item.plan, Path):
            raise click.UsageError("a plan from stdin has no place beside it")
        out[item] = beside(item.plan, suffix)
    clash = next((p for p, n in Counter(out.values()).items() if n > 1), None)
    if clash is not None:
        raise click.UsageError(f"two plans would be written to {str(clash)!r}")
    return out


def check_writable(path: Path) -> None:
    """Raises `ExecutionError` SS4013 if nothing can be written there; leaves the disk as it was."""
    try:
        missing = [p for p in path.parents if not p.exists()]
        try:
            with empty_beside(path):
                pass
        finally:
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()
    except OSError as error:
        raise cannot_write(path, error) from error
