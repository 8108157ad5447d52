"""What is wrong with the options of ``run`` and is said before Spark starts, which takes seconds."""

from __future__ import annotations

import glob
import importlib.util
import os
from typing import TYPE_CHECKING, Any

import click

from substrait_sql.cli.outputs import check_writable
from substrait_sql.errors import ExecutionError, SubstraitSqlError
from substrait_sql.run.init import read_file
from substrait_sql.run.tables.columns import Wanted
from substrait_sql.run.tables.sources import find_table
from substrait_sql.run.tables.views import not_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.rendered import Rendered


class Failed(click.ClickException):
    """A failure before any plan was read: our message, exit code 1."""

    def __init__(self, error: SubstraitSqlError) -> None:
        super().__init__(str(error))

    def show(self, file: Any = None) -> None:
        """Print it as it is, without click's ``Error:``."""
        click.echo(self.message, err=True, file=file)


def check_settings(conf: Mapping[str, str], remote: bool) -> None:
    """Raises `click.UsageError` for a name of ``--conf`` that the Spark started here would pass over in silence."""
    odd = [key for key in conf if not key.startswith("spark.")]
    if odd and not remote:
        raise click.UsageError(
            f"--conf {odd[0]}: the names of Spark's settings begin with 'spark.'"
        )


def check_files(init: Path | None, outputs: Iterable[Path], named: Mapping[str, Any]) -> None:
    """Raises `Failed` for what cannot be read or written. named: the paths of tables, if they are on this machine."""
    try:
        if init is not None:
            read_file(init)
        for name, path in named.items():
            _check_there(name, os.fspath(path))
        for path in outputs:
            if (
                path.suffix.lower() in (".parquet", ".arrow")
                and importlib.util.find_spec("pyarrow") is None
            ):
                hint = "pip install pyarrow, or write .csv or .json"
                raise ExecutionError.of(
                    "SS4013", "writing Parquet or Arrow needs pyarrow", hint=hint
                )
            check_writable(path)
    except ExecutionError as error:
        raise Failed(error) from error


def _check_there(name: str, path: str) -> None:
    if "://" in path or os.path.exists(path) or (glob.has_magic(path) and glob.glob(path)):
        return
    message = f"cannot read the table {name} from {path!r}: there is no such file or folder"
    raise ExecutionError.of("SS4004", message, hint="--table takes NAME=PATH")


def check_tables(
    rendered: Rendered, root: int | None, tables: Mapping[str, Any], dialect: Dialect
) -> None:
    """Raises `ExecutionError` SS4003 for tables that a root reads, or any, and a session that we start cannot have."""
    texts = (s.sql for s in rendered.statements if root in (None, s.root))
    wanted = Wanted("\n".join(texts), dialect, lambda _: "")
    missing = []
    for source in rendered.sources:
        # `parquet`.`/some/file` is a file to Spark.
        is_file = source.reader or source.view is not None or "/" in source.names[-1]
        if is_file or not wanted.uses(source.names[-1]):
            continue
        if find_table(source, tables) is None:
            missing.append(not_there(source, tables, ()).diagnostics[0])
    if missing:
        raise ExecutionError(missing)
