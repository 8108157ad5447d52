"""Statements that change something, in the words of a plan: rows written, tables and views made, changed, dropped."""
