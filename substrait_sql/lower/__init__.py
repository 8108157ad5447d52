"""Plans to sqlglot trees: see docs/architecture.md."""
