"""Forms that a person would have written for what a tree says: each means the same, row by row, error by error."""
