"""Functions that a text calls and the dialect's engine has not: refused, whatever line or rule has written them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from substrait_sql.errors import UnsupportedError

if TYPE_CHECKING:
    from substrait_sql.dialect.dialect import Dialect


def refuse_absent(tree: exp.Query, dialect: Dialect, root: int) -> None:
    """Raises SS2223 for a call of a function that is absent from the dialect. root: that of the plan it is in."""
    absent = dialect.builtins.absent
    if not absent:
        return
    for call in tree.find_all(exp.Anonymous):
        if str(call.this).lower() in absent:
            name = str(call.this).lower()
            raise UnsupportedError.of(
                "SS2223",
                f"the SQL would call {name}, which the engine of the dialect {dialect.name} has not",
                f"relations[{root}]",
                "another dialect may have it; docs/dialects.md says which there are",
            )
