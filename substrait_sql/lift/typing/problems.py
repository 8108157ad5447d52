"""What is wrong with the types of a text, before anybody knows where it stands."""

from __future__ import annotations


class Misused(Exception):
    """An operator or a function over values that Spark does not take. The message is for people."""
