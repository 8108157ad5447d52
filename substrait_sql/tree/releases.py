"""What differs among the releases of sqlglot that we work with: the names of two parts of a node, and how `%` binds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot import tokens as sqlglot_tokens
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError

if TYPE_CHECKING:
    from sqlglot.dialects.dialect import DialectType

# Sqlglot does not say that it exports it.
_MOD: Any = getattr(sqlglot_tokens, "TokenType").MOD  # noqa: B009

# Before 28 they are named as in SQL.
FROM = "from_" if "from_" in exp.Select.arg_types else "from"
WITH = "with_" if "with_" in exp.Select.arg_types else "with"
# What CURRENT_USER and SESSION_USER are read as: before 28 both as the first.
USERS = tuple(getattr(exp, name) for name in ("CurrentUser", "SessionUser") if hasattr(exp, name))


def parser_of(dialect: DialectType, **options: Any) -> Any:
    """Sqlglot's parser for a dialect, for which `a - b % c` is `a - (b % c)`, as it is in Spark.

    Most releases read `(a - b) % c` there.
    """
    parser: Any = Dialect.get_or_raise(dialect).parser(**options)
    if _MOD in parser.TERM:
        parser.TERM = {kind: node for kind, node in parser.TERM.items() if kind != _MOD}
        parser.FACTOR = {**parser.FACTOR, _MOD: exp.Mod}
    return parser


def parse(text: str, dialect: DialectType) -> list[Any]:
    """The statements of a text as sqlglot's trees, None for an empty one. Raises sqlglot's errors."""
    found: list[Any] = parser_of(dialect).parse(Dialect.get_or_raise(dialect).tokenize(text), text)
    return found


def parse_one(text: str, dialect: DialectType) -> exp.Expression:
    """The only statement of a text as sqlglot's tree. Raises sqlglot's errors, also for none."""
    found = [each for each in parse(text, dialect) if each is not None]
    if len(found) != 1:
        raise ParseError(f"{len(found)} statements where one is wanted")
    only: exp.Expression = found[0]
    return only
