"""Quoting of names for statement templates; the policy is the dialect's."""

from substrait_sql.dialect.identifiers import is_safe, quote

__all__ = ["is_safe", "quote"]
