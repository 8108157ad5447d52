"""The release of Substrait that a plan says it is of."""

from __future__ import annotations

from typing import Any


def version_of(plan: Any) -> tuple[int, int, int] | None:
    """Return the version a plan gives, None where it gives none; a version of zeros is none."""
    v = plan.version
    found = (v.major_number, v.minor_number, v.patch_number)
    return found if any(found) else None


def minor_of(plan: Any) -> int | None:
    """Return the minor number by which the releases of Substrait are told apart so far."""
    version = version_of(plan)
    if version is None:
        return None
    return version[1] if version[0] == 0 else 10_000
