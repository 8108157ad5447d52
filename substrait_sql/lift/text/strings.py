r"""What a text in quotes says, as Spark reads it. Source: Spark's own parser, drawn in tests/lift/test_strings.py.

`\n`, `\t`, `\r`, `\b`, `\0`, `\Z`, `\u0041`, `\U00000041` and three octal digits stand for a character, `\%` and `\_`
for themselves with the backslash (LIKE reads it), a backslash before anything else for nothing. Two quotes are one.
"""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[01][0-7]{2}|.)", re.DOTALL)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SAID = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def unescaped(quoted: str) -> str:
    """The text of a string literal, given with its quotes. The escapes of both halves of a pair are one character."""
    quote = quoted[0]
    said = _ESCAPE.sub(_character, quoted[1:-1].replace(quote * 2, quote))
    return _PAIR.sub(
        lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), said
    )


def _character(found: re.Match[str]) -> str:
    said = found[1]
    if len(said) == 1:
        return _SAID.get(said, said)
    code = int(said, 8) if said[0].isdigit() else int(said[1:], 16)
    # Beyond the last character Spark has halves of surrogate pairs; those are refused where tokens are read.
    return chr(code) if code < 0x110000 else "\udc00"
