"""Our texts as sqlglot's own parser reads them."""

from __future__ import annotations

import re
from typing import Any

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError


def parsed(text: str) -> list[Any]:
    """The statements of a text of Spark SQL. Raises sqlglot's errors."""
    grammar = Dialect.get_or_raise("spark")
    try:
        return list(grammar.parse(text))
    except ParseError:
        # Releases before 29 read `overlay` with PLACING only, and `grouping_id` with keys only: Spark takes both ways.
        plain = re.sub(r"(?i)\b(overlay|grouping_id)\(", r"any_\1(", text)
        if plain == text:
            raise
        return list(grammar.parse(plain))
