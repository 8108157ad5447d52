"""Reads the characters of a pattern, past comments and through quotes."""

from __future__ import annotations

from substrait_sql.dialect.regex.nodes import RegexError

_BLANKS = "\t\n\v\f\r \x85\u200e\u200f\u2028\u2029"
_ENDS = "\r\n\x85\u2028"


class Reader:
    r"""Where reading a pattern has come to.

    comments: blanks are skipped, and what stands behind a `#`. quotes: `\Q` is known.
    """

    def __init__(self, source: str, comments: bool) -> None:
        self.source = source
        self.at = 0
        self.comments = comments
        self.quoting = False
        self.quotes = True

    def peek(self) -> tuple[str, bool] | None:
        """The next character, and whether it stands for itself; None at the end."""
        self._settle()
        if self.at >= len(self.source):
            return None
        return self.source[self.at], self.quoting

    def next(self) -> tuple[str, bool]:
        """Read that character. Raises RegexError at the end."""
        found = self.peek()
        if found is None:
            raise RegexError("its end, where something is missing")
        self.at += 1
        return found

    def raw(self) -> str:
        """Read the very next character, whatever it is; nothing at the end."""
        char = self.source[self.at : self.at + 1]
        self.at += 1
        return char

    def ahead(self) -> str:
        """The very next character; nothing at the end."""
        return self.source[self.at : self.at + 1]

    def starts(self, text: str) -> bool:
        """Read a text if it stands here."""
        if not self.source.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def until(self, end: str) -> str:
        """Read all up to a mark, and that."""
        found = self.source.find(end, self.at)
        if found < 0:
            raise RegexError(f"a {end!r} that is missing")
        text = self.source[self.at : found]
        self.at = found + len(end)
        return text

    def _settle(self) -> None:
        while True:
            if self.quoting:
                if not self.starts(r"\E"):
                    return
                self.quoting = False
            elif self.quotes and self.starts(r"\Q"):
                self.quoting = True
            elif not self.comments or not self._skip():
                return

    def _skip(self) -> bool:
        char = self.ahead()
        if char == "#":
            while self.ahead() and self.ahead() not in _ENDS:
                self.at += 1
            return True
        if char and char in _BLANKS:
            self.at += 1
            return True
        return False
