"""The names that Spark makes up for columns that nobody named."""
