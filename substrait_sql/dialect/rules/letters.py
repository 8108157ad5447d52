"""Upper and lower case: what is compared without regard to it, and what changes it.

ASCII_ONLY and CASE_INSENSITIVE_ASCII mean the letters A to Z; Spark's own functions know all of Unicode.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from substrait_sql.dialect import operators
from substrait_sql.dialect.rules import Result, literal_text, quoted

if TYPE_CHECKING:
    from substrait_sql.dialect.line import Line
    from substrait_sql.dialect.model import Call, Node

ASCII = "CASE_INSENSITIVE_ASCII"
_LOWERED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def compared(call: Call, line: Line) -> Result:
    """``contains`` and its like as they are, or over texts whose letters A to Z are lower case."""
    values = call.values
    if call.chosen.get("CASE_SENSITIVITY") == ASCII:
        values = [ascii_lower(v) for v in values]
    return line.plain(values), line.returns(call)


def ascii_lower(node: Node) -> Node:
    """``translate(x, 'ABC…', 'abc…')``; of a literal, its text."""
    text = literal_text(node)
    if text is not None:
        return quoted(text.translate(_LOWERED))
    letters = quoted(string.ascii_uppercase), quoted(string.ascii_lowercase)
    return operators.call("translate", node, *letters)
