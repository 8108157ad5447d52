"""Window functions and their frames."""
