"""Regular expressions of other flavours as those of Java, which Spark has."""

from __future__ import annotations

from substrait_sql.dialect.regex.nodes import RegexError

__all__ = ["RegexError"]
