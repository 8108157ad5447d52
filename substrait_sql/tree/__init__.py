"""sqlglot trees whose nodes know where they come from: copies, comparison, notes."""
