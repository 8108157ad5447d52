"""A run as one line of JSON: what was run, on what, how long it took, and how it ended."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import os
import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from substrait_sql import wire
from substrait_sql.errors import ExecutionError, SubstraitSqlError
from substrait_sql.run.seen.labels import node
from substrait_sql.run.spark_errors import is_sparks, ours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.rendered import Rendered
    from substrait_sql.run.seen.steps import Step

TIMEOUT: Final = "SS4050"


MEANS: Final = {
    "time": "when it began, in UTC",
    "plan": "the name of the plan: of its file, or what `running` was given",
    "sha256": "of the plan in today's wire form: the same for its binary, JSON and text forms; null from `running`, "
    "which knows no plan",
    "producer": "who made the plan, as it says itself",
    "dialect": "the dialect of the SQL",
    "statements": "the statements that were given to Spark: `kind`, `node` (the root), `seconds`; for queries those "
    "until the DataFrame is there",
    "reads": "the tables and files of the plan: `name`, `node` (the first that reads it), `rows`: as many as Spark has "
    "read, after partitions and row groups that it could skip; null on Connect, and where Spark does not say; several "
    "`items` of one read of files are one entry, with the first one's name",
    "rows": "rows that were returned or put into a file, if they were counted",
    "written": "rows that statements have written, as Spark counts them; null on Connect",
    "seconds": "`render`: making the SQL; `analyse`: the statements, until there are DataFrames; `run`: the rest; "
    "`total`",
    "settings": "the settings that the statements ran under",
    "versions": "of substrait-sql, Python and Spark",
    "result": "`ok`, `refused` (nothing was run), `failed`, `timeout` or `cancelled` (by a signal)",
    "code": "the [code](errors.md) of the error",
    "node": "the node of the plan that the error is about",
    "exit": "the exit code of the command for this plan; null from `running`",
    "dry_run": "whether nothing was to be run, but looked at (`--dry-run`): such a line has no statements and no reads",
}
"""What the keys of a record mean."""


@dataclass
class Record:
    """What is known of a run. Each field is a key of its line in a log; what is not known is None."""

    time: str
    plan: str
    sha256: str | None = None
    producer: str | None = None
    dialect: str | None = None
    statements: list[dict[str, Any]] = field(default_factory=list)
    reads: list[dict[str, Any]] = field(default_factory=list)
    rows: int | None = None
    written: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    result: str = "ok"
    code: str | None = None
    node: str | None = None
    exit: int | None = None
    dry_run: bool = False

    def line(self) -> str:
        """The record as JSON, without a line break in it."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, default=str)


def table() -> str:
    """The fields as a table for people who read a log."""
    rows = [f"| `{key}` | {MEANS[key]} |" for key in (f.name for f in dataclasses.fields(Record))]
    return "\n".join(["| key | |", "|---|---|", *rows])


def append(path: str | os.PathLike[str], record: Record) -> None:
    """Appends the record to a file, in one go: other processes may append to it at the same time.

    Raises `ExecutionError` SS4013 if it cannot be written.
    """
    data = (record.line() + "\n").encode("utf-8", "backslashreplace")
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            os.write(file, data)
        finally:
            os.close(file)
    except OSError as error:
        message = f"cannot write {os.fspath(path)!r}: {error.strerror}"
        raise ExecutionError.of("SS4013", message) from error


def identity(plan: Any) -> tuple[str | None, str | None]:
    """The hash and the producer of a plan; nothing of one that cannot be read."""
    try:
        message = wire.read(plan).plan
    except (SubstraitSqlError, OSError):
        return None, None
    digest = hashlib.sha256(message.SerializeToString(deterministic=True)).hexdigest()
    return digest, message.version.producer or None


def versions(spark: Any) -> dict[str, str]:
    """Those of what takes part."""
    # An import statement would count as one of all that the package offers.
    own = importlib.import_module("substrait_sql").__version__
    found = {"substrait-sql": own, "python": platform.python_version()}
    release = getattr(spark, "version", None)
    return {**found, "spark": str(release)} if release else found


def statements(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The statements that were given to Spark."""
    return [
        {
            "kind": s.made.statement.kind,
            "node": node(s.made.statement),
            "seconds": round(s.seconds, 3),
        }
        for s in steps
    ]


def settings(rendered: Sequence[Rendered]) -> dict[str, str]:
    """All that the statements ran under."""
    return {key: value for each in rendered for key, value in sorted(each.settings.items())}


def ended(record: Record, error: BaseException | None) -> None:
    """Notes how the run has ended."""
    if error is None:
        return
    if isinstance(error, KeyboardInterrupt):
        record.result = "cancelled"
        return
    record.result = "failed"
    if isinstance(error, Exception) and is_sparks(error):
        error = ours(error, "SS4010", "Spark failed")
    if isinstance(error, SubstraitSqlError):
        record.code, record.node = error.code, error.path or None
        if error.code == TIMEOUT:
            record.result = "timeout"
        elif not isinstance(error, ExecutionError):
            record.result = "refused"
