"""What is wrong with the types of a text, before anybody knows where it stands."""

from __future__ import annotations

from typing import Any


class Misused(Exception):
    """An operator or a function over values that Spark does not take. The message is for people.

    code: of the error that it becomes. hint: what to do about it, may be empty. word: of the text that it is about, a
    function's name, where that is known. node: of the text that it is about, where that is found later.
    """

    def __init__(
        self, message: str, code: str = "SS5003", hint: str = "", word: str = "", node: Any = None
    ) -> None:
        super().__init__(message)
        self.code, self.hint, self.word, self.node = code, hint, word, node
