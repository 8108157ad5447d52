"""Spark SQL back into Substrait plans: text to tokens, tokens to sqlglot's tree, the tree to a typed plan."""
