r"""Escapes that are one character: `\n`, `\x41`, `\N{DIGIT ONE}`."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from substrait_sql.dialect.regex.nodes import RegexError

if TYPE_CHECKING:
    from substrait_sql.dialect.regex.flavour import Flavour
    from substrait_sql.dialect.regex.reader import Reader

_CONTROLS = {"t": "\t", "n": "\n", "f": "\f", "r": "\r", "a": "\a", "e": "\x1b", "v": "\v"}
_HIGHEST = 0x10FFFF


def is_character_escape(char: str, flavour: Flavour) -> bool:
    """Whether a backslash and this letter or digit are one character."""
    if char == "v":
        return not flavour.backtracks
    return (
        char in "tnfrx"
        or (char in flavour.escapes and char in "acue0U")
        or (char == "0" and flavour.any_escape)
    )


def escaped_character(read: Reader, char: str, flavour: Flavour) -> str:
    """The character, read up to its end. Raises RegexError where it is not complete."""
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char == "c":
        control = read.raw()
        if not control.isascii() or not control:
            raise RegexError(r"a \c without a letter")
        return chr(ord(control) & 31)
    if char == "0":
        return _octal(read)
    code = _hexadecimal(read, char, flavour)
    if 0xD800 <= code < 0xDC00 and char == "u" and read.starts(r"\u"):
        low = _hexadecimal(read, "u", flavour)
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
    if 0xD800 <= code < 0xE000:
        raise RegexError("half of a character")
    return chr(code)


def _hexadecimal(read: Reader, char: str, flavour: Flavour) -> int:
    if (char == "x" or not flavour.backtracks) and read.starts("{"):
        digits = read.until("}")
        valid = re.fullmatch(r"[0-9A-Fa-f]{1,8}", digits)
    else:
        width = {"x": 2, "u": 4, "U": 8}[char]
        found = re.compile(rf"[0-9A-Fa-f]{{1,{width}}}").match(read.source, read.at)
        digits = found[0] if found else ""
        read.at += len(digits)
        valid = found if len(digits) == width or (char == "x" and flavour.backtracks) else None
    if not valid or int(digits, 16) > _HIGHEST:
        raise RegexError(rf"a \{char} without its digits")
    return int(digits, 16)


def _octal(read: Reader) -> str:
    code = digits = 0
    while (
        digits < 3 and (char := read.ahead()) and char in "01234567" and code * 8 + int(char) < 256
    ):
        code = code * 8 + int(read.raw())
        digits += 1
    if not digits:
        raise RegexError(r"a \0 without its digits")
    return chr(code)


def named_character(read: Reader) -> str:
    r"""The character of `\N{…}`."""
    name = read.until("}")[1:] if read.ahead() == "{" else ""
    try:
        char = unicodedata.lookup(name)
    except KeyError:
        raise RegexError(f"a character called {name!r}") from None
    if unicodedata.name(char, "") != name.upper():
        raise RegexError(f"a character called {name!r}")
    return char
