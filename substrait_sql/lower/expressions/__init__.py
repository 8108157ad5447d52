"""Expressions, one file per member of ``Expression``."""
