"""Commands that write plans, as JSON, binary or text: ``upgrade`` and ``plan``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from substrait_sql.cli.batch import Batch
from substrait_sql.cli.outputs import Output, files_of
from substrait_sql.files import draft

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from substrait_sql.cli.inputs import Input

ENDINGS = {"json": ".json", "binary": ".pb", "text": ".txtpb"}
FORMS = {
    ".json": "json",
    ".pb": "binary",
    ".bin": "binary",
    ".binpb": "binary",
    ".txtpb": "text",
    ".textproto": "text",
}


def write_plans(
    inputs: Sequence[Input],
    doing: str,
    made_of: Callable[[Input], object],
    form: str | None,
    output: Output | None,
) -> int:
    """Make a plan of each input and write it to stdout, a file, or a folder; returns the exit code."""
    batch = Batch(inputs, doing)
    if output is None and batch.several:
        raise click.UsageError("several plans go to a folder: -o DIR")
    if form is None:
        one = output is not None and not output.folder and not batch.several
        form = FORMS.get(output.path.suffix.lower(), "json") if one and output else "json"
    files = files_of(inputs, output, ENDINGS[form])

    def action(item: Input) -> None:
        made = encode(made_of(item), form)
        if item not in files:
            if form == "binary" and sys.stdout.isatty():
                raise click.UsageError(
                    "binary goes to a file (-o OUT.pb) or a pipe, not to a terminal"
                )
            sys.stdout.buffer.write(made)
            return
        with draft(files[item]) as path:
            path.write_bytes(made)

    return batch.each(action)


def encode(plan: object, form: str) -> bytes:
    """A plan message as bytes of this form."""
    from google.protobuf.message import Message

    from substrait_sql.wire import to_json, to_text

    if not isinstance(plan, Message):
        raise TypeError(f"not a plan: {type(plan).__name__}")
    if form == "binary":
        return bytes(plan.SerializeToString(deterministic=True))
    if form == "text":
        return to_text(plan).encode()
    return (to_json(plan) + "\n").encode()
