"""The command ``run``: what it is asked for, what is wrong with that, rows as text and as files."""
