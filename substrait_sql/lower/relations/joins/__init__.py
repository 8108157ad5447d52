"""Joins: the relations, and what putting two queries into one FROM clause takes."""
