"""One golden file, and the SQL that it should hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from substrait_sql.errors import SubstraitSqlError

if TYPE_CHECKING:
    from pathlib import Path

    from substrait_sql.pipeline import Dialect


@dataclass(frozen=True, slots=True)
class Case:
    """What is compared.

    golden: the file. sql: the SQL of today. source: the plan, as it was given, or a `Rendered`. label: what messages
    call it. dialect: as `render` takes it. node: the id of the test. tables, spark: to run the texts with, if at all.
    """

    golden: Path
    sql: str
    source: Any
    label: str
    dialect: Dialect
    node: str
    tables: Any = None
    spark: Any = None

    @property
    def text(self) -> str:
        """What the file should hold."""
        return self.sql.rstrip("\n") + "\n"


class UnreadableError(Exception):
    """The golden file is there, and is no text."""


def read(golden: Path) -> str | None:
    """The text of a golden file, None if there is none. Raises `UnreadableError`."""
    try:
        return golden.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"it is no UTF-8 text: {error.reason}") from error


def write(case: Case) -> str:
    """Writes the golden file; returns why it could not be written, else nothing."""
    from substrait_sql.files import draft

    try:
        with draft(case.golden) as path:
            path.write_text(case.text, encoding="utf-8", newline="\n")
    except SubstraitSqlError as error:
        return error.diagnostics[0].message
    return ""
