"""Paths of nodes, and whether a plan has them."""

from __future__ import annotations

import re
from typing import Any

from substrait_sql.wire.fields import is_repeated


def is_there(message: Any, path: str) -> bool:
    """Whether the plan has a node at this path, or the field of one."""
    for name, place in re.findall(r"([^.\[\]]+)(?:\[(\d+)\])?", path):
        descriptor = getattr(message, "DESCRIPTOR", None)
        if descriptor is None or name not in descriptor.fields_by_name:
            return False
        message = getattr(message, name)
        if place:
            if not is_repeated(descriptor.fields_by_name[name]) or int(place) >= len(message):
                return False
            message = message[int(place)]
    return True


def is_shared(path: str) -> bool:
    """Whether it is below a reference: that of the plan, or one that takes the place of what the plan repeats."""
    return ".reference" in path
