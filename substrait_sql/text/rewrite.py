"""The statements that give a table other rows by way of a second table, and lose none if they stop at any point.

The rows are written into a table beside the target, which then says that it has them all. From then on the target can
be overwritten again and again, until the second table says that this is done. What to do with one that was left behind
is in its property, `PROPERTY`: a state of `STATES` and the digest of the change.
"""

from __future__ import annotations

import hashlib
import re
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
    "rewrite_check",
    "rewrite_ready",
    "rewrite_drop_target",
    "rewrite_make_target",
    "rewrite_swap",
    "rewrite_done",
    "rewrite_empty",
    "rewrite_drop",
)
"""The kinds of the statements, in order. One is for tables that may hold other rows than they were given, two where the
target becomes another table."""

CHANGE: Final = tuple(k for k in STEPS if k != "rewrite_check" and not k.endswith("_target"))
"""Those that give the target other rows."""

NOT_HELD: Final = "the table does not hold these rows"
"""What Spark says where the comparison finds other rows."""

_SUFFIX: Final = "__staging"


def digest_of(*given: str) -> str:
    """What tells a change from others: made of the text of the rows, and of what its parameters are."""
    return hashlib.sha256("\0".join(given).encode()).hexdigest()[:16]


def staging_of(target: Sequence[str], run: str = "") -> tuple[str, ...]:
    """The name of the second table. run: what tells the second tables of several runs apart.

    >>> staging_of(("db", "t"))
    ('db', 't__staging')
    >>> staging_of(("db", "t"), "0a1b2c3d")
    ('db', 't__staging_0a1b2c3d')
    """
    return *target[:-1], target[-1] + _SUFFIX + (f"_{run}" if run else "")


def run_of(name: str, target: str) -> str | None:
    """The run whose second table of the target this is, None if it is none. In any case, as catalogs have names.

    >>> run_of("t__staging_0a1b2c3d", "T")
    '0a1b2c3d'
    >>> run_of("u__staging", "t") is None
    True
    """
    begin = (target + _SUFFIX).lower()
    found = re.fullmatch(re.escape(begin) + r"(?:_([0-9a-f]{8}))?", name.lower())
    return (found[1] or "") if found else None


def rewrite(
    templates: Templates,
    target: Relation,
    columns: Sequence[Column],
    query: str,
    root: int,
    definition: dict[str, Any] | None = None,
    *,
    checked: bool = False,
    run: str = "",
    digest: str = "",
) -> list[Statement]:
    """The statements of `STEPS`. query: the rows that the table is to have, under these columns.

    definition: what the template of a new table gets, where the target becomes one; else it stays what it is.
    checked: the rows are compared with those that were written before the target is touched. run: as in `staging_of`.
    digest: of the change, if it is not one of this text.
    """
    staging = relation(staging_of(target.parts, run), target.names)

    def fill(into: Relation, text: str, kind: str, **known: Any) -> str:
        return templates.render(kind, into, **NOTHING | known, query=Piece("the query", text))

    names = [c.name for c in columns]
    filled = fill(staging, query, "insert", columns=[{"name": name} for name in names])
    # Of the change alone: a run that finishes it has another second table.
    digest = digest or digest_of(str(target), query, *names)

    def state(name: str) -> dict[str, Any]:
        return {"properties": [(PROPERTY, f"{name}:{digest}")]}

    swapped = fill(
        target,
        f"SELECT\n  *\nFROM {staging}",
        "overwrite",
        columns=(),
        partition_overwrite="static",
    )
    texts = {
        "rewrite_create": templates.render("create_like", staging, like=target, **state(FILLING))
        if definition is None
        else templates.render("create_table", staging, **definition | state(FILLING)),
        "rewrite_fill": filled,
        "rewrite_ready": templates.render("mark_table", staging, **state(READY)),
        "rewrite_swap": swapped,
        "rewrite_done": templates.render("mark_table", staging, **state(DONE)),
        "rewrite_empty": templates.render("truncate_table", staging),
        "rewrite_drop": templates.render("drop_table", staging, mode=""),
    }
    if checked:
        listed = ", ".join(map(target.names.quote, names))
        texts["rewrite_check"] = (
            f"SELECT\n  assert_true(count(*) = 0, '{NOT_HELD}')\nFROM (\n"
            f"(\n{query}\n)\nEXCEPT ALL\nSELECT {listed} FROM {staging}\n)"
        )
    if definition is not None:
        texts["rewrite_drop_target"] = templates.render("drop_table", target, mode="if_exists")
        texts["rewrite_make_target"] = templates.render(
            "create_like", target, like=staging, properties=()
        )
    return [
        Statement(texts[kind], kind, root, tuple(columns), target.parts)
        for kind in STEPS
        if kind in texts
    ]
