"""From the model of a SELECT to a sqlglot tree with its names."""
