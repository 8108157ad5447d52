"""Everything that can go wrong, said the same way: a stable code, the node's path, what is wrong, what to do.

Codes are grouped by pass and never reused: 1xxx wire, 2xxx lower, 3xxx text, 4xxx run, 5xxx lift; 7xxx arguments.
``codes.yaml`` has the name of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Self

from substrait_sql.codes import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable


class Severity(Enum):
    """How much a diagnostic matters: an error means that no SQL is made."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a plan, or about a text of SQL.

    code: stable, such as ``SS2101``; docs/errors.md has them all.
    message: what is wrong.
    path: the node in the plan, such as ``relations[0].root.input.filter``, or the place in a text; empty where the
    whole is meant.
    hint: what to do about it, may be empty.
    severity: whether there is no SQL for it.
    """

    code: str
    message: str
    path: str = ""
    hint: str = ""
    severity: Severity = Severity.ERROR

    @property
    def name(self) -> str:
        """The name of the code in ``codes.yaml``, such as ``no_such_field``."""
        return name_of(self.code)

    def __str__(self) -> str:
        lines = [f"{self.code} {self.message}"]
        if self.path:
            lines.append(f"  at    {self.path}")
        if self.hint:
            lines.append(f"  hint  {self.hint}")
        return "\n".join(lines)


# Characters of a message or a hint. The longest of our own words have about a tenth of it.
_LONGEST = 4_000
REWRITTEN = "(rewritten)"
"""The step of a path under which a rewriting lowers an equal relation: what is below is no node of the plan."""


def node_path(path: object) -> str:
    """The path of a node of the plan: of the one that has been rewritten, for what a rewriting has made."""
    return str(path).partition("." + REWRITTEN)[0]


class SubstraitSqlError(Exception):
    """Base of all errors of this library. ``diagnostics`` holds one or more findings, the first one first.

    >>> from substrait_sql import SubstraitSqlError, to_sql
    >>> try:
    ...     to_sql(b"no plan")
    ... except SubstraitSqlError as error:
    ...     print(type(error).__name__, error.code)
    DecodeError SS1004
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        found = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        self.diagnostics: tuple[Diagnostic, ...] = found
        super().__init__("\n".join(str(d) for d in found))

    @classmethod
    def of(cls, code: str, message: str, path: object = "", hint: str = "") -> Self:
        """The error with one diagnostic."""
        what, advice = _short(_printable(message)), _short(_printable(hint))
        return cls(Diagnostic(code, what, _printable(node_path(path)), advice))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.diagnostics,)

    @property
    def code(self) -> str:
        """The code of the first diagnostic."""
        return self.diagnostics[0].code

    @property
    def path(self) -> str:
        """The plan path of the first diagnostic."""
        return self.diagnostics[0].path


def _printable(text: str) -> str:
    """A text that can be written anywhere: JSON may have half of a surrogate pair in a name."""
    return text.encode("utf-8", "backslashreplace").decode()


def _short(text: str) -> str:
    """A text that can be read: a name in a plan may have any length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


class DecodeError(SubstraitSqlError):
    """The input is not a Substrait plan in any encoding."""


class InvalidPlanError(SubstraitSqlError):
    """The plan breaks a rule of the specification."""


class UnsupportedError(SubstraitSqlError):
    """The plan is valid, and this dialect has no right SQL for it."""


class DialectError(SubstraitSqlError):
    """A dialect of the user's own is not as it must be: a file of its folder, a line, an extension file.

    ``path`` is the file, the line in it, and the key.
    """


class PolicyError(SubstraitSqlError):
    """The plan would do what the caller has not allowed, such as writing."""


class ExecutionError(SubstraitSqlError):
    """The SQL could not be run: no Java, a table that is missing, an error of the engine."""


class SqlError(SubstraitSqlError):
    """SQL text that cannot be turned into a plan."""


class ArgumentError(SubstraitSqlError, TypeError):
    """A function was called with something of another kind than it takes."""


def refuse(code: str, message: str, path: object, hint: str = "") -> UnsupportedError:
    """The error for something valid that this dialect cannot say."""
    return UnsupportedError.of(code, message, path, hint)


def invalid(code: str, message: str, path: object, hint: str = "") -> InvalidPlanError:
    """The error for something that the specification forbids."""
    return InvalidPlanError.of(code, message, path, hint)
