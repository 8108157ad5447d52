"""Changes of tables that take several statements."""
