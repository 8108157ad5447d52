"""What `diff` returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from substrait_sql.review.diff.lines import unified

if TYPE_CHECKING:
    from substrait_sql.errors import Diagnostic
    from substrait_sql.review.diff.change import Change
    from substrait_sql.review.diff.rows import Executed

CATEGORIES: Final = ("same", "names", "order", "additive", "columns", "rows")
"""From the least to the most that a reader of the result has to know."""

HEADLINES: Final = {
    "same": "same meaning",
    "names": "the same rows: only names, places or nullability of columns changed",
    "order": "the same rows: only their order changed",
    "additive": "columns were added: the others have the same rows",
    "columns": "columns were removed: the others have the same rows",
    "rows": "rows may differ",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """One side of a comparison.

    label: what it is called.
    text: its SQL, else its tree.
    kind: ``sql`` or ``tree``.
    refused: why there is no SQL.
    """

    label: str
    text: str
    kind: str = "sql"
    refused: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two plans or texts.

    old: one side.
    new: the other side.
    category: ``same``, ``names``, ``order``, ``additive``, ``columns`` or ``rows``, from the least to the most that a
    reader of the result has to know.
    rows_may_differ: whether the rows may, names and added columns aside.
    why: how that is known.
    changes: what changed in meaning, in the order of the new plan.
    notes: what else there is to know.
    executed: what running both has shown, None if they were not run.
    """

    old: Compared
    new: Compared
    category: str
    rows_may_differ: bool
    why: str
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    executed: Executed | None = field(default=None)

    @property
    def same(self) -> bool:
        """Whether both mean the same; where they were run, their rows must be the same, too."""
        return self.category == "same" and (self.executed is None or self.executed.same)

    @property
    def same_text(self) -> bool:
        """Whether the texts are the same."""
        return self.old.text == self.new.text

    @property
    def headline(self) -> str:
        """The category in words."""
        return HEADLINES[self.category]

    def sql(self) -> str:
        """The unified diff of the texts, empty if they are the same."""
        return unified((self.old.label, self.old.text), (self.new.label, self.new.text))

    def to_dict(self) -> dict[str, Any]:
        """Everything in values of JSON."""
        return {
            "category": self.category,
            "same": self.same,
            "rows_may_differ": self.rows_may_differ,
            "why": self.why,
            "changes": [asdict(c) for c in self.changes],
            "notes": list(self.notes),
            "old": _side(self.old),
            "new": _side(self.new),
            "diff": self.sql(),
            "executed": None if self.executed is None else self.executed.to_dict(),
        }

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"* {c.text}" for c in self.changes)])


def _side(side: Compared) -> dict[str, Any]:
    refused = [{"code": d.code, "message": d.message, "path": d.path} for d in side.refused]
    return {"label": side.label, "text": side.text, "kind": side.kind, "refused": refused}
