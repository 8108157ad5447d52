"""The PLAN arguments of a command: files, folders of plans, patterns, and ``-`` for stdin."""

from __future__ import annotations

import glob
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from substrait_sql.files import SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Input:
    """One plan.

    label: how messages name it. stem: what a file made from it is called, may hold folders.
    """

    label: str
    plan: Path | bytes
    stem: Path | None


def read_inputs(arguments: Sequence[str], suffixes: Sequence[str] = SUFFIXES) -> list[Input]:
    """Return the plans that the arguments stand for, in order, folders sorted.

    suffixes: what files in a folder end in, of those that are meant. A file that is not there is kept: reading it fails
    with a message of its own, and the others go on.
    """
    found: list[Input] = []
    for argument in arguments:
        if argument == "-":
            if any(isinstance(i.plan, bytes) for i in found):
                raise click.UsageError("'-' (stdin) can be given only once")
            found.append(Input("<stdin>", sys.stdin.buffer.read(), None))
            continue
        path = Path(argument)
        if path.is_dir():
            found += _folder(path, suffixes)
        elif not path.exists() and glob.has_magic(argument):
            found += _pattern(argument)
        else:
            found.append(Input(argument, path, Path(path.stem)))
    return found


def _folder(folder: Path, suffixes: Sequence[str]) -> list[Input]:
    plans = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in suffixes and p.is_file()]
    if not plans:
        what = "plans" if suffixes is SUFFIXES else "queries"
        raise click.UsageError(
            f"no {what} in the folder {str(folder)!r} (looked for {', '.join(suffixes)})"
        )
    return [Input(str(p), p, p.relative_to(folder).with_suffix("")) for p in plans]


def _pattern(pattern: str) -> list[Input]:
    matches = [Path(p) for p in sorted(glob.glob(pattern, recursive=True))]
    plans = [p for p in matches if p.is_file()]
    if not plans:
        raise click.UsageError(f"no file matches {pattern!r}")
    return [Input(str(p), p, Path(p.stem)) for p in plans]


def targets(inputs: Sequence[Input], folder: Path, suffix: str) -> dict[Input, Path]:
    """The file each plan's output goes to.

    Plans whose names differ in their ending only keep the ending.
    """
    stems = [i.stem or Path("stdin") for i in inputs]
    out: dict[Input, Path] = {}
    for item, stem in zip(inputs, stems, strict=True):
        name = stem
        if stems.count(stem) > 1 and isinstance(item.plan, Path):
            name = stem.with_name(item.plan.name)
        out[item] = folder / name.with_name(name.name + suffix)
    if len(set(out.values())) < len(inputs):
        files = list(out.values())
        clash = next((p for p in files if files.count(p) > 1), files[0])
        raise click.UsageError(f"two plans would be written to {str(clash)!r}")
    return out
