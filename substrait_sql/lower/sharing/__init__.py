"""Queries that are read more than once."""
