"""SQL text into sqlglot's tree, with every function under the name that the text gives it."""
