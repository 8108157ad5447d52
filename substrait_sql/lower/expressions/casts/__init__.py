"""Casts, one rule per pair of type families."""
