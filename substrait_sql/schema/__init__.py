"""What a plan's types and functions are, before any dialect says how they are written."""
