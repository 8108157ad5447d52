"""Expressions of sqlglot's tree into typed ones: a module for each kind."""
