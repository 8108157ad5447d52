"""What the kinds of targets have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from substrait_sql.run.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from substrait_sql.run.targets.model import Saved

NO_FOLDER = ("", "__HIVE_DEFAULT_PARTITION__")
"""Texts that are NULL when they are the name of a folder."""


class Sink(Protocol):
    """A target in a session."""

    def is_wanted(self) -> bool:
        """Whether rows are to be written; False for ``ignore`` and a target that is there. Changes nothing.

        Raises `ExecutionError` for a target that cannot be written to.
        """

    def settle(self) -> None:
        """Clears up after runs that died, or finishes what they had begun."""

    def check(self, frame: DataFrame) -> None:
        """Raises `ExecutionError` SS4071 for rows that the target cannot hold. Makes none of them."""

    def write(self, frame: DataFrame, max_rows: int | None) -> Saved:
        """Writes the rows, all or none."""


def guarded(frame: DataFrame, partition_by: Sequence[str]) -> DataFrame:
    """The rows, which fail where the text of a partition would be read as NULL."""
    wanted = [name.lower() for name in partition_by]
    texts = {
        f.name
        for f in frame.schema.fields
        if f.name.lower() in wanted and f.dataType.typeName() == "string"
    }
    if not texts:
        return frame
    listed = ", ".join(f"'{text}'" for text in NO_FOLDER)

    def guard(name: str) -> str:
        column = quote(name)
        if name not in texts:
            return column
        said = "raise_error('a text to partition by is empty, and would be NULL when it is read')"
        return f"CASE WHEN {column} IN ({listed}) THEN {said} ELSE {column} END AS {column}"

    return frame.selectExpr(*map(guard, frame.columns))
