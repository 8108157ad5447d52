"""Subqueries that refer outwards, where Spark cannot run them as the plan has them."""
