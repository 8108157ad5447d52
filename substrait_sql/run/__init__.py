"""Runs rendered plans: a Java, a session, the tables, the rows."""
