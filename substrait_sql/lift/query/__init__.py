"""Queries of sqlglot's tree into relations: a module for each clause."""
