"""The statements that give a table other rows by way of a second table, and lose none if they stop at any point.

The rows are written into a table beside the target, which then says that it has them all. From then on the target can
be overwritten again and again, until the second table says that this is done. What to do with one that was left behind
is in its property, `PROPERTY`: a state of `STATES` and the digest of the change.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.rendered import Statement
from substrait_sql.text.statement_options import NOTHING
from substrait_sql.text.target_name import Relation, relation
from substrait_sql.text.templates import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from substrait_sql.rendered import Column
    from substrait_sql.text.templates import Templates

PROPERTY: Final = "substrait_sql.rewrite"
FILLING, READY, DONE = STATES = ("filling", "ready", "done")
"""Of the second table: its rows are being written, they are complete, the target has them."""

STEPS: Final = (
    "rewrite_create",
    "rewrite_fill",
    "rewrite_ready",
    "rewrite_swap",
    "rewrite_done",
    "rewrite_empty",
    "rewrite_drop",
)
"""The kinds of the statements, in order."""

_SUFFIX: Final = "__staging"


def digest_of(*given: str) -> str:
    """What tells a change from others: made of the text of the rows, and of what its parameters are."""
    return hashlib.sha256("\0".join(given).encode()).hexdigest()[:16]


def staging_of(target: Sequence[str]) -> tuple[str, ...]:
    """The name of the second table.

    >>> staging_of(("db", "t"))
    ('db', 't__staging')
    """
    return *target[:-1], target[-1] + _SUFFIX


def rewrite(
    templates: Templates, target: Relation, columns: Sequence[Column], query: str, root: int
) -> list[Statement]:
    """The statements of `STEPS`. query: the rows that the table is to have, under these columns."""
    staging = relation(staging_of(target.parts), target.names)
    listed = [{"name": column.name} for column in columns]

    def fill(into: Relation, text: str, kind: str, **known: Any) -> str:
        return templates.render(kind, into, **NOTHING | known, query=Piece("the query", text))

    filled = fill(staging, query, "insert", columns=listed)
    digest = digest_of(filled)

    def state(name: str) -> list[tuple[str, str]]:
        return [(PROPERTY, f"{name}:{digest}")]

    texts = (
        templates.render("create_like", staging, like=target, properties=state(FILLING)),
        filled,
        templates.render("mark_table", staging, properties=state(READY)),
        fill(
            target,
            f"SELECT\n  *\nFROM {staging}",
            "overwrite",
            columns=(),
            partition_overwrite="static",
        ),
        templates.render("mark_table", staging, properties=state(DONE)),
        templates.render("truncate_table", staging),
        templates.render("drop_table", staging, mode=""),
    )
    return [
        Statement(text, kind, root, tuple(columns), target.parts)
        for text, kind in zip(texts, STEPS, strict=True)
    ]
