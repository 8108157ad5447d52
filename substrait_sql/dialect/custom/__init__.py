"""A dialect of the user's own: a folder with lines, templates and extension files."""
