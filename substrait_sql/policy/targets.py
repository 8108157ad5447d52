"""Where a caller wants rows to go, held against a policy: it is not the plan that says so."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from substrait_sql.errors import Diagnostic, PolicyError
from substrait_sql.policy.effects import SAVED
from substrait_sql.policy.hold import file_problems, target_problems
from substrait_sql.policy.model import FileRead, TableWrite
from substrait_sql.policy.places import Roots
from substrait_sql.text.target_name import parse_name

if TYPE_CHECKING:
    from substrait_sql.dialect.dialect import Dialect
    from substrait_sql.policy.policy import Policy


def hold_target(name: str, format: str, is_table: bool, policy: Policy, dialect: Dialect) -> None:
    """Raises `PolicyError` SS4062 to SS4064 for a target that the policy does not allow.

    name: of the table, as it is written in SQL, or the path of the folder.
    """
    roots = Roots(policy.file_roots or ())
    found: list[Diagnostic] = []
    if is_table:
        parts = parse_name(name, dialect.names).parts
        found += target_problems([TableWrite(parts, SAVED, "")], roots, policy)
    elif policy.allow_writes is False:
        message = f"the policy allows no writes, and rows would go to {name!r}"
        hint = "leave allow_writes out of the policy if that is meant"
        found += PolicyError.of("SS4062", message, "", hint).diagnostics
    else:
        # Not made shorter: what goes up again is refused, as links may lead elsewhere on the way.
        place = name if ":/" in name else os.path.join(os.getcwd(), os.path.expanduser(name))
        found += file_problems(FileRead(name, format, place, False, ""), roots, policy)
    if found:
        raise PolicyError(found)
