"""Spark's types and what Spark does to bring values to a type: https://spark.apache.org/docs/latest/sql-ref-ansi-compliance.html"""
