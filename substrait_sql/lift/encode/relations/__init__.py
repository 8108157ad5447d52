"""Relations as messages."""
