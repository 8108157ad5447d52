"""The files that a dialect is read from: YAML, its schema, extension files."""
