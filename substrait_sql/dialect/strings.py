"""String literals that mean the same whatever the session substitutes.

Spark replaces ``${name}`` in the text of a statement, in literals too, before it parses
(`spark.sql.variable.substitute`, on by default; an undefined name becomes nothing). The dollar sign
is therefore written as an escape where a brace follows.
"""

from __future__ import annotations

import re

from sqlglot import exp

# What needs an escape in a quoted Spark string; everything else stands for itself.
_SPECIAL = re.compile(r"""['\\\x00-\x1f\x7f\u2028\u2029]|\$(?=\{)""")
_NAMED = {"'": r"\'", "\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r", "$": r"\u0024"}


def string_literal(text: str) -> exp.Expression:
    r"""A string literal of the tree.

    >>> string_literal("it's ${HOME}").sql()
    "'it\\'s \\u0024{HOME}'"
    """
    if not _SPECIAL.search(text):
        return exp.Literal.string(text)
    return exp.Var(this=in_quotes(text), text=text)


def in_quotes(text: str) -> str:
    r"""A string literal as text.

    >>> print(in_quotes("it's ${x}"))
    'it\'s \u0024{x}'
    """
    return "'" + _SPECIAL.sub(_escape, text) + "'"


def text_of(node: exp.Expression | None) -> str | None:
    """The text of a string literal that `string_literal` made, None for anything else."""
    if isinstance(node, exp.Var):
        found: str | None = node.args.get("text")
        return found
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    return _NAMED.get(found) or f"\\u{ord(found):04X}"
