"""What ends a run over several plans, and errors that nobody foresaw."""

from __future__ import annotations

import os

from substrait_sql.errors import Diagnostic, SubstraitSqlError


class Stop(Exception):
    """Ends the whole batch: nothing else could work either."""

    def __init__(self, error: SubstraitSqlError) -> None:
        super().__init__(str(error))
        self.error = error


def unforeseen(error: Exception) -> Diagnostic:
    """An error nobody foresaw: still one screen, and no traceback."""
    import traceback

    from substrait_sql.run.spark_errors import is_sparks, ours

    if os.environ.get("SUBSTRAIT_SQL_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, OSError) and error.filename is not None:
        return Diagnostic("SS4013", f"{error.strerror}: {error.filename}")
    if is_sparks(error):
        return ours(error, "SS4010", "Spark failed").diagnostics[0]
    text = (str(error).strip() or "no message").splitlines()[0][:300]
    return Diagnostic(
        "SS9000",
        f"a defect of substrait-sql: {type(error).__name__}: {text}",
        hint="please report it with the plan; SUBSTRAIT_SQL_DEBUG=1 shows where it happened",
    )
